/**
 * Which symbols a project is built on: PageRank over its resolved references. A symbol passes its rank to what it uses, and
 * a member to what it is a member of, so that the class of many used methods is as important as they are together.
 */
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import * as PageRank from "../../../PageRank.ts"
import * as Links from "./Links.ts"

export interface RankedSymbol {
  /** `symbol.id`. */
  readonly id: number
  readonly rank: number
}

/** A walk begins at a symbol of the code ten times as often as at one of tests and other files. */
const OTHER_CLASSES = 0.1

/** The kinds that a map lists: what is held by variables and fields says less than what is called. */
const kinds: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "type", "enum"])

/**
 * Symbols of the code at or below a path (`isBelow`), the highest rank first; where it has none, those of all files. Without
 * overloads of one name. O(symbols + links): 30 ms for 28,000 symbols.
 */
export const find = (sql: Statements, isBelow: (path: string) => boolean): ReadonlyArray<RankedSymbol> => {
  const rows = selectArrays(
    sql,
    `select s.id, f.number, s.ordinal, s.qualified, s.container, s.kind, f.path, f.class = 'code'
     from symbol s join file f on f.id = s.file order by f.path, s.ordinal`,
  )
  const positions = new Map<string, number>()
  const named = new Map<string, number>()
  for (const [position, [, file, ordinal, qualified]] of rows.entries()) {
    positions.set(`${file} ${ordinal}`, position)
    named.set(`${file} ${qualified}`, position)
  }
  const [from, to, weight]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  const link = (source: number | undefined, target: number | undefined, uses: number): void => {
    if (source === undefined || target === undefined || source === target) return
    from.push(source)
    to.push(target)
    // The tenth use in one symbol says less than the first.
    weight.push(Math.sqrt(uses))
  }
  for (const [number, links] of selectArrays(sql, "select number, links from file order by path")) {
    for (const { file, from, lines, symbol } of Links.decode(links).links) {
      link(positions.get(`${number} ${from}`), positions.get(`${file} ${symbol}`), lines.length)
    }
  }
  for (const [position, [, file, , , container]] of rows.entries()) {
    if (container !== null) link(position, named.get(`${file} ${container}`), 1)
  }
  const ranks = PageRank.compute(
    rows.map((row) => (row[7] === 1 ? 1 : OTHER_CLASSES)),
    { from, to, weight },
  )
  const below = rows.flatMap(([id, file, , qualified, , kind, path, isCode], position) =>
    // Of overloads the last one has the body.
    kinds.has(String(kind)) && named.get(`${file} ${qualified}`) === position && isBelow(String(path))
      ? [{ id: Number(id), rank: ranks[position] ?? 0, isCode: isCode === 1, position }]
      : [],
  )
  const code = below.filter(({ isCode }) => isCode)
  return (code.length > 0 ? code : below).sort((one, other) => other.rank - one.rank || one.position - other.position)
}
