/** The result of a tool, with text for the model and facts for programs. */
export interface ToolResult {
  readonly text: string
  readonly isError?: boolean | undefined
  /** Paths of written files, in order. They are never inferred from the text. */
  readonly filesWritten?: ReadonlyArray<string> | undefined
  /** The result as data, for programs that embed vibe. */
  readonly data?: unknown
  /**
   * Ends the run of the loop without a further request, once all results of the round are stored: the task is done, and
   * no further answer of the model is needed. Every result of the round has to say so.
   */
  readonly endsRun?: boolean | undefined
}

export const text = (text: string): ToolResult => ({ text })

export const error = (text: string): ToolResult => ({ text, isError: true })

/** The most bytes of UTF-8 in the text of a result. */
export const limit = 50 * 1024

/**
 * Makes a text fit for a model: never empty, never binary, well-formed Unicode. If it has more than `limit` bytes, its
 * beginning and its end are kept, with a note of the bytes that were left out.
 */
export const presentable = (text: string): string => {
  if (text === "") return "(empty result)"
  const bytes = new TextEncoder().encode(text)
  if (text.includes("\0")) return `[binary, ${bytes.length} bytes]`
  if (bytes.length <= limit) return text.toWellFormed()
  const half = (limit - MAX_NOTE_BYTES) / 2
  const head = characterStart(bytes, half)
  const tail = characterStart(bytes, bytes.length - half)
  const decoder = new TextDecoder()
  return `${decoder.decode(bytes.subarray(0, head))}${note(tail - head)}${decoder.decode(bytes.subarray(tail))}`
}

const note = (bytes: number): string => `\n[… ${bytes} bytes left out …]\n`

/** The bytes that are set aside for the note, which takes fewer. */
const MAX_NOTE_BYTES = 64

/** Returns the first byte of the character that contains the byte at `index`. */
const characterStart = (bytes: Uint8Array, index: number): number => {
  let start = index
  // A byte 0b10xxxxxx continues a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
