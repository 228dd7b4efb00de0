/** Finds the reasons for result codes of SQLite (https://sqlite.org/rescode.html). */
import * as Predicate from "effect/Predicate"
import { Mismatch } from "../../base/Shape.ts"
import { Busy, Damaged, Full, type Reason, Unwritable } from "../DiskError.ts"

/** Returns the reason for a thrown value, or undefined for a mistake of the program itself. */
export const toReason = (cause: unknown): Reason | undefined => {
  // A `ParseError` is one of effect/Schema, which is loaded only where it decodes something.
  const isMismatch = cause instanceof Mismatch || Predicate.isTagged(cause, "ParseError")
  if (isMismatch || isUnreadable(cause)) return new Damaged({ cause })
  // SQLite has no room for the index of the write-ahead log, which it makes before it reads or writes anything.
  if (extendedCode(cause) === IOERR_SHMSIZE) return new Full({ cause })
  switch (code(cause)) {
    case BUSY:
    case LOCKED:
      return new Busy({})
    case CORRUPT:
    case NOTADB:
    // Statements keep the constraints of their tables if the rows that they count on are there.
    case CONSTRAINT:
      return new Damaged({ cause })
    case PERM:
    case READONLY:
    case IOERR:
    case CANTOPEN:
      return new Unwritable({ cause })
    case FULL:
      return new Full({ cause })
    default:
      return undefined
  }
}

/** Returns whether this is damage for which SQLite and node:sqlite have no code of its own. */
const isUnreadable = (cause: unknown): boolean =>
  cause instanceof Error &&
  (("code" in cause && cause.code === "ERR_OUT_OF_RANGE") || (code(cause) === ERROR && LOST_TABLE.test(cause.message)))

/** Matches the messages for a full-text table with a missing part. */
const LOST_TABLE = /^invalid fts5 file format|^unrecognized option|^vtable constructor failed/

/** Returns whether another connection has the database locked. */
export const isBusy = (cause: unknown): boolean => code(cause) === BUSY

const ERROR = 1
const PERM = 3
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const IOERR_SHMSIZE = 4874
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const CONSTRAINT = 19
const NOTADB = 26

const extendedCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode : undefined

/** Returns the primary result code; extended codes carry more in their upper bits. */
const code = (cause: unknown): number | undefined => {
  const extended = extendedCode(cause)
  return extended === undefined ? undefined : extended & 0xff
}
