/**
 * Which symbols of a project come first: PageRank over its resolved references, along them and against them. Along them a
 * symbol passes its rank to what it uses, which ends at what the project is built on; against them to what uses it, which
 * ends where the project begins. In both a member passes rank to what it is a member of, so that the class of many used
 * methods is as important as they are together.
 */
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import * as PageRank from "../../../PageRank.ts"
import * as EntryPoints from "./EntryPoints.ts"
import * as Links from "./Links.ts"
import * as ReadingOrder from "./ReadingOrder.ts"

/** A walk begins at a symbol of the code ten times as often as at one of tests and other files. */
const OTHER_CLASSES = 0.1

/** An upper bound of the symbols of a file, with which file and ordinal are one number. */
const MAX_ORDINALS = 2 ** 24

/** The kinds that a map lists: what is held by variables and fields says less than what is called. */
const kinds: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "type", "enum"])

/** Those of them by which a project is entered: a type says what is passed, and not what happens. */
const waysIn: ReadonlySet<string> = new Set(["function", "method", "class"])

/**
 * `symbol.id` of the symbols of the code at or below a path (`isBelow`), in `ReadingOrder`; where it has none, of those of all
 * files. Without overloads of one name. O(symbols + links): two tenths of a second for 28,000 symbols.
 */
export const find = (sql: Statements, isBelow: (path: string) => boolean): ReadonlyArray<number> => {
  const rows = selectArrays(
    sql,
    `select s.id, f.number, s.ordinal, s.qualified, s.container, s.kind, f.path, f.class = 'code',
       s.exported or s.name = 'main'
     from symbol s join file f on f.id = s.file order by f.path, s.ordinal`,
  )
  const positions = new Map<number, number>()
  const named = new Map<number, Map<string, number>>()
  for (const [position, [, number, ordinal, qualified]] of rows.entries()) {
    const file = Number(number)
    positions.set(file * MAX_ORDINALS + Number(ordinal), position)
    const ofFile = named.get(file)
    if (ofFile === undefined) named.set(file, new Map([[String(qualified), position]]))
    else ofFile.set(String(qualified), position)
  }
  const positionOf = (file: number, ordinal: number) => positions.get(file * MAX_ORDINALS + ordinal)
  const isCode = (position: number): boolean => rows[position]?.[7] === 1
  const along: Edges = { from: [], to: [], weight: [] }
  const against: Edges = { from: [], to: [], weight: [] }
  for (const [number, links] of selectArrays(sql, "select number, links from file order by path")) {
    for (const { file, from, lines, symbol } of Links.decode(links).links) {
      const source = from === -1 ? undefined : positionOf(Number(number), from)
      const target = positionOf(file, symbol)
      if (source === undefined || target === undefined) continue
      link(along, source, target, lines.length)
      if (isCode(source) && isCode(target)) link(against, target, source, lines.length)
    }
  }
  for (const [position, [, file, , , container]] of rows.entries()) {
    const owner = container === null ? undefined : named.get(Number(file))?.get(String(container))
    if (owner === undefined) continue
    link(along, position, owner, 1)
    if (isCode(position)) link(against, position, owner, 1)
  }
  const uses = PageRank.compute(
    rows.map((_, position) => (isCode(position) ? 1 : OTHER_CLASSES)),
    along,
  )
  const reaches = PageRank.compute(
    rows.map((_, position) => (isCode(position) ? 1 : 0)),
    against,
  )
  const offered = new Set(EntryPoints.find(sql).map(({ file, ordinal }) => positionOf(file, ordinal)))
  const below = rows.flatMap(([, file, , qualified, , kind, path], position) =>
    // Of overloads the last one has the body.
    kinds.has(String(kind)) && named.get(Number(file))?.get(String(qualified)) === position && isBelow(String(path))
      ? [position]
      : [],
  )
  const code = below.filter(isCode)
  const candidates = code.length > 0 ? code : below
  return ReadingOrder.order(
    candidates.map((position) => {
      const [, , , , , kind, path, , isPublic] = rows[position] ?? []
      const isWayIn = isPublic === 1 && waysIn.has(String(kind)) && isCode(position)
      return {
        file: String(path),
        use: uses[position] ?? 0,
        reach: isWayIn ? (reaches[position] ?? 0) : 0,
        isOffered: offered.has(position),
      }
    }),
  ).map((position) => Number(rows[candidates[position] ?? -1]?.[0]))
}

interface Edges {
  readonly from: Array<number>
  readonly to: Array<number>
  readonly weight: Array<number>
}

const link = (edges: Edges, from: number, to: number, uses: number): void => {
  if (from === to) return
  edges.from.push(from)
  edges.to.push(to)
  // The tenth use in one symbol says less than the first.
  edges.weight.push(Math.sqrt(uses))
}
