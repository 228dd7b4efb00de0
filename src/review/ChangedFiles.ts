/** The files that two states of a repository do not share, and their texts. */
import * as Effect from "effect/Effect"
import { decode, isBinary, MAX_FILE_BYTES, type Workspace } from "../code/Workspace.ts"
import * as Git from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { type Comparison, WORKING_TREE } from "./Revisions.ts"

export interface ChangedFile {
  /** Relative to the folder in which git was run, with `/`. */
  readonly path: string
  readonly status: "added" | "removed" | "changed"
  /** The id of the content; undefined where there is no regular file. */
  readonly before: string | undefined
  /** The same, or `WORKING_TREE`. */
  readonly after: string | undefined
}

export interface ChangedFiles {
  /** Sorted by path. */
  readonly files: ReadonlyArray<ChangedFile>
  /** Files with conflicts of a merge that is not resolved. */
  readonly unmerged: ReadonlyArray<string>
}

/**
 * The files below a folder that differ. Submodules and links are none. A file of the working tree may be listed though its
 * content is the same: git compares its size and time, so that it reads no file and applies no filter. Untracked files count
 * as added, unless they are ignored.
 */
export const list: (folder: string, comparison: Comparison) => Effect.Effect<ChangedFiles, GitError, Git.Git> =
  Effect.fnUntraced(function* (folder, { from, to }) {
    if (to !== WORKING_TREE) {
      const files = parse(yield* Git.read(folder, ["diff-tree", "-r", ...RAW, from, to, "--"]))
      return { files: [...files].sort(byPath), unmerged: [] }
    }
    const files = parse(yield* Git.read(folder, ["diff-index", ...RAW, from, "--"]))
    const listed = splitPaths(
      yield* Git.read(folder, ["ls-files", "-t", "--others", "--unmerged", "--exclude-standard", "-z"]),
    )
    // `M MODE ID STAGE`, tab, path; one for each side of a conflict.
    const unmerged = new Set(
      listed.flatMap((entry) => (entry.startsWith("? ") ? [] : [entry.slice(entry.indexOf("\t") + 1)])),
    )
    // A path that ends with a slash is a repository within this one.
    const added = listed.flatMap(
      (entry): ReadonlyArray<ChangedFile> =>
        entry.startsWith("? ") && !entry.endsWith("/") ? [toFile(entry.slice(2), undefined, WORKING_TREE)] : [],
    )
    // A file that the index lacks and the working tree has is both removed and untracked.
    const all = Map.groupBy([...files, ...added], ({ path }) => path)
    return {
      files: Array.from(all.values(), join)
        .filter(({ path }) => !unmerged.has(path))
        .sort(byPath),
      unmerged: [...unmerged].sort(),
    }
  })

const RAW = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-renames",
  "--relative",
  "--ignore-submodules=all",
  "--no-ext-diff",
  "--no-textconv",
]

const byPath = (one: ChangedFile, other: ChangedFile): number => (one.path < other.path ? -1 : 1)

const join = (entries: ReadonlyArray<ChangedFile>): ChangedFile => {
  const [{ path } = { path: "" }] = entries
  return toFile(path, entries.find(({ before }) => before)?.before, entries.find(({ after }) => after)?.after)
}

const toFile = (path: string, before: string | undefined, after: string | undefined): ChangedFile => ({
  path,
  status: before === undefined ? "added" : after === undefined ? "removed" : "changed",
  before,
  after,
})

/** Entries of `:MODE MODE ID ID STATUS`, NUL, path, NUL. */
const parse = (output: Buffer): ReadonlyArray<ChangedFile> => {
  const parts = splitPaths(output)
  const files: Array<ChangedFile> = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [modeBefore = "", modeAfter = "", idBefore = "", idAfter = ""] = (parts[at] ?? "").slice(1).split(" ")
    const path = parts[at + 1] ?? ""
    const before = isFile(modeBefore) ? idBefore : undefined
    const after = !isFile(modeAfter) ? undefined : /^0+$/.test(idAfter) ? WORKING_TREE : idAfter
    if (before !== undefined || after !== undefined) files.push(toFile(path, before, after))
  }
  return files
}

/** Neither a link (120000) nor a submodule (160000). */
const isFile = (mode: string): boolean => mode.startsWith("100")

const splitPaths = (output: Buffer): ReadonlyArray<string> => output.toString("utf8").split("\0").slice(0, -1)

/** The ids of files of a state at these paths; those that it does not have are absent. */
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
 * The ids of the sides of each file with a conflict at these paths or in these folders, by stage: 1 is the base, 2 ours, 3
 * theirs.
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

/** Contents that are asked for at a time, in bytes: bounds the memory. */
const MAX_BATCH_BYTES = 16_000_000

/**
 * The texts of contents by their ids. Binary ones, and those of more than `most` bytes (by default 2 MB, as anywhere) are
 * absent. Fails with `PartialClone` where this clone has not fetched them.
 */
export const texts: (
  folder: string,
  ids: ReadonlyArray<string>,
  most?: number,
) => Effect.Effect<ReadonlyMap<string, string>, GitError, Git.Git> = Effect.fnUntraced(function* (
  folder,
  ids,
  most = MAX_FILE_BYTES,
) {
  const found = new Map<string, string>()
  if (ids.length === 0) return found
  const stdin = (some: ReadonlyArray<string>) => some.map((id) => `${id}\n`).join("")
  const sizes = yield* Git.read(folder, ["cat-file", "--batch-check"], { stdin: stdin([...new Set(ids)]) })
  let batch: Array<string> = []
  let bytes = 0
  const flush = Effect.suspend(() => {
    const wanted = batch
    batch = []
    bytes = 0
    return Effect.map(
      Git.read(folder, ["cat-file", "--batch"], { stdin: stdin(wanted), most: MAX_BATCH_BYTES + most + 100_000_000 }),
      (output) => addTexts(found, output),
    )
  })
  for (const line of sizes.toString("utf8").split("\n")) {
    const [id = "", type, size = ""] = line.split(" ")
    if (type !== "blob" || Number(size) > most) continue
    batch.push(id)
    bytes += Number(size)
    if (bytes > MAX_BATCH_BYTES) yield* flush
  }
  if (batch.length > 0) yield* flush
  return found
})

/** `ID TYPE SIZE`, line feed, content, line feed, for each; `ID missing` for what is not there. */
const addTexts = (found: Map<string, string>, output: Buffer): void => {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    if (end < 0) return
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ")
    at = end + 1
    if (type === "missing" || size === undefined) continue
    const content = output.subarray(at, at + Number(size))
    at += Number(size) + 1
    const text = decode(content)
    if (!isBinary(text)) found.set(id, text)
  }
}

/**
 * The text of a file of the working tree; undefined where it may not be read, is a link, is no text, is too large, or is
 * gone.
 */
export const readText = (workspace: Workspace, path: string): Effect.Effect<string | undefined> =>
  Effect.match(workspace.read(path), {
    onFailure: () => undefined,
    onSuccess: (content) => (content.path === path ? content.text : undefined),
  })
