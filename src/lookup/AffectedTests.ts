/**
 * Finds the tests that a change reaches: those that use what has changed, directly or by way of other symbols, and the
 * tests that were changed themselves. What resolved references cannot tell is listed besides.
 */
import * as Effect from "effect/Effect"
import * as Modules from "../code/Modules.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Dependent, Index, IndexedFile } from "../index/IndexStore.ts"

/** A file that has changed, and which of its symbols have. */
export interface Change {
  readonly path: string
  /** The qualified names of symbols that are there; undefined if all of the file counts. */
  readonly symbols: ReadonlyArray<string> | undefined
  /** The qualified names of symbols that are there no more. */
  readonly removed: ReadonlyArray<string>
}

interface Affected {
  /** Sorted by path. */
  readonly tests: ReadonlyArray<AffectedTest>
  readonly unknown: Unknown
}

interface AffectedTest {
  readonly path: string
  /** The number of steps from the change; 0 if the test itself has changed. */
  readonly distance: number
  /** The qualified name of what the test uses, one step nearer to the change; undefined if it has changed itself. */
  readonly uses: string | undefined
}

/** The limits of the answer: what resolved references cannot tell. */
export interface Unknown {
  /** Changed files without symbols, such as settings and data: what reads them is not known. */
  readonly filesWithoutSymbols: ReadonlyArray<string>
  /** Changed files of languages in which uses are not resolved. */
  readonly filesNotResolved: ReadonlyArray<string>
  /** Other tests in which the name of a changed or removed symbol occurs. */
  readonly testsWithName: ReadonlyArray<{ readonly path: string; readonly name: string }>
  /** True if a search ended at its limits. */
  readonly isCut: boolean
}

/** Returns whether a change may reach tests that are not listed. */
export const isUncertain = ({ filesNotResolved, filesWithoutSymbols, isCut, testsWithName }: Unknown): boolean =>
  isCut || filesNotResolved.length > 0 || filesWithoutSymbols.length > 0 || testsWithName.length > 0

/** The most steps that are followed. */
const DEPTH = 20

/** The most symbols of a change that are followed. */
const MAX_SYMBOLS = 500

/** The most names that are looked for in tests. */
const MAX_NAMES = 100

/** Shorter names occur anywhere. */
const MIN_NAME = 3

export const find = Effect.fn("AffectedTests.find")(function* (index: Index, changes: ReadonlyArray<Change>) {
  const files = new Map((yield* index.files).map((file) => [file.path, file]))
  const found = new Map<string, AffectedTest>()
  const add = (test: AffectedTest): void => {
    const known = found.get(test.path)
    if (known === undefined || test.distance < known.distance) found.set(test.path, test)
  }
  const isTest = yield* testsIn(index, files)
  const names = new Set<string>()
  const filesWithoutSymbols: Array<string> = []
  const filesNotResolved: Array<string> = []
  let followed = 0
  let isCut = false
  for (const change of changes) {
    const { path, removed } = change
    const file = files.get(path)
    for (const name of removed) names.add(lastName(name))
    if (file !== undefined && isBeside.has(file.class)) continue
    if (file !== undefined && (yield* isTest(path))) add({ path, distance: 0, uses: undefined })
    const symbols = yield* changedIn(index, change)
    if (symbols.length === 0) {
      if (change.symbols === undefined && removed.length === 0) filesWithoutSymbols.push(path)
      continue
    }
    if (!Modules.languages.has(file?.language ?? "")) filesNotResolved.push(path)
    for (const entry of symbols) {
      names.add(entry.name)
      if (++followed > MAX_SYMBOLS) {
        isCut = true
        break
      }
      if (isOwnTest(file, entry.qualifiedName)) add({ path, distance: 0, uses: undefined })
      const reached = yield* index.dependents(entry, {
        depth: DEPTH,
        withMembers: true,
        throughBases: true,
        limit: Number.POSITIVE_INFINITY,
      })
      if (!reached.isComplete) isCut = true
      for (const dependent of reached.dependents) {
        const isIt = isOwnTest(files.get(dependent.path), dependent.symbol) || (yield* isTest(dependent.path))
        if (isIt) add(toTest(dependent))
      }
    }
  }
  const testsWithName = yield* mentioning(index, { files, isTest, names, found })
  const affected: Affected = {
    tests: Array.from(found.values()).sort((one, other) => (one.path < other.path ? -1 : 1)),
    unknown: { filesWithoutSymbols, filesNotResolved, testsWithName, isCut },
  }
  return affected
})

const toTest = ({ distance, path, uses }: Dependent): AffectedTest => ({ path, distance, uses })

const lastName = (qualified: string): string => qualified.slice(qualified.lastIndexOf(".") + 1)

/** Returns the symbols that a change names, or those of the file that are in no other. */
const changedIn = Effect.fnUntraced(function* (index: Index, { path, symbols }: Change) {
  const all = yield* index.symbolsIn(path)
  if (symbols === undefined) return all.filter(({ container, kind }) => container === undefined || kind !== "method")
  const named = new Set(symbols)
  return all.filter(({ qualifiedName }) => named.has(qualifiedName))
})

/** Classes of files that tests hardly ever read. */
const isBeside: ReadonlySet<IndexedFile["class"]> = new Set(["documentation", "generated", "vendored"])

type Files = ReadonlyMap<string, IndexedFile>

/** The names that runners take for those of tests, in all languages. */
const isNamedTest =
  /(?:^|[._-])(?:test|tests|spec|specs|cy)[._-]|(?:^|\/)tests?\.\w+$|(?:Test|Tests|TestCase|Spec|Specs|IT)\.\w+$/

/**
 * Returns a function that tells the tests among the files of the class "test": by their name, or since no other file
 * uses what they declare, as helpers and fixtures are used.
 */
const testsIn = Effect.fnUntraced(function* (index: Index, files: Files) {
  const known = new Map<string, boolean>()
  return yield* Effect.succeed((path: string) =>
    Effect.gen(function* () {
      const file = files.get(path)
      if (file?.class !== "test") return false
      const name = path.slice(path.lastIndexOf("/") + 1)
      if (isNamedTest.test(name)) return true
      const before = known.get(path)
      if (before !== undefined) return before
      const symbols = yield* index.symbolsIn(path)
      const isIt = symbols.length > 0 && symbols.every(({ usedBy }) => usedBy === 0) && name !== "conftest.py"
      known.set(path, isIt)
      return isIt
    }),
  )
})

/** Tests of Rust are in a module of the file that they test. */
const isOwnTest = (file: IndexedFile | undefined, symbol: string | undefined): boolean =>
  file?.language === "rust" && /^tests?(?:\.|$)/.test(symbol ?? "")

interface Search {
  readonly files: Files
  readonly isTest: Effect.Effect.Success<ReturnType<typeof testsIn>>
  readonly names: ReadonlySet<string>
  readonly found: ReadonlyMap<string, AffectedTest>
}

/** Lists tests that were not reached, and in which a name occurs. */
const mentioning = Effect.fnUntraced(function* (index: Index, { files, found, isTest, names }: Search) {
  const mentions = new Map<string, IndexEntry["name"]>()
  const telling = Array.from(names).filter((name) => name.length >= MIN_NAME)
  for (const name of telling.slice(0, MAX_NAMES)) {
    for (const { path } of yield* index.mentions(name)) {
      if (files.get(path)?.class !== "test" || found.has(path) || mentions.has(path)) continue
      if (yield* isTest(path)) mentions.set(path, name)
    }
  }
  return Array.from(mentions, ([path, name]) => ({ path, name })).sort((one, other) => (one.path < other.path ? -1 : 1))
})
