/** The files, texts and symbols of a project that its facts are read from; the symbols of a file are read once. */
import * as Effect from "effect/Effect"
import * as ModuleRules from "../../code/ModuleRules.ts"
import * as Workspace from "../../code/Workspace.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { FileUses, Index, IndexedFile } from "../../index/IndexStore.ts"
import { isOwnTest } from "../../index/OwnTests.ts"
import * as States from "../States.ts"
import * as Material from "../writing/Material.ts"

/** A sentence, and the file that says it. */
export interface Said {
  readonly text: string
  readonly item: Material.Item
}

export interface FactSources {
  readonly index: Index
  readonly files: ReadonlyArray<IndexedFile>
  readonly byPath: ReadonlyMap<string, IndexedFile>
  /** The uses between files that are resolved. */
  readonly uses: ReadonlyArray<FileUses>
  /** The most central symbols, without private ones, fields and variables. */
  readonly central: ReadonlyArray<IndexEntry>
  readonly textOf: (path: string) => Effect.Effect<string | undefined>
  readonly symbolsIn: (path: string) => Effect.Effect<ReadonlyArray<Material.Item>, IndexError>
}

/** How many symbols of the project are put in order, so that each part has some. */
const RANKED = 2_000

export const open: (index: Index, workspace: Workspace.Workspace) => Effect.Effect<FactSources, IndexError> =
  Effect.fnUntraced(function* (index, workspace) {
    const files = yield* index.files
    const known = new Map<string, ReadonlyArray<Material.Item>>()
    const symbolsIn = Effect.fnUntraced(function* (path: string) {
      const before = known.get(path)
      if (before !== undefined) return before
      const items = Material.itemsOf(yield* index.symbolsIn(path))
      known.set(path, items)
      return items
    })
    const sources: FactSources = {
      index,
      files,
      byPath: new Map(files.map((file) => [file.path, file])),
      uses: yield* index.fileUses,
      central: withoutTwins(
        (yield* index.central(RANKED)).filter(
          ({ kind, name }) => kind !== "field" && kind !== "variable" && !isPrivate.test(name),
        ),
        new Map(files.map(({ language, path }) => [path, language])),
      ),
      textOf: (path) => Workspace.readText(workspace, path),
      symbolsIn,
    }
    return sources
  })

/** Finds the symbols of entries, in their order; one that is not in its file any more is left out. */
export const findAll = Effect.fnUntraced(function* (
  { symbolsIn }: FactSources,
  entries: ReadonlyArray<Pick<IndexEntry, "path" | "qualifiedName" | "startLine">>,
) {
  const found: Array<Material.Item> = []
  for (const entry of entries) {
    const item = (yield* symbolsIn(entry.path)).find(
      ({ entry: other }) => other?.qualifiedName === entry.qualifiedName && other.startLine === entry.startLine,
    )
    if (item !== undefined) found.push(item)
  }
  return found
})

/** Cites a whole file. */
export const fileItem = (path: string, text: string): Material.Item => ({
  path,
  entry: undefined,
  ordinal: 0,
  hash: States.hashOf(text),
})

/** Leaves out the second of a function of C or C++ that is declared in a header and defined in another file. */
const withoutTwins = (
  entries: ReadonlyArray<IndexEntry>,
  languages: ReadonlyMap<string, string | undefined>,
): ReadonlyArray<IndexEntry> => {
  const known = new Set<string>()
  return entries.filter(({ path, qualifiedName }) => {
    if (!ModuleRules.isOfC(languages.get(path) ?? "")) return true
    const isNew = !known.has(qualifiedName)
    known.add(qualifiedName)
    return isNew
  })
}

const isPrivate = /^(?:_(?!_init__)|<)/

/** Puts the symbols of a file in order: major ones first, then those that most other files use. */
export const mainOf = (items: ReadonlyArray<Material.Item>): ReadonlyArray<Material.Item> =>
  items
    .filter(({ entry }) => entry?.isMajor === true && !isPrivate.test(entry.name) && !isOwnTest(entry))
    .toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))

/** Ends a sentence, and cuts what is no sentence any more. */
export const sentence = (text: string): string => {
  const line = Material.cut(text.replaceAll(/\s+/g, " ").trim(), MAX_SENTENCE)
  return /[.!?…]["')]?$/.test(line) ? line : `${line}.`
}

const MAX_SENTENCE = 300
