/** Reads the sentences that a symbol has had as its purpose, from the commits of the files of purposes. */
import * as Effect from "effect/Effect"
import { type IndexEntry, statementOf } from "../index/IndexEntry.ts"
import * as PurposeShards from "../index/PurposeShards.ts"
import * as Purposes from "../index/Purposes.ts"
import * as PurposesFile from "../index/PurposesFile.ts"
import * as ChangedFiles from "./ChangedFiles.ts"
import * as Git from "./Git.ts"
import type { GitError } from "./GitError.ts"
import * as Revisions from "./Revisions.ts"

export interface PurposeHistory {
  /** The newest first. Each sentence is there once, with the oldest commit that has it. */
  readonly versions: ReadonlyArray<Version>
  /** The number of older versions that are left out. */
  readonly more: number
  /** True if the clone has only a part of the history, so that earlier sentences may be missing. */
  readonly isShallow: boolean
  /** False if there are more commits, or more text in them, than is read. */
  readonly isComplete: boolean
}

export interface Version {
  /** The sentence, without the question that a purpose may end with. */
  readonly text: string
  /** `provider/name` of the model that wrote it. */
  readonly model: string
  /** The reason why it failed a check. */
  readonly weak: string | undefined
  /** True if the symbol shows this sentence now. */
  readonly isCurrent: boolean
  /** Undefined if no commit has the sentence yet. */
  readonly commit: Commit | undefined
}

interface Commit {
  readonly id: string
  readonly author: string
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
  /** The first line of its message. */
  readonly title: string
}

export interface Limits {
  readonly versions: number
  /** The most commits that are read of those which changed the files of purposes. */
  readonly commits: number
  /** The most bytes that are read of all versions of the files together. */
  readonly bytes: number
}

export const LIMITS: Limits = { versions: 20, commits: 200, bytes: 96_000_000 }

/**
 * Reads the history of a symbol. `siblings` are all symbols with its qualified name in its file, such as overloads. The
 * sentences of a file that was moved are those of its present source. `root` is the folder of the index.
 *
 * Git lists commits and ids of objects, and prints contents by their ids. So it reads no file of the working tree.
 */
export const read: (
  root: string,
  entry: IndexEntry,
  siblings: ReadonlyArray<IndexEntry>,
  limits?: Limits,
) => Effect.Effect<PurposeHistory, GitError, Git.Git> = Effect.fnUntraced(function* (
  root,
  entry,
  siblings,
  limits = LIMITS,
) {
  const { isShallow } = yield* Revisions.open(root)
  const all = yield* listCommits(root, limits.commits + 1)
  const commits = all.slice(0, limits.commits)
  const changes = yield* listContents(root, commits, entry.path)
  /** The last commit of the list, which is the oldest, that has a sentence. */
  const found = new Map<string, { readonly line: Purposes.Line; readonly at: number }>()
  const isReadWhole = yield* ChangedFiles.eachText(
    root,
    [...changes.keys()],
    (id, text) => {
      const at = changes.get(id) ?? 0
      for (const line of linesOf(text, entry)) {
        if (line.purpose === Purposes.NOTHING) continue
        const statement = statementOf({ text: line.purpose })
        const known = found.get(statement)
        // The last line of a file is the newest one.
        if (isAbout(line, entry, siblings) && (known === undefined || known.at <= at)) {
          found.delete(statement)
          found.set(statement, { line, at })
        }
      }
    },
    { most: PurposesFile.MAX_BYTES, total: limits.bytes },
  )
  const current = entry.purpose?.origin === "model" ? entry.purpose : undefined
  const now = current && statementOf(current)
  const committed = [...found]
    .toReversed()
    .sort(([, one], [, other]) => one.at - other.at)
    .map(
      ([text, { at, line }]): Version => ({
        text,
        model: line.model,
        weak: line.weak,
        isCurrent: text === now,
        commit: commits[at],
      }),
    )
  const { model = "", weak } = current ?? {}
  const versions =
    now === undefined || found.has(now)
      ? committed
      : [{ text: now, model, weak, isCurrent: true, commit: undefined }, ...committed]
  return {
    versions: versions.slice(0, limits.versions),
    more: Math.max(0, versions.length - limits.versions),
    isShallow,
    isComplete: isReadWhole && all.length <= limits.commits,
  }
})

/** Says why a history is empty, or what may be missing from it. Undefined if it is whole. */
export const describe = ({ isComplete, isShallow, versions }: PurposeHistory): string | undefined => {
  if (isShallow) return "this clone is shallow, so it may lack earlier sentences and the commits that they came with"
  if (!isComplete) return "only the newest commits were read, since the purposes have changed often"
  if (versions.length === 0) return "no commit has a purpose that a model wrote for it"
  return undefined
}

const PATHS = ["--", PurposesFile.PATH, PurposesFile.FOLDER]

/** Lists the commits that changed the files of purposes, each one before its parents. Empty if there is no commit. */
const listCommits = Effect.fnUntraced(function* (root: string, most: number) {
  const head = yield* Git.ask(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
  if (head === undefined) return []
  const format = "--format=%H%x00%at%x00%an%x00%s"
  const output = yield* Git.read(root, ["rev-list", "--topo-order", `--max-count=${most}`, format, head, ...PATHS])
  return output
    .toString("utf8")
    .split("\n")
    .flatMap((line): ReadonlyArray<Commit> => {
      const [id = "", time, author = "", title = ""] = line.split("\0")
      return time === undefined ? [] : [{ id, author, writtenAt: Number(time) * 1000, title }]
    })
})

/**
 * Returns the ids of the contents that the commits gave to files which may have a purpose for the path, in the order of
 * the commits, each with the position of the oldest commit that has it.
 */
const listContents = Effect.fnUntraced(function* (root: string, commits: ReadonlyArray<Commit>, path: string) {
  const oldest = new Map<string, number>()
  if (commits.length === 0) return oldest
  const output = yield* Git.read(root, ["diff-tree", "--stdin", "--root", "-m", "-r", ...ChangedFiles.RAW, ...PATHS], {
    stdin: commits.map(({ id }) => `${id}\n`).join(""),
  })
  const places = new Map(commits.map(({ id }, at) => [id, at]))
  const parts = output.toString("utf8").split("\0")
  let commit = 0
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    if (!part.startsWith(":")) {
      commit = places.get(part) ?? commit
      continue
    }
    // The entry `:MODE MODE ID ID STATUS` is followed by the path.
    const [, mode = "", , id = ""] = part.split(" ")
    const file = parts[++at] ?? ""
    if (!ChangedFiles.isFile(mode) || !PurposesFile.isPath(file)) continue
    if (PurposeShards.mayHave(file.slice(PREFIX.length), path)) oldest.set(id, Math.max(commit, oldest.get(id) ?? 0))
  }
  return oldest
})

const PREFIX = ".vibe/"

/** Returns the lines that contain the name of a symbol. To parse all lines would take far longer. */
const linesOf = (text: string, { qualifiedName }: IndexEntry): ReadonlyArray<Purposes.Line> => {
  const name = JSON.stringify(qualifiedName)
  const lines: Array<string> = []
  for (let at = text.indexOf(name); at >= 0; ) {
    const end = text.indexOf("\n", at)
    lines.push(text.slice(text.lastIndexOf("\n", at) + 1, end < 0 ? undefined : end))
    at = end < 0 ? -1 : text.indexOf(name, end)
  }
  return Purposes.parse(lines.join("\n")).lines.map(({ line }) => line)
}

/** Returns whether a line is about the symbol: about its present source, or an earlier one at the same place. */
const isAbout = (line: Purposes.Line, entry: IndexEntry, siblings: ReadonlyArray<IndexEntry>): boolean =>
  line.symbol === entry.qualifiedName &&
  (Purposes.isSameSource(line, entry) ||
    (line.path === entry.path && !siblings.some((sibling) => Purposes.isSameSource(line, sibling))))
