/** Pictures of a question, from files that the user names. */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Block from "../../message/Block.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as NamedFile from "../arguments/NamedFile.ts"

/** The largest request that providers accept. */
const MAX_BYTES = 20_000_000

/** Fails where the file holds no picture that providers take. */
export const open = Effect.fn("ImageFile.open")(function* (file: string) {
  const bytes = yield* NamedFile.read(file, { maxBytes: MAX_BYTES, command: "ask" })
  const format = formatOf(bytes)
  if (format === undefined) {
    const message = `${file}: is no picture; PNG, JPEG, GIF and WebP are`
    return yield* new UsageError({ message, command: "ask" })
  }
  return Block.image(format, Encoding.encodeBase64(bytes))
})

/** By its first bytes: the extension of a file may be wrong. */
const formatOf = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : undefined
}
