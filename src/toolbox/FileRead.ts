/** `file_read`: the text of a file of the codebase, as an interviewer asks for it. */
import * as Effect from "effect/Effect"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type * as Tool from "../tool/Tool.ts"
import * as ReadFile from "./ReadFile.ts"

/** `read_file` by another name, which says in the words of a codebase what it cannot read. */
export const make = (codebase: Workspace): Tool.Tool =>
  ReadFile.named("file_read", (path) => Effect.mapError(codebase.read(path), told))

const told = (error: FileError): { readonly message: string } => {
  const { path, reason } = error
  switch (reason._tag) {
    case "Refused":
      return { message: `${path} is outside the codebase or not allowed` }
    case "NotFound":
    case "NotAFolder":
      return { message: `File not found: ${path}` }
    case "NotAFile":
      return { message: `${path} is a directory, not a file` }
    default:
      return error
  }
}
