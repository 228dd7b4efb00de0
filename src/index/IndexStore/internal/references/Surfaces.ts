/** The part of a file on which other files can depend: its symbols, and its facts about references except its uses. */
import * as References from "../../../../code/References.ts"
import type { Statements } from "../../../../disk/Sqlite.ts"

export interface Surface {
  readonly number: number
  readonly path: string
  /** The symbols, by ordinal. */
  readonly symbols: ReadonlyArray<SurfaceSymbol>
  /** Ordinals by qualified name, in order, overloads last. */
  readonly named: ReadonlyMap<string, ReadonlyArray<number>>
  readonly facts: Omit<References.FileReferences, "uses">
  readonly exports: ReadonlyMap<string, ReadonlyArray<string>>
  /** The values of the fields of types, by `ordinal name`. */
  readonly fields: ReadonlyMap<string, string>
  /** The values of members of objects, by qualified name. */
  readonly members: ReadonlyMap<string, string>
}

interface SurfaceSymbol {
  readonly qualified: string
  readonly kind: string
}

/** Surfaces by the number of their file. Those that were used last stay in memory. */
export interface Surfaces {
  readonly of: (number: number) => Surface | undefined
}

/** The most symbols of all surfaces that are kept: about 20 MB. */
const MAX_KEPT_SYMBOLS = 50_000

export const make = (sql: Statements): Surfaces => {
  const kept = new Map<number, Surface | undefined>()
  let keptSymbols = 0
  return {
    of: (number) => {
      const known = kept.get(number)
      if (known !== undefined || kept.has(number)) return known
      const surface = read(sql, number)
      keptSymbols += (surface?.symbols.length ?? 0) + 1
      for (const [oldest, { symbols } = { symbols: [] }] of kept) {
        if (keptSymbols <= MAX_KEPT_SYMBOLS) break
        kept.delete(oldest)
        keptSymbols -= symbols.length + 1
      }
      kept.set(number, surface)
      return surface
    },
  }
}

/** A symbol of a file. */
export interface Declaration {
  readonly ordinal: number
  readonly kind: string
}

/** The most names of which the declarations are kept. */
const MAX_KEPT_NAMES = 500

/** Returns a function that finds the first symbol with a qualified name of each file that has one. */
export const declarations = (sql: Statements): ((qualified: string) => ReadonlyMap<number, Declaration>) => {
  const kept = new Map<string, ReadonlyMap<number, Declaration>>()
  return (qualified) => {
    const known = kept.get(qualified)
    if (known !== undefined) return known
    const rows = sql(
      `select f.number, min(s.ordinal) as ordinal, s.kind from symbol s join file f on f.id = s.file
       where s.qualified = ? group by f.number`,
    ).all(qualified)
    const found = new Map(
      rows.map(({ kind, number, ordinal }) => [Number(number), { ordinal: Number(ordinal), kind: String(kind) }]),
    )
    if (kept.size >= MAX_KEPT_NAMES) kept.clear()
    kept.set(qualified, found)
    return found
  }
}

const read = (sql: Statements, number: number): Surface | undefined => {
  const row = sql(
    `select f.path, f.surface,
       (select json_group_array(s.qualified) from (select qualified from symbol where file = f.id order by ordinal) s)
         as names,
       (select group_concat(s.kind, ' ') from (select kind from symbol where file = f.id order by ordinal) s) as kinds
     from file f where f.number = ?`,
  ).get(number)
  if (row === undefined) return undefined
  const names: ReadonlyArray<unknown> = JSON.parse(String(row.names))
  const kinds = String(row.kinds ?? "").split(" ")
  const symbols = names.map((name, ordinal) => ({ qualified: String(name), kind: kinds[ordinal] ?? "" }))
  const facts = References.decodeSurface(String(row.surface))
  const overloads = new Set(facts.overloads)
  const definitions = symbols.map((_, ordinal) => ordinal).filter((ordinal) => !overloads.has(ordinal))
  const exports = Map.groupBy(facts.exports, ({ name }) => name)
  return {
    number,
    path: String(row.path),
    symbols,
    named: Map.groupBy([...definitions, ...facts.overloads], (ordinal) => symbols[ordinal]?.qualified ?? ""),
    facts,
    exports: new Map(Array.from(exports, ([name, all]) => [name, all.map(({ expression }) => expression)])),
    fields: new Map(facts.fields.map(({ expression, name, owner }) => [`${owner} ${name}`, expression])),
    members: new Map(facts.members.map(({ expression, name }) => [name, expression])),
  }
}
