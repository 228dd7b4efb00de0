/**
 * Ranks the symbols of a project by PageRank over its resolved references, in both directions. Along a reference a
 * symbol passes its rank to what it uses, which ends at what the project is built on; against it to its users, which
 * ends at the beginnings of the project. In both directions a member passes rank to its class, so that a class with
 * many used methods is as important as they are together.
 */
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import { IS_OWN_TEST } from "../../../OwnTests.ts"
import * as PageRank from "../../../PageRank.ts"
import * as EntryPoints from "./EntryPoints.ts"
import * as Links from "./Links.ts"
import * as ReadingOrder from "./ReadingOrder.ts"

/** The weight of symbols in tests and other files: a walk begins at a symbol of the code ten times as often. */
const OTHER_CLASSES = 0.1

/** The kinds that a map lists. A call says more than the value of a variable or field. */
const kinds: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "type", "enum"])

/** The kinds by which a project is entered: a type says what is passed, and not what happens. */
const waysIn: ReadonlySet<string> = new Set(["function", "method", "class"])

/**
 * Returns the `symbol.id` of the symbols of the code at or below a path (`isBelow`), in `ReadingOrder`. If there is no
 * code, all files count. Leaves out overloads. O(symbols + links): two tenths of a second for 28,000 symbols.
 */
export const find = (sql: Statements, isBelow: (path: string) => boolean): ReadonlyArray<number> => {
  const rows = selectArrays(
    sql,
    `select s.id, f.number, s.ordinal, s.qualified, s.container, s.kind, f.path, f.class = 'code' and not (${IS_OWN_TEST}),
       s.exported or s.name = 'main'
     from symbol s join file f on f.id = s.file order by f.path, s.ordinal`,
  )
  /** The positions of the symbols of each file, by their ordinals. */
  const positions = new Map<number, Array<number>>()
  const named = new Map<number, Map<string, number>>()
  for (const [position, [, number, ordinal, qualified]] of rows.entries()) {
    const file = Number(number)
    const inFile = positions.get(file) ?? []
    inFile[Number(ordinal)] = position
    positions.set(file, inFile)
    const ofFile = named.get(file)
    if (ofFile === undefined) named.set(file, new Map([[String(qualified), position]]))
    else ofFile.set(String(qualified), position)
  }
  const positionOf = (file: number, ordinal: number) => positions.get(file)?.[ordinal]
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
    // The last overload of a name has the body.
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
