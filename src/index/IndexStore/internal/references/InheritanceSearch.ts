/**
 * Finds which types inherit from each other, and which of their methods override which. A type that inherits from
 * another one also uses it, so the candidates for a type are found among its users, and then evaluated.
 */
import type { Row, Statements } from "../../../../disk/Sqlite.ts"
import * as UntilWritten from "../../../../disk/UntilWritten.ts"
import { MAX_DERIVED } from "../../../IndexStore.ts"
import * as CallerTable from "./CallerTable.ts"
import * as LinkTable from "./LinkTable.ts"
import * as Surfaces from "./Surfaces.ts"

export interface Place {
  /** The number of a file, and the ordinal of a symbol in it. */
  readonly file: number
  readonly ordinal: number
}

/** The most types above a type. */
const MAX_BASES = 50

const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum", "module"])

interface Owner {
  readonly type: Place
  readonly name: string
}

interface Relatives {
  readonly bases: ReadonlyArray<Place>
  readonly derived: ReadonlyArray<Place>
}

/** Makes a search for many symbols. */
export const make = (
  sql: Statements,
): {
  readonly find: (symbol: Place) => Relatives
  /** Returns the methods that a method overrides or implements. */
  readonly overriddenBy: (method: Place) => ReadonlyArray<Place>
} => {
  const surfaces = Surfaces.make(sql)
  const evaluator = LinkTable.makeEvaluator(sql)
  const key = ({ file, ordinal }: Place) => `${file} ${ordinal}`

  const basesOf = ({ file, ordinal }: Place): ReadonlyArray<Place> =>
    (surfaces.of(file)?.facts.bases.get(ordinal) ?? []).flatMap((expression) => {
      const base = evaluator.symbolOf(file, expression)
      return base === undefined ? [] : [{ file: base.file, ordinal: base.ordinal }]
    })

  /** The types of the own file come first. */
  const derivedOf = (type: Place): ReadonlyArray<Place> =>
    CallerTable.usersOf(sql, type)
      .filter((user) => basesOf(user).some((base) => key(base) === key(type)))
      .toSorted((one, other) => Number(other.file === type.file) - Number(one.file === type.file))

  /** All places that are reached from a type, the nearest first, without itself. */
  const reach = (start: Place, step: (place: Place) => ReadonlyArray<Place>, limit: number): ReadonlyArray<Place> => {
    const found = new Map([[key(start), start]])
    for (const place of found.values()) {
      for (const next of step(place)) if (found.size <= limit && !found.has(key(next))) found.set(key(next), next)
    }
    return Array.from(found.values()).slice(1)
  }

  /** Returns a member of the same name in each of some types. */
  const membersOf = (types: ReadonlyArray<Place>, name: string): ReadonlyArray<Place> =>
    types.flatMap(({ file, ordinal }) => {
      const surface = surfaces.of(file)
      const member = surface?.named.get(`${surface.symbols[ordinal]?.qualified}.${name}`)?.[0]
      return member === undefined ? [] : [{ file, ordinal: member }]
    })

  /** Returns the type of a method, and the name of the method in it. In C++ another file may declare the type. */
  const ownerOf = (method: Place): Owner | undefined => {
    const own = ownerInFile(method)
    if (own !== undefined) return own
    for (const twin of evaluator.twinsOf({ tag: "symbol", ...method })) {
      const owner = ownerInFile(twin)
      if (owner !== undefined) return owner
    }
    return undefined
  }

  const ownerInFile = ({ file, ordinal }: Place): Owner | undefined => {
    const surface = surfaces.of(file)
    const known = surface?.symbols[ordinal]
    const dot = known?.qualified.lastIndexOf(".") ?? -1
    if (known === undefined || dot === -1 || known.kind !== "method") return undefined
    const container = known.qualified.slice(0, dot)
    const owner = surface?.named.get(container)?.find((each) => types.has(surface.symbols[each]?.kind ?? ""))
    return owner === undefined ? undefined : { type: { file, ordinal: owner }, name: known.qualified.slice(dot + 1) }
  }

  return {
    find: (symbol) => {
      const known = surfaces.of(symbol.file)?.symbols[symbol.ordinal]
      if (known === undefined) return { bases: [], derived: [] }
      if (types.has(known.kind)) {
        return { bases: reach(symbol, basesOf, MAX_BASES), derived: reach(symbol, derivedOf, MAX_DERIVED) }
      }
      const owner = ownerOf(symbol)
      if (owner === undefined) return { bases: [], derived: [] }
      return {
        bases: membersOf(reach(owner.type, basesOf, MAX_BASES), owner.name),
        derived: membersOf(reach(owner.type, derivedOf, MAX_DERIVED), owner.name),
      }
    },
    overriddenBy: (method) => {
      const owner = ownerOf(method)
      if (owner === undefined) return implementedInGo(sql, method)
      const declared = membersOf(reach(owner.type, basesOf, MAX_BASES), owner.name)
      return [...declared, ...implementedInGo(sql, method)]
    },
  }
}

/**
 * Finds the relatives of a symbol. A wiki asks for those of most types, and all questions read the same files: what
 * they have read is kept until something is written. Must not be used in a transaction that writes.
 */
export const find = (sql: Statements, symbol: Place): Relatives => kept(sql).find(symbol)

const kept = UntilWritten.make(make)

/**
 * Returns the methods of interfaces of Go that a method implements. No type names the interfaces that it has: one with
 * all methods of an interface, with as many parameters, is taken for an implementation.
 */
const implementedInGo = (sql: Statements, { file, ordinal }: Place): ReadonlyArray<Place> => {
  const method = sql(
    `select s.name, s.container, f.path from symbol s join file f on f.id = s.file
     where f.number = ? and s.ordinal = ? and f.language = 'go' and s.kind = 'method'`,
  ).get(file, ordinal)
  if (method === undefined || method.container === null) return []
  const folder = String(method.path).replace(/[^/]*$/, "")
  const shapes = (rows: ReadonlyArray<Row>) =>
    new Set(rows.map(({ name, signature }) => `${name} ${parametersOf(String(signature), String(name))}`))
  const own = shapes(
    sql(
      `select s.name, s.signature from symbol s join file f on f.id = s.file
       where s.container = ? and s.kind = 'method' and f.language = 'go' and f.path like ? || '%' escape '\\'
       and instr(substr(f.path, ?), '/') = 0`,
    ).all(String(method.container), folder.replace(/[\\%_]/g, "\\$&"), folder.length + 1),
  )
  const candidates = sql(
    `select f.number, f.id, s.ordinal, s.container from symbol s join file f on f.id = s.file
     where s.name = ? and s.kind = 'method' and f.language = 'go' and exists (
       select 1 from symbol type where type.file = s.file and type.qualified = s.container and type.kind = 'interface')`,
  ).all(String(method.name))
  return candidates.flatMap((row) => {
    const wanted = shapes(
      sql("select name, signature from symbol where file = ? and container = ? and kind = 'method'").all(
        Number(row.id),
        String(row.container),
      ),
    )
    const isSame = Number(row.number) === file && Number(row.ordinal) === ordinal
    return !isSame && Array.from(wanted).every((each) => own.has(each))
      ? [{ file: Number(row.number), ordinal: Number(row.ordinal) }]
      : []
  })
}

/** Returns how many parameters a method of Go has. */
const parametersOf = (signature: string, name: string): number => {
  const open = signature.indexOf("(", signature.lastIndexOf(`${name}(`))
  let depth = 0
  let count = 1
  for (let at = open; at >= 0 && at < signature.length; at++) {
    const character = signature.charAt(at)
    if ("([{".includes(character)) depth++
    else if (")]}".includes(character) && --depth === 0) return signature.slice(open + 1, at).trim() === "" ? 0 : count
    else if (character === "," && depth === 1) count++
  }
  return 0
}
