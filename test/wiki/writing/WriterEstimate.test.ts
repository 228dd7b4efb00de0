import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Cost from "../../../src/model/Cost.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import type { Plan } from "../../../src/wiki/Plan.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as WikiWriter from "../../../src/wiki/writing/WikiWriter.ts"
import * as WriterEstimate from "../../../src/wiki/writing/WriterEstimate.ts"
import { LINES_OF_FILE, projectOf } from "./estimatedProject.ts"
import * as Wiki from "./Wiki.fixture.ts"

const price = { input: 0.3, output: 2.5 }

const costOf = (work: WriterEstimate.Work) =>
  Cost.of({ ...work, cachedTokens: 0, thinkingTokens: 0 }, price) ?? Number.NaN

const none = { plan: undefined, pages: [] }

describe("WriterEstimate.make", () => {
  it.effect("expects at most 0.10 US dollars for 100,000 lines at 0.30 and 2.50 a million tokens", () =>
    Effect.gen(function* () {
      const project = projectOf(100_000 / LINES_OF_FILE)
      const work = yield* WriterEstimate.make(project, MaterialLimits.defaults, none)
      assert.isAtMost(costOf(work), 0.1)
      // It is no estimate of nothing.
      assert.isAbove(costOf(work), 0.04)
      assert.isAtLeast(work.pages, 14)
      assert.isAtLeast(work.requests, 30)
    }),
  )

  it.effect("expects hardly more for three times as much code", () =>
    Effect.gen(function* () {
      const work = yield* WriterEstimate.make(projectOf(1_500), MaterialLimits.defaults, none)
      assert.isAtMost(costOf(work), 0.1)
    }),
  )

  it.effect("expects nothing for a project without code", () =>
    Effect.gen(function* () {
      const work = yield* WriterEstimate.make({ ...projectOf(1), files: [], units: [] }, MaterialLimits.defaults, none)
      assert.deepStrictEqual(work, WriterEstimate.nothing)
    }),
  )

  it.effect("is near to what a run really sends, and nothing after it", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open()
      const { model } = yield* Wiki.model()
      const estimated = yield* WriterEstimate.make(project, MaterialLimits.defaults, none)
      const pages = new Map<string, Page>()
      let plan: Plan | undefined
      let sent = 0
      yield* WikiWriter.write({
        model,
        project,
        parallel: 1,
        plan: undefined,
        pages: [],
        onPlan: (made) =>
          Effect.sync(() => {
            plan = made
          }),
        onPage: (page) => Effect.sync(() => void pages.set(page.name, page)),
        onRemove: () => Effect.void,
        onEvent: (event) =>
          Effect.sync(() => {
            if (event._tag === "Asked") sent += event.inputTokens
          }),
      })
      assert.isBelow(Math.abs(estimated.inputTokens - sent) / sent, 0.5)
      const after = yield* WriterEstimate.make(project, MaterialLimits.defaults, {
        plan,
        pages: Array.from(pages.values()),
      })
      assert.deepStrictEqual(after, WriterEstimate.nothing)
    }).pipe(Effect.scoped),
  )
})
