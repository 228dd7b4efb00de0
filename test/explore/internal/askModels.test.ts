/** Tests in which order a run sends its requests, with an explorer that reports what it was given. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as BatchRun from "../../../src/explore/BatchRun.ts"
import * as IndexingOrchestrator from "../../../src/explore/IndexingOrchestrator.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Indexing from "../../utils/Indexing.ts"
import { house, MAP, model } from "../batchRuns.ts"

interface Given {
  /** Files beside the house. */
  readonly files?: Readonly<Record<string, string>>
  readonly count?: number
  /** The outcome of a run that was begun elsewhere; undefined if there is none, or symbols are still open. */
  readonly resumed?: BatchRun.Outcome
  /** True if a run before has left a map. */
  readonly isAgain?: boolean
}

/** Runs with a model that writes the map, and an explorer that explains nothing. Returns what was asked of both. */
const run = ({ count = 2, files = {}, isAgain = false, resumed }: Given) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const main = yield* model(() => MAP, requests)
    const once = Effect.fnUntraced(function* (resumed: BatchRun.Outcome | undefined) {
      const calls: Array<string> = []
      const explorer: BatchRun.Explaining = {
        resume: ({ map }) =>
          Effect.sync(() => {
            calls.push(`resume with ${map ?? "no map"}`)
            return resumed
          }),
        explain: ({ map, requestsLeft }) =>
          Effect.sync((): BatchRun.Outcome => {
            calls.push(`explain with ${map ?? "no map"}, ${requestsLeft} requests left`)
            return { outcome: "complete", batches: 5 }
          }),
      }
      const before = requests.length
      const { batches, map, outcome, summary } = yield* IndexingOrchestrator.runGuidedExploration(
        "/repo",
        false,
        {},
      ).pipe(Effect.provideService(BatchRun.Explorer, explorer))
      return { calls, requests: requests.length - before, batches, map, outcome, summary }
    })
    return yield* (isAgain ? Effect.zipRight(once(undefined), once(resumed)) : once(resumed)).pipe(
      Effect.provide(Indexing.layer({ ...house(count), ...files }, Layer.succeed(LanguageModel.LanguageModel, main))),
    )
  })

const readme = { "/repo/README.md": "# House\n\nHas doors.\n" }

describe("askModels", () => {
  it.effect("joins a run that was begun elsewhere, then has a map written, then has the open symbols explained", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* run({}), {
        calls: ["resume with no map", `explain with ${MAP}, 19 requests left`],
        requests: 1,
        batches: 5,
        map: MAP,
        outcome: "complete",
        summary: MAP,
      })
    }),
  )

  it.effect("asks for nothing more if the run that it has joined has explained all", () =>
    Effect.gen(function* () {
      const resumed = { outcome: "budget", batches: 3 } as const
      assert.deepStrictEqual(yield* run({ isAgain: true, resumed }), {
        calls: [`resume with ${MAP}`],
        requests: 0,
        batches: 3,
        map: MAP,
        outcome: "budget",
        summary: "",
      })
    }),
  )

  it.effect("has a map written where nothing is open, joins no run, and explains nothing", () =>
    Effect.gen(function* () {
      const { calls, map, requests } = yield* run({ count: 0, files: readme })
      assert.deepStrictEqual({ calls, map, requests }, { calls: [], map: MAP, requests: 1 })
    }),
  )

  it.effect("asks nothing where nothing is open and there is a map", () =>
    Effect.gen(function* () {
      const { calls, map, requests } = yield* run({ count: 0, files: readme, isAgain: true })
      assert.deepStrictEqual({ calls, map, requests }, { calls: [], map: MAP, requests: 0 })
    }),
  )
})
