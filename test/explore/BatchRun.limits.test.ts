import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as BatchRun from "../../src/explore/BatchRun.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Request } from "../../src/model/Request.ts"
import * as RunBudget from "../../src/model/RunBudget.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"
import { explain, explore, house, isBatch, MAP, names, symbolsIn } from "./batchRuns.ts"

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
  const COUNT = 26
  const WANTED = 5

  /** Functions of which each of the last `WANTED` is used by other files. */
  const used = {
    ...house(COUNT),
    ...Object.fromEntries(
      [1, 2, 3].map((n) => [
        `/repo/test/wanted${n}.test.ts`,
        names(COUNT)
          .slice(-WANTED)
          .map((name) => `import { ${name} } from "../src/${name}.ts"\n\n${name}("x")\n`)
          .join(""),
      ]),
    ),
  }

  /** A run with that budget of a model that counts what it is sent as the budget does, with the tokens it used. */
  const exploreWithin = (limits: RunBudget.Limits, files: Readonly<Record<string, string>> = used) =>
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
        Effect.provide(Indexing.layer(files, Layer.succeed(LanguageModel.LanguageModel, main))),
      )
      const explained = requests.filter(isBatch).flatMap((request) => symbolsIn(request).map(([, name]) => name))
      assert.strictEqual(report.batches, requests.filter(isBatch).length, "counts what was sent alone")
      const { usage } = report
      return { report, explained, requests, tokens: usage.inputTokens + usage.outputTokens }
    })

  const withoutLimit = Effect.runSync(Effect.cached(exploreWithin({})))

  it.effect.each(["maxCost", "maxTokens"] as const)(
    "explains as many symbols as %s allows, the most used first",
    (limit) =>
      Effect.gen(function* () {
        const whole = yield* withoutLimit
        assert.deepInclude(whole.report, { outcome: "complete", batches: 1, purposesWritten: COUNT, map: MAP })
        const all = limit === "maxCost" ? (whole.report.cost ?? 0) : whole.tokens
        let most = 0
        for (const share of isThorough ? [0.4, 0.6] : [0.6]) {
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
        const { report, requests } = yield* exploreWithin(limits, house(3))
        assert.lengthOf(requests, 0)
        assert.deepInclude(report, { outcome: "budget", iterations: 0, batches: 0, cost: 0, leftSymbols: 3 })
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
