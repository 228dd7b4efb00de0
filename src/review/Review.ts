/**
 * Finds what a change did to the symbols of a project. Reads both states of the changed files, and compares their
 * outlines.
 */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { inParallel } from "../base/concurrency.ts"
import * as Attributes from "../code/Attributes.ts"
import * as FileClass from "../code/FileClass.ts"
import type { FileError } from "../code/FileError.ts"
import type * as Files from "../code/Files.ts"
import * as Language from "../code/Language.ts"
import * as Selection from "../code/Selection.ts"
import { type Outline, type Service, Symbols } from "../code/Symbols.ts"
import type { Workspace } from "../code/Workspace.ts"
import { inReadingOrder, type PurposeFile } from "../index/PurposeShards.ts"
import * as PurposesFile from "../index/PurposesFile.ts"
import * as ChangedFiles from "./ChangedFiles.ts"
import type { Git } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import * as PurposeChanges from "./PurposeChanges.ts"
import { type Comparison, WORKING_TREE } from "./Revisions.ts"
import * as SymbolDiff from "./SymbolDiff.ts"
import * as SymbolVersion from "./SymbolVersion.ts"

export interface Review {
  readonly comparison: Comparison
  /** Files in which symbols differ, sorted by path. */
  readonly files: ReadonlyArray<ReviewedFile>
  readonly changes: ReadonlyArray<SymbolDiff.SymbolChange>
  /**
   * Changed files in which symbols were not compared, or are the same. They have no symbols, or are generated, vendored
   * or too large.
   */
  readonly others: ReadonlyArray<ChangedFiles.ChangedFile>
  /** Submodules that have another commit, or edits. Their symbols are not compared. */
  readonly submodules: ReadonlyArray<ChangedFiles.ChangedFile>
  /** Files with conflicts of a merge, which were left out. */
  readonly unmerged: ReadonlyArray<string>
  /** The files of purposes in the working tree, `purposes.jsonl` first. */
  readonly purposes: ReadonlyArray<PurposeFile>
  readonly purposeChanges: PurposeChanges.PurposeChanges
}

export interface ReviewedFile {
  readonly path: string
  readonly class: FileClass.FileClass
}

/**
 * Compares the files below the root of a workspace, which is a folder in the working tree. Nothing is checked out and
 * no index is needed. Both states are outlined, and purposes come from both and from the working tree.
 */
export const make: (
  workspace: Workspace,
  comparison: Comparison,
) => Effect.Effect<Review, GitError | FileError, Git | Symbols | Files.Files> = Effect.fn("Review.make")(
  function* (workspace, comparison) {
    const { root } = workspace
    const { files: listed, unmerged } = yield* ChangedFiles.list(root, comparison)
    const isHidden = compileHidden(workspace.selection)
    const seen = listed.filter(({ path }) => !path.startsWith(".vibe/") && !isHidden(path))
    const [all, submodules] = Arr.partition(seen, ({ isSubmodule }) => isSubmodule === true)
    const attributes = (yield* ChangedFiles.readText(workspace, ".gitattributes")) ?? ""
    const declaredOf = Attributes.matcher(Attributes.parse([{ folder: "", text: attributes }]))
    const classOf = (path: string, outlined?: Outlined) => {
      const isCode = outlined !== undefined && FileClass.isNamedLikeTests(path, outlined.text)
      const declared = isCode ? { ...declaredOf(path), test: false } : declaredOf(path)
      return FileClass.of(path, declared, isGenerated(path, outlined))
    }
    const candidates = all.filter(({ path }) => hasSymbols(path) && isOwn(classOf(path)))
    const texts = yield* readTexts(workspace, comparison, candidates)
    const { known, purposeChanges, purposes } = yield* readPurposes(root, comparison)

    const versions: Array<SymbolDiff.FileVersions> = []
    const reviewed: Array<ReviewedFile> = []
    yield* outlineAll(texts, ({ after, before, path }) => {
      const fileClass = classOf(path, after ?? before)
      if (!isOwn(fileClass)) return
      reviewed.push({ path, class: fileClass })
      versions.push({ path, before: toVersions(path, before, known), after: toVersions(path, after, known) })
    })
    versions.sort((one, other) => (one.path < other.path ? -1 : 1))
    const changes = SymbolDiff.compare(versions)
    const changed = new Set(changes.map((change) => SymbolDiff.subjectOf(change).path))
    // Symbols have moved out of these files.
    const emptied = new Set(changes.flatMap((change) => (change.change === "added" ? [] : [change.before.path])))
    const same = new Set(texts.flatMap(({ isSame, path }) => (isSame ? [path] : [])))
    return {
      comparison,
      files: reviewed.filter(({ path }) => changed.has(path)).sort((one, other) => (one.path < other.path ? -1 : 1)),
      changes,
      others: all.filter(({ path }) => ![changed, emptied, same].some((paths) => paths.has(path))),
      submodules,
      unmerged,
      purposes,
      purposeChanges,
    }
  },
)

const hasSymbols = (path: string): boolean => {
  const method = Language.of(path)?.outline
  return method === "grammar" || method === "patterns" || method === "scripts"
}

/** Returns whether the files of a class are written by the people of the project. */
const isOwn = (fileClass: FileClass.FileClass): boolean => fileClass !== "vendored" && fileClass !== "generated"

/** Returns a function that says whether the user has excluded a path, or a folder around it. */
const compileHidden = (selection: Selection.Selection): ((path: string) => boolean) => {
  const hides = Selection.compile(selection)
  return (path) => {
    const names = path.split("/")
    return names.some((_, index) =>
      hides(names.slice(0, index + 1).join("/"), index + 1 < names.length ? "folder" : "file", false),
    )
  }
}

interface TextVersions {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** True if both are the same except for line endings. */
  readonly isSame: boolean
}

/** Reads both texts of each file. A file is left out if one side cannot be read as text. */
const readTexts = Effect.fnUntraced(function* (
  workspace: Workspace,
  { to }: Comparison,
  files: ReadonlyArray<ChangedFiles.ChangedFile>,
) {
  const ids = files.flatMap(({ after, before }) => [before, after].flatMap((id) => id ?? []))
  const stored = yield* ChangedFiles.texts(
    workspace.root,
    ids.filter((id) => id !== WORKING_TREE),
  )
  const texts: Array<TextVersions> = []
  for (const { after: afterId, before: beforeId, path } of files) {
    const before = beforeId === undefined ? undefined : stored.get(beforeId)
    const after =
      afterId === undefined
        ? undefined
        : afterId === WORKING_TREE
          ? yield* ChangedFiles.readText(workspace, path)
          : stored.get(afterId)
    const isWhole =
      (before === undefined) === (beforeId === undefined) && (after === undefined) === (afterId === undefined)
    if (!isWhole) continue
    // Git compares times in the working tree, so the texts may be equal.
    const isSame = to === WORKING_TREE && before?.replaceAll("\r\n", "\n") === after?.replaceAll("\r\n", "\n")
    texts.push({ path, before, after, isSame })
  }
  return texts
})

const readPurposes = Effect.fnUntraced(function* (root: string, { from, to }: Comparison) {
  const { files, journal } = yield* PurposesFile.read(root)
  const purposes = PurposesFile.toText(files)
  const stored: Array<string> = []
  for (const state of to === WORKING_TREE ? [from] : [from, to]) stored.push(yield* purposesAt(root, state))
  const [before = "", after = `${purposes}\n${journal}`] = stored
  return {
    known: SymbolVersion.readPurposes(...stored, purposes, journal),
    purposes: files,
    purposeChanges: PurposeChanges.count(before, after),
  }
})

/** Reads the purposes of a commit, in one file or in shards. */
const purposesAt = Effect.fnUntraced(function* (root: string, state: string) {
  const ids = yield* ChangedFiles.idsOf(root, state, [PurposesFile.PATH, `${PurposesFile.FOLDER}/`])
  const paths = [...ids.keys()].filter((path) => path !== PurposesFile.PATH && PurposesFile.isPath(path))
  const texts = yield* ChangedFiles.texts(root, [...ids.values()], PurposesFile.MAX_BYTES)
  const fileAt = (path: string) => ({ name: path.slice(".vibe/".length), text: texts.get(ids.get(path) ?? "") ?? "" })
  const names = inReadingOrder(paths.map((path) => path.slice(".vibe/".length)))
  return PurposesFile.toText([PurposesFile.PATH, ...names.map((name) => PurposesFile.pathOf({ name }))].map(fileAt))
})

interface Outlined {
  readonly text: string
  readonly symbols: Parameters<typeof SymbolVersion.ofFile>[2]
}

interface OutlinedVersions {
  readonly path: string
  readonly before: Outlined | undefined
  readonly after: Outlined | undefined
}

/**
 * The number of files that are outlined at a time. It keeps the workers busy, and lets this thread outline the rest.
 */
const LANES = 128

const outlineAll = Effect.fnUntraced(function* (
  texts: ReadonlyArray<TextVersions>,
  use: (outlined: OutlinedVersions) => void,
) {
  const symbols = yield* Symbols
  const outline = (path: string, text: string | undefined) =>
    text === undefined
      ? Effect.succeed(undefined)
      : Effect.map(symbols.outline(path, text), (outline): Outlined => ({ text, symbols: outline.symbols }))
  const waiting = texts.filter(({ isSame }) => !isSame).values()
  const lane = Effect.gen(function* () {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { after, before, path } = next.value
      use({ path, before: yield* outline(path, before), after: yield* outline(path, after) })
    }
  })
  yield* inParallel(Array.from({ length: LANES }, () => lane))
})

const isGenerated = (path: string, outlined: Outlined | undefined): boolean =>
  outlined !== undefined && FileClass.looksGenerated(path, outlined.text, outlined.symbols)

const toVersions = (path: string, outlined: Outlined | undefined, known: SymbolVersion.Known) =>
  outlined === undefined ? [] : SymbolVersion.ofFile(path, outlined.text, outlined.symbols, known)

/**
 * The most characters of texts that `withMemory` keeps. A first index of a whole repository
 * could otherwise keep all its texts.
 */
const MAX_CHARS = 8_000_000

/**
 * Returns an outliner that outlines no text twice. The index asks for the outline of a changed file first, and then the
 * review does. `most` is the largest number of characters of all texts that it remembers.
 */
export const withMemory = (symbols: Service, most = MAX_CHARS): Service => {
  const known = new Map<string, { readonly text: string; readonly outline: Outline }>()
  let left = most
  const remember = (path: string, text: string, outline: Outline) => {
    if (known.has(path) || text.length > left) return
    left -= text.length
    known.set(path, { text, outline })
  }
  return {
    outline: (path, text) =>
      Effect.suspend(() => {
        const found = known.get(path)
        return found?.text === text
          ? Effect.succeed(found.outline)
          : Effect.tap(symbols.outline(path, text), (outline) => Effect.sync(() => remember(path, text, outline)))
      }),
  }
}
