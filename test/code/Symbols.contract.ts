/** What every adapter that outlines source must do, whatever parses for it. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, FastCheck, type Layer } from "effect"
import { type Outline, Symbols } from "../../src/code/Symbols.ts"

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

/** A clock whose time depends on how often it was looked at. */
const clock = (time: (looks: number) => number): Clock.Clock => {
  let looks = 0
  return Object.create(Clock.make(), { unsafeCurrentTimeMillis: { value: () => time(looks++) } })
}

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

export const contract = <E>(name: string, adapter: Layer.Layer<Symbols, E>): void =>
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
            { numRuns: 200 },
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

    it.effect("gives up on a text that takes too long to parse", () =>
      Effect.gen(function* () {
        const { note, symbols } = yield* outlined("a.ts", "const a = [1, 2, 3]\n".repeat(500)).pipe(
          Effect.withClock(clock((looks) => looks * 400)),
        )
        assert.strictEqual(note, "not parsed within 1.0 s")
        assert.deepStrictEqual(symbols, [])
        assert.isTrue(yield* isWell)
      }),
    )

    it.effect("keeps what it has outlined when it is late", () =>
      Effect.gen(function* () {
        const text = Array.from({ length: 500 }, (_, index) => `const a${index} = ${index}`).join("\n")
        let all = 0
        const counting = clock((looks) => {
          all = looks
          return 0
        })
        yield* outlined("a.ts", text).pipe(Effect.withClock(counting))
        const { note, symbols } = yield* outlined("a.ts", text).pipe(
          Effect.withClock(clock((looks) => (looks < all ? 0 : 1_000_000))),
        )
        assert.strictEqual(note, "not all of it was outlined in time")
        assert.strictEqual(symbols[0]?.name, "a0")
        assert.isBelow(symbols.length, 500)
      }),
    )

    it.effect(
      "is not overwhelmed by depth, unterminated blocks and broken characters",
      () =>
        Effect.gen(function* () {
          for (const path of paths) {
            yield* outlined(path, "[".repeat(100_000))
            yield* outlined(path, "{\n".repeat(50_000))
            yield* outlined(path, "function f() {\nif x\nclass A {\ndef f\n".repeat(2_000))
            yield* outlined(path, `${"\ud800".repeat(1_000)} class \udc00A {}`)
          }
          assert.isTrue(yield* isWell)
        }),
      60_000,
    )

    it.effect(
      "recovers from a text that takes all memory there is",
      () =>
        Effect.gen(function* () {
          const { note } = yield* outlined("a.java", "A<".repeat(50_000))
          assert.include(note, "the parser broke down")
          assert.isTrue(yield* isWell)
        }),
      60_000,
    )

    it.effect(
      "survives any characters in any language",
      () =>
        Effect.gen(function* () {
          const { outline } = yield* Symbols
          const words = FastCheck.constantFrom(
            ..."class def fn func end if { } ( ) < > [ ] ; : , . = => ' \" ` # // /* */ \n x public".split(" "),
          )
          const text = FastCheck.oneof(
            FastCheck.string({ unit: "binary", maxLength: 500 }),
            FastCheck.array(words, { maxLength: 200 }).map((words) => words.join(" ")),
          )
          yield* Effect.promise(() =>
            FastCheck.assert(
              FastCheck.asyncProperty(FastCheck.constantFrom(...paths), text, async (path, text) => {
                const { note } = await Effect.runPromise(outline(path, text))
                assert.notInclude(note ?? "", "the parser broke down")
              }),
              { numRuns: 500 },
            ),
          )
          assert.isTrue(yield* isWell)
        }),
      60_000,
    )
  })
