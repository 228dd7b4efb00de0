/** A project of any number of files, whose wiki is estimated. */
import { Effect } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import * as Parts from "../../../src/wiki/Parts.ts"
import * as Units from "../../../src/wiki/Units.ts"
import type { Call } from "../../../src/wiki/writing/FlowRequest.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import type { Project } from "../../../src/wiki/writing/Project.ts"

export const LINES_OF_FILE = 200

const LINES_OF_SYMBOL = 20

/** A project of many files in 40 folders, whose symbols have purposes of usual length and use each other. */
export const projectOf = (files: number): Project<never> => {
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
    .map((item) => ({ item, line: 12, isType: false }))
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
    uses: graph.placeUses,
    heads: graph.heads,
    documents: [],
    candidates: Array.from({ length: 24 }, (_, number) => ({
      item: at(number)[0] ?? calls[0]?.item,
      reason: "offered",
    })).flatMap(({ item, reason }) => (item === undefined ? [] : [{ item, reason }])),
    entries: at(0),
    symbolsIn,
    linesOf: (path) => Effect.succeed(LINES_OF_SYMBOL * (items.get(path)?.length ?? 0)),
    callees: () => Effect.succeed(callees),
    callsFrom: () => Effect.succeed(calls),
    sections: Effect.succeed([]),
    testHelpers: Effect.succeed([]),
    users: () => Effect.succeed([]),
    givenCalls: () => Effect.succeed([]),
    statesOf: () => Effect.succeed({ of: (citation) => ({ state: "holds", citation, entry: undefined }) }),
    sourceOf: () => Effect.succeed(source),
    conditionOf: () => Effect.succeed(undefined),
    sourceBefore: () => Effect.succeed(undefined),
  }
}
