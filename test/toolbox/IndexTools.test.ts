import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { isOpen } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"
import * as IndexTools from "../../src/toolbox/IndexTools.ts"
import * as SubmitPrd from "../../src/toolbox/SubmitPrd.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"
import { providing } from "../utils/shared.ts"

const stack = [
  "/** A pile of things. */",
  "export class Stack {",
  "  push(thing: string) { this.top = thing }",
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

/** The outline of so many functions is more than a result may hold. */
const MANY = 500

const repository = {
  "/repo/.env": "KEY=secret",
  "/repo/.gitignore": "dist\n",
  "/repo/dist/out.js": "Stack",
  "/repo/src/stack.ts": stack,
  "/repo/src/use.ts": 'import { Stack } from "./stack.ts"\nconst stack = new Stack()\nstack.push("a")\n',
  "/repo/src/greet.py": 'def greet(name):\n    """Says hello to somebody."""\n    return "hello"\n',
  "/repo/odd.ts": ")))(((",
  "/repo/many.ts": Array.from(
    { length: MANY },
    (_, n) => `export function compute${n}(${"amount: number, ".repeat(5)}): void {}\n`,
  ).join(""),
  "/repo/long.txt": Array.from({ length: 5000 }, (_, n) => `line ${n + 1} ${"x".repeat(40)}`).join("\n"),
}

const layerOf = (files: Readonly<Record<string, string>>) =>
  Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(files), SharedSymbols.layer))

const layer = layerOf(repository)

/** Calls a tool over the indexed repository, as a language model does that explores. */
const call = (name: string, parameters: Record<string, unknown>) => callOf(IndexTools.make, name, parameters)

/** The same as a language model that answers questions. */
const ask = (name: string, parameters: Record<string, unknown>) =>
  callOf((files, index) => IndexTools.makeReadOnly(files, index), name, parameters)

const callOf = (make: typeof IndexTools.make, name: string, parameters: Record<string, unknown>) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const result = yield* make(workspace, index).execute(Block.toolUse("c1", name, parameters), {
      node: NodeId.make("n-1"),
      callId: "c1",
      model: new ModelId({ provider: "scripted", name: "test" }),
    })
    return { ...result, index }
  })

type Services = Layer.Layer.Success<typeof layer> | Scope.Scope

/** Provides an index that a test may change. It has the files whose paths begin so. */
const aloneWith = (start: string) => {
  const some = layerOf(Object.fromEntries(Object.entries(repository).filter(([path]) => path.startsWith(start))))
  return <A, E>(effect: Effect.Effect<A, E, Services>) => effect.pipe(Effect.scoped, Effect.provide(some))
}

const indexed = providing(layer)

/** Provides an index that all tests read. */
const scoped = <A, E>(effect: Effect.Effect<A, E, Services>) => effect.pipe(Effect.scoped, indexed)

describe("IndexTools", () => {
  it.effect("declares every parameter with a description, and no titles", () =>
    scoped(
      Effect.gen(function* () {
        const workspace = yield* Workspace.open("/repo")
        const index = yield* (yield* IndexStore.IndexStore).open(workspace)
        const tools = [...IndexTools.make(workspace, index).tools, ...IndexTools.makeReadOnly(workspace, index).tools]
        for (const { name, parameters } of [...tools, SubmitPrd.make]) {
          assert.notInclude(JSON.stringify(parameters), '"title"')
          for (const [property, schema] of Object.entries(parameters.properties ?? {})) {
            // A list is described by what is in it.
            if (schema.type !== "array") assert.isString(schema.description, `${property} of ${name}`)
          }
        }
      }),
    ),
  )
})

describe("list_filesystem", () => {
  it.effect("lists a folder sorted, from the root, with folders marked and work to do shown", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("list_filesystem", { path: "." })
        assert.deepStrictEqual(text.split("\n"), [
          ".gitignore",
          "long.txt",
          `many.ts (${MANY} symbols of generated files, ${MANY} open)`,
          "odd.ts",
          "src/ (7 symbols, 2 open)",
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
  it.effect("reads a range, and numbers its lines for a model that answers questions only", () =>
    scoped(
      Effect.gen(function* () {
        const range = { path: "src/stack.ts", startLine: 2, endLine: 3 }
        assert.strictEqual(
          (yield* call("read_file", range)).text,
          "export class Stack {\n  push(thing: string) { this.top = thing }",
        )
        assert.strictEqual(
          (yield* ask("read_file", range)).text,
          "2\texport class Stack {\n3\t  push(thing: string) { this.top = thing }",
        )
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
        assert.isTrue(rest.text.startsWith(`line ${next} `))
      }),
    ),
  )

  it.effect("names the paths that a wrong one may mean, as the other tools do", () =>
    scoped(
      Effect.gen(function* () {
        const cases = [
          ["read_file", { path: "stack.ts" }, "stack.ts: no such file or folder; nearest: src/stack.ts"],
          ["list_symbols_in_file", { path: "src/stak.ts" }, "nearest: src/stack.ts"],
          ["list_filesystem", { path: "lib/src" }, "nearest: src/"],
          ["search_text", { path: "./src/uses.ts", pattern: "x" }, "nearest: src/use.ts"],
          ["find_references", { path: "lib/use.ts", symbolName: "Stack" }, "nearest: src/use.ts"],
          ["get_symbol_details", { path: "src/far/away.py", symbolName: "Stack" }, "nearest: src/"],
          [
            "create_index_entry",
            { entries: [{ path: "src/stacks.ts", symbol: "Stack", purpose: "Keeps things." }] },
            "refused: src/stacks.ts: no such file or folder; nearest: src/stack.ts",
          ],
        ] as const
        for (const [name, parameters, expected] of cases) {
          const { isError, text } = yield* call(name, parameters)
          assert.isTrue(isError)
          assert.include(text, expected)
        }
        // What is refused has no hint: it might show what exists.
        assert.notInclude((yield* call("read_file", { path: "../src/stack.ts" })).text, "nearest")
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
  it.effect("shows each path once, with line and text of what matches, and leaves out what is private", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("search_text", { pattern: "new S\\w+|push|KEY=" })
        assert.deepStrictEqual(text.split("\n"), [
          "src/stack.ts",
          "3: push(thing: string) { this.top = thing }",
          "src/use.ts",
          "2: const stack = new Stack()",
          '3: stack.push("a")',
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
        assert.strictEqual(yield* lines({ pattern: "stack", path: "src/use.ts" }), 4)
        assert.strictEqual(yield* lines({ pattern: "STACK", path: "src", ignoreCase: true }), 6)
      }),
    ),
  )

  it.effect("stops at a hundred lines and says so", () =>
    scoped(
      Effect.gen(function* () {
        const lines = (yield* call("search_text", { pattern: "line" })).text.split("\n")
        assert.lengthOf(lines, 103)
        assert.strictEqual(lines[101], "(there are more: the first 100 are shown)")
      }),
    ),
  )
})

describe("list_symbols_in_file", () => {
  it.effect("outlines a file: a line for each symbol, indented by container", () =>
    scoped(
      Effect.gen(function* () {
        const outline = [
          "2-7 class Stack (used by 1) — A pile of things.",
          "  3 method push(thing: string) (open, used by 1)",
          "  4-6 method size()",
          "9-13 class Queue (open)",
          "  10-12 method size()",
        ]
        const { data, text } = yield* ask("list_symbols_in_file", { path: "src/stack.ts" })
        assert.deepStrictEqual(text.split("\n"), outline)
        assert.lengthOf(Array.isArray(data) ? data : [], 5)
        assert.strictEqual((yield* call("list_symbols_in_file", { path: "src/stack.ts", all: true })).text, text)
      }),
    ),
  )

  it.effect("answers for a folder with its files and how many symbols they have", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* ask("list_symbols_in_file", { path: "src" })
        const [first, ...entries] = text.split("\n")
        assert.strictEqual(first, "(a folder: ask for one of its files)")
        assert.include(entries.join("\n"), "src/stack.ts (5 symbols, ")
      }),
    ),
  )

  it.effect("lists open symbols alone in an exploration, in their containers, and counts the others", () =>
    aloneWith("/repo/src/")(
      Effect.gen(function* () {
        const { data, index, text } = yield* call("list_symbols_in_file", { path: "src/stack.ts" })
        assert.deepStrictEqual(text.split("\n"), [
          "2-7 class Stack",
          "  3 method push(thing: string) (open, used by 1)",
          "9-13 class Queue (open)",
          "(3 other symbols: all: true lists them)",
        ])
        const open = (yield* index.symbolsIn("src/stack.ts")).filter(isOpen)
        assert.deepStrictEqual(data, open)
        yield* index.record(open.map((entry) => ({ entry, text: "Keeps order.", model: "scripted/test", node: "n-1" })))
        const { text: rest } = yield* call("list_symbols_in_file", { path: "src/stack.ts" })
        assert.strictEqual(rest, "(nothing is open; 5 symbols: all: true lists them)")
      }),
    ),
  )

  it.effect("keeps its offsets while symbols are explained", () =>
    aloneWith("/repo/many.ts")(
      Effect.gen(function* () {
        const first = yield* call("list_symbols_in_file", { path: "many.ts" })
        const [, next = ""] = first.text.match(/go on with offset (\d+)\)$/) ?? assert.fail(first.text.slice(-200))
        const entries = yield* first.index.symbolsIn("many.ts")
        yield* first.index.record(
          entries
            .slice(0, MANY / 2)
            .map((entry) => ({ entry, text: "Computes a part.", model: "scripted/test", node: "n-1" })),
        )
        const second = yield* call("list_symbols_in_file", { path: "many.ts", offset: Number(next) })
        assert.include(second.text.split("\n")[0] ?? "", `function compute${next}(amount`)
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
          const symbols = lines.flatMap((line) => line.match(/^\d+ function (\w+)/)?.[1] ?? [])
          assert.isAtMost(Buffer.byteLength(text), ToolResult.limit)
          assert.lengthOf(Array.isArray(data) ? data : [], symbols.length)
          names.push(...symbols)
          ends.push(lines.at(-1) ?? "")
          const next = lines.at(-1)?.match(/^\((\d+) of 500 symbols not shown: go on with offset (\d+)\)$/)
          assert.strictEqual(next?.[1] ?? "0", String(MANY - names.length))
          offset = next?.[2] === undefined ? undefined : Number(next[2])
        }
        assert.isAbove(ends.length, 1)
        assert.deepStrictEqual(
          names,
          Array.from({ length: MANY }, (_, n) => `compute${n}`),
        )
        const behind = yield* call("list_symbols_in_file", { path: "many.ts", offset: MANY })
        assert.strictEqual(behind.text, `(the file has ${MANY} symbols)`)
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
  it.effect("shows the source, with line numbers for a model that answers questions only", () =>
    scoped(
      Effect.gen(function* () {
        const size = { symbolName: "Queue.size", path: "src/stack.ts" }
        const head = "src/stack.ts:10-12 method Queue.size"
        const { symbolName: symbol, ...where } = size
        assert.strictEqual(
          (yield* call("get_symbol_details", { ...where, symbol })).text,
          (yield* call("get_symbol_details", size)).text,
        )
        assert.strictEqual((yield* call("get_symbol_details", size)).text, `${head}\n  size() {\n    return 1\n  }`)
        assert.strictEqual(
          (yield* ask("get_symbol_details", size)).text,
          `${head}\n10\t  size() {\n11\t    return 1\n12\t  }`,
        )
      }),
    ),
  )

  it.effect("shows purpose and comment once each", () =>
    aloneWith("/repo/src/")(
      Effect.gen(function* () {
        const details = (symbolName: string, path: string) =>
          Effect.map(call("get_symbol_details", { path, symbolName }), ({ text }) => text.split("\n"))
        const stack = yield* details("Stack", "src/stack.ts")
        assert.deepStrictEqual(stack.slice(0, 3), [
          "src/stack.ts:2-7 class Stack (used by 1)",
          "comment: A pile of things.",
          "export class Stack {",
        ])
        // A docstring is part of the source.
        const greet = ["src/greet.py:1-3 function greet", "def greet(name):", '    """Says hello to somebody."""']
        assert.deepStrictEqual((yield* details("greet", "src/greet.py")).slice(0, 3), greet)
        const { index } = yield* call("list_filesystem", { path: "." })
        const entries = yield* index.find("greet")
        yield* index.record(entries.map((entry) => ({ entry, text: "Welcomes.", model: "scripted/test", node: "n-1" })))
        assert.deepStrictEqual(yield* details("greet", "src/greet.py"), [
          greet[0],
          "purpose: Welcomes.",
          ...greet.slice(1),
          '    return "hello"',
        ])
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
        assert.include(
          yield* details("wholly_unlike"),
          "Symbol 'wholly_unlike' not found in src/stack.ts; it has Stack, Stack.push, Queue, Stack.size, Queue.size",
        )
      }),
    ),
  )
})

describe("find_references", () => {
  it.effect("lists the symbols that use a symbol, with their lines, and says where only the name occurs", () =>
    scoped(
      Effect.gen(function* () {
        const { text } = yield* call("find_references", { symbolName: "Stack" })
        assert.deepStrictEqual(text.split("\n"), ["src/stack.ts:2-7 class Stack is used in", "src/use.ts: stack 2"])
        assert.include((yield* call("find_references", { symbolName: "Queue" })).text, "no other use of Queue")
      }),
    ),
  )

  it.effect("names the symbols that a wrong name may mean, or the files that have it", () =>
    scoped(
      Effect.gen(function* () {
        const { isError, text } = yield* call("find_references", { symbolName: "Stak" })
        assert.isTrue(isError)
        assert.include(text, "no symbol Stak is defined here; nearest: Stack (src/stack.ts)")
        const found = yield* call("find_references", { symbolName: "Stak", path: "src/stack.ts" })
        assert.include(found.text, "Symbol 'Stak' not found in src/stack.ts; nearest: Stack")
      }),
    ),
  )
})
