/**
 * Puts files that the user attaches into a message, and finds them in it again, so that they are shown folded. A file
 * is part of the text, as `File NAME:` and a fenced block: every model can read that, and so can a terminal. Pure
 * except for `readFile`.
 */

export interface Attached {
  readonly name: string
  readonly text: string
}

/** The largest file that is attached, in bytes. A message has at most a million characters. */
export const MAX_FILE = 400_000

const LONGEST_RUN = /`{3,}/g

/** Returns a fence that no line of the text closes. */
const fenceOf = (text: string): string =>
  "`".repeat(Math.max(3, ...(text.match(LONGEST_RUN) ?? []).map(({ length }) => length + 1)))

/** Returns the fenced block of a file. */
export const toBlock = ({ name, text }: Attached): string => {
  const fence = fenceOf(text)
  const language = /\.([\w+-]+)$/.exec(name)?.[1] ?? ""
  return `${fence}${language}\n${text}\n${fence}`
}

/** Returns the message with its files below the text. */
export const join = (text: string, files: ReadonlyArray<Attached>): string =>
  [...(text.trim() === "" ? [] : [text]), ...files.map((file) => `File ${file.name}:\n${toBlock(file)}`)].join("\n\n")

const BLOCK = /(?:^|\n\n)File ([^\n]+):\n(`{3,})[\w+-]*\n([\s\S]*?)\n\2(?=\n\nFile |$)/y

/** Finds the text of a message and the files below it. */
export const split = (message: string): { readonly text: string; readonly files: ReadonlyArray<Attached> } => {
  for (let at = findBlock(message, 0); at !== -1; at = findBlock(message, at + 1)) {
    const files = readBlocks(message, at)
    if (files !== undefined) return { text: message.slice(0, at), files }
  }
  return { text: message, files: [] }
}

const findBlock = (message: string, from: number): number => {
  if (from === 0 && message.startsWith("File ")) return 0
  return message.indexOf("\n\nFile ", from)
}

/** Returns the files from a position to the end of a message, or undefined if anything else is there. */
const readBlocks = (message: string, from: number): ReadonlyArray<Attached> | undefined => {
  const files: Array<Attached> = []
  BLOCK.lastIndex = from
  while (BLOCK.lastIndex < message.length) {
    const [, name, , text] = BLOCK.exec(message) ?? []
    if (name === undefined || text === undefined) return undefined
    files.push({ name, text })
  }
  return files
}

/** Reads a file as text, or says why it cannot be attached. */
export const readFile = async (file: File): Promise<Attached | string> => {
  const name = file.name.replace(/[\n\r]/g, " ") || "text"
  if (file.type.startsWith("image/")) {
    return `${name} is a picture, and this page sends text alone. In a terminal: vibe chat "@${name}"`
  }
  if (file.size > MAX_FILE)
    return `${name} has ${Math.round(file.size / 1000)} kB; a file has at most ${MAX_FILE / 1000} kB`
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer())
    if (text.includes("\0")) return `${name} is no text`
    return { name, text: text.replace(/\r\n?/g, "\n").replace(/\n$/, "") }
  } catch {
    return `${name} is no text`
  }
}
