/**
 * Finds which types inherit from each other, and which of their methods override which. A type that inherits from
 * another one also uses it, so the candidates for a type are found among its links, and then evaluated.
 */
import type { Statements } from "../../../../disk/Sqlite.ts"
import { MAX_DERIVED } from "../../../IndexStore.ts"
import * as Links from "./Links.ts"
import * as LinkTable from "./LinkTable.ts"
import * as Surfaces from "./Surfaces.ts"

export interface Place {
  /** The number of a file, and the ordinal of a symbol in it. */
  readonly file: number
  readonly ordinal: number
}

/** The most types above a type. */
const MAX_BASES = 50

const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

export const find = (
  sql: Statements,
  symbol: Place,
): { readonly bases: ReadonlyArray<Place>; readonly derived: ReadonlyArray<Place> } => {
  const surfaces = Surfaces.make(sql)
  const known = surfaces.of(symbol.file)?.symbols[symbol.ordinal]
  if (known === undefined) return { bases: [], derived: [] }
  const evaluator = LinkTable.makeEvaluator(sql)
  const key = ({ file, ordinal }: Place) => `${file} ${ordinal}`

  const basesOf = ({ file, ordinal }: Place): ReadonlyArray<Place> =>
    (surfaces.of(file)?.facts.bases.get(ordinal) ?? []).flatMap((expression) => {
      const base = evaluator.symbolOf(file, expression)
      return base === undefined ? [] : [{ file: base.file, ordinal: base.ordinal }]
    })

  const derivedOf = (type: Place): ReadonlyArray<Place> => {
    const sources = sql("select source from dependency where target = ?").all(type.file)
    const candidates = [type.file, ...sources.map(({ source }) => Number(source))].flatMap((file) => {
      const bases = surfaces.of(file)?.facts.bases
      if (bases === undefined || bases.size === 0) return []
      const { links } = Links.decode(sql("select links from file where number = ?").get(file)?.links)
      return links
        .filter((link) => link.file === type.file && link.symbol === type.ordinal && bases.has(link.from))
        .map(({ from }): Place => ({ file, ordinal: from }))
    })
    return candidates.filter((candidate) => basesOf(candidate).some((base) => key(base) === key(type)))
  }

  /** All places that are reached from a type, the nearest first, without itself. */
  const reach = (start: Place, step: (place: Place) => ReadonlyArray<Place>, limit: number): ReadonlyArray<Place> => {
    const found = new Map([[key(start), start]])
    for (const place of found.values()) {
      for (const next of step(place)) if (found.size <= limit && !found.has(key(next))) found.set(key(next), next)
    }
    return Array.from(found.values()).slice(1)
  }

  if (types.has(known.kind)) {
    return { bases: reach(symbol, basesOf, MAX_BASES), derived: reach(symbol, derivedOf, MAX_DERIVED) }
  }
  const dot = known.qualified.lastIndexOf(".")
  const owner = dot === -1 ? undefined : surfaces.of(symbol.file)?.named.get(known.qualified.slice(0, dot))?.[0]
  if (owner === undefined || known.kind !== "method") return { bases: [], derived: [] }
  const type: Place = { file: symbol.file, ordinal: owner }
  const membersOf = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
    places.flatMap(({ file, ordinal }) => {
      const surface = surfaces.of(file)
      const name = `${surface?.symbols[ordinal]?.qualified}.${known.qualified.slice(dot + 1)}`
      const member = surface?.named.get(name)?.[0]
      return member === undefined ? [] : [{ file, ordinal: member }]
    })
  return {
    bases: membersOf(reach(type, basesOf, MAX_BASES)),
    derived: membersOf(reach(type, derivedOf, MAX_DERIVED)),
  }
}
