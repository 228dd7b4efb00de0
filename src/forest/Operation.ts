/**
 * Operations: all that one command, one turn of a conversation or one import changes, to be undone and redone as one.
 * `Forest.begin` and `Forest.operation` make one; a change outside of them is an operation by itself.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Random from "effect/Random"
import type { NodeId } from "../message/NodeId.ts"
import type { Change, Operation as Kind } from "./JournalEntry.ts"

/** As the journal and `Forest.history` describe it. */
export interface Summary {
  /** The number of its first entry in the journal: the name that it is undone by. */
  readonly id: number
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** See `author`; none where a version of vibe made it that did not say. */
  readonly author: string | undefined
  /** What it did, each kind once, in order. */
  readonly kinds: ReadonlyArray<Kind>
  /** The trees that it changed, each once. */
  readonly trees: ReadonlyArray<NodeId>
  /** How many nodes it added, removed or changed. */
  readonly nodes: number
  readonly isUndone: boolean
  /** It has not ended, and the process that it is of is alive. */
  readonly isUnderWay: boolean
  /** Of an undo or a redo: the operation that it took back, or put back. */
  readonly of: number | undefined
}

/** An operation that was undone or redone, with what it had changed when it was made, in order. */
export interface Reverted extends Summary {
  readonly changes: ReadonlyArray<Change>
}

/** An operation that has begun. */
export interface ActiveOperation {
  /** `Entry.operationId`. */
  readonly id: string
  /** Whether anything was written in its name. */
  isWritten: boolean
}

/**
 * The command that changes are made by, as it is typed: `loom append`, `chat`, `index`. `library` in a program that
 * embeds vibe.
 */
export const author: FiberRef.FiberRef<string> = FiberRef.unsafeMake("library")

/** The operation that this fiber's changes are part of. */
export const current: FiberRef.FiberRef<ActiveOperation | undefined> = FiberRef.unsafeMake<ActiveOperation | undefined>(
  undefined,
)

/** Unique, also among processes: by the time and by chance. */
export const begin: Effect.Effect<ActiveOperation> = Effect.zipWith(
  Clock.currentTimeMillis,
  Random.next,
  (now, chance) => ({
    id: `${now.toString(36)}-${chance.toString(36).slice(2)}`,
    isWritten: false,
  }),
)

/** Whether `author` is the command `command`, or one below it: `loom append` is below `loom`. */
export const isBy = (author: string | undefined, command: string): boolean =>
  author === command || author?.startsWith(`${command} `) === true
