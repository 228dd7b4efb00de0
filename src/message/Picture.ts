/** A picture of a user, recognised by its bytes, and how many of them a message may have. */
import * as Encoding from "effect/Encoding"
import type * as Block from "./Block.ts"

/** The most bytes of the pictures of a message: the largest request that providers accept. */
export const MAX_BYTES = 20_000_000

/** The most pictures of a message, which all providers accept. */
export const MAX_PICTURES = 20

/** The formats that providers take, as an error message names them for a file that is not a picture. */
export const formats = "PNG, JPEG, GIF and WebP"

/** Returns the block of a message; undefined if the bytes are no picture that providers take. */
export const decode = (bytes: Uint8Array): Block.Image | undefined => {
  const format = formatOf(bytes)
  return format === undefined ? undefined : { type: "image", media_type: format, data: Encoding.encodeBase64(bytes) }
}

/** Returns `image/png, 12 kB`. */
export const describe = ({ data, media_type }: Pick<Block.Image, "data" | "media_type">): string =>
  `${media_type}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB`

/** Returns the number of bytes that base64 stands for. */
export const sizeOf = ({ data }: Pick<Block.Image, "data">): number =>
  (data.length / 4) * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0)

/** Says why pictures with these numbers of bytes are too many or too large for a message; undefined if they are not. */
export const excess = (sizes: ReadonlyArray<number>): string | undefined => {
  if (sizes.length > MAX_PICTURES)
    return `a message has at most ${MAX_PICTURES} pictures, and these are ${sizes.length}`
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= MAX_BYTES) return undefined
  const own = sizes.length === 1 ? "this one has" : "these have"
  return `the pictures of a message have at most ${inMegabytes(MAX_BYTES)} together, and ${own} ${inMegabytes(total)}`
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`

/**
 * Returns the media type by the first twelve bytes, since the extension of a file may be wrong; undefined for others.
 */
export const formatOf = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : undefined
}
