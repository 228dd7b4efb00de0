import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Cost from "../../../src/model/Cost.ts"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import * as Parts from "../../../src/wiki/Parts.ts"
import type { Plan } from "../../../src/wiki/Plan.ts"
import * as Units from "../../../src/wiki/Units.ts"
import type { Call } from "../../../src/wiki/writing/FlowRequest.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import type { Project } from "../../../src/wiki/writing/Project.ts"
import * as WikiWriter from "../../../src/wiki/writing/WikiWriter.ts"
import * as WriterEstimate from "../../../src/wiki/writing/WriterEstimate.ts"
import * as Wiki from "./Wiki.fixture.ts"

const LINES_OF_FILE = 200
const LINES_OF_SYMBOL = 20

/** A project of many files in 40 folders, whose symbols have purposes of usual length and use each other. */
const projectOf = (files: number): Project<never> => {
  const paths = Array.from(
    { length: files },
    (_, at) => `src/area${at % 8}/room${at % 40}/file${String(at).padStart(4, "0")}.ts`,
  )
  const entriesOf = (path: string) =>
    Array.from({ length: LINES_OF_FILE / LINES_OF_SYMBOL }, (_, at) => {
      const startLine = 1 + at * LINES_OF_SYMBOL
      return new IndexEntry({
        path,
        name: `handleRequest${at}`,
        container: at % 2 === 0 ? undefined : "ConnectionPool",
        kind: at % 2 === 0 ? "function" : "method",
        startLine,
        endLine: startLine + LINES_OF_SYMBOL - 2,
        signature: `handleRequest${at}(request: Request): Promise<Response>`,
        exported: true,
        usedBy: (path.length + 7 * at) % 13,
        isMajor: true,
        hash: "0123456789abcdef",
        purpose: {
          text: "Keeps connections open between two requests so that a client need not connect again.",
          origin: "model",
          stale: false,
        },
      })
    })
  const items = new Map(paths.map((path) => [path, Material.itemsOf(entriesOf(path))]))
  const symbolsIn = (path: string) => Effect.succeed(items.get(path) ?? [])
  const at = (number: number) => items.get(paths[number % paths.length] ?? "") ?? []
  const graphFiles = paths.map((path) => ({ path, class: "code" as const, symbols: 10 }))
  const graph = FileGraph.make(
    graphFiles,
    paths.flatMap((from, number) =>
      [1, 7, 43].map((step) => ({ from, to: paths[(number + step) % paths.length] ?? "", count: 3 })),
    ),
  )
  const source = Array.from(
    { length: LINES_OF_SYMBOL },
    () => "  const connection = await pool.take(request.host)",
  ).join("\n")
  const callees = at(3)
    .slice(0, 5)
    .map((item) => ({ item, line: 12 }))
  const calls = Array.from(
    { length: 60 },
    (_, number): Call => ({
      depth: number % 6,
      item: at(number)[number % 10] ?? { path: "", entry: undefined, ordinal: 0 },
      line: number,
      mark: undefined,
    }),
  )
  return {
    about: { name: "large", readme: { path: "README.md", text: "A server. ".repeat(150) }, manifests: [] },
    files: paths,
    units: Units.divide(graphFiles, graph),
    folders: Parts.group(graphFiles, graph),
    uses: graph.uses,
    documents: [],
    candidates: Array.from({ length: 24 }, (_, number) => ({
      item: at(number)[0] ?? calls[0]?.item,
      reason: "offered",
    })).flatMap(({ item, reason }) => (item === undefined ? [] : [{ item, reason }])),
    entries: at(0),
    symbolsIn,
    callees: () => Effect.succeed(callees),
    callsFrom: () => Effect.succeed(calls),
    statesOf: () => Effect.succeed({ of: (citation) => ({ state: "holds", citation, entry: undefined }) }),
    sourceOf: () => Effect.succeed(source),
    conditionOf: () => Effect.succeed(undefined),
    sourceBefore: () => Effect.succeed(undefined),
  }
}

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
