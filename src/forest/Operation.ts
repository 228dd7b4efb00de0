/**
 * Operations: all changes of one command, one turn of a conversation or one import, which are undone and redone together.
 * `Forest.begin` and `Forest.operation` make one; a change outside of them is an operation of its own.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Random from "effect/Random"
import type { NodeId } from "../message/NodeId.ts"
import type { Change, Operation as Kind } from "./JournalEntry.ts"

/** As the journal and `Forest.history` describe it. */
export interface Summary {
  /** The number of its first entry in the journal. */
  readonly id: number
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** See `author`; undefined for entries of versions that did not record it. */
  readonly author: string | undefined
  /** The kinds of its entries, each once, in order. */
  readonly kinds: ReadonlyArray<Kind>
  /** The trees that it changed, each once. */
  readonly trees: ReadonlyArray<NodeId>
  /** How many nodes it added, removed or changed. */
  readonly nodes: number
  readonly isUndone: boolean
  /** It has not ended, and its process is alive. */
  readonly isUnderWay: boolean
  /** For an undo or a redo: the operation that it undid or redid. */
  readonly of: number | undefined
}

/** An operation that was undone or redone, with its original changes, in order. */
export interface Reverted extends Summary {
  readonly changes: ReadonlyArray<Change>
}

/** A running operation. */
export interface ActiveOperation {
  /** `Entry.operationId`. */
  readonly id: string
  /** Whether anything was written by it. */
  isWritten: boolean
}

/**
 * The command that makes the changes, as it is typed: `loom append`, `chat`, `index`; `library` in a program that
 * embeds vibe.
 */
export const author: FiberRef.FiberRef<string> = FiberRef.unsafeMake("library")

/**
 * The folder of new conversations, in lists: the one that a session reads files from, else the working folder. Not that of
 * `Position.holder`, which is the whole project. The command line sets it; undefined in a program that embeds vibe, unless
 * that sets it.
 */
export const folder: FiberRef.FiberRef<string | undefined> = FiberRef.unsafeMake<string | undefined>(undefined)

/** The operation that this fiber's changes are part of. */
export const current: FiberRef.FiberRef<ActiveOperation | undefined> = FiberRef.unsafeMake<ActiveOperation | undefined>(
  undefined,
)

/** A new operation. Its id is unique across processes: the time and a random number. */
export const begin: Effect.Effect<ActiveOperation> = Effect.zipWith(
  Clock.currentTimeMillis,
  Random.next,
  (now, chance) => ({
    id: `${now.toString(36)}-${chance.toString(36).slice(2)}`,
    isWritten: false,
  }),
)

/** Whether `author` is `command` or a subcommand of it: `loom append` is one of `loom`. */
export const isBy = (author: string | undefined, command: string): boolean =>
  author === command || author?.startsWith(`${command} `) === true
