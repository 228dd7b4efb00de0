/** Pictures that a question is about, from files that its user names. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Block from "../../message/Block.ts"
import { UsageError } from "../Arguments.ts"

/** As much as a request to a provider may hold. */
const maxBytes = 20_000_000

/** Fails where the file holds no picture that providers take. */
export const open = Effect.fn("Image.open")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const unreadable = () => unusable(file, "cannot be read")
  const { size, type } = yield* Effect.mapError(files.stat(file), unreadable)
  // A device may never come to an end.
  if (type !== "File") return yield* unusable(file, "is no file")
  if (size > maxBytes) return yield* unusable(file, `is larger than ${maxBytes / 1_000_000} MB`)
  const bytes = yield* Effect.mapError(files.readFile(file), unreadable)
  const format = formatOf(bytes)
  if (format === undefined) return yield* unusable(file, "is no picture; PNG, JPEG, GIF and WebP are")
  return Block.image(format, Encoding.encodeBase64(bytes))
})

/** By its first bytes: a name may say anything. */
const formatOf = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : undefined
}

const unusable = (file: string, what: string) => new UsageError({ message: `${file}: ${what}`, command: "ask" })
