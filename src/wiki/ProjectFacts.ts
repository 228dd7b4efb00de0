/** Reads from an index and its workspace what a wiki without a model says: what a project says of itself. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { firstSentence, isManifest, isReadme, nameOf, readManifest, titleOf } from "../base/ProjectDocuments.ts"
import * as Sentences from "../base/Sentences.ts"
import * as Workspace from "../code/Workspace.ts"
import { statementOf } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { FileUses, Index, IndexedFile } from "../index/IndexStore.ts"
import * as FileSummary from "../lookup/FileSummary.ts"
import * as FolderPurpose from "../lookup/FolderPurpose.ts"
import * as Commands from "./Commands.ts"
import * as FileGraph from "./FileGraph.ts"
import * as Landmarks from "./Landmarks.ts"
import type { Part, Plan } from "./Plan.ts"
import * as States from "./States.ts"
import * as Material from "./writing/Material.ts"

/** A sentence, and the file that says it. */
export interface Said {
  readonly text: string
  readonly item: Material.Item
}

export interface Facts {
  readonly name: string
  readonly about: ReadonlyArray<Said>
  /** The languages of the code, those of most files first. */
  readonly languages: ReadonlyArray<string>
  readonly parts: ReadonlyArray<PartFacts>
  /** How often files of one part use those of another, by their names, the most first. */
  readonly edges: ReadonlyArray<Edge>
  /** False if no use between files is resolved, so that nothing is known of who uses whom. */
  readonly hasReferences: boolean
  readonly commands: ReadonlyArray<Said>
  readonly entries: ReadonlyArray<Said>
  /** The symbols that a newcomer needs first. */
  readonly central: ReadonlyArray<Material.Item>
  /** Further documents of the project, with their titles. */
  readonly documents: ReadonlyArray<Said>
  /** Files of the code that no part has, and the main folders of all other files, by what they are. */
  readonly undescribed: ReadonlyArray<string>
  readonly beside: ReadonlyArray<{ readonly class: IndexedFile["class"]; readonly folders: ReadonlyArray<string> }>
}

export interface Edge {
  readonly from: string
  readonly to: string
  readonly count: number
}

export interface PartFacts {
  readonly part: Part
  readonly about: Said | undefined
  readonly symbols: ReadonlyArray<Material.Item>
  readonly files: ReadonlyArray<FileFacts>
  /** Files that there is no room for. */
  readonly others: ReadonlyArray<string>
  readonly tests: ReadonlyArray<TestFacts>
}

export interface FileFacts {
  readonly item: Material.Item
  readonly summary: FileSummary.Summary | undefined
  /** Its main symbols, if it says nothing itself. */
  readonly symbols: ReadonlyArray<Material.Item>
}

export interface TestFacts {
  readonly item: Material.Item
  readonly titles: ReadonlyArray<string>
}

const MAX_CENTRAL = 6
/** How many of the most central symbols the README may put first. */
const MAX_LANDMARKS = 100
const MAX_SYMBOLS = 8
const MAX_FILES = 12
const MAX_TEST_FILES = 4
const MAX_TITLES = 4
const MAX_DOCUMENTS = 8

/** How many symbols of the project are put in order, so that each part has some. */
const RANKED = 2_000

export const read: (
  index: Index,
  workspace: Workspace.Workspace,
  plan: Plan,
  graph: FileGraph.FileGraph,
) => Effect.Effect<Facts, IndexError> = Effect.fn("ProjectFacts.read")(function* (index, workspace, plan, graph) {
  const files = yield* index.files
  const uses = yield* index.fileUses
  const byPath = new Map(files.map((file) => [file.path, file]))
  const textOf = (path: string) => Workspace.readText(workspace, path)
  const symbols = new Map<string, ReadonlyArray<Material.Item>>()
  const itemsIn = Effect.fnUntraced(function* (path: string) {
    const known = symbols.get(path)
    if (known !== undefined) return known
    const items = Material.itemsOf(yield* index.symbolsIn(path))
    symbols.set(path, items)
    return items
  })
  const fileItem = (path: string, text: string): Material.Item => ({
    path,
    entry: undefined,
    ordinal: 0,
    hash: States.hashOf(text),
  })
  const central = (yield* index.central(RANKED)).filter(
    ({ kind, name }) => kind !== "field" && kind !== "variable" && !isPrivate.test(name),
  )
  const toItem = Effect.fnUntraced(function* (entry: (typeof central)[number]) {
    const items = yield* itemsIn(entry.path)
    return items.find(
      ({ entry: other }) => other?.qualifiedName === entry.qualifiedName && other.startLine === entry.startLine,
    )
  })

  const root = files.filter(({ path }) => !path.includes("/")).map(({ path }) => path)
  const manifests: Array<Said> = []
  const commands: Array<Said> = []
  const named: Array<Commands.Entry> = []
  const names: Array<string> = []
  const [readme] = root.filter(isReadme)
  const readmeText = readme === undefined ? undefined : yield* textOf(readme)
  for (const path of root.filter((path) => isManifest(path) || Commands.isCommandFile(path))) {
    const text = yield* textOf(path)
    if (text === undefined) continue
    const item = fileItem(path, text)
    const manifest = isManifest(path) ? readManifest(path, text) : undefined
    if (manifest?.name !== undefined) names.push(manifest.name)
    if (manifest?.description !== undefined) manifests.push({ text: sentence(manifest.description), item })
    const known = new Set(commands.map((command) => command.text))
    for (const command of Commands.read(path, text)) {
      if (!known.has(command.text)) commands.push({ text: command.text, item })
    }
    named.push(...Commands.entriesOf(path, text))
  }
  const opening = readmeText === undefined ? undefined : firstSentence(readmeText)
  const about = [
    ...(readme === undefined || readmeText === undefined || opening === undefined
      ? []
      : [{ text: sentence(opening), item: fileItem(readme, readmeText) }]),
    ...manifests,
  ]

  const parts: Array<PartFacts> = []
  const usersOf = countUsers(uses, byPath)
  for (const part of plan.parts) {
    const own = new Set(part.files)
    const ranked = part.files.toSorted(
      (one, other) =>
        (usersOf.get(other) ?? 0) - (usersOf.get(one) ?? 0) ||
        (byPath.get(other)?.symbols ?? 0) - (byPath.get(one)?.symbols ?? 0) ||
        FileGraph.compare(one, other),
    )
    const shown = new Set(ranked.slice(0, MAX_FILES))
    const fileFacts: Array<FileFacts> = []
    for (const path of part.files.filter((path) => shown.has(path))) {
      const text = yield* textOf(path)
      if (text === undefined) continue
      const items = yield* itemsIn(path)
      fileFacts.push({
        item: fileItem(path, text),
        summary: FileSummary.of(
          path,
          text,
          items.flatMap(({ entry }) => entry ?? []),
          yield* index.fileEntry(path),
        ),
        symbols: mainOf(items).slice(0, 3),
      })
    }
    const found: Array<Material.Item> = []
    for (const entry of central.filter(({ path }) => own.has(path)).slice(0, MAX_SYMBOLS)) {
      const item = yield* toItem(entry)
      if (item !== undefined) found.push(item)
    }
    const keys = new Set(found.map(Material.keyOf))
    const further = mainOf(fileFacts.flatMap(({ item }) => symbols.get(item.path) ?? []))
    found.push(...further.filter((item) => !keys.has(Material.keyOf(item))).slice(0, MAX_SYMBOLS - found.length))
    const tests: Array<TestFacts> = []
    for (const path of testsOf(part, files, uses)) {
      const text = yield* textOf(path)
      if (text === undefined || tests.length >= MAX_TEST_FILES) continue
      const titles = FileSummary.testTitles(text)
      const names = titles.length > 0 ? titles : testNames(yield* itemsIn(path))
      if (names.length > 0) tests.push({ item: fileItem(path, text), titles: spread(names, MAX_TITLES) })
    }
    parts.push({
      part,
      about: yield* aboutPart(part, plan.parts, byPath, textOf, fileItem),
      symbols: found,
      files: fileFacts,
      others: part.files.filter((path) => !fileFacts.some(({ item }) => item.path === path)),
      tests,
    })
  }

  const entries: Array<Said> = []
  for (const { manifest, name, path } of named) {
    const text = byPath.has(path) ? yield* textOf(path) : undefined
    if (text !== undefined && !entries.some(({ item }) => item.path === path)) {
      entries.push({ text: `\`${path}\`, which ${manifest} names for \`${name}\`.`, item: fileItem(path, text) })
    }
  }
  for (const path of entryFiles(graph.files)) {
    const text = entries.some(({ item }) => item.path === path) ? undefined : yield* textOf(path)
    if (text !== undefined && entries.length < MAX_CENTRAL)
      entries.push({ text: `\`${path}\``, item: fileItem(path, text) })
  }
  const first: Array<Material.Item> = []
  const name = nameOf(readmeText, names) ?? basename(workspace.root)
  for (const entry of Landmarks.order(central.slice(0, MAX_LANDMARKS), readmeText ?? "", name).slice(0, MAX_CENTRAL)) {
    const item = yield* toItem(entry)
    if (item !== undefined) first.push(item)
  }
  const documents: Array<Said> = []
  for (const path of documentFiles(files, readme)) {
    const text = documents.length < MAX_DOCUMENTS ? yield* textOf(path) : undefined
    const title = text === undefined ? undefined : titleOf(text)
    if (text !== undefined && title !== undefined) documents.push({ text: title, item: fileItem(path, text) })
  }
  const facts: Facts = {
    name,
    about,
    languages: languagesOf(graph.files, byPath),
    parts,
    edges: edgesBetween(plan, graph),
    hasReferences: uses.length > 0,
    commands,
    entries,
    central: first,
    documents,
    undescribed: plan.undescribed,
    beside: besideCode(files, new Set(graph.files)),
  }
  return facts
})

const isPrivate = /^(?:_(?!_init__)|<)/

/** Ends a sentence, and cuts what is no sentence any more. */
const sentence = (text: string): string => {
  const line = Material.cut(text.replaceAll(/\s+/g, " ").trim(), MAX_SENTENCE)
  return /[.!?…]["')]?$/.test(line) ? line : `${line}.`
}

const MAX_SENTENCE = 300

/** Puts the symbols of a file in order: major ones first, then those that most other files use. */
const mainOf = (items: ReadonlyArray<Material.Item>): ReadonlyArray<Material.Item> =>
  items
    .filter(({ entry }) => entry?.isMajor === true && !isPrivate.test(entry.name))
    .toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))

/** Returns what the purpose of a symbol says, if it is that of its present source. */
export const purposeOf = ({ entry }: Material.Item): string | undefined =>
  entry?.purpose === undefined || entry.purpose.stale
    ? undefined
    : firstSentences(statementOf(entry.purpose).replaceAll(/\s+/g, " ").trim()).replace(OPEN_END, ".")

/** The end of a comment that goes on with an example, which is not shown. */
const OPEN_END = /[,;:]?\s*\(?(?:e\.g\.|i\.e\.|for example|such as|like)?\s*[,:]$/i

const MAX_PURPOSE = 180

/** Returns as many sentences as there is room for; a first one that is too long is cut. */
export const firstSentences = (text: string): string => {
  const [first = "", ...others] = Sentences.split(text)
  let found = Material.cut(first, MAX_PURPOSE)
  for (const other of others) {
    if (found.length + other.length >= MAX_PURPOSE) break
    found = `${found} ${other}`
  }
  return found
}

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
  part: Part,
  parts: ReadonlyArray<Part>,
  byPath: ReadonlyMap<string, IndexedFile>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
  fileItem: (path: string, text: string) => Material.Item,
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
    const stems = new Set(part.files.map(stemOf).filter((stem) => stem.length > 2))
    for (const path of tests) if (stems.has(stemOf(path))) counts.set(path, 1)
  }
  return Array.from(counts)
    .sort(([one, a], [other, b]) => b - a || FileGraph.compare(one, other))
    .slice(0, 2 * MAX_TEST_FILES)
    .map(([path]) => path)
}

const stemOf = (path: string): string =>
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

const edgesBetween = ({ parts }: Plan, graph: FileGraph.FileGraph): ReadonlyArray<Edge> =>
  parts
    .flatMap((from) =>
      parts
        .filter((to) => to !== from)
        .map((to) => ({
          from: from.name,
          to: to.name,
          count: FileGraph.countUses(graph, from.files, new Set(to.files)),
        })),
    )
    .filter(({ count }) => count > 0)
    .sort(
      (one, other) =>
        other.count - one.count || FileGraph.compare(one.from, other.from) || FileGraph.compare(one.to, other.to),
    )

/** The files of the code at which a program or a library begins by their names, the topmost of each kind. */
const entryFiles = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = paths.filter(Commands.isEntryName)
  const depth = (path: string) => path.split("/").length
  const least = Math.min(...found.map(depth))
  return found.filter((path) => depth(path) <= least + 1).toSorted((one, other) => depth(one) - depth(other))
}

const documentFiles = (files: ReadonlyArray<IndexedFile>, readme: string | undefined): ReadonlyArray<string> =>
  files
    .map(({ path }) => path)
    .filter(
      (path) =>
        path !== readme &&
        /\.(?:md|markdown|rst|adoc)$/i.test(path) &&
        /^(?:[^/]+|docs?\/[^/]+|documentation\/[^/]+)$/.test(path) &&
        !/^(?:change|history|news|releases?\b|licen[cs]e|code_of_conduct|issue_template|pull_request)/i.test(
          path.slice(path.lastIndexOf("/") + 1),
        ),
    )
    .toSorted((one, other) => Number(one.includes("/")) - Number(other.includes("/")) || FileGraph.compare(one, other))

const languagesOf = (paths: ReadonlyArray<string>, byPath: ReadonlyMap<string, IndexedFile>): ReadonlyArray<string> =>
  Array.from(Map.groupBy(paths, (path) => byPath.get(path)?.language ?? ""))
    .filter(([language]) => language !== "")
    .sort(([one, a], [other, b]) => b.length - a.length || FileGraph.compare(one, other))
    .slice(0, 3)
    .map(([language]) => language)

const MAX_FOLDERS = 4

const besideCode = (files: ReadonlyArray<IndexedFile>, described: ReadonlySet<string>): Facts["beside"] =>
  Array.from(
    Map.groupBy(
      files.filter(({ path }) => !described.has(path)),
      (file) => file.class,
    ),
  )
    .map(([of, all]) => ({
      class: of,
      folders: Array.from(
        Map.groupBy(all, ({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/") + 1) : path)),
      )
        .filter(([folder]) => !folder.startsWith("."))
        .sort(([one, a], [other, b]) => b.length - a.length || FileGraph.compare(one, other))
        .slice(0, MAX_FOLDERS)
        .map(([folder]) => folder),
    }))
    .filter(({ folders }) => folders.length > 0)
    .sort((one, other) => FileGraph.compare(one.class, other.class))
