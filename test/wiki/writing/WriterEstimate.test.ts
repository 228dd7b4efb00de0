import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedWriter from "../../../bench/wikiTokens/ScriptedWriter.ts"
import * as Cost from "../../../src/model/Cost.ts"
import * as RunBudget from "../../../src/model/RunBudget.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import type { Plan } from "../../../src/wiki/Plan.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as WikiWriter from "../../../src/wiki/writing/WikiWriter.ts"
import * as WriterEstimate from "../../../src/wiki/writing/WriterEstimate.ts"
import { some } from "../../thoroughness.ts"
import { LINES_OF_FILE, projectOf } from "./estimatedProject.ts"
import * as Wiki from "./Wiki.fixture.ts"

const price = { input: 0.3, output: 2.5 }

const costOf = (work: WriterEstimate.Work) =>
  Cost.of({ ...work, cachedTokens: 0, thinkingTokens: 0 }, price) ?? Number.NaN

const none = { plan: undefined, pages: [] }

describe("WriterEstimate.make", () => {
  it.effect("expects at most 0.09 US dollars for 100,000 lines at 0.30 and 2.50 a million tokens", () =>
    Effect.gen(function* () {
      const project = projectOf(100_000 / LINES_OF_FILE)
      const work = yield* WriterEstimate.make(project, MaterialLimits.defaults, none)
      assert.isAtMost(costOf(work), 0.09)
      // It is no estimate of nothing.
      assert.isAbove(costOf(work), 0.04)
      assert.isAtLeast(work.pages, 14)
      assert.isAtLeast(work.requests, 16)
    }),
  )

  it.effect("expects hardly more for twice as much code", () =>
    Effect.gen(function* () {
      const work = yield* WriterEstimate.make(projectOf(1_000), MaterialLimits.defaults, none)
      assert.isAtMost(costOf(work), 0.092)
    }),
  )

  it.effect("expects nothing for a project without code", () =>
    Effect.gen(function* () {
      const work = yield* WriterEstimate.make({ ...projectOf(1), files: [], units: [] }, MaterialLimits.defaults, none)
      assert.deepStrictEqual(work, WriterEstimate.nothing)
    }),
  )

  it.effect("expects nothing after a run", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open()
      const { model } = yield* Wiki.model()
      const pages = new Map<string, Page>()
      let plan: Plan | undefined
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
        onEvent: () => Effect.void,
      })
      const after = yield* WriterEstimate.make(project, MaterialLimits.defaults, {
        plan,
        pages: Array.from(pages.values()),
      })
      assert.deepStrictEqual(after, WriterEstimate.nothing)
    }).pipe(Effect.scoped),
  )

  it.effect("is within 15 % of the tokens of a run over real code in few files", () =>
    Effect.gen(function* () {
      const folder = new URL("../../../src/wiki/", import.meta.url)
      const paths = some(
        fs.readdirSync(folder).filter((path) => path.endsWith(".ts")),
        0,
        6,
      )
      const files = paths.map((path) => [`src/${path}`, fs.readFileSync(new URL(path, folder), "utf8")])
      const { project } = yield* Wiki.open(Object.fromEntries(files))
      const estimated = yield* WriterEstimate.make(project, MaterialLimits.defaults, none)
      const write = yield* ScriptedWriter.make(project)
      const sent = { requests: 0, tokens: 0 }
      const model = yield* Scripted.make((request) => {
        sent.requests += 1
        sent.tokens += RunBudget.estimate(request)
        return write(request)
      })
      const { checked, missing } = yield* WikiWriter.write({
        model,
        project,
        parallel: 1,
        plan: undefined,
        pages: [],
        onPlan: () => Effect.void,
        onPage: () => Effect.void,
        onRemove: () => Effect.void,
        onEvent: () => Effect.void,
      })
      assert.deepStrictEqual(missing, [])
      assert.isAbove(checked.statements, 100)
      assert.isBelow(Math.abs(estimated.inputTokens / sent.tokens - 1), 0.15, `${estimated.inputTokens} ${sent.tokens}`)
      assert.isBelow(Math.abs(estimated.requests / sent.requests - 1), 0.25, `${estimated.requests} ${sent.requests}`)
    }).pipe(Effect.scoped),
  )
})
