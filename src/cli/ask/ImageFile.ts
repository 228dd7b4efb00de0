/** Pictures of a question, from files that the user names. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import * as Picture from "../../message/Picture.ts"
import * as NamedFile from "../arguments/NamedFile.ts"

/** Reads a picture. Fails if the file holds none that providers take. */
export const open = Effect.fn("ImageFile.open")(function* (file: string) {
  const bytes = yield* NamedFile.read(file, { maxBytes: Picture.MAX_BYTES, command: "ask" })
  const picture = Picture.decode(bytes)
  if (picture !== undefined) return picture
  return yield* new UsageError({ message: `${file}: is no picture; ${Picture.formats} are`, command: "ask" })
})
