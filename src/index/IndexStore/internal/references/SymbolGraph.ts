/** Reads which functions, methods, classes and values of the code use which others, as one graph. */
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import type { GraphSymbol, SymbolGraph } from "../../../IndexStore.ts"
import * as EntryPoints from "./EntryPoints.ts"
import * as Links from "./Links.ts"

/** A factor larger than the number of symbols in a file, so that file and ordinal fit into one number. */
const MAX_ORDINALS = 2 ** 24

/** A symbol within a function is a part of it, so its uses are those of the function. */
const isFunction = (kind: unknown): boolean => kind === "function" || kind === "method"

/**
 * Overloads of a name in one file are one symbol, the last, since that one has the body. O(symbols + links), like
 * `SymbolRank`.
 */
export const read = (sql: Statements): SymbolGraph => {
  const rows = selectArrays(
    sql,
    `select f.number, s.ordinal, s.qualified, s.container, s.kind, f.path, s.start_line, s.exported, s.used_by
     from symbol s join file f on f.id = s.file
     where f.class = 'code' and s.kind not in ('interface', 'type', 'enum') order by f.path, s.ordinal`,
  )
  const rowOf = new Map<string, number>()
  for (const [at, [number, , qualified]] of rows.entries()) rowOf.set(`${Number(number)} ${String(qualified)}`, at)
  const outermost = (at: number): number => {
    const [number, , qualified, container] = rows[at] ?? []
    const last = rowOf.get(`${Number(number)} ${String(qualified)}`) ?? at
    const owner = container === null ? undefined : rowOf.get(`${Number(number)} ${String(container)}`)
    return owner === undefined || owner === last || !isFunction(rows[owner]?.[4]) ? last : outermost(owner)
  }
  const positions = new Map<number, number>()
  const owners = rows.map((_, at) => outermost(at))
  const kept = Array.from(new Set(owners)).sort((one, other) => one - other)
  const positionOfRow = new Map(kept.map((row, position) => [row, position]))
  for (const [at, [number, ordinal]] of rows.entries()) {
    const position = positionOfRow.get(owners[at] ?? at)
    if (position !== undefined) positions.set(Number(number) * MAX_ORDINALS + Number(ordinal), position)
  }
  const positionOf = (file: number, ordinal: number) => positions.get(file * MAX_ORDINALS + ordinal)
  const uses = kept.map(() => new Set<number>())
  const registered = new Set<number>()
  for (const [number, links] of selectArrays(
    sql,
    "select number, links from file where class = 'code' order by path",
  )) {
    for (const { file, from, symbol } of Links.decode(links).links) {
      const target = positionOf(file, symbol)
      if (target === undefined) continue
      const source = from === -1 ? undefined : positionOf(Number(number), from)
      if (from === -1) registered.add(target)
      else if (source !== undefined && source !== target) uses[source]?.add(target)
    }
  }
  const offered = new Set(EntryPoints.find(sql).map(({ file, ordinal }) => positionOf(file, ordinal)))
  return {
    symbols: kept.map((at, position): GraphSymbol => {
      const [, , qualified, , kind, path, startLine, exported, usedBy] = rows[at] ?? []
      return {
        path: String(path),
        qualifiedName: String(qualified),
        startLine: Number(startLine),
        isCallable: isFunction(kind),
        isExported: exported === 1,
        isOffered: offered.has(position),
        isUsedOutside: registered.has(position),
        usedBy: Number(usedBy),
      }
    }),
    uses: uses.map((targets) => Array.from(targets).sort((one, other) => one - other)),
  }
}
