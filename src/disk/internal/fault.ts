/** What SQLite says by its result codes, https://sqlite.org/rescode.html. */
import * as ParseResult from "effect/ParseResult"
import { Busy, Damaged, Full, type Reason, Unwritable } from "../DiskError.ts"

/** None for what is the program's own mistake. */
export const toReason = (cause: unknown): Reason | undefined => {
  if (ParseResult.isParseError(cause)) return new Damaged({ cause })
  switch (code(cause)) {
    case BUSY:
    case LOCKED:
      return new Busy({})
    case CORRUPT:
    case NOTADB:
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

/** Another connection stands in the way, or makes the same change. */
export const isBusy = (cause: unknown): boolean => code(cause) === BUSY

const PERM = 3
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** The primary result code; extended ones carry more in their upper bits. */
const code = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode & 0xff : undefined
