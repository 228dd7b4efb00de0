/** Reads what a project says of one of its parts: what it is for, its files, its main symbols and its tests. */
import * as Effect from "effect/Effect"
import type { IndexError } from "../index/IndexError.ts"
import type { FileUses, IndexedFile, SymbolUses } from "../index/IndexStore.ts"
import * as FileSummary from "../lookup/FileSummary.ts"
import * as FolderPurpose from "../lookup/FolderPurpose.ts"
import * as FileGraph from "./FileGraph.ts"
import { type FactSources, fileItem, findAll, mainOf, type Said, sentence } from "./internal/FactSources.ts"
import * as Places from "./Places.ts"
import type { Part } from "./Plan.ts"
import * as Material from "./writing/Material.ts"

export interface PartFacts {
  readonly part: Part
  readonly about: Said | undefined
  readonly symbols: ReadonlyArray<Material.Item>
  /** All that it offers to other code: types, then functions that several files use, the most used first. */
  readonly offered: ReadonlyArray<Material.Item>
  readonly files: ReadonlyArray<FileFacts>
  /** Files that there is no room for. */
  readonly others: ReadonlyArray<string>
  readonly tests: ReadonlyArray<TestFacts>
}

interface FileFacts {
  readonly item: Material.Item
  readonly summary: FileSummary.Summary | undefined
  /** Its main symbols, if it says nothing itself. */
  readonly symbols: ReadonlyArray<Material.Item>
  /** True if only some of its symbols belong to the part. */
  readonly isDivided: boolean
}

export interface TestFacts {
  readonly item: Material.Item
  readonly titles: ReadonlyArray<string>
}

const MAX_SYMBOLS = 8
const MAX_FILES = 12
const MAX_OF_SECTION = 6
const MAX_TEST_FILES = 3
const MAX_TITLES = 3

/** Reads the facts of each part, in their order. */
export const read: (
  sources: FactSources,
  parts: ReadonlyArray<Part>,
) => Effect.Effect<ReadonlyArray<PartFacts>, IndexError> = Effect.fnUntraced(function* (sources, parts) {
  const usersOf = countUsers(sources.uses, sources.byPath)
  const divided = new Set(parts.flatMap(({ symbols = [] }) => symbols.map(({ path }) => path)))
  const ofSymbols = yield* sources.index.symbolUses(Array.from(divided))
  return yield* Effect.forEach(
    parts,
    Effect.fnUntraced(function* (part) {
      const files = yield* readFiles(sources, part, usersOf)
      const facts: PartFacts = {
        part,
        about: yield* aboutPart(sources, part, parts),
        symbols: yield* readSymbols(sources, part, files),
        offered: yield* readOffered(sources, part),
        files,
        others: part.files.filter((path) => !files.some(({ item }) => item.path === path)),
        tests: yield* readTests(sources, part, ofSymbols),
      }
      return facts
    }),
  )
})

/** Reads the files of a part that most others use, in the order of the part. */
const readFiles = Effect.fnUntraced(function* (
  { byPath, index, symbolsIn, textOf }: FactSources,
  part: Part,
  usersOf: ReadonlyMap<string, number>,
) {
  const ranked = part.files.toSorted(
    (one, other) =>
      (usersOf.get(other) ?? 0) - (usersOf.get(one) ?? 0) ||
      (byPath.get(other)?.symbols ?? 0) - (byPath.get(one)?.symbols ?? 0) ||
      FileGraph.compare(one, other),
  )
  const shown = new Set(ranked.slice(0, MAX_FILES))
  const files: Array<FileFacts> = []
  for (const path of part.files.filter((path) => shown.has(path))) {
    const text = yield* textOf(path)
    if (text === undefined) continue
    const all = yield* symbolsIn(path)
    const items = Places.within(part, path, all)
    const isDivided = items.length < all.length
    const entries = items.flatMap(({ entry }) => entry ?? [])
    files.push({
      item: fileItem(path, text),
      summary: isDivided ? undefined : FileSummary.of(path, text, entries, yield* index.fileEntry(path)),
      symbols: mainOf(items).slice(0, isDivided ? MAX_OF_SECTION : 3),
      isDivided,
    })
  }
  return files
})

/** Finds the central symbols of a part, and if there are few, further ones of its files. */
const readSymbols = Effect.fnUntraced(function* (sources: FactSources, part: Part, files: ReadonlyArray<FileFacts>) {
  const isOwn = Places.membershipOf(part)
  const central = sources.central
    .filter(({ path, qualifiedName }) => isOwn({ path, symbol: qualifiedName }))
    .slice(0, MAX_SYMBOLS)
  const found = yield* findAll(sources, central)
  const keys = new Set(found.map(Material.keyOf))
  const all = yield* Effect.forEach(files, ({ item: { path } }) =>
    Effect.map(sources.symbolsIn(path), (items) => Places.within(part, path, items)),
  )
  const further = mainOf(all.flat()).filter((item) => !keys.has(Material.keyOf(item)))
  return [...found, ...further.slice(0, MAX_SYMBOLS - found.length)]
})

/** Finds what a page should at least name. Overloads are one. */
const readOffered = Effect.fnUntraced(function* ({ symbolsIn }: FactSources, part: Part) {
  const items = yield* Effect.forEach(part.files, (path) =>
    Effect.map(symbolsIn(path), (items) => Places.within(part, path, items)),
  )
  const own = items.flat().filter(({ ordinal }) => ordinal === 0)
  const byUse = (all: ReadonlyArray<Material.Item>) =>
    all.toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))
  return [...byUse(own.filter(Material.isPublicType)), ...byUse(own.filter(isSharedFunction))]
})

/** A function that fewer files use is no subject of its own. */
const MIN_USERS = 2

const isSharedFunction = ({ entry }: Material.Item): boolean =>
  entry?.kind === "function" &&
  entry.isMajor &&
  entry.exported &&
  entry.usedBy >= MIN_USERS &&
  !entry.name.startsWith("_")

/** Reads the titles of the tests of a part, or the names of their functions. */
const readTests = Effect.fnUntraced(function* (
  { files, symbolsIn, textOf, uses }: FactSources,
  part: Part,
  ofSymbols: ReadonlyArray<SymbolUses>,
) {
  const tests: Array<TestFacts> = []
  for (const path of testsOf(part, files, [...usesOfFiles(part, uses), ...usesOfSections(part, ofSymbols)])) {
    const text = tests.length < MAX_TEST_FILES ? yield* textOf(path) : undefined
    if (text === undefined) continue
    const titles = FileSummary.testTitles(text)
    const names = titles.length > 0 ? titles : testNames(yield* symbolsIn(path))
    if (names.length > 0) tests.push({ item: fileItem(path, text), titles: spread(names, MAX_TITLES) })
  }
  return tests
})

const countUsers = (uses: ReadonlyArray<FileUses>, byPath: ReadonlyMap<string, IndexedFile>) => {
  const users = new Map<string, number>()
  for (const { from, to } of uses) {
    if (from !== to && byPath.get(from)?.class === "code") users.set(to, (users.get(to) ?? 0) + 1)
  }
  return users
}

/**
 * Finds the document that says what a part is for, in the folder that has all of its files. One of a folder with files
 * of other parts says nothing about this part.
 */
const aboutPart = Effect.fnUntraced(function* (
  { byPath, textOf }: FactSources,
  part: Part,
  parts: ReadonlyArray<Part>,
) {
  const folder = commonFolder(part.files)
  const isShared = parts.some((other) => other !== part && other.files.some((path) => path.startsWith(`${folder}/`)))
  if (folder === "" || isShared) return undefined
  const names = Array.from(byPath.keys()).flatMap((path) =>
    path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/")
      ? [path.slice(folder.length + 1)]
      : [],
  )
  for (const name of FolderPurpose.documentsOf(folder, names).slice(0, 2)) {
    const text = yield* textOf(`${folder}/${name}`)
    const purpose = text === undefined ? undefined : FolderPurpose.read(folder, name, text)
    if (text !== undefined && purpose !== undefined) {
      return { text: sentence(purpose), item: fileItem(`${folder}/${name}`, text) } satisfies Said
    }
  }
  return undefined
})

/** Returns the deepest folder that has all files; empty for the root. */
export const commonFolder = (files: ReadonlyArray<string>): string => {
  const [first = "", ...others] = files.map((path) => path.split("/").slice(0, -1))
  const length = others.reduce((most, folders) => {
    let same = 0
    while (same < most && folders[same] === first[same]) same++
    return same
  }, first.length)
  return Array.isArray(first) ? first.slice(0, length).join("/") : ""
}

/** The uses of the files that a part has as a whole. */
const usesOfFiles = ({ symbols = [] }: Part, uses: ReadonlyArray<FileUses>): ReadonlyArray<FileUses> => {
  const divided = new Set(symbols.map(({ path }) => path))
  return uses.filter(({ to }) => !divided.has(to))
}

/** The uses of the symbols that a part has of divided files. */
const usesOfSections = (part: Part, uses: ReadonlyArray<SymbolUses>): ReadonlyArray<FileUses> => {
  const isOwn = Places.membershipOf(part)
  return uses.flatMap(({ count, from, to }) =>
    to.symbol !== undefined && isOwn(to) ? [{ from: from.path, to: to.path, count }] : [],
  )
}

/** The files of tests that use a part most, or are named like a file of it if no use is resolved. */
const testsOf = (
  part: Part,
  files: ReadonlyArray<IndexedFile>,
  uses: ReadonlyArray<FileUses>,
): ReadonlyArray<string> => {
  const own = new Set(part.files)
  const tests = new Set(files.filter((file) => file.class === "test").map(({ path }) => path))
  const counts = new Map<string, number>()
  for (const { count, from, to } of uses) {
    if (tests.has(from) && own.has(to)) counts.set(from, (counts.get(from) ?? 0) + count)
  }
  if (counts.size === 0) {
    const whole = part.files.filter((path) => part.symbols?.some((each) => each.path === path) !== true)
    const names = new Set(whole.map(testedName).filter((name) => name.length > 2))
    for (const path of tests) if (names.has(testedName(path))) counts.set(path, 1)
  }
  return Array.from(counts)
    .sort(([one, a], [other, b]) => b - a || FileGraph.compare(one, other))
    .slice(0, 2 * MAX_TEST_FILES)
    .map(([path]) => path)
}

/** Returns what a file is named after: `parser` for `test_parser.py`, `Parser.spec.ts` and `parser.c`. */
const testedName = (path: string): string =>
  path
    .slice(path.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replaceAll(/^(?:test|spec)[_-]?|[_-]?(?:test|spec)s?$/g, "")

const testNames = (items: ReadonlyArray<Material.Item>): ReadonlyArray<string> =>
  items.flatMap(({ entry }) =>
    entry !== undefined && /^(?:function|method)$/.test(entry.kind) && /^(?:test|should|it)[A-Z_]/i.test(entry.name)
      ? [`\`${entry.name}\``]
      : [],
  )

/** Takes some of a list, from its whole length. */
const spread = (all: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  const unique = Array.from(new Set(all))
  return unique.length <= most ? unique : unique.filter((_, at) => at % Math.ceil(unique.length / most) === 0)
}
