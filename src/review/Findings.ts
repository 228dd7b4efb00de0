/**
 * The problems that `vibe check` reports: purposes that a change made stale, new symbols without one, and flaws of
 * `purposes.jsonl`, which are found here, and statements of the wiki that a change concerns. Pure.
 */

import * as Order from "effect/Order"
import { plural } from "../base/Prose.ts"
import type { FileClass } from "../code/FileClass.ts"
import { type IndexEntry, isOpen, type Purpose, statementOf } from "../index/IndexEntry.ts"
import type * as PurposeMerge from "../index/PurposeMerge.ts"
import type { Review } from "./Review.ts"
import * as SymbolDiff from "./SymbolDiff.ts"
import type { SymbolVersion } from "./SymbolVersion.ts"

/** The ids are stable: programs and suppressions refer to them. */
export const rules = {
  "stale-purpose": {
    level: "warning",
    title: "The source of a symbol has changed since its purpose was written",
    help: "Run 'vibe index' with a model, which explains what is stale again (with --documented also what shows its comment), and commit .vibe/purposes.jsonl.",
  },
  "missing-purpose": {
    level: "note",
    title: "A new major symbol has no purpose",
    help: "Write a comment that says what it is for, or run 'vibe index' with a model and commit .vibe/purposes.jsonl.",
  },
  "conflict-markers": {
    level: "warning",
    title: "purposes.jsonl has markers of a merge conflict",
    help: "Run 'vibe check --fix', which keeps the lines of both sides. 'vibe merge-driver' says how to have no conflicts.",
  },
  "unmerged-purposes": {
    level: "warning",
    title: "A merge of purposes.jsonl is not finished",
    help: "Run 'vibe check --fix', which keeps the lines of both sides, then 'git add .vibe'.",
  },
  "damaged-purpose": {
    level: "warning",
    title: "A line of purposes.jsonl is no purpose",
    help: "Restore the line from an earlier commit, or remove it.",
  },
  "duplicate-purpose": {
    level: "warning",
    title: "purposes.jsonl has two lines for one version of a symbol",
    help: "Run 'vibe check --fix', which keeps the better one.",
  },
  "unsorted-purposes": {
    level: "warning",
    title: "purposes.jsonl is not sorted by path and symbol",
    help: "Run 'vibe check --fix'. Branches merge well only if both have the same order.",
  },
  "touched-statement": {
    level: "note",
    title: "A symbol has changed since a statement of the wiki was written of it",
    help: "Look whether the statement still holds. 'vibe index' with a model judges it, and rewrites it if it does not.",
  },
  "untrue-statement": {
    level: "warning",
    title: "A model has found a statement of the wiki untrue since the code has changed",
    help: "Correct the statement in .vibe/wiki, or run 'vibe index' with a model, and commit .vibe/wiki.",
  },
  "gone-statement": {
    level: "warning",
    title: "A statement of the wiki is about a symbol that does not exist any more",
    help: "Rewrite or remove the statement in .vibe/wiki, or run 'vibe index' with a model, and commit .vibe/wiki.",
  },
} as const

export type RuleId = keyof typeof rules

export interface Finding {
  readonly rule: RuleId
  readonly level: "warning" | "note"
  /** The path relative to the root of the index, with `/`. */
  readonly path: string
  /** The first line that has changed, or the line of the flaw; 1-based. */
  readonly line: number
  readonly symbol: SymbolVersion | undefined
  readonly message: string
  /** The stale purpose. */
  readonly purpose: Purpose | undefined
  /** True if the comment of the symbol is shown instead of the stale purpose. */
  readonly isBehindComment?: boolean
  /** The statement of the wiki that is concerned, with the name of its page. */
  readonly statement?: { readonly page: string; readonly text: string } | undefined
  /** The verdict of a model, or that it gave none; undefined if none was asked. */
  readonly verdict?: "holds" | "untrue" | "unjudged" | undefined
  /** The statement as the model corrects it. */
  readonly correction?: string | undefined
  /** The first changed lines of the symbol, each behind `-` or `+`. */
  readonly diff?: ReadonlyArray<string> | undefined
}

/** The facts of the index about a changed symbol and its file. */
export interface Known {
  /** Returns the entry with the same source; undefined if the index has none. */
  readonly entryOf: (symbol: SymbolVersion) => IndexEntry | undefined
  readonly classOf: (path: string) => FileClass | undefined
}

/** A file of purposes. */
interface CheckedFile {
  /** Relative to the root of the index. */
  readonly path: string
  readonly flaws: ReadonlyArray<PurposeMerge.Flaw>
  /** True if a merge has left it with a conflict, and it lacks lines of one side. */
  readonly isUnmerged: boolean
}

/** Returns the findings by path and line; those of the files of purposes come last. */
export const find = (
  { changes }: Pick<Review, "changes">,
  { classOf, entryOf }: Known,
  files: ReadonlyArray<CheckedFile>,
): ReadonlyArray<Finding> => [
  ...changes
    .flatMap((change) => findStale(change, entryOf) ?? findMissing(change, entryOf, classOf) ?? [])
    .sort((one, other) => Order.string(one.path, other.path) || one.line - other.line),
  ...files.flatMap(({ flaws, isUnmerged, path }) => [
    ...(isUnmerged
      ? [
          ofFile(
            path,
            "unmerged-purposes",
            1,
            "a merge has left it with a conflict, and lines of one side may be missing",
          ),
        ]
      : []),
    ...flaws.map((flaw) => toFinding(path, flaw)),
  ]),
]

/**
 * Finds a purpose that a model wrote for the source before the change, and that does not belong to the source after it.
 */
const findStale = (change: SymbolDiff.SymbolChange, entryOf: Known["entryOf"]): Finding | undefined => {
  if (change.change !== "changed" && change.change !== "renamed") return undefined
  const { after, before } = change
  const { purpose } = before
  const entry = entryOf(after)
  if (entry === undefined || purpose === undefined || purpose.origin === "comment" || purpose.stale) return undefined
  // A comment that was added with the change says what the symbol is for. One that was there before may be as old as
  // the purpose.
  const isBehindComment = entry.purpose?.origin === "comment" && before.hasComment
  if (entry.purpose !== undefined && !entry.purpose.stale && !isBehindComment) return undefined
  const name = `${after.kind} ${after.qualifiedName}`
  const what =
    change.change === "renamed"
      ? `${name} was ${before.qualifiedName} when its purpose was written`
      : `${extentWords[change.extent](name)} since its purpose was written`
  return {
    rule: "stale-purpose",
    // Its members have findings of their own.
    level: change.change === "changed" && change.extent === "members" ? "note" : "warning",
    path: after.path,
    line: SymbolDiff.firstChangedLine(before, after),
    symbol: after,
    message: `${what}: ${statementOf(purpose)}${isBehindComment ? ` ${BEHIND_COMMENT}` : ""}`,
    purpose,
    isBehindComment,
  }
}

const BEHIND_COMMENT = "(its comment is shown meanwhile)"

const extentWords: Readonly<Record<SymbolDiff.Extent, (name: string) => string>> = {
  signature: (name) => `the signature of ${name} has changed`,
  body: (name) => `the body of ${name} has changed`,
  members: (name) => `members of ${name} have changed`,
}

const findMissing = (
  change: SymbolDiff.SymbolChange,
  entryOf: Known["entryOf"],
  classOf: Known["classOf"],
): Finding | undefined => {
  if (change.change !== "added" || classOf(change.after.path) !== "code") return undefined
  const { after } = change
  const entry = entryOf(after)
  if (entry === undefined || !isOpen(entry) || entry.purpose !== undefined) return undefined
  return {
    rule: "missing-purpose",
    level: "note",
    path: after.path,
    line: after.startLine,
    symbol: after,
    message: `${after.kind} ${after.qualifiedName} is new and has no purpose`,
    purpose: undefined,
  }
}

const toFinding = (path: string, { count, kind, line }: PurposeMerge.Flaw): Finding => {
  const [rule, message] = flawWords[kind](count)
  return ofFile(path, rule, line, message)
}

const ofFile = (path: string, rule: RuleId, line: number, message: string): Finding => ({
  rule,
  level: rules[rule].level,
  path,
  line,
  symbol: undefined,
  message,
  purpose: undefined,
})

const flawWords: Readonly<Record<PurposeMerge.Flaw["kind"], (count: number) => readonly [RuleId, string]>> = {
  conflict: (count) => ["conflict-markers", `${plural(count, "line")} with markers of a merge conflict`],
  damaged: (count) => ["damaged-purpose", `${count === 1 ? "a line is" : `${count} lines are`} no purpose`],
  duplicate: (count) => [
    "duplicate-purpose",
    `${plural(count, "line")} about a version of a symbol that has a line already`,
  ],
  unsorted: (count) => ["unsorted-purposes", `${plural(count, "line")} out of order`],
}
