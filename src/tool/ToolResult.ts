/** What a tool gives back: text for the model, facts for everyone else. */
export interface ToolResult {
  readonly text: string
  readonly isError?: boolean | undefined
  /** Paths as the tool reports them, in order. Nobody infers them from the text. */
  readonly filesWritten?: ReadonlyArray<string> | undefined
  /** The result as data, for programs that embed vibe. */
  readonly data?: unknown
}

export const text = (text: string): ToolResult => ({ text })

export const error = (text: string): ToolResult => ({ text, isError: true })

/** The most that one result may put before a model, in bytes of UTF-8 (FAULTS R8). */
export const limit = 50 * 1024

/**
 * Makes a text fit for a model: never empty, never binary, well-formed Unicode, and at most `limit` bytes, of which
 * it keeps the head and the tail and says what it left out.
 */
export const presentable = (text: string): string => {
  if (text === "") return "(empty result)"
  const bytes = new TextEncoder().encode(text)
  if (text.includes("\0")) return `[binary, ${bytes.length} bytes]`
  if (bytes.length <= limit) return text.toWellFormed()
  const half = (limit - roomForNote) / 2
  const head = characterStart(bytes, half)
  const tail = characterStart(bytes, bytes.length - half)
  const decoder = new TextDecoder()
  return `${decoder.decode(bytes.subarray(0, head))}${note(tail - head)}${decoder.decode(bytes.subarray(tail))}`
}

const note = (bytes: number): string => `\n[… ${bytes} bytes left out …]\n`

/** More bytes than the note ever takes. */
const roomForNote = 64

/** Where the character begins that the byte at `index` is part of. */
const characterStart = (bytes: Uint8Array, index: number): number => {
  let start = index
  // 0b10xxxxxx continues a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
