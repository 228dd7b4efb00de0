/** A picture of a user, recognised by its bytes. */
import * as Encoding from "effect/Encoding"
import * as Block from "./Block.ts"

/** The largest request that providers accept. */
export const MAX_BYTES = 20_000_000

/** The formats that providers take, as an error message names them for a file that is not a picture. */
export const formats = "PNG, JPEG, GIF and WebP"

/** Returns the block of a message; undefined if the bytes are no picture that providers take. */
export const decode = (bytes: Uint8Array): Block.Image | undefined => {
  const format = formatOf(bytes)
  return format === undefined ? undefined : Block.image(format, Encoding.encodeBase64(bytes))
}

/** Returns `image/png, 12 kB`. */
export const describe = ({ data, media_type }: Pick<Block.Image, "data" | "media_type">): string =>
  `${media_type}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB`

/** Returns the format by the first bytes: the extension of a file may be wrong. */
const formatOf = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : undefined
}
