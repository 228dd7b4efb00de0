import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, FastCheck, Fiber, Layer, Ref, Scheduler, Schema, Scope, TestClock } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as BatchRun from "../../src/explore/BatchRun.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Instruction from "../../src/explore/Instruction.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import {
  Blocked,
  ContextOverflow,
  InvalidRequest,
  ModelError,
  Overloaded,
  RateLimited,
  Unauthorized,
} from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import * as RunBudget from "../../src/model/RunBudget.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { cases, isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"

const MAP = "A house with many doors. Guests come in by them."

/** A word that no other number has: purposes have to tell their symbols apart. */
const word = (n: number) => `w${String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26))}rold`

const names = (count: number) => Array.from({ length: count }, (_, n) => `open${word(n)}`)

/** So many functions without comments, each in a file of its own. */
const house = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names(count).map((name, n) => [
      `/repo/src/${name}.ts`,
      `export function ${name}(guest: string): string {\n  return "${word(n)}" + guest\n}\n`,
    ]),
  )

const lastText = (request: Request) =>
  Message.text(request.messages.findLast(({ role }) => role === "user") ?? Message.user(""))

const isBatch = (request: Request) => /symbols? to explain \(§/.test(lastText(request))

/** The earlier purposes of the symbols of a batch, as its end shows them. */
const earlierIn = (request: Request) => lastText(request).match(/\nWhat was written before, [^\n]*\n([\s\S]*)$/)?.[1]

/** The symbols of a request, each with its number. */
const symbolsIn = (request: Request): ReadonlyArray<readonly [number: number, name: string]> =>
  Array.from(
    lastText(request).matchAll(/§(\d+)[^\n]*(?:\n[^\n]*?)??\bfunction (\w+)/g),
    ([, number, name = ""]) => [Number(number), name] as const,
  )

const explain = (symbols: ReadonlyArray<readonly [number: number, name: string]>) =>
  Scripted.calls([
    "create_index_entry",
    {
      entries: [
        {
          purposes: symbols.map(
            ([n, name]) => `${n}: Lets visitors in who wait outside and call for ${name.slice(4)} at night.`,
          ),
        },
      ],
    },
  ])

type Answer = (request: Request, index: number) => Scripted.Line

/** Writes the map, and answers batches. */
const guided =
  (answer: Answer): Answer =>
  (request, index) =>
    isBatch(request) ? answer(request, index) : MAP

const explaining = guided((request) => explain(symbolsIn(request)))

const good = (symbols: ReadonlyArray<readonly [number: number, name: string]>) =>
  [
    "create_index_entry",
    { entries: [{ purposes: symbols.map(([n, name]) => `${n}: Rings for guests of ${name.slice(4)} at night.`) }] },
  ] as const

/** A model with room for two purposes in an answer, so that a batch has two symbols. */
const model = (answer: Answer, requests: Array<Request> = [], name = "test") =>
  Effect.map(
    Scripted.make((request, index) => {
      requests.push(request)
      return answer(request, index)
    }, name),
    (scripted): LanguageModel.Service => ({ ...scripted, limits: { context: 1_000_000, output: 104 } }),
  )

interface Run extends Omit<IndexingOrchestrator.Options, "model"> {
  readonly answer: Answer
  readonly count: number
  /** Wraps the model. */
  readonly guard?: (model: LanguageModel.Service) => LanguageModel.Service
}

/** A run over a house, with what it asked and observed. */
const explore = ({ answer, count, guard = (model) => model, ...options }: Run) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
    const main = guard(yield* model(answer, requests))
    const exit = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, options).pipe(
      Effect.provide(
        Indexing.layer(house(count), Layer.succeed(LanguageModel.LanguageModel, main), IndexObserver.layerTest(events)),
      ),
      Effect.exit,
    )
    return { exit, requests, batches: requests.filter(isBatch), events: yield* Ref.get(events) }
  })

const failing = (reason: ModelError["reason"]) => new ModelError({ model: "scripted/test", reason })

const ended = (events: ReadonlyArray<IndexEvent>) =>
  events.flatMap((event) => (event._tag === "BatchEnded" ? [event] : []))

describe("an exploration in batches", () => {
  it.effect("explains every open symbol with one request a batch, and asks for no closing words", () =>
    Effect.gen(function* () {
      const { batches, events, exit, requests } = yield* explore({ answer: explaining, count: 6 })
      assert.deepInclude(yield* exit, {
        outcome: "complete",
        explorations: 1,
        iterations: 4,
        batches: 3,
        purposesWritten: 6,
        leftSymbols: 0,
        map: MAP,
        summary: MAP,
      })
      assert.lengthOf(requests, 4)
      assert.deepStrictEqual(
        batches
          .flatMap(symbolsIn)
          .map(([, name]) => name)
          .sort(),
        [...names(6)].sort(),
      )
      assert.deepStrictEqual(
        ended(events).map(({ explained, number, reason }) => [number, explained, reason]),
        [1, 2, 3].map((number) => [number, 2, undefined]),
      )
    }),
  )

  it.effect("sends every batch as a branch of its own: system, tools, map and task are the same, and no history", () =>
    Effect.gen(function* () {
      const { batches } = yield* explore({ answer: explaining, count: 6 })
      const prefix = (request: Request) => {
        const text = lastText(request)
        const { messages, system, tools } = request
        assert.lengthOf(messages, 1)
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["create_index_entry"],
        )
        return JSON.stringify([
          system,
          tools.map(({ description, name, parameters }) => [name, description, parameters]),
          text.slice(0, text.indexOf("\nFrom ")),
        ])
      }
      const [first, ...others] = batches.map(prefix)
      assert.include(first, MAP)
      assert.strictEqual(batches[0]?.system, Instruction.system)
      for (const other of others) assert.strictEqual(other, first)
    }),
  )

  it.effect("lets models think as much as is set, and not at all by default", () =>
    Effect.gen(function* () {
      const levels = (thinking?: "auto" | "low") =>
        Effect.map(
          explore({ answer: explaining, count: 2, ...(thinking !== undefined && { thinking }) }),
          ({ requests }) => requests.map((request) => request.thinking),
        )
      assert.deepStrictEqual(yield* levels(), ["off", "off"])
      assert.deepStrictEqual(yield* levels("low"), ["low", "low"])
      assert.deepStrictEqual(yield* levels("auto"), [undefined, undefined])
    }),
  )

  it.effect("asks once more for what is missing, in batches of its own at the end, and then leaves it open", () =>
    Effect.gen(function* () {
      const asked = new Set<string>()
      const { batches, events, exit } = yield* explore({
        // Of each batch the last is missing; of those that are asked for again, too.
        answer: guided((request) => explain(symbolsIn(request).slice(0, -1))),
        count: 8,
        parallel: 1,
      })
      const sizes = batches.map((request) => symbolsIn(request).length)
      assert.deepStrictEqual(sizes, [2, 2, 2, 2, 2, 2])
      for (const request of batches.slice(0, 2)) for (const [, name] of symbolsIn(request)) asked.add(name)
      for (const [, name] of symbolsIn(batches[2] ?? assert.fail())) assert.isTrue(asked.has(name))
      for (const request of batches) assert.lengthOf(request.messages, 1)
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 6, purposesWritten: 6, leftSymbols: 2 })
      assert.deepStrictEqual(
        ended(events).flatMap(({ explained, number, reason }) => (reason === undefined ? [] : [[number, explained]])),
        [
          [3, 1],
          [6, 1],
        ],
        "what is asked for again is no news",
      )
    }),
  )

  it.effect("sends again what is missing only, whatever the size of its batch", () =>
    Effect.gen(function* () {
      const { batches } = yield* explore({
        answer: guided((request) => explain(symbolsIn(request).filter(([, name]) => name !== names(1)[0]))),
        count: 20,
        guard: (model) => ({ ...model, limits: { context: 1_000_000, output: 8_192 } }),
      })
      assert.deepStrictEqual(batches.map((request) => symbolsIn(request).map(([, name]) => name)).at(-1), names(1))
      assert.lengthOf(batches, 2)
      assert.notInclude(lastText(batches[1] ?? assert.fail()), names(2)[1] ?? "")
    }),
  )

  it.effect("asks for weak purposes once more, with the reasons and without the source of others", () =>
    Effect.gen(function* () {
      const vague = ["create_index_entry", { entries: [{ purposes: ["1: Handles the data of the object."] }] }] as const
      const { batches, exit } = yield* explore({
        // Of each batch the first is vague; of those that are asked for again, the last is so again.
        answer: guided((request) => {
          const symbols = symbolsIn(request)
          const isVague = earlierIn(request) === undefined || symbols.length === 1
          return isVague ? Scripted.calls(vague, good(symbols.slice(1))) : Scripted.calls(good(symbols))
        }),
        count: 6,
        parallel: 1,
      })
      const again = batches.filter((request) => earlierIn(request) !== undefined)
      assert.lengthOf(batches, 5)
      assert.deepStrictEqual(
        again.map((request) => symbolsIn(request).length),
        [2, 1],
      )
      assert.include(
        earlierIn(again[0] ?? assert.fail()),
        '§1–§2 "Handles the data of the object.": only general words, which fit any symbol',
      )
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 5, purposesWritten: 6, leftSymbols: 0, weak: 1 })
    }),
  )

  it.effect("shows what was refused when it asks again, and says why it was", () =>
    Effect.gen(function* () {
      const same = "Opens the door of the house."
      const { batches, events, exit } = yield* explore({
        answer: guided((request) => {
          const symbols = symbolsIn(request)
          const purposes = symbols.map(([n]) => `${n}: ${same}`)
          return earlierIn(request) === undefined
            ? Scripted.calls(["create_index_entry", { entries: [{ purposes }] }])
            : explain(symbols)
        }),
        count: 4,
        guard: (model) => ({ ...model, limits: { context: 1_000_000, output: 8_192 } }),
      })
      assert.lengthOf(batches, 2)
      assert.strictEqual(
        earlierIn(batches[1] ?? assert.fail()),
        `§1–§4 "${same}": one sentence was written for many symbols`,
      )
      assert.deepInclude(yield* exit, { purposesWritten: 4, leftSymbols: 0 })
      assert.deepStrictEqual(
        ended(events).map(({ explained, reason }) => [explained, reason]),
        [
          [0, "one sentence was written for many symbols"],
          [4, undefined],
        ],
      )
    }),
  )

  it.effect("says why an answer was refused that was written as text", () =>
    Effect.gen(function* () {
      const { events } = yield* explore({
        answer: guided((request) =>
          symbolsIn(request)
            .map(([n]) => `${n}: Opens the door of the house.`)
            .join("\n"),
        ),
        count: 4,
        guard: (model) => ({ ...model, limits: { context: 1_000_000, output: 8_192 } }),
      })
      assert.deepStrictEqual(
        ended(events).flatMap(({ reason }) => reason ?? []),
        Array.from({ length: 2 }, () => "one sentence was written for many symbols"),
      )
    }),
  )

  it.effect("requires the call, unless the model thinks", () =>
    Effect.gen(function* () {
      const choices = (thinking: "off" | "low") =>
        Effect.map(explore({ answer: explaining, count: 2, thinking }), ({ requests }) =>
          requests.map(({ toolChoice }) => toolChoice),
        )
      assert.deepStrictEqual(yield* choices("off"), [undefined, { tool: "create_index_entry" }])
      assert.deepStrictEqual(yield* choices("low"), [undefined, "auto"])
    }),
  )

  it.effect.each(["json", "lines"])("takes an answer that is written as text for the call: %s", (form) =>
    Effect.gen(function* () {
      const { batches, events, exit } = yield* explore({
        answer: guided((request) => {
          const purposes = good(symbolsIn(request))[1].entries[0]?.purposes ?? []
          const entries = [{ purposes: [...purposes, "99: It is not there."] }]
          return form === "json"
            ? `Here you are:\n\n\`\`\`json\n${JSON.stringify({ entries })}\n\`\`\``
            : purposes.join("\n")
        }),
        count: 4,
      })
      assert.lengthOf(batches, 2)
      assert.deepInclude(yield* exit, { outcome: "complete", purposesWritten: 4, leftSymbols: 0 })
      const results = events.flatMap((event) => (event._tag === "ToolFinished" ? [event.batch] : []))
      assert.deepStrictEqual(results, [1, 2])
    }),
  )

  it.effect("asks for the weak purposes of earlier runs where it is to refresh them, and for nothing else", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const vague = Scripted.calls([
        "create_index_entry",
        { entries: [{ purposes: ["1: Handles the data of the object.", "2: Rings for guests who wait at night."] }] },
      ])
      const main = yield* model(
        guided(() => vague),
        requests,
      )
      const capable = yield* model(
        guided((request) => explain(symbolsIn(request))),
        requests,
        "capable",
      )
      /** How many symbols are asked for in a run, and what it reports. */
      const run = (options: IndexingOrchestrator.Options) =>
        Effect.gen(function* () {
          const before = requests.length
          const { purposesWritten, weak } = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, options)
          const asked = requests.slice(before).filter(isBatch).flatMap(symbolsIn).length
          return { asked, purposesWritten, weak }
        })
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* run({}), { asked: 3, purposesWritten: 2, weak: 1 })
        assert.deepStrictEqual(yield* run({ model: capable }), { asked: 0, purposesWritten: 0, weak: 1 })
        // The same model has had its second try.
        assert.deepStrictEqual(yield* run({ refreshWeak: true }), { asked: 0, purposesWritten: 0, weak: 1 })
        const better = { model: capable, refreshWeak: true }
        assert.deepStrictEqual(yield* run(better), { asked: 1, purposesWritten: 1, weak: 0 })
        assert.deepStrictEqual(yield* run(better), { asked: 0, purposesWritten: 0, weak: 0 })
      }).pipe(Effect.provide(Indexing.layer(house(2), Layer.succeed(LanguageModel.LanguageModel, main))))
    }),
  )

  it.effect("wastes three requests on a model that answers with words", () =>
    Effect.gen(function* () {
      const { batches, exit } = yield* explore({ answer: guided(() => "I would rather not."), count: 40 })
      assert.lengthOf(batches, 3)
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 3, purposesWritten: 0, leftSymbols: 40 })
    }),
  )

  it.effect("stays within twenty requests, and says what is left", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore({ answer: explaining, count: 60 })
      assert.lengthOf(requests, 20)
      assert.deepInclude(yield* exit, { outcome: "limit", iterations: 20, batches: 19, leftSymbols: 22 })
    }),
  )

  it.effect("goes on with further explorations with `all`, until everything is explained", () =>
    Effect.gen(function* () {
      const { events, exit, requests } = yield* explore({ answer: explaining, count: 60, all: true })
      assert.lengthOf(requests, 31)
      assert.deepInclude(yield* exit, { outcome: "complete", explorations: 2, iterations: 31, leftSymbols: 0 })
      const iterations = events.flatMap((event) => (event._tag === "Asked" ? [event.iteration] : []))
      assert.deepStrictEqual([Math.max(...iterations), iterations.at(-1)], [20, 11])
    }),
  )

  it.effect("ends with `all` where the budget is used, and keeps what it has", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10_000, outputTokens: 100, cachedTokens: 0, thinkingTokens: 0 }
      const { guard } = yield* RunBudget.make({ maxTokens: 100_000 })
      const { batches, exit } = yield* explore({
        answer: (request, index) => {
          const line = explaining(request, index)
          return { ...(typeof line === "string" ? { text: line } : line), usage } as Scripted.Turn
        },
        count: 60,
        all: true,
        guard,
      })
      const report = yield* exit
      assert.strictEqual(report.outcome, "budget")
      assert.strictEqual(report.batches, batches.length, "the one that was refused does not count")
      assert.isAbove(report.purposesWritten, 8)
      assert.strictEqual(report.purposes.model, report.purposesWritten)
    }),
  )

  it.effect("makes no request where the index has a map and nothing is open", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const main = yield* model(explaining, requests)
      yield* Effect.gen(function* () {
        yield* IndexingOrchestrator.runGuidedExploration("/repo")
        assert.lengthOf(requests.splice(0), 2)
        const report = yield* IndexingOrchestrator.runGuidedExploration("/repo")
        assert.lengthOf(requests, 0)
        assert.deepInclude(report, { outcome: "complete", iterations: 0, batches: 0, map: MAP, summary: "" })
      }).pipe(Effect.provide(Indexing.layer(house(2), Layer.succeed(LanguageModel.LanguageModel, main))))
    }),
  )

  /** Three runs with what they ask, the second and the third after a change of all files where there is one. */
  const threeRuns = (change: (run: number) => string | undefined) =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const maps = ["An early map.", "The map holds.", "A later map."]
      const main = yield* model((request) => (isBatch(request) ? "no" : (maps.shift() ?? "no")), requests)
      return yield* Effect.gen(function* () {
        const { write } = yield* Files.Files
        const runs: Array<{ readonly map: string | null; readonly texts: ReadonlyArray<string> }> = []
        for (let run = 0; run < 3; run++) {
          const text = change(run)
          if (text !== undefined) for (const name of names(1)) yield* write(`/repo/src/${name}.ts`, text)
          const { map } = yield* IndexingOrchestrator.runGuidedExploration("/repo")
          runs.push({ map, texts: requests.splice(0).map(lastText) })
        }
        return runs
      }).pipe(Effect.provide(Indexing.layer(house(1), Layer.succeed(LanguageModel.LanguageModel, main))))
    })

  it.effect(
    "shows the map of an earlier run where most has changed, and keeps it where the model says that it holds",
    () =>
      Effect.gen(function* () {
        const [first, second, third] = yield* threeRuns(
          (run) => `export function anew${word(run)}() {\n  return "${"more ".repeat(run)}"\n}\n`,
        )
        assert.deepStrictEqual(
          [first?.map, second?.map, third?.map],
          ["An early map.", "An early map.", "A later map."],
        )
        assert.notInclude(first?.texts[0], "earlier run")
        assert.include(second?.texts[0], 'The map of an earlier run:\n"""\nAn early map.\n"""')
        assert.include(second?.texts[1], "An early map.")
        assert.include(third?.texts[1], "A later map.")
      }),
  )

  it.effect("shows of a symbol that has changed what was said of it before", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const main = yield* model(explaining, requests)
      yield* Effect.gen(function* () {
        const { write } = yield* Files.Files
        const [name = ""] = names(1)
        yield* IndexingOrchestrator.runGuidedExploration("/repo")
        yield* write(`/repo/src/${name}.ts`, `export function ${name}(guest: string): string {\n  return guest\n}\n`)
        yield* IndexingOrchestrator.runGuidedExploration("/repo")
        const before = `Lets visitors in who wait outside and call for ${name.slice(4)} at night.`
        assert.deepStrictEqual(
          requests.filter(isBatch).map((request) => earlierIn(request)),
          [undefined, `§1 "${before}": stale, the code has changed since`],
        )
      }).pipe(Effect.provide(Indexing.layer(house(1), Layer.succeed(LanguageModel.LanguageModel, main))))
    }),
  )

  it.effect("asks for no map where there is one and little has changed, and begins with the batches", () =>
    Effect.gen(function* () {
      const [first, second, third] = yield* threeRuns(() => undefined)
      assert.lengthOf(first?.texts ?? [], 3)
      for (const run of [second, third]) {
        assert.strictEqual(run?.map, "An early map.")
        assert.lengthOf(run?.texts ?? [], 2)
        for (const text of run?.texts ?? []) assert.match(text, /^A map of the project:\n"""\nAn early map\./)
      }
    }),
  )

  it.effect("sends no batches to what follows no instructions", () =>
    Effect.gen(function* () {
      const { events, exit, requests } = yield* explore({
        answer: () => "I have drawn a map.",
        count: 2,
        guard: (model) => ({ ...model, followsInstructions: false }),
      })
      assert.lengthOf(requests, 1)
      assert.notInclude(lastText(requests[0] ?? assert.fail()), "batches")
      assert.deepInclude(yield* exit, {
        outcome: "complete",
        map: null,
        summary: "I have drawn a map.",
        leftSymbols: 2,
      })
      assert.notInclude(
        events.map(({ _tag }) => _tag),
        "Mapped",
      )
    }),
  )
})

describe("an exploration in batches, with a second model", () => {
  it.effect("sends types and constants to it, and reports both", () =>
    Effect.gen(function* () {
      const liteRequests: Array<Request> = []
      const answer: Answer = (request) => {
        const marks = new Set(Array.from(lastText(request).matchAll(/§(\d+)/g), ([, n]) => Number(n)))
        marks.delete(Math.max(...marks) + 1)
        return explain(Array.from(marks, (n) => [n, `open${word(100 + n)}`]))
      }
      const lite = yield* model(answer, liteRequests, "lite")
      const requests: Array<Request> = []
      const main = yield* model(explaining, requests)
      const files = {
        ...house(2),
        "/repo/src/Guest.ts":
          "export interface Guest {\n  readonly name: string\n}\n\nexport type Guests = ReadonlyArray<Guest>\n",
      }
      const report = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, { liteModel: lite }).pipe(
        Effect.provide(Indexing.layer(files, Layer.succeed(LanguageModel.LanguageModel, main))),
      )
      assert.strictEqual(report.liteModel, "scripted/lite")
      assert.isNotEmpty(liteRequests)
      for (const request of liteRequests) assert.include(lastText(request), "interface Guest")
      const [batch] = requests.filter(isBatch)
      assert.notInclude(lastText(batch ?? assert.fail()).replace(/^[\s\S]*to explain \(/, ""), "interface Guest")
    }),
  )
})

describe("an exploration in batches, several at a time", () => {
  /** A model with answers to batches that wait for `open`, with the most requests that were under way at once. */
  const gated = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const running = yield* Ref.make(0)
    const most = yield* Ref.make(0)
    const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
      ...model,
      generate: (request, observer) =>
        isBatch(request)
          ? Effect.acquireUseRelease(
              Effect.tap(
                Ref.updateAndGet(running, (n) => n + 1),
                (n) => Ref.update(most, (before) => Math.max(before, n)),
              ),
              () => Effect.zipRight(Deferred.await(gate), model.generate(request, observer)),
              () => Ref.update(running, (n) => n - 1),
            )
          : model.generate(request, observer),
    })
    return { guard, running: Ref.get(running), most: Ref.get(most), open: Deferred.succeed(gate, undefined) }
  })

  const settle = Effect.yieldNow().pipe(Effect.repeatN(2_000))

  it.effect("has as many under way as it may", () =>
    Effect.gen(function* () {
      const { guard, most, open, running } = yield* gated
      const fiber = yield* Effect.fork(explore({ answer: explaining, count: 20, parallel: 3, guard }))
      yield* settle
      assert.strictEqual(yield* running, 3)
      yield* open
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0, batches: 10 })
      assert.strictEqual(yield* most, 3)
    }),
  )

  it.effect.each([
    [{ concurrency: undefined, isLocal: true }, 1],
    [{ concurrency: 2 }, 2],
    [{ concurrency: undefined }, 3],
  ] as const)(
    "has one under way with a local model, and else as many as the model takes, or three: %j",
    ([of, expected]) =>
      Effect.gen(function* () {
        const { guard, most, open, running } = yield* gated
        const fiber = yield* Effect.fork(
          explore({ answer: explaining, count: 20, guard: (model) => guard({ ...model, ...of }) }),
        )
        yield* settle
        assert.strictEqual(yield* running, expected)
        yield* open
        assert.deepInclude(yield* (yield* Fiber.join(fiber)).exit, { outcome: "complete" })
        assert.strictEqual(yield* most, expected)
      }),
  )

  it.effect("has half as many under way after the provider has limited the rate", () =>
    Effect.gen(function* () {
      const running: Array<number> = []
      let now = 0
      let isLimited = false
      const answer = guided((request) => {
        if (now === 2 && !isLimited) {
          isLimited = true
          return failing(new RateLimited({ message: "slow down" }))
        }
        return explain(symbolsIn(request))
      })
      const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
        ...model,
        generate: (request, observer) =>
          Effect.acquireUseRelease(
            Effect.sync(() => running.push(++now)),
            () => Effect.zipRight(Effect.yieldNow(), model.generate(request, observer)),
            () => Effect.sync(() => void now--),
          ),
      })
      const fiber = yield* Effect.fork(explore({ answer, count: 20, parallel: 2, guard }))
      yield* settle
      yield* TestClock.adjust("2 seconds")
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0 })
      assert.isTrue(isLimited)
      assert.strictEqual(Math.max(...running), 2)
      assert.deepStrictEqual(running.slice(-5), [1, 1, 1, 1, 1])
    }),
  )

  /** A run that is interrupted after so many steps of its fibers; with the steps that it took, and what it had recorded. */
  const interrupted = async (steps: number) => {
    const events: Array<IndexEvent> = []
    const observer = Layer.succeed(IndexObserver.IndexObserver, {
      watch: () => Effect.succeed((event: IndexEvent) => Effect.sync(() => void events.push(event))),
    })
    const main = await Effect.runPromise(model(explaining))
    const scope = await Effect.runPromise(Scope.make())
    const layer = Indexing.layer(house(6), Layer.succeed(LanguageModel.LanguageModel, main), observer)
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    let done = 0
    let isInterrupted = false
    const interrupt = () => {
      if (!isInterrupted) fiber.unsafeInterruptAsFork(fiber.id())
      isInterrupted = true
    }
    const scheduler: Scheduler.Scheduler = {
      shouldYield: (running) => (++done === steps ? 0 : Scheduler.defaultScheduler.shouldYield(running)),
      scheduleTask: (task, priority) => {
        if (done >= steps) interrupt()
        Scheduler.defaultScheduler.scheduleTask(task, priority)
      },
    }
    const run = IndexingOrchestrator.runGuidedExploration("/repo", false, { parallel: 3 })
    const fiber = Effect.runFork(Effect.provide(run, context), { scheduler })
    const exit = await Effect.runPromise(Fiber.await(fiber))
    const kept = await Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const { index } = yield* store.openExisting(yield* Workspace.open("/repo"))
      return (yield* index.status).purposes.model
    }).pipe(Effect.scoped, Effect.provide(context), Effect.runPromise)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return { exit, steps: done, events, kept }
  }

  it("keeps everything recorded, and ends, wherever it is interrupted", async () => {
    const { events, exit, kept, steps: all } = await interrupted(Number.POSITIVE_INFINITY)
    assert.isTrue(Exit.isSuccess(exit))
    assert.strictEqual(kept, 6)
    assert.strictEqual(events.at(-1)?._tag, "Finished")
    const counts = new Set<number>()
    // The structure, which takes the first third, has tests of its own.
    for (let steps = Math.floor(all / 3); steps < all; steps += Math.ceil(all / (isThorough ? 60 : 30))) {
      const run = await interrupted(steps)
      const told = run.events.findLast((event) => event._tag === "Recorded")
      assert.isAtLeast(run.kept, told?._tag === "Recorded" ? told.purposesWritten : 0, `at step ${steps}`)
      assert.strictEqual(run.kept % 2, 0, "an answer is recorded whole")
      assert.include(["Finished", "Stopped"], run.events.at(-1)?._tag)
      counts.add(run.kept)
    }
    assert.includeMembers([...counts], [0, 2, 4, 6])
  }, 60_000)
})

describe("an exploration in batches, when a model fails", () => {
  it.effect("leaves a batch open that the provider blocks, says why, and goes on", () =>
    Effect.gen(function* () {
      let isFirst = true
      const { events, exit } = yield* explore({
        answer: guided((request) => {
          if (!isFirst) return explain(symbolsIn(request))
          isFirst = false
          return failing(new Blocked({ message: "recitation" }))
        }),
        count: 6,
      })
      assert.deepInclude(yield* exit, { outcome: "partial", batches: 3, purposesWritten: 4, leftSymbols: 2 })
      assert.deepStrictEqual(
        ended(events).flatMap(({ reason }) => reason ?? []),
        ["scripted/test: recitation"],
      )
    }),
  )

  it.effect("ends after three batches that are refused one after the other", () =>
    Effect.gen(function* () {
      const { batches, exit } = yield* explore({
        answer: guided(() => failing(new InvalidRequest({ message: "no more" }))),
        count: 20,
      })
      assert.lengthOf(batches, 3)
      assert.deepInclude(yield* exit, { outcome: "unexplained", batches: 3, leftSymbols: 20 })
    }),
  )

  const refusal = new InvalidRequest({ message: "no more" })

  it.effect.each([
    ["refused", 6, failing(refusal), "scripted/test: no more"],
    ["blocked", 2, failing(new Blocked({ message: "recitation" })), "scripted/test: recitation"],
    [
      "too long, whole and in parts",
      2,
      failing(new ContextOverflow({ message: "too long" })),
      "scripted/test: too long",
    ],
  ] as const)("reports that no batch was explained, and why, if all are %s", ([, count, line, reason]) =>
    Effect.gen(function* () {
      const { exit } = yield* explore({ answer: guided(() => line), count })
      const { batches, failedBatches, failures, outcome, purposesWritten } = yield* exit
      assert.deepStrictEqual([outcome, purposesWritten], ["unexplained", 0])
      assert.deepStrictEqual(failures, [{ reason, batches: failedBatches }])
      assert.isAbove(failedBatches, 0)
      assert.isAtMost(failedBatches, batches)
    }),
  )

  it.effect.each([
    ["words", "I would rather not."],
    ["another call", Scripted.calls(["read_file", { path: "a.ts" }])],
  ] as const)("is complete, as the model has ended it, if it answers all batches with %s", ([, line]) =>
    Effect.gen(function* () {
      const { exit } = yield* explore({ answer: guided(() => line), count: 2 })
      const { failures, outcome, purposesWritten } = yield* exit
      assert.deepStrictEqual([outcome, purposesWritten], ["complete", 0])
      assert.deepStrictEqual(
        failures.map(({ reason }) => reason),
        ["the model did not explain them"],
      )
    }),
  )

  it.effect("reports that the run ended early if later batches are refused in a row", () =>
    Effect.gen(function* () {
      let batch = 0
      const { exit } = yield* explore({
        answer: guided((request) => (batch++ < 2 ? explain(symbolsIn(request)) : failing(refusal))),
        count: 20,
        parallel: 1,
      })
      assert.deepInclude(yield* exit, {
        outcome: "unexplained",
        batches: 5,
        failedBatches: 3,
        failures: [{ reason: "scripted/test: no more", batches: 3 }],
        purposesWritten: 4,
      })
    }),
  )

  it.effect("is complete if the second request for the symbols of a refused answer brings purposes", () =>
    Effect.gen(function* () {
      let batch = 0
      const { exit } = yield* explore({
        answer: guided((request) => (batch++ === 0 ? "I would rather not." : explain(symbolsIn(request)))),
        count: 2,
      })
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 2, failedBatches: 1, leftSymbols: 0 })
    }),
  )

  it.effect("splits a batch that is too long, once, and leaves open what is still too long", () =>
    Effect.gen(function* () {
      const tooLong = failing(new ContextOverflow({ message: "too long" }))
      const sizes: Array<number> = []
      const { exit } = yield* explore({
        answer: guided((request) => {
          const symbols = symbolsIn(request)
          sizes.push(symbols.length)
          return symbols.length > 1 || symbols.some(([, name]) => name === names(2)[0]) ? tooLong : explain(symbols)
        }),
        count: 2,
      })
      assert.deepStrictEqual(sizes, [2, 1, 1])
      assert.deepInclude(yield* exit, { outcome: "partial", purposesWritten: 1, leftSymbols: 1 })
    }),
  )

  it.effect.each([
    ["the first", [0], { outcome: "partial", batches: 4, failedBatches: 1, purposesWritten: 6, leftSymbols: 2 }],
    ["every other", [0, 2], { outcome: "partial", batches: 4, failedBatches: 2, purposesWritten: 4, leftSymbols: 4 }],
    [
      "all but the last",
      [0, 1],
      { outcome: "partial", batches: 3, failedBatches: 2, purposesWritten: 2, leftSymbols: 4 },
    ],
    ["no", [], { outcome: "complete", batches: 4, failedBatches: 0, purposesWritten: 8, leftSymbols: 0 }],
  ] as const)("is complete in part if the model refuses %s batch and explains the others", ([, refused, expected]) =>
    Effect.gen(function* () {
      let batch = 0
      const isRefused = (number: number) => refused.some((at) => at === number)
      const { exit } = yield* explore({
        answer: guided((request) => (isRefused(batch++) ? failing(refusal) : explain(symbolsIn(request)))),
        count: expected.batches * 2,
        parallel: 1,
      })
      assert.deepInclude(yield* exit, expected)
    }),
  )

  it.effect("ends with a failure that concerns all batches, and keeps what was recorded", () =>
    Effect.gen(function* () {
      const { events, exit } = yield* explore({
        answer: guided((request, index) =>
          index === 2 ? failing(new Unauthorized({ message: "the key is gone" })) : explain(symbolsIn(request)),
        ),
        count: 8,
      })
      assert.strictEqual((yield* Effect.flip(exit)).message, "scripted/test: the key is gone")
      assert.deepInclude(events.at(-1), { _tag: "Stopped", purposesWritten: 2, lost: undefined })
    }),
  )

  it.effect("lets the requests that are under way end, and keeps their purposes", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
        ...model,
        generate: (request, observer) =>
          isBatch(request) && symbolsIn(request).some(([, name]) => name === names(1)[0])
            ? Effect.zipRight(Deferred.await(started), Effect.fail(failing(new Unauthorized({ message: "gone" }))))
            : isBatch(request)
              ? Effect.zipRight(
                  Deferred.succeed(started, undefined),
                  Effect.zipRight(Effect.yieldNow().pipe(Effect.repeatN(50)), model.generate(request, observer)),
                )
              : model.generate(request, observer),
      })
      const { events, exit } = yield* explore({ answer: explaining, count: 4, parallel: 2, guard })
      assert.isTrue(Exit.isFailure(exit))
      assert.deepInclude(events.at(-1), { _tag: "Stopped", purposesWritten: 2, lost: undefined })
    }),
  )

  it.effect("retries as all requests do", () =>
    Effect.gen(function* () {
      let isFirst = true
      const fiber = yield* Effect.fork(
        explore({
          answer: guided((request) => {
            if (!isFirst) return explain(symbolsIn(request))
            isFirst = false
            return failing(new Overloaded({ message: "busy" }))
          }),
          count: 2,
        }),
      )
      yield* Effect.yieldNow().pipe(Effect.repeatN(2_000))
      yield* TestClock.adjust("2 seconds")
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0 })
    }),
  )
})

describe("laws of explorations in batches", () => {
  const Behaviour = Schema.Literal("all", "half", "none", "words", "other tool", "blocked", "too long", "nonsense")

  it.effect.prop(
    "asks for no symbol more than twice, sends at most twenty requests an exploration, and keeps all that was recorded",
    [
      FastCheck.array(FastCheck.constantFrom(...Behaviour.literals), { minLength: 1, maxLength: 12 }),
      FastCheck.integer({ min: 1, max: 30 }),
      FastCheck.integer({ min: 1, max: 4 }),
      FastCheck.boolean(),
    ],
    ([behaviours, count, parallel, all]) =>
      Effect.gen(function* () {
        const asked = new Map<string, number>()
        const prefixes = new Set<string>()
        const answer = guided((request, index) => {
          const symbols = symbolsIn(request)
          const text = lastText(request)
          prefixes.add(request.system + text.slice(0, text.indexOf("\nFrom ")))
          const behaviour = behaviours[index % behaviours.length]
          if (behaviour !== "too long") for (const [, name] of symbols) asked.set(name, (asked.get(name) ?? 0) + 1)
          switch (behaviour) {
            case "half":
              return explain(symbols.slice(0, Math.ceil(symbols.length / 2)))
            case "none":
              return explain([])
            case "words":
              return "It is a fine house."
            case "other tool":
              return Scripted.calls(["list_filesystem", { path: "." }])
            case "blocked":
              return failing(new Blocked({ message: "no" }))
            case "too long":
              return failing(new ContextOverflow({ message: "too long" }))
            case "nonsense":
              return Scripted.calls(["create_index_entry", { entries: [{ purposes: ["99: It is not there."] }] }])
            default:
              return explain(symbols)
          }
        })
        const { events, exit } = yield* explore({ answer, count, parallel, all })
        const report = yield* exit
        assert.isAtMost(Math.max(0, ...asked.values()), 2)
        assert.isAtMost(prefixes.size, 1)
        for (const event of events) if (event._tag === "Asked") assert.isAtMost(event.iteration, 20)
        assert.isAtMost(report.iterations, 20 * report.explorations)
        assert.strictEqual(report.purposes.model, report.purposesWritten)
        assert.strictEqual(report.leftSymbols, count - report.purposesWritten)
      }),
    { fastCheck: { numRuns: cases(25) } },
  )
})

describe("BatchRun.limitsFor", () => {
  const limits = (context: number, output: number) =>
    BatchRun.limitsFor({
      ...LanguageModel.make(new ModelId({ provider: "scripted", name: "test" }), () => Effect.void),
      limits: { context, output },
    })

  it("has room in the window and in the answer of a model", () => {
    assert.deepInclude(limits(1_000_000, 65_536), { maxTokens: 50_000, maxSymbols: 300 })
    assert.deepInclude(limits(32_768, 8_192), { maxTokens: 17_260, maxSymbols: 157 })
    assert.deepInclude(limits(4_096, 1_024), { maxTokens: 1_000, maxSymbols: 19 })
  })
})

describe("an exploration in batches, within a budget", () => {
  const COUNT = 54
  const WANTED = 12

  /** Functions of which each of the last `WANTED` is used by other files. */
  const used = {
    ...house(COUNT),
    ...Object.fromEntries(
      names(COUNT)
        .slice(-WANTED)
        .flatMap((name) =>
          [1, 2, 3].map((n) => [
            `/repo/test/${name}${n}.test.ts`,
            `import { ${name} } from "../src/${name}.ts"\n\n${name}("x")\n`,
          ]),
        ),
    ),
  }

  /** A run with that budget of a model that counts what it is sent as the budget does, with the tokens it used. */
  const exploreWithin = (limits: RunBudget.Limits) =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make(limits)
      const requests: Array<Request> = []
      const scripted = yield* Scripted.make((request) => {
        requests.push(request)
        const symbols = symbolsIn(request)
        const line = isBatch(request) ? explain(symbols) : { text: MAP }
        const outputTokens = isBatch(request) ? 30 + 39 * symbols.length : 60
        return { ...line, usage: { ...Usage.none, inputTokens: RunBudget.estimate(request), outputTokens } }
      })
      const main = guard({
        ...scripted,
        limits: { context: 1_000_000, output: 60_000 },
        price: { input: 0.3, output: 2.5 },
      })
      const report = yield* IndexingOrchestrator.runGuidedExploration("/repo", false).pipe(
        Effect.provide(Indexing.layer(used, Layer.succeed(LanguageModel.LanguageModel, main))),
      )
      const explained = requests.filter(isBatch).flatMap((request) => symbolsIn(request).map(([, name]) => name))
      const { usage } = report
      return { report, explained, requests, tokens: usage.inputTokens + usage.outputTokens }
    })

  it.effect.each(["maxCost", "maxTokens"] as const)(
    "explains as many symbols as %s allows, the most used first",
    (limit) =>
      Effect.gen(function* () {
        const whole = yield* exploreWithin({})
        assert.deepInclude(whole.report, { outcome: "complete", batches: 1, purposesWritten: COUNT, map: MAP })
        const all = limit === "maxCost" ? (whole.report.cost ?? 0) : whole.tokens
        let most = 0
        for (const share of [0.4, 0.6]) {
          const { explained, report, tokens } = yield* exploreWithin({ [limit]: share * all })
          assert.isAtMost(limit === "maxCost" ? (report.cost ?? 0) : tokens, share * all)
          assert.deepInclude(report, { outcome: "budget", map: null, purposesWritten: explained.length }, String(share))
          assert.includeMembers(explained, names(COUNT).slice(-WANTED), String(share))
          assert.isAtLeast(report.purposesWritten, most)
          assert.isAbove(report.purposesWritten, 0, String(share))
          most = report.purposesWritten
        }
        assert.isAbove(most, COUNT / 3)
        const enough = yield* exploreWithin({ [limit]: 3 * all })
        assert.deepInclude(enough.report, { outcome: "complete", purposesWritten: COUNT, map: MAP })
      }),
  )

  it.effect.each([{ maxCost: 0.000_1 }, { maxTokens: 100 }, { maxCost: 0 }])(
    "sends no request if one for a single symbol is not within the budget: %j",
    (limits) =>
      Effect.gen(function* () {
        const { report, requests } = yield* exploreWithin(limits)
        assert.lengthOf(requests, 0)
        assert.deepInclude(report, { outcome: "budget", iterations: 0, batches: 0, cost: 0, leftSymbols: COUNT })
      }),
  )

  it.effect("keeps what the batches need while the model looks around", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxTokens: 12_000 })
      const { batches, exit, requests } = yield* explore({
        answer: (request) => ({
          ...(isBatch(request)
            ? explain(symbolsIn(request))
            : Scripted.calls(["list_filesystem", { path: "." }], ["list_filesystem", { path: "src" }])),
          usage: { ...Usage.none, inputTokens: RunBudget.estimate(request), outputTokens: 100 },
        }),
        count: 2,
        guard,
      })
      assert.isAbove(requests.length, 2)
      assert.isBelow(requests.length, 7)
      assert.lengthOf(batches, 1)
      assert.deepInclude(yield* exit, { outcome: "complete", purposesWritten: 2, map: null })
    }),
  )
})
