import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Ref, Schema, Scope, TestClock } from "effect"
import * as Workspace from "../../src/code/Workspace.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Message from "../../src/message/Message.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Overloaded } from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import * as RunBudget from "../../src/model/RunBudget.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"
import { isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"

const greetSource = "export function greet(name: string): string {\n  return `hello ${name}`\n}\n"

const repository = {
  "/repo/README.md": "# Greeter\n",
  "/repo/src/greet.ts": greetSource,
  "/repo/src/main.ts": 'import { greet } from "./greet.ts"\n\ngreet("you")\n',
}

/** The system instruction of the specification of `vibe index`, copied letter for letter and not read from the code. */
const specifiedInstruction =
  "You are an expert programmer and system architect. Your goal is to deeply understand this codebase. I have provided you with a set of tools to explore the filesystem and the code's structure. Your task is to reason step-by-step, form a hypothesis about the project, and explore it until you understand the purpose of each major symbol. When you fully understand a symbol, you will call the create_index_entry tool. Begin by listing the contents of the root directory to get an overview."

const greeting = { path: "src/greet.ts", symbol: "greet", purpose: "Says hello to somebody by name." }

/** Explores `/repo` by the script, and records the requests and the events. */
const explore = (script: Scripted.Script, files: Readonly<Record<string, string>> = repository) =>
  Effect.gen(function* () {
    const requests = yield* Ref.make<ReadonlyArray<Request>>([])
    const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
    const line = typeof script === "function" ? script : (_: Request, index: number) => script[index] ?? "done"
    const model: Layer.Layer<LanguageModel.LanguageModel> = Scripted.layer((request, index) => {
      Effect.runSync(Ref.update(requests, (all) => [...all, request]))
      return line(request, index)
    })
    const exit = yield* IndexingOrchestrator.runGuidedExploration("/repo").pipe(
      Effect.provide(Indexing.layer(files, model, IndexObserver.layerTest(events))),
      Effect.exit,
    )
    return { exit, requests: yield* Ref.get(requests), events: yield* Ref.get(events) }
  })

const lastResults = (request: Request | undefined) =>
  request?.messages.flatMap((message) => (message.role === "tool" ? [Message.text(message)] : [])) ?? []

describe("IndexingOrchestrator.runGuidedExploration", () => {
  it.effect("lets a model list, read, look closer and record, and keeps what it recorded", () =>
    Effect.gen(function* () {
      const report = yield* IndexingOrchestrator.runGuidedExploration("/repo").pipe(
        Effect.provide(
          Indexing.layer(
            repository,
            Scripted.layer([
              Scripted.calls(["list_filesystem", { path: "." }]),
              Scripted.calls(
                ["read_file", { path: "src/greet.ts" }],
                ["list_symbols_in_file", { path: "src/greet.ts" }],
              ),
              Scripted.calls(["get_symbol_details", { symbolName: "greet", path: "src/greet.ts" }]),
              Scripted.calls(["create_index_entry", { entries: [greeting] }]),
              "A greeter.",
            ]),
          ),
        ),
      )
      assert.deepInclude(report, {
        root: "/repo",
        model: "scripted/test",
        outcome: "complete",
        iterations: 5,
        toolCalls: 5,
        purposesWritten: 1,
        purposes: { model: 1, comment: 0 },
        majorSymbols: 1,
        coveredSymbols: 1,
        leftSymbols: 0,
        summary: "A greeter.",
      })
    }),
  )

  it.effect("lets a model call the tools of a `ToolRegistry` beside its own, in every request", () =>
    Effect.gen(function* () {
      const ownersOf = Tool.make({
        name: "owners_of",
        description: "Names the owners of a file.",
        parameters: Schema.Struct({ path: Schema.String }),
        readOnly: true,
        run: ({ path }) => Effect.succeed(`${path} is of the greeters`),
      })
      const { exit, requests } = yield* Effect.provide(
        explore([
          Scripted.calls(["owners_of", { path: "src/greet.ts" }], ["read_file", { path: "src/greet.ts" }]),
          "A greeter.",
          Scripted.calls(["create_index_entry", { entries: [greeting] }]),
        ]),
        ToolRegistry.layer([ownersOf]),
      )
      const report = Exit.getOrElse(exit, () => assert.fail("the run failed"))
      assert.strictEqual(report.purposesWritten, 1)
      assert.strictEqual(lastResults(requests[1])[0], "src/greet.ts is of the greeters")
      const names = requests.map(({ tools }) => tools.map(({ name }) => name))
      assert.strictEqual(names.length, 3)
      for (const offered of names) assert.includeMembers(offered, ["create_index_entry", "owners_of"])
      // A batch brings its source, and is answered by recording only.
      assert.deepStrictEqual(
        names.map((offered) => offered.includes("read_file")),
        [true, true, false],
      )
    }),
  )

  it.effect("lets a model explain all of a file with hundreds of functions", () =>
    Effect.gen(function* () {
      const count = isThorough ? 1000 : 100
      const source = Array.from({ length: count }, (_, n) => `export function compute${n}(amount: number): void {}\n`)
      const { exit } = yield* explore(
        (request) => {
          const [last = ""] = lastResults(request).slice(-1)
          const symbols = Array.from(last.matchAll(/^\d+ function (\w+)/gm), ([, symbol]) => symbol)
          const entries = symbols.map((symbol) => ({ path: "all.ts", symbol, purpose: `Step ${symbol} of the run.` }))
          const next = last === "" ? "0" : last.match(/go on with offset (\d+)/)?.[1]
          const record = symbols.length === 0 ? [] : [["create_index_entry", { entries }] as const]
          const list =
            next === undefined ? [] : [["list_symbols_in_file", { path: "all.ts", offset: Number(next) }] as const]
          return record.length + list.length === 0 ? "All of it." : Scripted.calls(...record, ...list)
        },
        { "/repo/all.ts": source.join("") },
      )
      const report = Exit.getOrElse(exit, () => assert.fail("the run failed"))
      assert.deepInclude(report, { outcome: "complete", purposesWritten: count, coveredSymbols: count, leftSymbols: 0 })
    }),
  )

  it.effect("has the purposes of comments, whatever the model does", () =>
    Effect.gen(function* () {
      const source =
        "/** Says hello to all guests. */\nexport function greet() {}\n\nclass Door {\n  /** Lets one in. */\n  open() {}\n}\n"
      const { exit } = yield* explore(["I have seen enough."], { "/repo/greet.ts": source })
      const report = Exit.getOrElse(exit, () => assert.fail("the run failed"))
      assert.deepInclude(report, { purposesWritten: 0, purposes: { model: 0, comment: 2 }, coveredSymbols: 1 })
    }),
  )

  it.effect("tells how many symbols have got a purpose, as they get it", () =>
    Effect.gen(function* () {
      const recording = Scripted.calls(["create_index_entry", { entries: [greeting] }])
      const { events } = yield* explore([recording, recording, "done"])
      assert.deepStrictEqual(
        events.flatMap((event) => (event._tag === "Recorded" ? [event.purposesWritten] : [])),
        [1, 1],
      )
    }),
  )

  it.effect("gives an observer an event, and nothing beside it", () =>
    Effect.gen(function* () {
      const calls: Array<ReadonlyArray<unknown>> = []
      const observer = Layer.succeed(IndexObserver.IndexObserver, {
        watch: () => Effect.succeed((...args: ReadonlyArray<unknown>) => Effect.sync(() => void calls.push(args))),
      })
      yield* Effect.provide(
        IndexingOrchestrator.runGuidedExploration("/repo"),
        Indexing.layer(repository, Scripted.layer(["done"]), observer),
      )
      assert.isNotEmpty(calls)
      assert.deepStrictEqual(
        calls.map((call) => call.length),
        calls.map(() => 1),
      )
    }),
  )

  it.effect("opens with the specified instruction and message, and offers the seven tools", () =>
    Effect.gen(function* () {
      const { requests } = yield* explore(["done"])
      const [request] = requests
      assert.strictEqual(request?.system, specifiedInstruction)
      assert.match(
        Message.text(request?.messages[0] ?? Message.user("")),
        /^Begin by exploring the codebase at '\/repo'\./,
      )
      assert.deepStrictEqual(
        request?.tools.map((tool) => tool.name),
        [
          "list_filesystem",
          "read_file",
          "search_text",
          "list_symbols_in_file",
          "get_symbol_details",
          "find_references",
          "create_index_entry",
        ],
      )
    }),
  )

  it.effect("makes twenty requests to a model that always calls a tool, not one more, and says what is left", () =>
    Effect.gen(function* () {
      // Nothing is open, so the run consists of the look around alone.
      const explained = { ...repository, "/repo/src/greet.ts": `/** Greets a guest politely. */\n${greetSource}` }
      const { exit, requests } = yield* explore(() => Scripted.calls(["list_filesystem", { path: "." }]), explained)
      assert.lengthOf(requests, 20)
      assert.deepInclude(yield* exit, { outcome: "limit", iterations: 20, map: null, leftSymbols: 0 })
    }),
  )

  it.effect.each([
    ["calls tools", Scripted.calls(["list_filesystem", { path: "." }])],
    ["calls a tool that does not exist", Scripted.calls(["think_harder", {}])],
    ["records what it was not asked for", Scripted.calls(["create_index_entry", { entries: [] }])],
  ] as const)("begins the batches after the sixth request, without a map, if the model always %s", ([, line]) =>
    Effect.gen(function* () {
      const isBatch = ({ messages }: Request) =>
        messages.some((message) => /to explain \(§/.test(Message.text(message)))
      const { exit, requests } = yield* explore((request) =>
        isBatch(request) ? Scripted.calls(["create_index_entry", { entries: [greeting] }]) : line,
      )
      assert.deepStrictEqual(requests.map(isBatch), [...Array.from({ length: 6 }, () => false), true])
      assert.deepInclude(yield* exit, { outcome: "complete", iterations: 7, batches: 1, map: null, leftSymbols: 0 })
    }),
  )

  it.effect("ends a run whose model calls tools in its batches, too, and says what is left", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore(() => Scripted.calls(["list_filesystem", { path: "." }]))
      assert.lengthOf(requests, 8)
      assert.deepInclude(yield* exit, {
        outcome: "complete",
        iterations: 8,
        map: null,
        left: [{ path: "src/greet.ts", symbols: 1 }],
        leftFiles: 1,
        leftSymbols: 1,
      })
    }),
  )

  it.effect("has a model look around six times at most before the batches, and write the map with the sixth", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore((request) =>
        request.toolChoice === "none" ? "A greeter." : Scripted.calls(["list_filesystem", { path: "." }]),
      )
      assert.deepStrictEqual(
        requests.map(({ toolChoice }) => toolChoice === "none"),
        [false, false, false, false, false, true, false, false],
      )
      assert.deepInclude(yield* exit, {
        outcome: "complete",
        iterations: 8,
        batches: 2,
        map: "A greeter.",
        leftSymbols: 1,
      })
    }),
  )

  it.effect("has no map of a model that says nothing after its tools, and counts what its requests used", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10, outputTokens: 1, cachedTokens: 0, thinkingTokens: 1 }
      const fiber = yield* Effect.fork(
        explore([
          { ...Scripted.calls(["list_filesystem", { path: "." }]), usage },
          { text: "", usage },
          { text: " ", usage },
          { ...Scripted.calls(["create_index_entry", { entries: [greeting] }]), usage },
        ]),
      )
      yield* TestClock.adjust("1 minute")
      const { exit, requests } = yield* Fiber.join(fiber)
      const report = Exit.getOrElse(exit, () => assert.fail("the run failed"))
      assert.deepInclude(report, { outcome: "complete", summary: "", map: null, purposesWritten: 1 })
      assert.lengthOf(requests, 4)
      assert.deepStrictEqual(report.usage, { ...usage, inputTokens: 40, outputTokens: 4, thinkingTokens: 4 })
    }),
  )

  it.effect("fails if a model says nothing before it has called a tool", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(explore(["", "", ""]))
      yield* TestClock.adjust("1 minute")
      const { exit } = yield* Fiber.join(fiber)
      assert.include(JSON.stringify(exit), '"_tag":"Empty"')
    }),
  )

  it.effect("reports a map that was cut off", () =>
    Effect.gen(function* () {
      const { exit } = yield* explore([
        { text: "A greet", finish: "length" },
        Scripted.calls(["create_index_entry", { entries: [greeting] }]),
      ])
      assert.deepInclude(yield* exit, { outcome: "truncated", map: "A greet", batches: 1 })
    }),
  )

  it.effect("reports the files that are only partly outlined", () =>
    Effect.gen(function* () {
      const { exit } = yield* explore(["done"], {
        ...repository,
        "/repo/hard.go": "package a\nfunc b() int { if (a { return 2 }\nfunc c() int { return 3 }\nfunc d() {}\n",
      })
      assert.deepInclude(yield* exit, {
        partial: [{ path: "hard.go", cut: "syntax", note: "syntax error at line 2: the outline lacks c, d" }],
        partialFiles: 1,
      })
    }),
  )

  it.effect("counts the source files without an outline, by language", () =>
    Effect.gen(function* () {
      const files = {
        "/repo/a.ml": "let a = 1",
        "/repo/b.ml": "let b = 1",
        "/repo/c.nix": "{}",
        "/repo/d.kt": "val d = 1",
        "/repo/Makefile": "all:",
      }
      const huge = { "/repo/big.ts": "a".repeat(1_000_001), "/repo/big.md": "a".repeat(1_000_001) }
      const { exit } = yield* explore(["done"], { ...repository, ...files, ...huge })
      assert.deepInclude(yield* exit, {
        notOutlined: {
          languages: [
            { language: "ocaml", files: 2 },
            { language: "nix", files: 1 },
          ],
          refused: [{ path: "big.ts", note: "too large to outline (1.0 MB)" }],
          refusedFiles: 1,
          unknown: [],
          unknownFiles: 0,
        },
      })
    }),
  )

  it.effect("stops before a call that would cost more than the run may, and keeps what it has", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 100_000, outputTokens: 1_000, cachedTokens: 0, thinkingTokens: 0 }
      const model = Layer.effect(
        LanguageModel.LanguageModel,
        Effect.gen(function* () {
          const recording = { ...Scripted.calls(["create_index_entry", { entries: [greeting] }]), usage }
          const scripted = yield* Scripted.make([recording, recording, "done"])
          const { guard } = yield* RunBudget.make({ maxCost: 0.15 })
          return guard({ ...scripted, price: { input: 1, output: 10 } })
        }),
      )
      const report = yield* IndexingOrchestrator.runGuidedExploration("/repo").pipe(
        Effect.provide(Indexing.layer(repository, model)),
      )
      assert.deepInclude(report, { outcome: "budget", iterations: 2, purposesWritten: 1, cost: 0.22 })
    }),
  )

  it.effect("goes on after wrong calls, and tells the model what was wrong", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore([
        Scripted.calls(
          ["read_file", { path: "missing.ts" }],
          ["read_file", { path: "../secret" }],
          ["read_everything"],
          ["get_symbol_details", { path: "src/greet.ts" }],
          ["create_index_entry", { entries: [greeting, { ...greeting, symbol: "gret" }] }],
        ),
        "done",
      ])
      const [missing, outside, unknown, argument, entries] = lastResults(requests[1])
      assert.match(missing ?? "", /missing\.ts: no such file/)
      assert.match(outside ?? "", /secret: outside the workspace/)
      assert.match(unknown ?? "", /'read_everything' not found/)
      assert.match(argument ?? "", /symbolName: is missing/)
      assert.match(
        entries ?? "",
        /recorded 1 of 2 entries\nrefused: Symbol 'gret' not found in src\/greet\.ts; nearest: greet/,
      )
      assert.strictEqual((yield* exit).purposesWritten, 1)
    }),
  )

  it.effect("asks again after 2, 4 and 8 seconds, then gives up and tells what it kept", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) })
      const failed = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        explore((_, index) => {
          if (index === 0) return Scripted.calls(["create_index_entry", { entries: [greeting] }])
          Deferred.unsafeDone(failed, Effect.void)
          return busy
        }),
      )
      yield* Deferred.await(failed)
      yield* TestClock.adjust("14 seconds")
      const { events, exit, requests } = yield* Fiber.join(fiber)
      assert.lengthOf(requests, 5)
      assert.strictEqual((yield* Effect.flip(exit)).message, "scripted/test: busy")
      assert.deepInclude(events.at(-1), { _tag: "Stopped", purposesWritten: 1, lost: undefined })
      assert.deepStrictEqual(
        events.flatMap((event) => (event._tag === "Retrying" ? [event.attempt] : [])),
        [1, 2, 3],
      )
    }),
  )

  it.effect("tells each round in order: calls, executions, results, and that they go back", () =>
    Effect.gen(function* () {
      const { events } = yield* explore([
        Scripted.calls(["list_filesystem", { path: "." }]),
        "A greeter.",
        Scripted.calls(["create_index_entry", { entries: [{ purposes: ["1: Welcomes somebody by name."] }] }]),
      ])
      assert.deepStrictEqual(
        events.map((event) => event._tag),
        [
          "Started",
          "Refreshing",
          "Refreshing",
          "Refreshing",
          "Structured",
          "Asked",
          "Answered",
          "ToolCalled",
          "ToolStarted",
          "ToolFinished",
          "ResultsSent",
          "Asked",
          "Answered",
          "Mapped",
          "Planned",
          "Expected",
          "BatchSent",
          "Asked",
          "Answered",
          "ToolCalled",
          "ToolStarted",
          "Recorded",
          "ToolFinished",
          "BatchEnded",
          "Finished",
        ],
      )
    }),
  )

  it.effect("reports the phases of the structure, with the share of the files that are parsed", () =>
    Effect.gen(function* () {
      const sources = Array.from({ length: 40 }, (_, n) => [`/repo/f${n}.ts`, `export const a${n} = ${n}\n`])
      const { events } = yield* explore(["done"], Object.fromEntries(sources))
      const progress = events.flatMap((event) => (event._tag === "Refreshing" ? [event] : []))
      assert.deepStrictEqual(
        progress.map(({ done, phase, total }) => [phase, done, total]),
        [
          ["walking", 0, 0],
          ["parsing", 0, 40],
          ["parsing", 16, 40],
          ["parsing", 32, 40],
          ["resolving", 40, 40],
        ],
      )
      const shares = progress.map(({ share }) => share)
      assert.deepStrictEqual(shares, [...shares].sort())
      assert.approximately(shares[3] ?? 0, 32 / 40, 0.01)
    }),
  )

  it.effect("puts no more of a huge folder before the model than a result may hold", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 250 }, (_, n) => `/repo/${"long".repeat(55)}-${n}.txt`)
      const files = Object.fromEntries(names.map((name) => [name, ""]))
      const { requests } = yield* explore([Scripted.calls(["list_filesystem", { path: "." }]), "done"], files)
      const [result = ""] = lastResults(requests.at(-1))
      assert.isAtMost(result.length, ToolResult.limit)
      assert.match(result, /bytes left out/)
      const [opening] = requests[0]?.messages ?? []
      assert.isBelow(opening === undefined ? 0 : Message.text(opening).length, 2_000)
    }),
  )

  /** `/repo`, claimed by another run until `end`. */
  const claimed = Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const scope = yield* Scope.make()
    const claim = store.claim(yield* Workspace.open("/repo"))
    yield* Scope.extend(claim, scope)
    return { claim, end: Scope.close(scope, Exit.void) }
  })

  it.effect("calls what comes after a run with its index, and reports what that says and has spent", () =>
    Effect.gen(function* () {
      const wiki = {
        pages: 2,
        written: ["index"],
        removed: [],
        left: [],
        gone: 0,
        touched: 1,
        failure: null,
        model: null,
      }
      const seen: Array<unknown> = []
      const afterRun: IndexingOrchestrator.AfterRun = ({ canAsk, index, parallel, spend, workspace }) =>
        Effect.gen(function* () {
          const purpose = (yield* Effect.orDie(index.find("greet")))[0]?.purpose?.text
          seen.push({ canAsk, parallel, purpose, root: workspace.root })
          yield* spend({ ...Usage.none, inputTokens: 11, outputTokens: 7 }, 0.5)
          return wiki
        })
      const run = (script: Scripted.Script, options: IndexingOrchestrator.Options) =>
        IndexingOrchestrator.runGuidedExploration("/repo", false, options).pipe(
          Effect.provide(Indexing.layer(repository, Scripted.layer(script))),
        )
      const script = ["A greeter.", Scripted.calls(["create_index_entry", { entries: [greeting] }]), "done"]
      const without = yield* run(script, { parallel: 2 })
      assert.isNull(without.wiki)
      const report = yield* run(script, { parallel: 2, afterRun })
      assert.deepStrictEqual(report.wiki, wiki)
      assert.deepStrictEqual(seen, [
        { canAsk: report.outcome !== "unexplained", parallel: 2, purpose: greeting.purpose, root: "/repo" },
      ])
      assert.strictEqual(report.usage.inputTokens - without.usage.inputTokens, 11)
      assert.strictEqual(report.usage.outputTokens - without.usage.outputTokens, 7)
    }),
  )

  it.effect("waits for another run in the same folder, says so, and begins when that has ended", () =>
    Effect.gen(function* () {
      const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
      yield* Effect.gen(function* () {
        const { end } = yield* claimed
        const run = yield* Effect.fork(IndexingOrchestrator.runGuidedExploration("/repo"))
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* Ref.get(events), [{ _tag: "Waiting", process: process.pid }])
        yield* end
        yield* TestClock.adjust("200 millis")
        assert.deepInclude(yield* Fiber.join(run), { outcome: "unexplained", durationMs: 0 })
      }).pipe(Effect.provide(Indexing.layer(repository, Scripted.layer(["done"]), IndexObserver.layerTest(events))))
      assert.deepStrictEqual(
        (yield* Ref.get(events)).slice(0, 3).map((event) => event._tag),
        ["Waiting", "Started", "Refreshing"],
      )
    }),
  )

  it.effect("claims nothing when it is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { claim, end } = yield* claimed
      const run = yield* Effect.fork(IndexingOrchestrator.runGuidedExploration("/repo"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(run)
      yield* end
      yield* Effect.scoped(claim)
    }).pipe(Effect.provide(Indexing.layer(repository, Scripted.layer([])))),
  )

  it.effect("says so when there is nothing to index, and asks no model", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore(["done"], { "/repo/.gitignore": "*\n", "/repo/a.ts": "" })
      assert.lengthOf(requests, 0)
      assert.strictEqual((yield* Effect.flip(exit)).message, "/repo: there are no files to index here")
    }),
  )

  it.effect("says so when there is no such folder", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.provide(
          IndexingOrchestrator.runGuidedExploration("/nowhere"),
          Indexing.layer(repository, Scripted.layer([])),
        ),
      )
      assert.strictEqual(error.message, "/nowhere: no such file or folder")
    }),
  )
})
