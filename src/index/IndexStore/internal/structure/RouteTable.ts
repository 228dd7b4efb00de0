/** The table `route`: what files register with a web framework. Routes are no symbols of it, so nothing counts them. */
import * as Shape from "../../../../base/Shape.ts"
import type * as Routes from "../../../../code/Routes.ts"
import { contentHash } from "../../../../code/SymbolHashes.ts"
import type { Statements } from "../../../../disk/Sqlite.ts"
import { IndexEntry } from "../../../IndexEntry.ts"
import type { IndexedRoute } from "../../../IndexStore.ts"
import * as RoutePath from "../../../RoutePath.ts"

/** Writes the routes of a file that has this number in the table `file`. */
export const write = (sql: Statements, file: number, routes: ReadonlyArray<Routes.Route>, text: string): void => {
  if (routes.length === 0) return
  const lines = text.split("\n")
  const insert = sql(
    "insert into route (file, verb, path, start_line, end_line, signature, handler) values (?, ?, ?, ?, ?, ?, ?)",
  )
  for (const { endLine, handler, path, startLine, verb } of routes) {
    const signature = (lines[startLine - 1] ?? "").trim().slice(0, MAX_SIGNATURE)
    insert.run(file, verb, path, startLine, endLine, signature, handler ?? null)
  }
}

/** The most characters of a signature, as of other symbols. */
const MAX_SIGNATURE = 200

export const remove = (sql: Statements, file: number): void => {
  sql("delete from route where file = ?").run(file)
}

/**
 * Returns the routes that fit best what is typed, such as `GET /owners/7`: those of code first, in order of the files.
 */
export const find = (sql: Statements, typed: string): ReadonlyArray<IndexedRoute> => {
  const wanted = RoutePath.parse(typed)
  if (wanted === undefined) return []
  const rows = sql(
    `select f.path as file, r.verb, r.path, r.start_line as startLine, r.end_line as endLine, r.signature, r.handler
     from route r join file f on f.id = r.file order by f.class <> 'code', f.path, r.start_line`,
  )
    .all()
    .map((row) => routeRow(row))
  return RoutePath.best(wanted, rows).map(({ endLine, file, handler, path, signature, startLine, verb }) => {
    const name = `${verb} ${path}`
    return {
      entry: new IndexEntry({
        path: file,
        name,
        kind: "route",
        startLine,
        endLine,
        signature,
        exported: false,
        usedBy: 0,
        isMajor: false,
        hash: contentHash("route", name, signature),
      }),
      handler: handler ?? undefined,
    }
  })
}

const routeRow = Shape.struct({
  file: Shape.text,
  verb: Shape.text,
  path: Shape.text,
  startLine: Shape.number,
  endLine: Shape.number,
  signature: Shape.text,
  handler: Shape.nullOr(Shape.text),
})
