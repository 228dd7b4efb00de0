/** The contract of every adapter that outlines source, with any parser. */
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, type Layer } from "effect"
import { type Outline, Symbols } from "../../src/code/Symbols.ts"
import { cases, isThorough } from "../thoroughness.ts"

const outlined = (path: string, text: string): Effect.Effect<Outline, never, Symbols> =>
  Effect.flatMap(Symbols, (symbols) => symbols.outline(path, text))

const paths = [
  "a.ts",
  "a.tsx",
  "a.js",
  "a.py",
  "a.go",
  "a.rs",
  "a.java",
  "a.cpp",
  "a.cs",
  "a.rb",
  "a.php",
  "a.sh",
  "a.css",
]

/** Tells whether the adapter still works after all that was done to it. */
const isWell = Effect.map(
  Effect.forEach(["a.ts", "a.java"], (path) => outlined(path, "class A { b() {} }")),
  (outlines) => outlines.every(({ note, symbols }) => symbols[0]?.name === "A" && note === undefined),
)

const snippets = FastCheck.constantFrom(
  "export const a = 1",
  "export function b(x: string): void {\n  const inner = 1\n}",
  "/** Doc. */\nclass C extends D {\n  field = '🌱'\n  method() {}\n}",
  "// 🌱 line\ninterface E { f: string; g(): void }",
  "namespace H { export type I = 1 }",
  "const { j, k: [l] } = m, n = () => {}",
  "enum O { P }",
  "'𝒳'",
  "}",
  "function (",
)

/** With `isWhole`, it parses what the parser fails on, too, which takes long and is the same for all with one parser. */
export const contract = <E>(name: string, adapter: Layer.Layer<Symbols, E>, isWhole = isThorough): void =>
  // In real time: an adapter gives up on a text after a while.
  layer(adapter, { excludeTestServices: true })(`Symbols (${name})`, (it) => {
    it.effect("gives offsets in UTF-16, so that a slice of the text is the symbol's source", () =>
      Effect.gen(function* () {
        const text = "const seed = '🌱𝒳' // 🌱\nexport function after(a: string) {\n  return '🌱'\n}\n"
        const { symbols } = yield* outlined("a.ts", text)
        assert.deepStrictEqual(
          symbols.map(({ end, start }) => text.slice(start, end)),
          ["const seed = '🌱𝒳'", "export function after(a: string) {\n  return '🌱'\n}"],
        )
      }),
    )

    it.effect("reads lines that end as they do on Windows", () =>
      Effect.gen(function* () {
        const text =
          "/**\r\n * First.\r\n * Second.\r\n */\r\nexport class A {\r\n  // About b.\r\n  b() {\r\n  }\r\n}\r\n"
        const { symbols } = yield* outlined("a.ts", text)
        assert.deepStrictEqual(
          symbols.map(({ doc, endLine, name, signature, startLine }) => ({ doc, endLine, name, signature, startLine })),
          [
            { name: "A", startLine: 5, endLine: 9, signature: "export class A", doc: "First.\nSecond." },
            { name: "b", startLine: 7, endLine: 8, signature: "b()", doc: "About b." },
          ],
        )
      }),
    )

    it.effect("counts identifiers, definitions included, and no words of comments and strings", () =>
      Effect.gen(function* () {
        const text = "// word\nconst word = other.word('word')\ntype Name = word\nclass constructor {}\n"
        const { identifiers } = yield* outlined("a.ts", text)
        assert.deepStrictEqual(
          [...identifiers],
          [
            ["word", 3],
            ["other", 1],
            ["Name", 1],
            ["constructor", 1],
          ],
        )
      }),
    )

    it.effect("keeps order, lines, offsets and containers true in any text", () =>
      Effect.gen(function* () {
        const { outline } = yield* Symbols
        const texts = FastCheck.array(FastCheck.tuple(snippets, FastCheck.constantFrom("\n", "\r\n", "\n\n  ", ";")))
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(texts, async (pieces) => {
              const text = pieces.flat().join("")
              const { symbols } = await Effect.runPromise(outline("a.ts", text))
              const lineAt = (offset: number) => text.slice(0, offset).split("\n").length
              symbols.forEach((symbol, index) => {
                const { container, end, endLine, signature, start, startLine } = symbol
                assert.isAtMost(symbols[index - 1]?.start ?? 0, start)
                assert.deepStrictEqual([startLine, endLine], [lineAt(start), lineAt(end)])
                const source = text.slice(start, end)
                assert.strictEqual(source, source.trim())
                assert.include(source, symbol.name)
                assert.isAtMost(signature.length, 200)
                assert.notInclude(signature, "\n")
                if (container !== undefined)
                  assert.isTrue(symbols.slice(0, index).some(({ name }) => name === container))
              })
            }),
            { numRuns: cases(200) },
          ),
        )
      }),
    )

    it.effect("finds the same whether texts come one by one or at once", () =>
      Effect.gen(function* () {
        const all = (concurrency: number) =>
          Effect.forEach(paths, (path) => outlined(path, "class A { b() {} }"), { concurrency })
        assert.deepStrictEqual(yield* all(paths.length), yield* all(1))
      }),
    )

    it.effect("finds the same in a file of one name and text in any folder", () =>
      Effect.gen(function* () {
        const named = [...paths, "index.ts", "index.vue", "__init__.py", "mod.rs", "a.h", "a.svelte", "a.kt", "a.swift"]
        const text = "export default class { b() {} }\nexport const a = () => import('./c')\n#include <d.h>\n"
        for (const path of named)
          assert.deepStrictEqual(yield* outlined(`src/main/${path}`, text), yield* outlined(path, text), path)
      }),
    )

    it.effect("says why it does not outline", () =>
      Effect.gen(function* () {
        const note = (path: string, text: string) => Effect.map(outlined(path, text), ({ note }) => note)
        assert.strictEqual(yield* note("README.md", "# Title"), "markdown is not outlined")
        assert.strictEqual(yield* note("data.bin", "x"), "this language is not outlined")
        assert.strictEqual(yield* note("a.ts", "x".repeat(8_000_000)), "too large to outline (8.0 MB)")
        assert.strictEqual(yield* note("a.ts", "const a = '\0'"), "binary content")
        assert.strictEqual(yield* note("a.ts", ")))((("), "syntax errors, and no symbol found")
        assert.isUndefined(yield* note("a.ts", ""))
        assert.isUndefined(yield* note("a.ts", "const a = 1\n)))((("))
      }),
    )

    it.effect("keeps what stands around syntax errors", () =>
      Effect.gen(function* () {
        const { note, symbols } = yield* outlined(
          "a.ts",
          "function a() {}\nconst = ;\nclass B {\n  c() { return ) }\n  d() {}\n}\nfunction e() {}\n",
        )
        assert.deepStrictEqual(
          symbols.map(({ name }) => name),
          ["a", "B", "c", "d", "e"],
        )
        assert.isUndefined(note)
      }),
    )

    it.effect("names the declarations that a syntax error hides", () =>
      Effect.gen(function* () {
        const broken = [
          ["a.ts", "c", "function a() {}\nexport function b() { if (a { return 2 }\nexport function c() {}\n"],
          ["a.js", "b, C", "function a() {}\nfunction b() { if (a { return 2 }\nclass C {}\n"],
          ["a.go", "c, d", "package a\nfunc b() int { if (a { return 2 }\nfunc c() int { return 3 }\nfunc d() {}\n"],
          ["a.py", "b, c", "def a(): pass\ndef b(:\n    x = (1\ndef c():\n    return 3\n"],
          ["A.java", "c", "class A {\n  public void b() { if (a { return; }\n  public void c() {}\n  void d() {}\n}\n"],
        ] as const
        for (const [path, lost, text] of broken) {
          const { cut, note } = yield* outlined(path, text)
          const expected = [path, `syntax error at line 2: the outline lacks ${lost}`, "syntax"]
          assert.deepStrictEqual([path, note, cut], expected)
        }
        const many = Array.from({ length: 300 }, (_, n) => `function f${n}() {}\n`)
        const hidden = yield* outlined("a.js", `function a() {}\nfunction b() { if (a { return 2 }\n${many.join("")}`)
        assert.match(hidden.note ?? "", /^syntax error at line 2: the outline lacks b, f0, f1 and at least 97 more$/)
        const zsh = "one() {\n  echo 1\n}\n() {\n  a=(${(k)b})\n}\ntwo() {\n  echo 2\n}\n"
        for (const [path, text] of [
          ["a.zsh", zsh],
          ["run", `#!/usr/bin/env zsh\n${zsh}`],
        ] as const) {
          const { cut, note } = yield* outlined(path, text)
          assert.deepStrictEqual([note, cut], ["zsh is read as bash: the outline may be incomplete", "syntax"], path)
        }
        // Text that looks like a declaration is none.
        const { note } = yield* outlined("a.ts", "const a = `\nfunction b() {}\n`\nconst = ;\nfunction c() {}\n")
        assert.isUndefined(note)
      }),
    )

    if (!isWhole) return

    it.effect("gives up on a text that is too much work to parse", () =>
      Effect.gen(function* () {
        // Its parser looks through the rest of the text at each of them.
        const { note, symbols } = yield* outlined("a.sh", ")".repeat(isThorough ? 50_000 : 20_000))
        assert.strictEqual(note, "too much work to parse")
        assert.deepStrictEqual(symbols, [])
        assert.isTrue(yield* isWell)
      }),
    )

    it.effect(
      "recovers from a text that takes all memory there is",
      () =>
        Effect.gen(function* () {
          const { note } = yield* outlined("a.java", "A<".repeat(50_000))
          assert.include(note, "the parser broke down")
          assert.isTrue(yield* isWell)
        }),
      240_000,
    )
  })
