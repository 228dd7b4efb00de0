/** Flows of small projects with real outlines and references. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import type * as IndexStore from "../../../src/index/IndexStore.ts"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import * as Calls from "../../../src/wiki/flows/Calls.ts"
import * as CallTree from "../../../src/wiki/flows/CallTree.ts"
import * as Flows from "../../../src/wiki/flows/Flows.ts"
import * as IndirectTargets from "../../../src/wiki/flows/IndirectTargets.ts"
import * as Parts from "../../../src/wiki/Parts.ts"
import { layer, type Project } from "../../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../../index/IndexStore.fixture.ts"
import { objects, shop } from "./projects.ts"

const graphOf = (index: IndexStore.Index) => FileGraph.read(index)

const inShop = <A, E>(run: (index: IndexStore.Index) => Effect.Effect<A, E>, files: Project = shop) =>
  withIndex("/p", files, run).pipe(Effect.provide(layer))

const treeOf = (limits?: CallTree.Limits) => (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const [start] = yield* index.find("order", "src/order.ts")
    if (start === undefined) return assert.fail("order is not found")
    return yield* CallTree.follow(index, yield* graphOf(index), start, limits && { limits })
  })

const linesOf = ({ calls }: CallTree.CallTree) =>
  calls.map(
    ({ depth, entry, isInClosure, isRepeated, lines }) =>
      `${"  ".repeat(depth)}${entry.qualifiedName} ${lines.join(",")}${isInClosure ? " closure" : ""}${isRepeated ? " repeated" : ""}`,
  )

const treeFrom = (name: string) => (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const [start] = yield* index.find(name)
    if (start === undefined) return assert.fail(`${name} is not found`)
    return linesOf(yield* CallTree.follow(index, yield* graphOf(index), start))
  })

describe("Flows.find", () => {
  it.effect("searches only the functions of a large project that its starts reach, by indirect calls too", () =>
    Effect.gen(function* () {
      const functionAt = (at: number) => ({
        path: `src/f${String(at).padStart(5, "0")}.ts`,
        qualifiedName: `f${at}`,
        startLine: 1,
        isCallable: true,
        isExported: true,
        isOffered: false,
        isUsedOutside: false,
        usedBy: 0,
      })
      const symbols = Array.from({ length: Flows.MAX_SEARCHED_WHOLE + 100 }, (_, at) => functionAt(at))
      const uses = symbols.map((_, at) => (at < 2 ? [at + 1] : []))
      const asked: Array<string> = []
      const { starts } = yield* inShop((index) =>
        Effect.gen(function* () {
          const [order] = yield* index.symbolsIn("src/order.ts")
          if (order === undefined) return assert.fail("order is not found")
          const entryAt = (path: string) =>
            new IndexEntry({ ...order, path, name: `f${Number(/\d+/.exec(path)?.[0])}`, startLine: 1 })
          const large: typeof index = {
            ...index,
            symbolGraph: Effect.succeed({ symbols, uses }),
            find: (_, path = "") => Effect.succeed([entryAt(path)]),
            symbolsIn: (path) =>
              Effect.sync(() => {
                asked.push(path)
                return [entryAt(path)]
              }),
          }
          return yield* Flows.find(large, yield* graphOf(index), [], {
            indirect: ({ name, path }) =>
              Effect.succeed(
                name === "f2"
                  ? [
                      {
                        holder: "next",
                        line: 1,
                        targets: [{ entry: entryAt(path.replace("2", "9")), isLater: false, by: undefined }],
                      },
                    ]
                  : [],
              ),
          })
        }),
      )
      assert.deepStrictEqual(asked, ["src/f00000.ts", "src/f00001.ts", "src/f00002.ts", "src/f00009.ts"])
      assert.deepStrictEqual(
        starts.map(({ qualifiedName, reached }) => [qualifiedName, reached]),
        [["f0", [0, 1, 2, 9]]],
      )
    }),
  )
})

describe("CallTree.follow", () => {
  it.effect("follows calls on objects in variables and fields, but not the field itself and its type", () =>
    inShop(
      (index) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* treeFrom("main")(index), [
            "main ",
            "  App 15",
            "  App.run 16",
            "    Store.append 6",
            "      Store.write 3",
            "    App.stop 7",
            "      Store 10 repeated",
            "      Store.write 11 repeated",
          ])
          assert.deepStrictEqual(yield* treeFrom("serve")(index), [
            "serve ",
            "  App 15",
            "  App.run 16",
            "    Store.append 11",
          ])
        }),
      objects,
    ),
  )

  it.effect("goes into the functions of a module that are called, and not into all of it where it is named", () =>
    inShop(
      (index) =>
        Effect.map(treeFrom("App.run")(index), (lines) =>
          assert.deepStrictEqual(lines, ["App.run ", "  Store.open 4", "    Log.write 3"]),
        ),
      {
        "lib/app.ex": "defmodule App do\n  alias Store\n  def run do\n    Store.open()\n  end\nend\n",
        "lib/store.ex":
          "defmodule Store do\n  def open do\n    Log.write(:open)\n  end\n  def close do\n    Log.clear()\n  end\nend\n",
        "lib/log.ex": "defmodule Log do\n  def write(text) do\n    text\n  end\n  def clear do\n    :ok\n  end\nend\n",
      },
    ),
  )

  it.effect("lists calls in the order of their lines, and ends in cycles", () =>
    inShop((index) =>
      Effect.gen(function* () {
        const tree = yield* treeOf()(index)
        assert.deepStrictEqual(linesOf(tree), [
          "order ",
          "  notify 8",
          "  price 10",
          "    rate 5",
          "      price 3 repeated",
          "  save 11",
        ])
        assert.isTrue(tree.isComplete)
        assert.deepStrictEqual(yield* treeOf()(index), tree)
        for (const [at, { caller, depth }] of tree.calls.entries()) {
          assert.strictEqual(depth, caller === undefined ? 0 : (tree.calls[caller]?.depth ?? -2) + 1)
          assert.isTrue(caller === undefined || caller < at)
        }
      }),
    ),
  )

  it.effect("takes the type of a receiver or a parameter for no call, and follows one that is made in the body", () => {
    const entry = (name: string, kind: "method" | "class", startLine: number, signature: string) =>
      new IndexEntry({
        path: "a.go",
        name,
        kind,
        startLine,
        endLine: startLine + 3,
        signature,
        exported: true,
        usedBy: 0,
        isMajor: true,
        hash: name,
      })
    const run = entry("Run", "method", 1, "func (e *Engine) Run(opts Options) error")
    const [engine, options] = [entry("Engine", "class", 10, "type Engine struct"), entry("Options", "class", 20, "")]
    const index = {
      callees: ({ name }: IndexEntry) =>
        Effect.succeed(
          name === "Run"
            ? [
                { entry: engine, lines: [1] },
                { entry: options, lines: [1, 3] },
              ]
            : [],
        ),
      symbolsIn: () => Effect.succeed([run, engine, options]),
    }
    return Effect.map(CallTree.follow(index, { files: ["a.go"], hubs: new Set() }, run), (tree) =>
      assert.deepStrictEqual(linesOf(tree), ["Run ", "  Options 1,3"]),
    )
  })

  it.effect("marks calls that all stand in a named function within the caller", () => {
    const entry = (name: string, startLine: number, endLine: number, container?: string) =>
      new IndexEntry({
        path: "a.py",
        name,
        container,
        kind: "function",
        startLine,
        endLine,
        signature: name,
        exported: true,
        usedBy: 0,
        isMajor: true,
        hash: name,
      })
    const [outer, inner] = [entry("outer", 1, 9), entry("inner", 3, 5, "outer")]
    const [late, both] = [entry("late", 20, 21), entry("both", 30, 31)]
    const index = {
      callees: ({ name }: IndexEntry) =>
        Effect.succeed(
          name === "outer"
            ? [
                { entry: late, lines: [4] },
                { entry: both, lines: [5, 7] },
              ]
            : [],
        ),
      symbolsIn: () => Effect.succeed([outer, inner, late, both]),
    }
    return Effect.map(CallTree.follow(index, { files: ["a.py"], hubs: new Set() }, outer), (tree) =>
      assert.deepStrictEqual(linesOf(tree), ["outer ", "  late 4 closure", "  both 5,7"]),
    )
  })

  it.effect("says if calls are missing because of a limit", () =>
    inShop((index) =>
      Effect.gen(function* () {
        const shallow = yield* treeOf({ ...CallTree.defaultLimits, depth: 1 })(index)
        assert.deepStrictEqual(linesOf(shallow), ["order ", "  notify 8", "  price 10", "  save 11"])
        assert.isFalse(shallow.isComplete)
        assert.lengthOf((yield* treeOf({ ...CallTree.defaultLimits, calls: 2 })(index)).calls, 3)
        assert.lengthOf((yield* treeOf({ ...CallTree.defaultLimits, read: 1 })(index)).calls, 4)
      }),
    ),
  )

  it.effect("cites a symbol with its hash, and with its number among those of its name", () =>
    inShop((index) =>
      Effect.gen(function* () {
        const [, call] = (yield* treeOf()(index)).calls
        if (call === undefined) return assert.fail("no call")
        const { hash, path, symbol } = CallTree.citationOf(call)
        assert.deepStrictEqual([path, symbol, hash], ["src/mail.ts", "notify", call.entry.hash])
        assert.strictEqual(CallTree.citationOf({ ...call, ordinal: 2 }).ordinal, 2)
      }),
    ),
  )
})

describe("Flows", () => {
  it.effect("names a function that only passes a call on in the step of what it leads to", () => {
    const files: Project = {
      ...shop,
      "src/price.ts":
        'import { rate } from "./rate"\n\nexport function price(items: Array<string>): number {\n  return rate(items)\n}\n',
      "src/rate.ts": "export function rate(items: Array<string>): number {\n  return items.length * 3\n}\n",
    }
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const flows = yield* Flows.find(index, graph, Parts.group(yield* index.files, graph))
          const [written] = yield* Flows.write(index, graph, flows, new Set(), ({ endLine, path, startLine }) =>
            Effect.succeed(
              String(files[path])
                .split("\n")
                .slice(startLine - 1, endLine)
                .join("\n"),
            ),
          )
          const steps = written?.page.sections[1]?.blocks.map(([step]) => step) ?? []
          assert.deepStrictEqual(
            steps.map(({ text }) => text),
            [
              "`order` calls `notify`, in a function inside it.",
              "`order` calls `rate` through `price`.",
              "`order` calls `save`.",
            ],
          )
          assert.deepStrictEqual(
            steps[1]?.citations.map(({ symbol }) => symbol),
            ["rate", "order", "price"],
          )
        }),
      files,
    )
  })

  it.effect("names the files of a function of which each build has one, in one step", () => {
    const files: Project = {
      "go.mod": "module example.org/run\n",
      "main.go": `package main

import "example.org/run/notify"

func main() {
\tload()
}

func load() {
\tnotify.Ready()
\tnotify.Log()
}
`,
      "notify/notify_linux.go":
        "//go:build linux\n\npackage notify\n\n// Ready tells systemd that all is ready.\nfunc Ready() { send() }\n\nfunc send() {}\n",
      "notify/notify_other.go": "//go:build !linux\n\npackage notify\n\nfunc Ready() {}\n",
      "notify/log.go": "package notify\n\nfunc Log() {}\n",
    }
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const flows = yield* Flows.find(index, graph, Parts.group(yield* index.files, graph))
          const [written] = yield* Flows.write(index, graph, flows, new Set())
          const steps = written?.page.sections[1]?.blocks.map(([step]) => step) ?? []
          assert.deepStrictEqual(
            steps.map(({ text }) => text),
            [
              "`main` calls `load`.",
              "`load` calls `Ready`, in `notify_linux.go` or `notify_other.go` (tells systemd that all is ready).",
              "`Ready` calls `send`.",
              "`load` calls `Log`.",
            ],
          )
          assert.deepStrictEqual(
            steps[1]?.citations.map(({ path, symbol }) => `${path} ${symbol}`),
            ["notify/notify_linux.go Ready", "main.go load", "notify/notify_other.go Ready"],
          )
        }),
      files,
    )
  })

  it.effect("goes on through what a function is given, and says what gives it", () => {
    const files: Project = {
      "src/index.ts": 'export { serve } from "./serve"\n',
      "src/serve.ts": `import { Stack } from "./stack"
import { log } from "./log"

export function serve(request: string) {
  const stack = new Stack()
  stack.use(log)
  return stack.handle(request)
}
`,
      "src/stack.ts": `export class Stack {
  private readonly steps: Array<(request: string) => void> = []

  use(step: (request: string) => void) {
    this.steps.push(step)
  }

  handle(request: string) {
    for (const step of this.steps) {
      step(request)
    }
  }
}
`,
      "src/log.ts":
        "/** Writes a request. */\nexport function log(request: string, next: () => void) {\n  next()\n  return request\n}\n",
    }
    const textOf = (path: string) => Effect.succeed(files[path])
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const indirect = IndirectTargets.make(index, graph.files, textOf)
          const parts = Parts.group(yield* index.files, graph)
          const flows = yield* Flows.find(index, graph, parts, { indirect })
          const sourceOf = ({ endLine, path, startLine }: IndexEntry) =>
            Effect.succeed(
              files[path]
                ?.split("\n")
                .slice(startLine - 1, endLine)
                .join("\n"),
            )
          const [written] = yield* Flows.write(index, graph, flows, new Set(), sourceOf, indirect)
          const steps = written?.page.sections[1]?.blocks.map(([step]) => step) ?? []
          const last = steps.at(-1)
          assert.include(
            steps.map(({ text }) => text),
            "`serve` passes on `log` (writes a request).",
          )
          assert.strictEqual(
            last?.text,
            "`Stack.handle` calls what `step` holds, such as `log`, given by `serve` (writes a request). It calls what it is given as `next`.",
          )
          assert.deepStrictEqual(
            last?.citations.map(({ symbol }) => symbol),
            ["log", "Stack.handle", "serve"],
          )
        }),
      files,
    )
  })

  it.effect("writes a page of steps, each of which cites what is called and its caller", () =>
    inShop((index) =>
      Effect.gen(function* () {
        const graph = yield* graphOf(index)
        const parts = Parts.group(yield* index.files, graph)
        const flows = yield* Flows.find(index, graph, parts)
        assert.isUndefined(flows.missing)
        assert.deepStrictEqual(
          flows.starts.map(({ entry, reason }) => [entry.qualifiedName, reason]),
          [["order", "offered"]],
        )
        const [written, ...others] = yield* Flows.write(index, graph, flows, new Set(["index", "flow-order"]))
        assert.lengthOf(others, 0)
        assert.deepStrictEqual(
          [written?.page.name, written?.page.title],
          ["flow-order-order", "What order does, step by step"],
        )
        const steps = written?.page.sections[1]?.blocks.map(([step]) => step) ?? []
        assert.deepStrictEqual(
          steps.map(({ text }) => text),
          [
            "`order` calls `notify`.",
            "`order` calls `price` (sums the prices of items, with tax).",
            "`price` calls `rate`.",
            "`rate` calls `price` (sums the prices of items, with tax).",
            "`order` calls `save`.",
          ],
        )
        assert.deepStrictEqual(
          steps[2]?.citations.map(({ path, symbol }) => `${path} ${symbol}`),
          ["src/rate.ts rate", "src/price.ts price"],
        )
      }),
    ),
  )

  it.effect("has at most twelve steps, each with its caller before it", () => {
    const names = Array.from({ length: 30 }, (_, n) => `step${n}`)
    const files = {
      "src/index.ts": `${names.map((name) => `import { ${name} } from "./${name}"\n`).join("")}export function main() {\n${names.map((name) => `  ${name}()\n`).join("")}}\n`,
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, `export function ${name}() {\n  return 1\n}\n`])),
    }
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const flows = yield* Flows.find(index, graph, Parts.group(yield* index.files, graph))
          const [written] = yield* Flows.write(index, graph, flows, new Set())
          assert.lengthOf(written?.page.sections[1]?.blocks ?? [], 12)
          assert.include(written?.page.sections[0]?.blocks[0]?.[0].text, "some are left out")
        }),
      files,
    )
  })

  it.effect("calls a method of the same object by its name, if the object is declared before its methods", () => {
    const files: Project = {
      "lib/response.js": `var res = Object.create({})
module.exports = res

res.json = function json(text) {
  this.set(text)
  return this.send(text)
}
res.send = function send(text) {
  return res.set(text)
}
res.set = function set(text) {
  return text
}
defineGetter(res, "size", function size() {
  return this.send("x")
})
function defineGetter(object, name, getter) {
  return load(object, name, getter)
}
function load() {}
`,
    }
    const textOf = (path: string) => Effect.succeed(files[path])
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const reader = Calls.readerOf(index, graph.files, textOf)
          const namesFrom = Effect.fnUntraced(function* (name: string) {
            const [start] = yield* index.find(name)
            if (start === undefined) return assert.fail(`${name} is not found`)
            const { calls } = yield* CallTree.follow(index, graph, start, reader)
            return calls.map(
              ({ depth, entry, given }) => `${depth} ${entry.qualifiedName}${given === undefined ? "" : " given"}`,
            )
          })
          assert.deepStrictEqual(yield* namesFrom("res.json"), ["0 res.json", "1 res.set", "1 res.send", "2 res.set"])
          assert.deepStrictEqual(yield* namesFrom("res.size"), ["0 res.size", "1 res.send", "2 res.set"])
        }),
      files,
    )
  })

  it.effect("prefers the way on which most happens to errors and to what only logs", () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => `export function ${name}${n}() {\n  return 1\n}\n`).join("")
    const calls = (name: string, count: number) => Array.from({ length: count }, (_, n) => `  ${name}${n}()\n`).join("")
    const files: Project = {
      "src/index.ts": `import { deep } from "./deep"
import { Broken, debugPrint, ${Array.from({ length: 12 }, (_, n) => `shallow${n}`).join(", ")} } from "./shallow"
export function main() {
  debugPrint()
  deep()
${calls("shallow", 12)}  throw new Broken()
}
`,
      "src/deep.ts": `${many("inner", 4)}export function deep() {\n${calls("inner", 4)}}\n`,
      "src/shallow.ts": `${many("shallow", 12)}export function debugPrint() {\n  return 1\n}\nexport class Broken extends Error {}\n`,
    }
    return inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const flows = yield* Flows.find(index, graph, Parts.group(yield* index.files, graph))
          const [written] = yield* Flows.write(index, graph, flows, new Set())
          const texts = written?.page.sections[1]?.blocks.map(([step]) => step.text) ?? []
          assert.lengthOf(texts, 12)
          assert.include(texts, "`main` calls `deep`.")
          assert.notInclude(texts.join(" "), "Broken")
          assert.notInclude(texts.join(" "), "debugPrint")
        }),
      files,
    )
  })

  it.effect("says why there are no flows if no call is resolved", () =>
    inShop(
      (index) =>
        Effect.gen(function* () {
          const graph = yield* graphOf(index)
          const flows = yield* Flows.find(index, graph, Parts.group(yield* index.files, graph))
          assert.deepStrictEqual(flows.starts, [])
          assert.strictEqual(flows.missing, "No call is resolved in TypeScript, so no flow can be followed.")
          assert.deepStrictEqual(yield* Flows.write(index, graph, flows, new Set()), [])
        }),
      { "a.ts": "export function one() {\n  return 1\n}\n" },
    ),
  )
})
