/** Reads from an index and its workspace what a wiki without a model says: what a project says of itself. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { firstSentence, isManifest, isReadme, nameOf, readManifest, titleOf } from "../base/ProjectDocuments.ts"
import { splitSentences } from "../base/Prose.ts"
import type * as Workspace from "../code/Workspace.ts"
import { type IndexEntry, statementOf } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Index, IndexedFile } from "../index/IndexStore.ts"
import * as Commands from "./Commands.ts"
import * as Contracts from "./Contracts.ts"
import * as Entries from "./Entries.ts"
import * as FileGraph from "./FileGraph.ts"
import * as FactSources from "./internal/FactSources.ts"
import { code, join } from "./internal/ProjectStatements.ts"
import * as Landmarks from "./Landmarks.ts"
import * as ManifestFacts from "./ManifestFacts.ts"
import * as Packages from "./Packages.ts"
import * as PartFacts from "./PartFacts.ts"
import * as Places from "./Places.ts"
import type { Plan } from "./Plan.ts"
import * as ReleaseFacts from "./ReleaseFacts.ts"
import * as TestFacts from "./TestFacts.ts"
import * as Workflows from "./Workflows.ts"
import * as Material from "./writing/Material.ts"

export interface Facts {
  readonly name: string
  readonly about: ReadonlyArray<FactSources.Said>
  /** The languages of the code, those of most files first, but none without symbols before the others. */
  readonly languages: ReadonlyArray<string>
  /** The packages below the root; empty for a project that is one package. */
  readonly packages: ReadonlyArray<Packages.Package>
  readonly parts: ReadonlyArray<PartFacts.PartFacts>
  /** How often files of one part use those of another, by their names, the most first. */
  readonly edges: ReadonlyArray<Edge>
  /** False if no use between files is resolved, so that nothing is known of what uses what. */
  readonly hasReferences: boolean
  readonly commands: ReadonlyArray<FactSources.Said>
  /** The versions that it needs and the things that it offers, as its manifests say. */
  readonly needs: ReadonlyArray<FactSources.Said>
  /** How its tests are set up, where its version number stands, and when its workflows test and publish it. */
  readonly releases: ReadonlyArray<ReleaseFacts.Fact>
  readonly entries: ReadonlyArray<FactSources.Said>
  readonly tests: TestFacts.TestFacts
  /** The symbols that a newcomer needs first. */
  readonly central: ReadonlyArray<Material.Item>
  readonly contracts: ReadonlyArray<ContractFacts>
  readonly errors: ReadonlyArray<ErrorFacts>
  /** Further documents of the project, with their titles. */
  readonly documents: ReadonlyArray<FactSources.Said>
  /** The documents for which there is no room. */
  readonly moreDocuments: ReadonlyArray<string>
  /** Files of the code that no part has, and the main folders of all other files, by what they are. */
  readonly undescribed: ReadonlyArray<string>
  readonly beside: ReadonlyArray<{ readonly class: IndexedFile["class"]; readonly folders: ReadonlyArray<string> }>
}

export interface Edge {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** A type that others implement or extend (`Contracts`). */
export interface ContractFacts {
  readonly item: Material.Item
  readonly implementations: ReadonlyArray<Material.Item>
  readonly defaults: ReadonlyArray<{ readonly item: Material.Item; readonly by: Material.Item | undefined }>
}

export interface ErrorFacts {
  readonly item: Material.Item
  readonly base: string | undefined
  readonly derived: ReadonlyArray<Material.Item>
}

/** The most commands of a project: those of its manifests come before those of scripts and workflows. */
const MAX_COMMANDS = 12

export const MAX_CENTRAL = 6
/** How many of the most central symbols the README may put first. */
const MAX_LANDMARKS = 100
export const MAX_DOCUMENTS = 16

export const read: (
  index: Index,
  workspace: Workspace.Workspace,
  plan: Plan,
  graph: FileGraph.FileGraph,
) => Effect.Effect<Facts, IndexError> = Effect.fn("ProjectFacts.read")(function* (index, workspace, plan, graph) {
  const sources = yield* FactSources.open(index, workspace)
  const { byPath, central, files, uses } = sources
  const { about, commands, names, needs, readme } = yield* readRoot(sources)
  const name = nameOf(readme?.text, names) ?? basename(workspace.root)
  const landmarks = Landmarks.order(central.slice(0, MAX_LANDMARKS), readme?.text ?? "", name)
  const facts: Omit<Facts, "beside"> = {
    name,
    about,
    languages: languagesOf(graph.files, byPath),
    packages: yield* Packages.read(files, sources.textOf),
    parts: yield* PartFacts.read(sources, plan.parts),
    edges: edgesBetween(plan, graph),
    hasReferences: uses.length > 0,
    commands,
    needs,
    releases: ReleaseFacts.factsOf(yield* ReleaseFacts.read(sources)),
    entries: yield* readEntries(sources, graph.files),
    tests: yield* TestFacts.read(sources),
    central: yield* FactSources.findAll(sources, landmarks.slice(0, MAX_CENTRAL)),
    ...(yield* readTypes(sources, graph.files)),
    ...(yield* readTitles(sources, readme?.path)),
    undescribed: plan.undescribed,
  }
  return { ...facts, beside: besideCode(files, toldBy(facts, graph.files, readme?.path)) }
})

/**
 * Reads the README and the manifests at the root: what the project is, needs and offers, and its commands. What the
 * workflows of GitHub run stands among its releases.
 */
const readRoot = Effect.fnUntraced(function* ({ files, textOf }: FactSources.FactSources) {
  const root = files.filter(({ path }) => !path.includes("/")).map(({ path }) => path)
  const manifests: Array<FactSources.Said> = []
  const commands: Array<FactSources.Said> = []
  const needs: Array<FactSources.Said> = []
  const names: Array<string> = []
  const beside = files
    .map(({ path }) => path)
    .filter((path) => path.includes("/") && Commands.isCommandFile(path) && !Workflows.isWorkflow(path))
  for (const path of [...root.filter((path) => isManifest(path) || Commands.isCommandFile(path)), ...beside]) {
    const text = yield* textOf(path)
    if (text === undefined) continue
    const item = FactSources.fileItem(path, text)
    const manifest = !path.includes("/") && isManifest(path) ? readManifest(path, text) : undefined
    if (manifest?.name !== undefined) names.push(manifest.name)
    if (manifest?.description !== undefined) manifests.push({ text: FactSources.sentence(manifest.description), item })
    const known = new Set(commands.map((command) => command.text))
    for (const command of Commands.read(path, text)) {
      if (!known.has(command.text) && commands.length < MAX_COMMANDS) commands.push({ text: command.text, item })
    }
    for (const sentence of ManifestFacts.sentencesOf(ManifestFacts.read(path, text))) {
      if (!needs.some(({ text }) => text === sentence)) needs.push({ text: sentence, item })
    }
  }
  const path = root.find(isReadme)
  const text = path === undefined ? undefined : yield* textOf(path)
  const opening = text === undefined ? undefined : firstSentence(text)
  const about =
    path === undefined || text === undefined || opening === undefined
      ? manifests
      : [{ text: FactSources.sentence(opening), item: FactSources.fileItem(path, text) }, ...manifests]
  return { about, commands, names, needs, readme: path === undefined ? undefined : { path, text } }
})

/** Reads the contracts with what implements them, and the errors by inheritance. */
const readTypes = Effect.fnUntraced(function* (sources: FactSources.FactSources, paths: ReadonlyArray<string>) {
  const itemOf = (entry: IndexEntry) =>
    Effect.map(FactSources.findAll(sources, [entry]), ([item = { path: entry.path, entry, ordinal: 0 }]) => item)
  const types = yield* Contracts.read(sources.index, paths, sources.textOf)
  const contracts = yield* Effect.forEach(types.contracts, ({ defaults, entry, implementations }) =>
    Effect.all({
      item: itemOf(entry),
      implementations: Effect.forEach(implementations, itemOf),
      defaults: Effect.forEach(defaults, ({ by, entry }) =>
        Effect.all({ item: itemOf(entry), by: by === undefined ? Effect.succeed(undefined) : itemOf(by) }),
      ),
    }),
  )
  const errors = yield* Effect.forEach(types.errors, ({ base, derived, entry }) =>
    Effect.all({ item: itemOf(entry), base: Effect.succeed(base), derived: Effect.forEach(derived, itemOf) }),
  )
  return { contracts, errors }
})

/** Reads the files that manifests name as entries, and those whose names say so if there is room for them. */
const readEntries = Effect.fnUntraced(function* (sources: FactSources.FactSources, paths: ReadonlyArray<string>) {
  const { byPath, textOf } = sources
  const entries: Array<FactSources.Said> = []
  const named = Map.groupBy(yield* Entries.read(new Set(byPath.keys()), textOf), ({ path }) => path)
  for (const [path, [first, ...others]] of named) {
    const text = yield* textOf(path)
    if (text === undefined || first === undefined) continue
    const names = [first, ...others].filter(({ manifest }) => manifest === first.manifest).map(({ name }) => code(name))
    const item = FactSources.fileItem(path, text)
    entries.push({ text: `${code(path)}, which ${first.manifest} names for ${join(names)}.`, item })
  }
  for (const path of yield* entryFiles(sources, paths)) {
    if (entries.length >= MAX_CENTRAL) break
    const text = entries.some(({ item }) => item.path === path) ? undefined : yield* textOf(path)
    if (text !== undefined) entries.push({ text: `\`${path}\``, item: FactSources.fileItem(path, text) })
  }
  return entries
})

const readTitles = Effect.fnUntraced(function* (
  { files, textOf }: FactSources.FactSources,
  readme: string | undefined,
) {
  const documents: Array<FactSources.Said> = []
  const ordered = yield* documentsInOrder(files, readme, textOf)
  for (const path of ordered.slice(0, MAX_DOCUMENTS)) {
    const text = yield* textOf(path)
    // A document that begins with its first section has no title, and says in a sentence what it is about.
    const title = text === undefined ? undefined : titleOrOpening(text)
    if (text !== undefined && title !== undefined) {
      documents.push({ text: title, item: FactSources.fileItem(path, text) })
    }
  }
  return { documents, moreDocuments: ordered.slice(MAX_DOCUMENTS) }
})

export interface Document {
  readonly path: string
  readonly text: string
}

/** The most documents that are read as texts. */
const MAX_READ = 80

/** Reads the further documents of a project, in the order in which readers come to them (`documentsInOrder`). */
export const readDocuments = Effect.fnUntraced(function* (
  files: ReadonlyArray<Pick<IndexedFile, "path">>,
  readme: string | undefined,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const paths = yield* documentsInOrder(files, readme, textOf)
  const found: Array<Document> = []
  for (const path of paths.slice(0, MAX_READ)) {
    const text = yield* textOf(path)
    if (text !== undefined) found.push({ path, text })
  }
  return found
})

/** A document that lists the others. */
const CONTENTS = /(?:^|\/)(?:index|contents|toc|_?sidebar|summary)\.\w+$/i

/**
 * Lists the further documents of a project: those at its root, then those of its folder for documents, in the order of
 * its contents if it has any.
 */
const documentsInOrder = (
  files: ReadonlyArray<Pick<IndexedFile, "path">>,
  readme: string | undefined,
  textOf: (path: string) => Effect.Effect<string | undefined>,
): Effect.Effect<ReadonlyArray<string>> => {
  const paths = documentFiles(files, readme)
  const contents = Effect.forEach(
    paths.filter((path) => CONTENTS.test(path)),
    textOf,
  )
  return Effect.map(contents, (texts) => {
    const names = Array.from(texts.join("\n").matchAll(LISTED), ([, line = "", link = line]) =>
      withoutExtension(basename(link)),
    )
    const rankOf = (path: string) => {
      const at = names.indexOf(withoutExtension(basename(path)))
      return path.includes("/") ? (at === -1 ? names.length : at) : -1
    }
    const ranks = new Map(paths.map((path) => [path, rankOf(path)]))
    return paths.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  })
}

/** An entry of a table of contents: a line with a name alone, or a link. */
const LISTED = /^[ \t]*(?:[-*][ \t]+)?([\w./-]+)[ \t]*$|\(([\w./-]+)[)#]/gm

const withoutExtension = (name: string): string => name.replace(/\.\w+$/, "")

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
  const [first = "", ...others] = splitSentences(text)
  let found = Material.cut(first, MAX_PURPOSE)
  for (const other of others) {
    if (found.length + other.length >= MAX_PURPOSE) break
    found = `${found} ${other}`
  }
  return found
}

const edgesBetween = ({ parts }: Plan, graph: FileGraph.FileGraph): ReadonlyArray<Edge> => {
  const keys = parts.map((part) => Places.keysOf(part, graph.heads))
  const sets = keys.map((each) => new Set(each))
  return parts
    .flatMap(({ name }, from) =>
      sets.flatMap((set, to) =>
        to === from
          ? []
          : [{ from: name, to: parts[to]?.name ?? "", count: FileGraph.countUses(graph, keys[from] ?? [], set) }],
      ),
    )
    .filter(({ count }) => count > 0)
    .sort(
      (one, other) =>
        other.count - one.count || FileGraph.compare(one.from, other.from) || FileGraph.compare(one.to, other.to),
    )
}

/**
 * Finds the files of the code at which a program or a library begins by their names, the topmost of each kind. In a
 * language whose programs begin at a function `main`, a name alone says nothing: a package of Go may lie in `cmd`.
 */
const entryFiles = Effect.fnUntraced(function* (
  { byPath, symbolsIn }: FactSources.FactSources,
  paths: ReadonlyArray<string>,
) {
  // Every file of a large project may be an `index.js`, and Effect.filter copies what it has found for each element.
  const found: Array<string> = []
  for (const path of paths.filter(Entries.isEntryName)) {
    const isOther = !BEGIN_AT_MAIN.has(byPath.get(path)?.language ?? "")
    if (isOther || (yield* symbolsIn(path)).some(({ entry }) => /^main$/i.test(entry?.name ?? ""))) found.push(path)
  }
  const least = found.reduce((least, path) => Math.min(least, depthOf(path)), Number.POSITIVE_INFINITY)
  return found.filter((path) => depthOf(path) <= least + 1).toSorted((one, other) => depthOf(one) - depthOf(other))
})

const BEGIN_AT_MAIN: ReadonlySet<string> = new Set(["go", "c", "cpp", "java", "zig", "dart"])

const documentFiles = (
  files: ReadonlyArray<Pick<IndexedFile, "path">>,
  readme: string | undefined,
): ReadonlyArray<string> =>
  files
    .map(({ path }) => path)
    .filter(
      (path) =>
        path !== readme &&
        isProse(path) &&
        FOLDERS.test(path) &&
        !TRANSLATED.test(path) &&
        !/^(?:change|history|news|releases?\b|licen[cs]e|code_of_conduct|issue_template|pull_request)/i.test(
          path.slice(path.lastIndexOf("/") + 1),
        ),
    )
    .toSorted((one, other) => depthOf(one) - depthOf(other) || FileGraph.compare(one, other))

/**
 * Returns whether a file is a document by its name: a help file of Vim and a man page stand in folders of their own.
 */
const isProse = (path: string): boolean =>
  /\.(?:md|markdown|rst|adoc|asciidoc|rdoc)$|(?:^|\/)doc\/[^/]+\.txt$|(?:^|\/)man\/(?:man\d\/)?[^/]+\.[1-9]$/i.test(
    path,
  )

const depthOf = (path: string): number => path.split("/").length

/** The root, and what is at most two folders deep in one for documents. */
const FOLDERS =
  /^(?:(?:docs?|documentation|guides?|man|manual|specs?|rfcs?|(?:website|site)\/docs)\/(?:[^/]+\/){0,2})?[^/]+$/i

/** A folder with translations of other documents. */
const TRANSLATED =
  /\/(?:i18n|locales?|translations?|(?:ar|cs|de|es|fa|fr|hi|id|it|ja|ko|nl|pl|pt|ru|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?)\//i

/** Returns the title of a document, or the sentence with which it begins. */
export const titleOrOpening = (text: string): string | undefined =>
  titleOf(text) ?? titleOfHelp(text) ?? openingOf(text)

/** Returns what the first line of a help file of Vim says behind its tag, or the name section of a man page. */
const titleOfHelp = (text: string): string | undefined =>
  (/^\*[^*\s]+\*[ \t]+(\S[^\n]{0,200})/.exec(text) ?? /^\.SH "?NAME"?\n(?:\.\S+ )?([^\n]{3,200})/m.exec(text))?.[1]
    ?.replaceAll("\\-", "-")
    .replaceAll(/\\f[BIRP]/g, "")
    .trim()

const openingOf = (text: string): string | undefined => {
  const opening = firstSentence(text)
  return opening === undefined ? undefined : FactSources.sentence(Material.cut(opening, MAX_OPENING))
}

const MAX_OPENING = 120

/** A language without symbols does not lead: templates may be more files than the code that fills them. */
const languagesOf = (paths: ReadonlyArray<string>, byPath: ReadonlyMap<string, IndexedFile>): ReadonlyArray<string> => {
  const hasSymbols = (path: string) => (byPath.get(path)?.symbols ?? 0) > 0
  const all = Array.from(Map.groupBy(paths, (path) => byPath.get(path)?.language ?? ""))
    .filter(([language]) => language !== "")
    .sort(([one, a], [other, b]) => b.length - a.length || FileGraph.compare(one, other))
  const first = all.find(([, files]) => files.some(hasSymbols))
  const rest = all.filter((each) => each !== first)
  return [...(first === undefined ? [] : [first]), ...rest].slice(0, 3).map(([language]) => language)
}

const MAX_FOLDERS = 4

/** Returns the paths of the files that the wiki describes: the code, and what a list of the start page names. */
const toldBy = (
  facts: Omit<Facts, "beside">,
  code: ReadonlyArray<string>,
  readme: string | undefined,
): ReadonlySet<string> =>
  new Set([
    ...code,
    ...(readme === undefined ? [] : [readme]),
    ...[facts.about, facts.commands, facts.needs, facts.entries, facts.documents].flatMap((said) =>
      said.map(({ item }) => item.path),
    ),
    ...facts.releases.flatMap(({ items }) => items.map(({ path }) => path)),
    ...facts.moreDocuments,
    ...facts.tests.told,
  ])

const besideCode = (files: ReadonlyArray<IndexedFile>, told: ReadonlySet<string>): Facts["beside"] => {
  const folderOf = outermostFolders(told)
  return Array.from(
    Map.groupBy(
      files.filter(({ path }) => !told.has(path)),
      (file) => file.class,
    ),
  )
    .map(([of, all]) => ({
      class: of,
      folders: Array.from(Map.groupBy(all, ({ path }) => folderOf(path)))
        .filter(([folder]) => !folder.startsWith("."))
        .sort(([one, a], [other, b]) => b.length - a.length || FileGraph.compare(one, other))
        .slice(0, MAX_FOLDERS)
        .map(([folder]) => folder),
    }))
    .filter(({ folders }) => folders.length > 0)
    .sort((one, other) => FileGraph.compare(one.class, other.class))
}

/** Returns a function that gives the outermost folder around a file of which no file is described, or else the file. */
const outermostFolders = (told: ReadonlySet<string>): ((path: string) => string) => {
  const foldersOf = (path: string) => Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1))
  const open = new Set(Array.from(told).flatMap(foldersOf))
  return (path) => foldersOf(path).find((folder) => !open.has(folder)) ?? path
}
