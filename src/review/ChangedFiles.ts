/** Lists the files that differ between two states of a repository, and reads their texts. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Files from "../code/Files.ts"
import { decodeText, MAX_FILE_BYTES, type Workspace } from "../code/Workspace.ts"
import * as Git from "./Git.ts"
import type { GitError } from "./GitError.ts"
import * as IndexEntries from "./IndexEntries.ts"
import { type Comparison, WORKING_TREE } from "./Revisions.ts"

export interface ChangedFile {
  /** Relative to the folder in which git was run, with `/`. */
  readonly path: string
  readonly status: "added" | "removed" | "changed"
  /** The id of the content; undefined if there is no regular file. */
  readonly before: string | undefined
  /** The same, or `WORKING_TREE`. */
  readonly after: string | undefined
  /** True for a submodule, whose ids are those of commits. */
  readonly isSubmodule?: boolean | undefined
}

export interface ChangedFiles {
  /** Sorted by path. */
  readonly files: ReadonlyArray<ChangedFile>
  /** Files with conflicts of a merge that is not resolved. */
  readonly unmerged: ReadonlyArray<string>
}

/**
 * Lists the files and submodules below a folder that differ. The path of the folder is a real one. Links are left out.
 *
 * Git compares commits with its index, and `IndexEntries` compares the working tree, since Git would run programs of a
 * foreign repository for that. If a filter changes a file in the working tree, it may be listed though nobody has
 * edited it. Untracked files count as added, unless they are ignored; untracked repositories do not. A submodule
 * differs if its commit does, or a file in it.
 */
export const list = (
  folder: string,
  { from, to }: Pick<Comparison, "from" | "to">,
): Effect.Effect<ChangedFiles, GitError, Git.Git | Files.Files> =>
  to === WORKING_TREE ? listWorkingTree(folder, from) : listCommit(folder, from, to)

const listCommit = Effect.fnUntraced(function* (folder: string, from: string, to: string) {
  const files = parse(yield* Git.read(folder, ["diff-tree", "-r", ...RAW, from, to, "--"]))
  return { files: [...files].sort(byPath), unmerged: [] } satisfies ChangedFiles
})

const listWorkingTree: (folder: string, from: string) => Effect.Effect<ChangedFiles, GitError, Git.Git | Files.Files> =
  Effect.fnUntraced(function* (folder, from) {
    // The option `--cached` makes Git compare only the ids of commit and index.
    const staged = new Map(
      parse(yield* Git.read(folder, ["diff-index", "--cached", ...RAW, from, "--"])).map((file) => [file.path, file]),
    )
    const entries = yield* IndexEntries.list(folder)
    const unmerged = new Set(entries.flatMap(({ path, stage }) => (stage === 0 ? [] : [path])))
    const { compare, compareContent, hasFile } = yield* IndexEntries.comparer(folder)
    const found = new Map<string, ChangedFile>(staged)
    for (const entry of entries) {
      const { id, mode, path, stage } = entry
      if (stage !== 0) continue
      const known = staged.get(path)
      if (isSubmodule(mode)) {
        const before = known === undefined ? id : known.isSubmodule === true ? known.before : undefined
        const after = yield* commitOf(folder, path, id)
        if (before !== after) found.set(path, { ...toFile(path, before, after), isSubmodule: true })
      } else if (isFile(mode)) {
        const before = known === undefined ? id : known.before
        const state = yield* compare(entry)
        if (state === "same") continue
        if (state === "gone") {
          if (before === undefined) found.delete(path)
          else found.set(path, toFile(path, before, undefined))
          continue
        }
        // The change was staged, and then taken back only in the working tree.
        if (before !== undefined && before !== id && (yield* compareContent(path, before)) === "same")
          found.delete(path)
        else found.set(path, toFile(path, before, WORKING_TREE))
      }
    }
    const others = splitPaths(yield* Git.read(folder, ["ls-files", "--others", "--exclude-standard", "-z"]))
    for (const path of others) {
      // Links are left out, and so are repositories within this one, whose paths end with a slash.
      if (!(yield* hasFile(path))) continue
      // A file that the index lacks and the working tree has is both removed and untracked.
      const before = found.get(path)?.before
      if (before !== undefined && (yield* compareContent(path, before)) === "same") found.delete(path)
      else found.set(path, toFile(path, before, WORKING_TREE))
    }
    return {
      files: Array.from(found.values())
        .filter(({ path }) => !unmerged.has(path))
        .sort(byPath),
      unmerged: [...unmerged].sort(),
    }
  })

/**
 * Returns the commit of a submodule in the working tree, or `WORKING_TREE` if files in it differ from that commit. If
 * it is not checked out, returns `known`, the commit of the index.
 */
const commitOf = (folder: string, path: string, known: string): Effect.Effect<string, never, Git.Git | Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const inner = Path.join(folder, path)
    // If the folder has no `.git`, Git would answer for the repository around it. An index may also name a place
    // elsewhere.
    if (path.split("/").includes("..") || (yield* files.realPath(inner)) !== inner) return known
    yield* files.stat(Path.join(inner, ".git"))
    const head = yield* Git.ask(inner, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    if (head === undefined) return known
    const changes = yield* listWorkingTree(inner, head)
    return changes.files.length + changes.unmerged.length > 0 ? WORKING_TREE : head
  }).pipe(Effect.catchAll(() => Effect.succeed(known)))

/** Options of git's `diff-` commands which make them print only modes, ids and paths. */
export const RAW = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-renames",
  "--relative",
  // Otherwise settings could leave out submodules. Neither command looks into one.
  "--ignore-submodules=none",
  "--no-ext-diff",
  "--no-textconv",
]

const byPath = (one: ChangedFile, other: ChangedFile): number => (one.path < other.path ? -1 : 1)

const toFile = (path: string, before: string | undefined, after: string | undefined): ChangedFile => ({
  path,
  status: before === undefined ? "added" : after === undefined ? "removed" : "changed",
  before,
  after,
})

/** Parses entries of `:MODE MODE ID ID STATUS`, NUL, path, NUL. */
const parse = (output: Buffer): ReadonlyArray<ChangedFile> => {
  const parts = splitPaths(output)
  const files: Array<ChangedFile> = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [modeBefore = "", modeAfter = "", idBefore = "", idAfter = ""] = (parts[at] ?? "").slice(1).split(" ")
    const path = parts[at + 1] ?? ""
    const sides = (isKind: (mode: string) => boolean) =>
      toFile(path, isKind(modeBefore) ? idBefore : undefined, isKind(modeAfter) ? idAfter : undefined)
    // A file that replaces a submodule is an added file.
    if (isFile(modeBefore) || isFile(modeAfter)) files.push(sides(isFile))
    else if (isSubmodule(modeBefore) || isSubmodule(modeAfter)) files.push({ ...sides(isSubmodule), isSubmodule: true })
  }
  return files
}

/** Returns whether a mode is that of a file, not of a link (120000) or a submodule. */
export const isFile = (mode: string): boolean => mode.startsWith("100")

const isSubmodule = (mode: string): boolean => mode === "160000"

const splitPaths = (output: Buffer): ReadonlyArray<string> => output.toString("utf8").split("\0").slice(0, -1)

/** Returns the ids of the files of a state at these paths. Paths that the state does not have are absent. */
export const idsOf = (
  folder: string,
  from: string,
  paths: ReadonlyArray<string>,
): Effect.Effect<ReadonlyMap<string, string>, GitError, Git.Git> =>
  Effect.map(Git.read(folder, ["ls-tree", "-z", from, "--", ...paths]), (output) => {
    const ids = splitPaths(output).flatMap((entry): ReadonlyArray<readonly [string, string]> => {
      const tab = entry.indexOf("\t")
      const [mode = "", , id = ""] = entry.slice(0, tab).split(" ")
      return isFile(mode) ? [[entry.slice(tab + 1), id]] : []
    })
    return new Map(ids)
  })

/**
 * Returns the ids of the sides of each file with a conflict at these paths or in these folders, by stage: 1 is the
 * base, 2 ours, 3 theirs.
 */
export const stagesOf = (
  folder: string,
  paths: ReadonlyArray<string>,
): Effect.Effect<ReadonlyMap<string, ReadonlyMap<number, string>>, GitError, Git.Git> =>
  Effect.map(Git.read(folder, ["ls-files", "--unmerged", "-z", "--", ...paths]), (output) => {
    const found = new Map<string, Map<number, string>>()
    for (const entry of splitPaths(output)) {
      const tab = entry.indexOf("\t")
      const [mode = "", id = "", stage] = entry.slice(0, tab).split(" ")
      if (!isFile(mode)) continue
      const path = entry.slice(tab + 1)
      found.set(path, (found.get(path) ?? new Map<number, string>()).set(Number(stage), id))
    }
    return found
  })

/** The most bytes of contents that are read at a time, which bounds the memory. */
const MAX_BATCH_BYTES = 16_000_000

/**
 * Reads the texts of contents by their ids. Binary contents, and those of more than `most` bytes (by default 2 MB, as
 * anywhere), are absent. Fails with `PartialClone` if this clone has not fetched them.
 */
export const texts = (
  folder: string,
  ids: ReadonlyArray<string>,
  most: number = MAX_FILE_BYTES,
): Effect.Effect<ReadonlyMap<string, string>, GitError, Git.Git> =>
  Effect.suspend(() => {
    const found = new Map<string, string>()
    return Effect.as(
      eachText(folder, ids, (id, text) => void found.set(id, text), { most }),
      found,
    )
  })

interface ReadLimits {
  /** The most bytes of a content. Larger ones are left out. */
  readonly most: number
  /** The most bytes of all contents. Those after them are left out. */
  readonly total?: number | undefined
}

/**
 * Calls `visit` with the texts of contents, as `texts` reads them, without keeping them. Returns false if contents were
 * left out because of `total`.
 */
export const eachText: (
  folder: string,
  ids: ReadonlyArray<string>,
  visit: (id: string, text: string) => void,
  limits: ReadLimits,
) => Effect.Effect<boolean, GitError, Git.Git> = Effect.fnUntraced(function* (
  folder,
  ids,
  visit,
  { most, total = Number.POSITIVE_INFINITY },
) {
  if (ids.length === 0) return true
  const stdin = (some: ReadonlyArray<string>) => some.map((id) => `${id}\n`).join("")
  const sizes = yield* Git.read(folder, ["cat-file", "--batch-check"], { stdin: stdin([...new Set(ids)]) })
  let batch: Array<string> = []
  let bytes = 0
  let sum = 0
  const flush = Effect.suspend(() => {
    const wanted = batch
    batch = []
    bytes = 0
    return Effect.map(
      Git.read(folder, ["cat-file", "--batch"], { stdin: stdin(wanted), most: MAX_BATCH_BYTES + most + 100_000_000 }),
      (output) => visitTexts(output, visit),
    )
  })
  for (const line of sizes.toString("utf8").split("\n")) {
    const [id = "", type, size = ""] = line.split(" ")
    if (type !== "blob" || Number(size) > most) continue
    sum += Number(size)
    if (sum > total) break
    batch.push(id)
    bytes += Number(size)
    if (bytes > MAX_BATCH_BYTES) yield* flush
  }
  if (batch.length > 0) yield* flush
  return sum <= total
})

/** Parses `ID TYPE SIZE`, line feed, content, line feed for each id; `ID missing` for a content that does not exist. */
const visitTexts = (output: Buffer, visit: (id: string, text: string) => void): void => {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    if (end < 0) return
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ")
    at = end + 1
    if (type === "missing" || size === undefined) continue
    const content = output.subarray(at, at + Number(size))
    at += Number(size) + 1
    const text = decodeText(content)
    if (text !== undefined) visit(id, text)
  }
}

/**
 * Reads the text of a file of the working tree. Undefined if the file may not be read, is a link, is not text, is too
 * large, or is gone.
 */
export const readText = (workspace: Workspace, path: string): Effect.Effect<string | undefined> =>
  Effect.match(workspace.read(path), {
    onFailure: () => undefined,
    onSuccess: (content) => (content.path === path ? content.text : undefined),
  })
