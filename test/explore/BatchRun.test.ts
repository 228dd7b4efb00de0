import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as Instruction from "../../src/explore/Instruction.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Request } from "../../src/model/Request.ts"
import * as RunBudget from "../../src/model/RunBudget.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Indexing from "../utils/Indexing.ts"
import {
  ended,
  explain,
  explaining,
  explore,
  guided,
  house,
  isBatch,
  lastText,
  MAP,
  model,
  names,
  symbolsIn,
  word,
} from "./batchRuns.ts"

/** The earlier purposes of the symbols of a batch, as its end shows them. */
const earlierIn = (request: Request) => lastText(request).match(/\nWhat was written before, [^\n]*\n([\s\S]*)$/)?.[1]

const good = (symbols: ReadonlyArray<readonly [number: number, name: string]>) =>
  [
    "create_index_entry",
    { entries: [{ purposes: symbols.map(([n, name]) => `${n}: Rings for guests of ${name.slice(4)} at night.`) }] },
  ] as const

/** A run that is explored once for all sentences about it. */
const once = (run: Parameters<typeof explore>[0]) => Effect.runSync(Effect.cached(explore(run)))

describe("an exploration in batches", () => {
  const threeBatches = once({ answer: explaining, count: 6 })
  const thoughtless = once({ answer: explaining, count: 2 })
  const thoughtful = once({ answer: explaining, count: 2, thinking: "low" })

  it.effect("explains every open symbol with one request a batch, and asks for no closing words", () =>
    Effect.gen(function* () {
      const { batches, events, exit, requests } = yield* threeBatches
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
      const { batches } = yield* threeBatches
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
      const levels = (run: typeof thoughtless) =>
        Effect.map(run, ({ requests }) => requests.map(({ thinking }) => thinking))
      assert.deepStrictEqual(yield* levels(thoughtless), ["off", "off"])
      assert.deepStrictEqual(yield* levels(thoughtful), ["low", "low"])
      const auto = explore({ answer: explaining, count: 1, thinking: "auto" })
      assert.deepStrictEqual(yield* levels(auto), [undefined, undefined])
    }),
  )

  it.effect("does not ask again for symbols of which the model has nothing to say, and counts them as answered", () =>
    Effect.gen(function* () {
      const silent = names(8).slice(0, 2)
      const { batches, events, exit } = yield* explore({
        answer: guided((request) => {
          const purposes = symbolsIn(request).map(([n, name]) =>
            silent.includes(name) ? `${n}: -` : `${n}: Rings for guests of ${name.slice(4)} at night.`,
          )
          return Scripted.calls(["create_index_entry", { entries: [{ purposes }] }])
        }),
        count: 8,
        parallel: 1,
      })
      assert.deepInclude(yield* exit, { outcome: "complete", purposesWritten: 6, leftSymbols: 0, coveredSymbols: 8 })
      assert.strictEqual(batches.flatMap(symbolsIn).length, 8)
      assert.strictEqual(
        ended(events).reduce((sum, { explained }) => sum + explained, 0),
        8,
      )
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
        count: 8,
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
      const choices = (run: typeof thoughtless) =>
        Effect.map(run, ({ requests }) => requests.map(({ toolChoice }) => toolChoice))
      assert.deepStrictEqual(yield* choices(thoughtless), [undefined, { tool: "create_index_entry" }])
      assert.deepStrictEqual(yield* choices(thoughtful), [undefined, "auto"])
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
      const { batches, exit } = yield* explore({ answer: guided(() => "I would rather not."), count: 8 })
      assert.lengthOf(batches, 3)
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 3, purposesWritten: 0, leftSymbols: 8 })
    }),
  )

  /** A model with room for one purpose in an answer: as many batches as symbols. */
  const oneEach = (model: LanguageModel.Service) => ({ ...model, limits: { context: 1_000_000, output: 52 } })

  it.effect("stays within twenty requests, and says what is left", () =>
    Effect.gen(function* () {
      const { exit, requests } = yield* explore({ answer: explaining, count: 21, guard: oneEach })
      assert.lengthOf(requests, 20)
      assert.deepInclude(yield* exit, { outcome: "limit", iterations: 20, batches: 19, leftSymbols: 2 })
    }),
  )

  it.effect("goes on with further explorations with `all`, until everything is explained", () =>
    Effect.gen(function* () {
      const { events, exit, requests } = yield* explore({ answer: explaining, count: 21, all: true, guard: oneEach })
      assert.lengthOf(requests, 22)
      assert.deepInclude(yield* exit, { outcome: "complete", explorations: 2, iterations: 22, leftSymbols: 0 })
      const iterations = events.flatMap((event) => (event._tag === "Asked" ? [event.iteration] : []))
      assert.deepStrictEqual([Math.max(...iterations), iterations.at(-1)], [20, 2])
    }),
  )

  it.effect("ends with `all` where the budget is used, and keeps what it has", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10_000, outputTokens: 100, cachedTokens: 0, thinkingTokens: 0 }
      const { guard } = yield* RunBudget.make({ maxTokens: 65_000 })
      const { batches, exit } = yield* explore({
        answer: (request, index) => {
          const line = explaining(request, index)
          return { ...(typeof line === "string" ? { text: line } : line), usage } as Scripted.Turn
        },
        count: 16,
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
