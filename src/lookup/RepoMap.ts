/**
 * The map of a project within a number of tokens: what it is, its folders and what they are for, and the symbols by
 * which it is entered and on which it is built. What a folder is for is quoted from its own documents, or left out.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { plural } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { FileSize } from "../index/IndexStore.ts"
import * as ProjectOverview from "../index/ProjectOverview.ts"
import * as Tokens from "../message/Tokens.ts"
import * as FolderPurpose from "./FolderPurpose.ts"
import type { Project } from "./Project.ts"
import * as SymbolText from "./SymbolText.ts"

/** The facts that a map is made of. */
export interface Facts {
  /** The lines that a model recorded of the project, else what its manifests say of it. */
  readonly about: ReadonlyArray<string>
  readonly folders: ReadonlyArray<Folder>
  /** The most important first. */
  readonly symbols: ReadonlyArray<IndexEntry>
}

interface Folder extends ProjectOverview.Folder {
  readonly purpose: string | undefined
  /** The document that the sentence is from. */
  readonly source: string | undefined
}

/** A map that fits. */
export interface RepoMap {
  readonly about: ReadonlyArray<string>
  readonly folders: ReadonlyArray<Folder>
  /** The files, the one with the most important symbol first. Each has its symbols in order of their lines. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly symbols: ReadonlyArray<IndexEntry> }>
  /** The whole, without a line end after the last line. */
  readonly text: string
  /** The tokens of the text, as `message/Tokens` estimates them; never more than were allowed. */
  readonly tokens: number
}

/** The largest shares of the tokens for what the project is, and for its folders. */
const ABOUT_SHARE = 0.4
const FOLDERS_SHARE = 0.25

/** The most characters of the purpose of a folder. */
const MAX_PURPOSE = 120

/** The most characters of a symbol's line. */
const MAX_LINE = 100

/** The fewest tokens that a symbol's line can take. */
const LEAST_TOKENS = 3

/** The most documents that are read for the purpose of a folder. */
const MAX_READ = 2

/**
 * Reads the facts for a map. `within`: a file or folder of the index to which the map is restricted; `.` is the root.
 */
export const read = Effect.fn("RepoMap.read")(function* (
  { index, workspace }: Pick<Project, "index" | "workspace">,
  within: string,
  tokens: number,
) {
  const files = yield* index.sizesIn(within)
  const map = within === "." ? yield* index.map : undefined
  const about = map === undefined && within === "." ? yield* introduce(workspace, files) : []
  const folders = yield* Effect.forEach(foldersWithSymbols(files, within), (folder) =>
    Effect.gen(function* () {
      const own = folder.path.replace(/\/?\*$|\/$/, "")
      const inside = files
        .map((file) => file.path)
        .filter((file) => file.lastIndexOf("/") === own.length && file.startsWith(own))
        .map((file) => file.slice(own.length + 1))
      const documents = own === "" ? [] : FolderPurpose.documentsOf(own, inside).slice(0, MAX_READ)
      for (const name of documents) {
        const text = yield* Effect.option(workspace.read(`${own}/${name}`))
        const purpose = text._tag === "None" ? undefined : FolderPurpose.read(own, name, text.value.text)
        if (purpose !== undefined) return { ...folder, purpose, source: `${own}/${name}` } satisfies Folder
      }
      return { ...folder, purpose: undefined, source: undefined } satisfies Folder
    }),
  )
  const facts: Facts = {
    about: map === undefined ? about : sanitize(map).split("\n"),
    folders,
    symbols: yield* index.central(Math.ceil(tokens / LEAST_TOKENS), within),
  }
  return facts
})

/** Returns what the manifests and the README at the root say of the project. */
const introduce = Effect.fnUntraced(function* (workspace: Workspace, files: ReadonlyArray<FileSize>) {
  const { manifests, readme } = yield* ProjectOverview.read(workspace, files)
  const purpose =
    readme === undefined ? undefined : FolderPurpose.read(path.basename(workspace.root), readme.path, readme.text)
  const sentence = purpose === undefined ? [] : [`${readme?.path}: ${SymbolText.cut(purpose, MAX_PURPOSE)}`]
  return [...manifests, ...sentence]
})

/** Returns no folders if the path is a single file. */
const foldersWithSymbols = (files: ReadonlyArray<FileSize>, path: string): ReadonlyArray<ProjectOverview.Folder> =>
  files[0]?.path === path ? [] : ProjectOverview.mainFolders(files).filter(({ symbols }) => symbols > 0)

/**
 * Makes a map with as much as fits. What the project is, and its folders, are whole lines within their shares. A binary
 * search then finds how many symbols fit, the most important first. The same facts always give the same map.
 */
export const fit = (facts: Facts, tokens: number, toDisplayPath: (path: string) => string): RepoMap => {
  // The search prints each path some ten times.
  const displayed = new Map<string, string>()
  const displayPath = (path: string): string => {
    const known = displayed.get(path) ?? toDisplayPath(path)
    displayed.set(path, known)
    return known
  }
  const about = takeLines(facts.about.map(sanitizeLine), ABOUT_SHARE * tokens)
  const folderLines = facts.folders.map((folder) => folderLine(folder, displayPath))
  const folders = facts.folders.slice(0, Tokens.countFitting(folderLines, FOLDERS_SHARE * tokens))
  const make = (symbols: number): RepoMap => {
    const files = groupByFile(facts.symbols.slice(0, symbols))
    const text = [
      ...(about.length === 0 ? [] : [about]),
      ...(folders.length === 0 ? [] : [folderLines.slice(0, folders.length)]),
      ...(files.length === 0 ? [] : [files.flatMap((file) => fileLines(file, displayPath))]),
    ]
      .map((lines) => lines.join("\n"))
      .join("\n\n")
    return { about, folders, files, text, tokens: text === "" ? 0 : Tokens.ofLines(text.split("\n")) }
  }
  let [fewest, most] = [0, facts.symbols.length]
  while (fewest < most) {
    const middle = Math.ceil((fewest + most) / 2)
    if (make(middle).tokens <= tokens) fewest = middle
    else most = middle - 1
  }
  const map = make(fewest)
  return map.tokens <= tokens ? map : { about: [], folders: [], files: [], text: "", tokens: 0 }
}

/** The first lines that fit, without blank lines at their end. */
const takeLines = (lines: ReadonlyArray<string>, tokens: number): ReadonlyArray<string> => {
  const fitting = lines.slice(0, Tokens.countFitting(lines, tokens))
  return fitting.slice(0, fitting.findLastIndex((line) => line.trim() !== "") + 1)
}

/** `src/flask/ (24 files, 389 symbols)  What it is for.` */
const folderLine = ({ files, path, purpose, symbols }: Folder, displayPath: (path: string) => string): string => {
  const shown =
    path === "*"
      ? `${displayPath("./")}*`
      : path.endsWith("*")
        ? `${displayPath(path.slice(0, -1))}*`
        : displayPath(path)
  const counts = `${shown} (${plural(files, "file")}, ${plural(symbols, "symbol")})`
  return sanitizeLine(purpose === undefined ? counts : `${counts}  ${SymbolText.cut(purpose, MAX_PURPOSE)}`)
}

const groupByFile = (symbols: ReadonlyArray<IndexEntry>): RepoMap["files"] =>
  Array.from(
    Map.groupBy(symbols, ({ path }) => path),
    ([path, symbols]) => ({
      path,
      symbols: symbols.toSorted((one, other) => one.startLine - other.startLine || other.endLine - one.endLine),
    }),
  )

/**
 * The path, then the line and signature of each symbol. Members stand below their type, or name it if it is not listed.
 */
const fileLines = (
  { path, symbols }: RepoMap["files"][number],
  displayPath: (path: string) => string,
): ReadonlyArray<string> => {
  const listed = new Set(symbols.map(({ qualifiedName }) => qualifiedName))
  const depthOf = ({ container }: Pick<IndexEntry, "container">): number => {
    if (container === undefined || !listed.has(container)) return 1
    const dot = container.lastIndexOf(".")
    return 1 + depthOf({ container: dot === -1 ? undefined : container.slice(0, dot) })
  }
  return [
    sanitizeLine(displayPath(path)),
    ...symbols.map((symbol) => {
      const { container, qualifiedName, signature, startLine } = symbol
      const isBelow = container === undefined || listed.has(container)
      const line = `${startLine} ${isBelow ? "" : `${container}: `}${signature === "" ? qualifiedName : signature}`
      return `${"  ".repeat(depthOf(symbol))}${SymbolText.cut(sanitizeLine(line).replaceAll(/\s+/g, " "), MAX_LINE)}`
    }),
  ]
}

/** `vibe map --json`. Paths are relative to the root of the index. */
export const toJson = (map: RepoMap, path: string, allowed: number): object => ({
  path,
  about: map.about.length === 0 ? null : map.about.join("\n"),
  folders: map.folders.map(({ files, path, purpose, source, symbols }) => ({
    path,
    files,
    symbols,
    purpose: purpose ?? null,
    source: source ?? null,
  })),
  files: map.files.map(({ path, symbols }) => ({
    path,
    symbols: symbols.map((entry) => {
      const { path: _, ...place } = SymbolText.place(entry)
      return { ...place, signature: entry.signature, usedBy: entry.usedBy, purpose: entry.purpose?.text ?? null }
    }),
  })),
  text: map.text,
  tokens: map.tokens,
  maxTokens: allowed,
})
