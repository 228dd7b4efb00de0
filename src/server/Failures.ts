/** Turns the errors of a request into the failures of the contract, each with a sentence. */

import type { FileError } from "../code/FileError.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import type { DiskError } from "../disk/DiskError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { NotFound, NotKept, Refused } from "./api/Conversations.ts"

export const toFailure = (error: DiskError | FileError | ForestError | SessionError): NotFound | NotKept | Refused => {
  const message = sentence(error.message)
  switch (error._tag) {
    case "SessionError":
      return new Refused({ message })
    case "DiskError":
    case "FileError":
      return new NotKept({ message })
    case "ForestError":
      switch (error.reason._tag) {
        case "NotFound":
          return new NotFound({ message })
        case "Full":
        case "Removed":
        case "TooNew":
        case "Uncompacted":
        case "Unreadable":
        case "Unwritable":
          return new NotKept({ message })
        default:
          return new Refused({ message })
      }
  }
}

/** Returns a message as a sentence, which begins with a capital and ends with a full stop. */
export const sentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
