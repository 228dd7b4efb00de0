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

/** The symbols of all files by `symbol.id`, the most important first. Overloads are left out. */
export interface Ranking {
  /** The ways into the code, by how much they set going. */
  readonly ways: ReadonlyArray<number>
  /** The symbols of the code, by how much is built on them. */
  readonly used: ReadonlyArray<number>
  /** The symbols of all other files, by how much is built on them. */
  readonly others: ReadonlyArray<number>
}

/** The weight of symbols in tests and other files: a walk begins at a symbol of the code ten times as often. */
const OTHER_CLASSES = 0.1

/** The factor of the reach of symbols that the project offers to others. */
const OFFERED = 2

/** The kinds that a map lists. A call says more than the value of a variable or field. */
const kinds: ReadonlySet<unknown> = new Set(["function", "method", "class", "interface", "type", "enum"])

/** Languages whose modules are what classes are in others: every function stands in one, and they are not nested. */
const modulesOfFunctions: ReadonlySet<unknown> = new Set(["elixir"])

const isListed = (kind: unknown, language: unknown): boolean =>
  kinds.has(kind) || (kind === "module" && modulesOfFunctions.has(language))

/** The kinds by which a project is entered: a type says what is passed, and not what happens. */
const waysIn: ReadonlySet<unknown> = new Set(["function", "method", "class"])

/** O(symbols + links): a tenth of a second for 15,000 symbols. */
export const compute = (sql: Statements): Ranking => {
  const symbols = readSymbols(sql)
  const { along, against } = readEdges(sql, symbols)
  const { isCode, rows } = symbols
  const uses = PageRank.compute(
    isCode.map((isCode) => (isCode ? 1 : OTHER_CLASSES)),
    along,
  )
  const reaches = PageRank.compute(isCode.map(Number), against)
  const offered = new Set(EntryPoints.find(sql).map(({ file, ordinal }) => symbols.positionOf(file, ordinal)))
  const ways: Array<Scored> = []
  const used: Array<Scored> = []
  const others: Array<Scored> = []
  for (const [position, [id, file, , , , kind, isPublic, , language]] of rows.entries()) {
    if (!isListed(kind, language) || !symbols.hasBody(position)) continue
    const scored = (score: number | undefined = 0): Scored => ({ id: Number(id), file: Number(file), score })
    if (isCode[position] !== true) {
      others.push(scored(uses[position]))
      continue
    }
    used.push(scored(uses[position]))
    const reach = isPublic === 1 && waysIn.has(kind) ? (reaches[position] ?? 0) : 0
    if (reach > 0) ways.push(scored(reach * (offered.has(position) ? OFFERED : 1)))
  }
  return { ways: idsOf(ways), used: idsOf(used), others: idsOf(others) }
}

interface Scored extends ReadingOrder.Candidate {
  readonly id: number
}

const idsOf = (scored: ReadonlyArray<Scored>): ReadonlyArray<number> =>
  ReadingOrder.rank(scored).map((position) => scored[position]?.id ?? 0)

/** All symbols by their position in the order of paths and ordinals. */
interface Symbols {
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  readonly isCode: ReadonlyArray<boolean>
  /** The positions of the symbols around each; -1 for a symbol that is no member. */
  readonly owners: ReadonlyArray<number>
  readonly positionOf: (file: number, ordinal: number) => number | undefined
  /** True for all but overloads, of which the last has the body. */
  readonly hasBody: (position: number) => boolean
}

const readSymbols = (sql: Statements): Symbols => {
  const rows = selectArrays(
    sql,
    `select s.id, f.number, s.ordinal, s.qualified, s.container, s.kind, s.exported or s.name = 'main',
       f.class = 'code' and not (${IS_OWN_TEST}), f.language
     from symbol s join file f on f.id = s.file order by f.path, s.ordinal`,
  )
  /** The first position of each file. The ordinals of its symbols count from 0. */
  const starts = new Map<unknown, number>()
  const isLast = rows.map(() => false)
  const owners: Array<number> = []
  let named = new Map<unknown, number>()
  for (let start = 0; start < rows.length; ) {
    const file = rows[start]?.[1]
    starts.set(file, start)
    named = new Map()
    let end = start
    for (; end < rows.length && rows[end]?.[1] === file; end++) named.set(rows[end]?.[3], end)
    for (const last of named.values()) isLast[last] = true
    for (; start < end; start++) owners.push(named.get(rows[start]?.[4]) ?? -1)
  }
  return {
    rows,
    isCode: rows.map((row) => row[7] === 1),
    owners,
    positionOf: (file, ordinal) => {
      const position = (starts.get(file) ?? Number.NaN) + ordinal
      return rows[position]?.[1] === file ? position : undefined
    },
    hasBody: (position) => isLast[position] === true,
  }
}

/** Returns the edges from each symbol to what it uses and to its class, and those of the code from what is used. */
const readEdges = (sql: Statements, { isCode, owners, positionOf }: Symbols): { along: Edges; against: Edges } => {
  const along: Edges = { from: [], to: [], weight: [] }
  const against: Edges = { from: [], to: [], weight: [] }
  for (const [number, links] of selectArrays(sql, "select number, links from file order by path")) {
    const uses = Links.decode(links).links.flatMap(({ file, from, lines, symbol }) => {
      const source = from === -1 ? undefined : positionOf(Number(number), from)
      const target = positionOf(file, symbol)
      return source === undefined || target === undefined ? [] : [{ source, target, count: lines.length }]
    })
    // Links are in the order of the numbers of files, which tell when each was read first. Sums in another order differ
    // in their last digit, and so would the order of symbols of equal rank.
    for (const { count, source, target } of uses.sort(
      (one, other) => one.source - other.source || one.target - other.target,
    )) {
      link(along, source, target, count)
      if (isCode[source] && isCode[target]) link(against, target, source, count)
    }
  }
  for (const [position, owner] of owners.entries()) {
    if (owner === -1) continue
    link(along, position, owner, 1)
    if (isCode[position]) link(against, position, owner, 1)
  }
  return { along, against }
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
