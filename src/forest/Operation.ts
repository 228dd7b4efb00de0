/**
 * Operations: all changes of one command, one turn of a conversation or one import, which are undone and redone
 * together. `Forest.begin` and `Forest.operation` make one; a change outside of them is an operation of its own.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Random from "effect/Random"
import type { NodeId } from "../message/NodeId.ts"
import type { Change, Operation as Kind } from "./JournalEntry.ts"

/** An operation as the journal and `Forest.history` describe it. */
export interface Summary {
  /** The number of its first entry in the journal. */
  readonly id: number
  /** The time when it began, in milliseconds since the epoch. */
  readonly at: number
  /** The command, as in `author`; undefined for entries of versions that did not record it. */
  readonly author: string | undefined
  /** The kinds of its entries, each once, in order. */
  readonly kinds: ReadonlyArray<Kind>
  /** The trees that it changed, each once. */
  readonly trees: ReadonlyArray<NodeId>
  /** The number of nodes that it added, removed or changed. */
  readonly nodes: number
  readonly isUndone: boolean
  /** True if it has not ended, and its process is alive. */
  readonly isUnderWay: boolean
  /** The operation that an undo or a redo undid or redid. */
  readonly of: number | undefined
}

/** An operation that was undone or redone, with its original changes, in order. */
export interface Reverted extends Summary {
  readonly changes: ReadonlyArray<Change>
}

/** A running operation. */
export interface ActiveOperation {
  /** The `operationId` of its journal entries. */
  readonly id: string
  /** True if the operation has written anything. */
  isWritten: boolean
}

/**
 * The command that makes the changes, as it is typed: `loom append`, `chat`, `index`; `library` in a program that
 * embeds vibe.
 */
export const author: FiberRef.FiberRef<string> = FiberRef.unsafeMake("library")

/**
 * The folder under which lists show new conversations: the one from which a session reads files, or else the working
 * folder. It differs from that of `Position.holder`, which is the whole project. The command line sets it. In a program
 * that embeds vibe it is undefined, unless that program sets it.
 */
export const folder: FiberRef.FiberRef<string | undefined> = FiberRef.unsafeMake<string | undefined>(undefined)

/** The operation to which this fiber's changes belong. */
export const current: FiberRef.FiberRef<ActiveOperation | undefined> = FiberRef.unsafeMake<ActiveOperation | undefined>(
  undefined,
)

/** Makes a new operation. Its id is unique across processes: the time and a random number. */
export const begin: Effect.Effect<ActiveOperation> = Effect.zipWith(
  Clock.currentTimeMillis,
  Random.next,
  (now, chance) => ({
    id: `${now.toString(36)}-${chance.toString(36).slice(2)}`,
    isWritten: false,
  }),
)

/** Returns whether `author` is `command` or a subcommand of it: `loom append` is one of `loom`. */
export const isBy = (author: string | undefined, command: string): boolean =>
  author === command || author?.startsWith(`${command} `) === true
