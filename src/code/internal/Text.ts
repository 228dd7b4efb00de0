/** Bytes as text. */

/** UTF-16 where its mark says so, else UTF-8. The mark is dropped; what cannot be read becomes U+FFFD. */
export const decode = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16LittleEndian.decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16BigEndian.decode(bytes)
  return utf8.decode(bytes)
}

/** As git judges it: a NUL near the start is in no text. */
export const isBinary = (text: string): boolean => text.slice(0, 8_192).includes("\0")

const utf8 = new TextDecoder("utf-8")
const utf16LittleEndian = new TextDecoder("utf-16le")
const utf16BigEndian = new TextDecoder("utf-16be")
