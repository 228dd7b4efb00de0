import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/indexing/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/indexing/IndexStore.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"
import * as IndexTools from "../../src/toolbox/IndexTools.ts"

const stack = [
  "/** A pile of things. */",
  "export class Stack {",
  "  push(thing: string) {}",
  "  size() {",
  "    return 0",
  "  }",
  "}",
  "",
  "export class Queue {",
  "  size() {",
  "    return 1",
  "  }",
  "}",
  "",
].join("\n")

const repository = {
  "/repo/.env": "KEY=secret",
  "/repo/.gitignore": "dist\n",
  "/repo/dist/out.js": "Stack",
  "/repo/src/stack.ts": stack,
  "/repo/src/use.ts": 'import { Stack } from "./stack.ts"\nconst stack = new Stack()\nstack.push("a")\n',
  "/repo/odd.ts": ")))(((",
  "/repo/many.ts": Array.from(
    { length: 1000 },
    (_, n) => `export function compute${n}(amount: number): void {}\n`,
  ).join(""),
  "/repo/long.txt": Array.from({ length: 5000 }, (_, n) => `line ${n + 1} ${"x".repeat(40)}`).join("\n"),
}

const layer = Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(repository), Scanner.layer))

/** Calls a tool over the indexed repository, as a language model does. */
const call = (name: string, parameters: Record<string, unknown>) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const result = yield* IndexTools.make(workspace, index).execute(Block.toolUse("c1", name, parameters), {
      node: NodeId.make("n-1"),
      callId: "c1",
      model: new ModelId({ provider: "scripted", name: "test" }),
    })
    return { ...result, index }
  })

const scoped = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<typeof layer> | import("effect").Scope.Scope>) =>
  effect.pipe(Effect.scoped, Effect.provide(layer))

describe("list_filesystem", () => {
  it.effect("lists a folder sorted, from the root, with folders marked and work to do shown", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("list_filesystem", { path: "." })
        assert.deepStrictEqual(text.split("\n"), [
          ".gitignore",
          "long.txt",
          "many.ts (1000 symbols of generated files, 1000 without a purpose)",
          "odd.ts",
          "src/ (6 symbols, 2 without a purpose)",
          "(2 more not shown: ignored, private, or no files)",
        ])
        assert.include((yield* call("list_filesystem", { path: "src" })).text, "src/stack.ts (5 symbols")
      }),
    ),
  )

  it.effect("says why there is no listing", () =>
    scoped(
      Effect.gen(function* () {
        const results = yield* Effect.forEach(["nowhere", "..", "long.txt"], (path) =>
          call("list_filesystem", { path }),
        )
        assert.deepStrictEqual(
          results.map(({ isError, text }) => [isError, text]),
          [
            [true, "Error: tool 'list_filesystem' failed: nowhere: no such file or folder"],
            [true, "Error: tool 'list_filesystem' failed: ..: outside the workspace or not allowed"],
            [true, "Error: tool 'list_filesystem' failed: long.txt: not a folder"],
          ],
        )
      }),
    ),
  )
})

describe("read_file", () => {
  it.effect("numbers lines, and reads a range", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("read_file", { path: "src/stack.ts", startLine: 2, endLine: 3 })
        assert.strictEqual(text, "2\texport class Stack {\n3\t  push(thing: string) {}")
        assert.strictEqual(
          (yield* call("read_file", { path: "src/stack.ts", startLine: 99 })).text,
          "(the file ends at line 13)",
        )
      }),
    ),
  )

  it.effect("ends what does not fit at a line, and says where to go on", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("read_file", { path: "long.txt" })
        const [, next = ""] = text.match(/go on with startLine (\d+)\)$/) ?? assert.fail(text.slice(-200))
        const rest = yield* call("read_file", { path: "long.txt", startLine: Number(next) })
        assert.isTrue(rest.text.startsWith(`${next}\tline ${next} `))
      }),
    ),
  )

  it.effect("refuses secrets and ignored files", () =>
    scoped(
      Effect.gen(function* () {
        const results = yield* Effect.forEach([".env", "dist/out.js"], (path) => call("read_file", { path }))
        assert.isTrue(results.every((result) => result.isError))
        assert.isFalse(results.some((result) => result.text.includes("secret")))
      }),
    ),
  )
})

describe("search_text", () => {
  it.effect("shows path, line and text of what matches, and leaves out what is private", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("search_text", { pattern: "new S\\w+|KEY=" })
        assert.deepStrictEqual(text.split("\n"), [
          "src/use.ts:2: const stack = new Stack()",
          "(not searched: 2 entries that are ignored, private or no files)",
        ])
      }),
    ),
  )

  it.effect("searches one folder or file, with or without regard to case", () =>
    scoped(
      Effect.gen(function* () {
        const lines = (parameters: Record<string, unknown>) =>
          Effect.map(call("search_text", parameters), ({ text }) => text.split("\n").length)
        assert.strictEqual(yield* lines({ pattern: "stack", path: "src/use.ts" }), 3)
        assert.strictEqual(yield* lines({ pattern: "STACK", path: "src", ignoreCase: true }), 4)
      }),
    ),
  )

  it.effect("stops at a hundred lines and says so", () =>
    scoped(
      Effect.gen(function* () {
        const lines = (yield* call("search_text", { pattern: "line" })).text.split("\n")
        assert.lengthOf(lines, 102)
        assert.strictEqual(lines[100], "(there are more: the first 100 are shown)")
      }),
    ),
  )
})

describe("list_symbols_in_file", () => {
  it.effect("returns a symbol in each line", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("list_symbols_in_file", { path: "src/stack.ts" })
        const symbols = text.split("\n").map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          symbols.map(({ kind, symbol }) => `${kind} ${symbol}`),
          ["class Stack", "method Stack.push", "method Stack.size", "class Queue", "method Queue.size"],
        )
        assert.deepInclude(symbols[0], {
          startLine: 2,
          endLine: 7,
          purpose: "A pile of things.",
          exported: true,
          major: true,
          usedBy: 1,
        })
      }),
    ),
  )

  it.effect("ends what does not fit at a symbol, and says where to go on", () =>
    scoped(
      Effect.gen(function* () {
        const names: Array<string> = []
        const ends: Array<string> = []
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const { data, text }: ToolResult.ToolResult = yield* call("list_symbols_in_file", { path: "many.ts", offset })
          const lines = text.split("\n")
          const symbols = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line).symbol)
          assert.isAtMost(Buffer.byteLength(text), ToolResult.limit)
          assert.lengthOf(Array.isArray(data) ? data : [], symbols.length)
          names.push(...symbols)
          ends.push(lines.at(-1) ?? "")
          const next = lines.at(-1)?.match(/^\((\d+) of 1000 symbols not shown: go on with offset (\d+)\)$/)
          assert.strictEqual(next?.[1] ?? "0", String(1000 - names.length))
          offset = next?.[2] === undefined ? undefined : Number(next[2])
        }
        assert.isAbove(ends.length, 1)
        assert.deepStrictEqual(
          names,
          Array.from({ length: 1000 }, (_, n) => `compute${n}`),
        )
        const behind = yield* call("list_symbols_in_file", { path: "many.ts", offset: 1000 })
        assert.strictEqual(behind.text, "(the file has 1000 symbols)")
      }),
    ),
  )

  it.effect("says why a file has no symbols", () =>
    scoped(
      Effect.gen(function* () {
        const texts = yield* Effect.forEach(["odd.ts", "long.txt"], (path) => call("list_symbols_in_file", { path }))
        assert.deepStrictEqual(
          texts.map(({ text }) => text),
          ["(no symbols: syntax errors, and no symbol found)", "(no symbols: text is not outlined)"],
        )
      }),
    ),
  )
})

describe("get_symbol_details", () => {
  it.effect("shows the source, whatever the order of the arguments", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("get_symbol_details", { symbolName: "Queue.size", path: "src/stack.ts" })
        assert.strictEqual(JSON.parse(text).content, "  size() {\n    return 1\n  }")
      }),
    ),
  )

  it.effect("asks which of two symbols is meant, and names those most like one that is not there", () =>
    scoped(
      Effect.gen(function* () {
        const details = (symbolName: string) =>
          Effect.map(call("get_symbol_details", { path: "src/stack.ts", symbolName }), ({ text }) => text)
        assert.include(yield* details("size"), "is one of Stack.size, Queue.size")
        assert.include(yield* details("Stak"), "Symbol 'Stak' not found in src/stack.ts; nearest: Stack")
      }),
    ),
  )
})

describe("find_references", () => {
  it.effect("lists the uses of a symbol with their lines, and says where only the name occurs", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("find_references", { symbolName: "Stack" })
        assert.deepStrictEqual(text.split("\n"), ["src/use.ts (1)", "src/use.ts:2 in stack: const stack = new Stack()"])
        assert.include((yield* call("find_references", { symbolName: "Queue" })).text, "no other use of Queue")
      }),
    ),
  )
})
