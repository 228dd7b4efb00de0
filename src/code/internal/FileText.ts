/** Decodes the bytes of a file. */

/** 2 MB: longer than hand-written source, and than the context of a model. */
export const MAX_FILE_BYTES = 2_000_000

/** Decodes UTF-16 with a byte order mark, else UTF-8. The mark is dropped; invalid bytes become U+FFFD. */
export const decode = (bytes: Uint8Array): string => {
  switch (byteOrderMark(bytes)) {
    case LITTLE_ENDIAN:
      return utf16LittleEndian.decode(bytes)
    case BIG_ENDIAN:
      return utf16BigEndian.decode(bytes)
    default:
      return utf8.decode(bytes)
  }
}

/** Decodes a text. Returns `undefined` for a binary file, which has a NUL among its first characters, as in Git. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  const mark = byteOrderMark(bytes)
  const isUtf16 = mark === LITTLE_ENDIAN || mark === BIG_ENDIAN
  // A character of UTF-8 has a byte or more, so a NUL among the first bytes is one of the first characters. Nearly all
  // binary files have one there, and to decode an image takes ten times as long as to decode a text of its size.
  if (!isUtf16 && bytes.subarray(0, EXAMINED_CHARS).includes(0)) return undefined
  const text = decode(bytes)
  return text.slice(0, EXAMINED_CHARS).includes("\0") ? undefined : text
}

/** The number of characters among which a NUL means that a file is binary. */
const EXAMINED_CHARS = 8_192

const LITTLE_ENDIAN = 0xfffe
const BIG_ENDIAN = 0xfeff

/** Returns the first two bytes, which are a mark in a text of UTF-16. */
const byteOrderMark = (bytes: Uint8Array): number => 256 * (bytes[0] ?? 0) + (bytes[1] ?? 0)

const utf8 = new TextDecoder("utf-8")
const utf16LittleEndian = new TextDecoder("utf-16le")
const utf16BigEndian = new TextDecoder("utf-16be")
