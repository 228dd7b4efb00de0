/**
 * Puts files that the user attaches into a message, and finds them in it again, so that they are shown folded. A file
 * of text is part of the message's text, as `File NAME:` and a fenced block: every model can read that, and so can a
 * terminal. A picture goes beside the text. Pure except for `readFile`.
 */
import * as Picture from "../../message/Picture.ts"

export interface Attached {
  readonly name: string
  readonly text: string
}

export interface AttachedPicture {
  readonly name: string
  /** Names the picture among those that were sent and may not have arrived. */
  readonly id: string
  /** Its bytes, with their media type. */
  readonly picture: Blob
}

export type Attachment = Attached | AttachedPicture

export const isPicture = (attachment: Attachment): attachment is AttachedPicture => "picture" in attachment

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

/** Returns the message with its files of text below the text. */
export const join = (text: string, attachments: ReadonlyArray<Attachment>): string => {
  const files = attachments.flatMap((file) => (isPicture(file) ? [] : [`File ${file.name}:\n${toBlock(file)}`]))
  return [...(text.trim() === "" ? [] : [text]), ...files].join("\n\n")
}

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

/** Returns the bytes of a picture that providers take; undefined for any other file, whatever it is called. */
export const toPicture = async (file: Blob, name: string): Promise<AttachedPicture | undefined> => {
  const type = Picture.formatOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (type === undefined) return undefined
  // The file may change before the message is sent.
  return { name, id: crypto.randomUUID(), picture: new Blob([await file.arrayBuffer()], { type }) }
}

/** Reads a file as a picture or as text, or says why it cannot be attached. */
export const readFile = async (file: File): Promise<Attachment | string> => {
  const name = file.name.replace(/[\n\r]/g, " ") || "text"
  const picture = file.size > Picture.MAX_BYTES ? undefined : await toPicture(file, name)
  if (picture !== undefined) return picture
  if (file.type.startsWith("image/") && file.type !== "image/svg+xml") {
    const excess = Picture.excess([file.size])
    return excess === undefined
      ? `${name} is no picture that models take; ${Picture.formats} are`
      : `${name}: ${excess}`
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

/**
 * Adds attachments to others. A file of text replaces one of the same name; pictures are often all called `image.png`,
 * so that each of them gets a name of its own. Returns why some of them were not added, too.
 */
export const addAll = (
  known: ReadonlyArray<Attachment>,
  added: ReadonlyArray<Attachment>,
): { readonly all: ReadonlyArray<Attachment>; readonly refused: ReadonlyArray<string> } => {
  let all = known
  const refused: Array<string> = []
  for (const attachment of added) {
    if (isPicture(attachment)) {
      const sizes = [...all, attachment].filter(isPicture).map(({ picture }) => picture.size)
      const excess = Picture.excess(sizes)
      if (excess === undefined) all = [...all, { ...attachment, name: freeName(attachment.name, all) }]
      else refused.push(`${attachment.name}: ${excess}`)
    } else all = [...all.filter(({ name }) => name !== attachment.name), attachment]
  }
  return { all, refused }
}

const freeName = (name: string, all: ReadonlyArray<Attachment>): string => {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : name.replace(/(?=\.\w+$|$)/, ` ${number}`)
    if (all.every((other) => other.name !== free)) return free
  }
}

/** Returns the attachments that are not part of a message that has arrived. */
export const withoutArrived = (
  all: ReadonlyArray<Attachment>,
  { pictures, text }: { readonly pictures: ReadonlyArray<string>; readonly text: string },
): ReadonlyArray<Attachment> => {
  const { files } = split(text)
  return all.filter((attachment) =>
    isPicture(attachment)
      ? !pictures.includes(attachment.id)
      : !files.some(({ name, text }) => name === attachment.name && text === attachment.text),
  )
}
