/**
 * Finds what uses a symbol, what it uses, and what depends on it. Follows resolved references, and names if a reference
 * is not resolved.
 */
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as FileClass from "../code/FileClass.ts"
import * as Language from "../code/Language.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Callee, Dependents, Inheritance } from "../index/IndexStore.ts"
import * as NamePlaces from "./NamePlaces.ts"
import type { Project } from "./Project.ts"

/** The relations that are looked up. */
export interface Wanted {
  readonly callers: boolean
  readonly callees: boolean
  readonly impact: boolean
  /** Steps of the impact. */
  readonly depth: number
  /** The most symbols that are listed of each relation; for the impact, at each distance. */
  readonly limit: number
}

export interface Relations {
  readonly entry: IndexEntry
  readonly callers: Callers | undefined
  readonly callees: Callees | undefined
  readonly impact: Impact | undefined
}

export interface Callers {
  readonly resolved: Dependents
  /** The symbols that this one overrides, with the number of their uses: such a use may mean this one. */
  readonly overridden: ReadonlyArray<{ readonly entry: IndexEntry; readonly callers: number }>
}

/** Uses of a name that are not resolved. They may mean a symbol of that name, or something else. */
export interface NamedUses {
  readonly name: string
  /** The uses in code first, then by path and line. */
  readonly uses: ReadonlyArray<NamedUse>
  /** How many more lines of the files that were read use the name. */
  readonly moreLines: number
  /** How many files with the name were not read. */
  readonly moreFiles: number
}

export interface NamedUse extends NamePlaces.NamePlace {
  readonly path: string
  readonly class: FileClass.FileClass
  /** The qualified name of the symbol around the use; undefined if it is in none. */
  readonly symbol: string | undefined
}

export interface Callees {
  /** The symbols, sorted by their first use. */
  readonly resolved: ReadonlyArray<Callee>
  /** How many there are besides those. */
  readonly more: number
  /** Calls that are not resolved, of names that symbols of the index have. */
  readonly named: ReadonlyArray<NamedCall>
}

interface NamedCall {
  readonly name: string
  readonly lines: ReadonlyArray<number>
  /** The symbols that it may mean, at most `MAX_CANDIDATES`, the most used first. */
  readonly candidates: ReadonlyArray<IndexEntry>
  /** How many there are in all. */
  readonly count: number
}

export interface Impact {
  /** The number of steps that were followed. */
  readonly depth: number
  readonly found: Dependents
  /** The symbols that inherit from this one or override it. */
  readonly derived: Inheritance["derived"]
  /** The number of files in which only the name occurs. */
  readonly nameOnlyFiles: number
}

/** The most files that are read for uses of a name. */
const MAX_FILES = 100

/** The most names of calls that are looked up. */
const MAX_NAMES = 40

/** The most symbols that are listed for the name of a call. */
const MAX_CANDIDATES = 3

export const find = Effect.fn("Relations.find")(function* (project: Project, entry: IndexEntry, wanted: Wanted) {
  const relations: Relations = {
    entry,
    callers: wanted.callers ? yield* callersOf(project, entry, wanted.limit) : undefined,
    callees: wanted.callees ? yield* calleesOf(project, entry, wanted.limit) : undefined,
    impact: wanted.impact ? yield* impactOf(project, entry, wanted) : undefined,
  }
  return relations
})

const callersOf = Effect.fnUntraced(function* (project: Project, entry: IndexEntry, limit: number) {
  const { index } = project
  const resolved = yield* index.dependents(entry, { depth: 1, withMembers: false, limit })
  // The bases of a type are its callees; what matters here is another method that a call can mean.
  const { bases } = entry.kind === "method" ? yield* index.inheritance(entry) : { bases: [] }
  const overridden = yield* Effect.forEach(bases, (base) =>
    Effect.map(index.dependents(base, { depth: 1, withMembers: false, limit: 0 }), ({ counts }) => ({
      entry: base,
      callers: counts.reduce((sum, { symbols }) => sum + symbols, 0),
    })),
  )
  const callers: Callers = { resolved, overridden }
  return callers
})

/** Finds the uses of a name that are not resolved. `symbols`: all that the name may mean; each has that name. */
export const findNamedUses = Effect.fn("Relations.findNamedUses")(function* (
  { index, workspace }: Project,
  symbols: ReadonlyArray<IndexEntry>,
  limit: number,
) {
  // A symbol that is no method can be used without a receiver. If there is one, every use of the name counts.
  const sought = symbols.find(({ kind }) => kind !== "method") ?? symbols[0]
  const name = sought?.name ?? ""
  const mentions = yield* index.mentions(name)
  const files = new Map(mentions.length === 0 ? [] : (yield* index.files).map((file) => [file.path, file]))
  const rank = (path: string) => FileClass.all.indexOf(files.get(path)?.class ?? "code")
  const languages = symbols.map(({ path }) => files.get(path)?.language)
  const ordered = mentions
    .map(({ path }) => path)
    .filter((path) => languages.some((language) => NamePlaces.canUse(files.get(path)?.language, language)))
    .sort((one, other) => rank(one) - rank(other) || Order.string(one, other))
  const uses: Array<NamedUse> = []
  let read = 0
  for (const path of ordered) {
    if (sought === undefined || read >= MAX_FILES || uses.length >= limit) break
    read += 1
    const file = yield* Effect.option(workspace.read(path))
    if (file._tag === "None") continue
    const inFile = yield* index.symbolsIn(path)
    const known = { symbols: inFile, resolved: yield* index.resolvedLines(name, path) }
    for (const place of NamePlaces.find(file.value.text, sought, files.get(path)?.language, known)) {
      const around = NamePlaces.symbolAround(inFile, place.line)
      uses.push({ ...place, path, class: files.get(path)?.class ?? "code", symbol: around?.qualifiedName })
    }
  }
  const named: NamedUses = {
    name,
    uses: uses.slice(0, limit),
    moreLines: Math.max(0, uses.length - limit),
    moreFiles: ordered.length - read,
  }
  return named
})

const calleesOf = Effect.fnUntraced(function* ({ index, workspace }: Project, entry: IndexEntry, limit: number) {
  const all = yield* index.callees(entry)
  const file = yield* Effect.option(workspace.read(entry.path))
  const called = file._tag === "None" ? [] : NamePlaces.calledNames(file.value.text, entry.startLine, entry.endLine)
  const own = new Set(
    (yield* index.symbolsIn(entry.path))
      .filter(({ endLine, startLine }) => entry.startLine <= startLine && endLine <= entry.endLine)
      .map(({ name }) => name),
  )
  const isCode = FileClass.of(entry.path) === "code"
  const names = called.filter(({ name }) => !own.has(name))
  const named = yield* Effect.forEach(names.slice(0, MAX_NAMES), ({ hasReceiver, lines, name }) =>
    Effect.gen(function* () {
      const known = yield* index.resolvedLines(name, entry.path)
      const open = lines.filter((line) => !known.has(line))
      if (open.length === 0) return []
      const candidates = (yield* index.find(name))
        .filter(({ kind, path }) => {
          const isCallable = hasReceiver ? kind === "method" : kind === "function" || kind === "class"
          const isNear = NamePlaces.canUse(Language.of(entry.path)?.id, Language.of(path)?.id)
          return isCallable && isNear && (!isCode || FileClass.of(path) === "code")
        })
        .sort((one, other) => other.usedBy - one.usedBy)
      const call: NamedCall = {
        name,
        lines: open,
        candidates: candidates.slice(0, MAX_CANDIDATES),
        count: candidates.length,
      }
      return candidates.length === 0 ? [] : [call]
    }),
  )
  const callees: Callees = { resolved: all.slice(0, limit), more: Math.max(0, all.length - limit), named: named.flat() }
  return callees
})

const impactOf = Effect.fnUntraced(function* ({ index }: Project, entry: IndexEntry, { depth, limit }: Wanted) {
  const found = yield* index.dependents(entry, { depth, withMembers: true, throughBases: true, limit })
  const { derived } = yield* index.inheritance(entry)
  const resolved = new Set((yield* index.references(entry)).map(({ path }) => path))
  const mentions = yield* index.mentions(entry.name)
  const impact: Impact = {
    depth,
    found,
    derived,
    nameOnlyFiles: mentions.filter(({ path }) => !resolved.has(path)).length,
  }
  return impact
})
