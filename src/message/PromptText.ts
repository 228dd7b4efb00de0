/** The text of a question to a model: files and stdin, each with its name, then the question. Pure. */

/** A file of the context. */
export interface Part {
  readonly path: string
  readonly text: string
}

interface Prompt {
  readonly question: string
  readonly files: ReadonlyArray<Part>
  /** The text of stdin; empty if there is none. */
  readonly stdin: string
  /** Requirements for the form of the answer, or empty. */
  readonly form: string
}

/** If there is no question, stdin is the question. */
export const text = ({ files, form, question, stdin }: Prompt): string => {
  const asked = question === "" ? stdin : question
  const about = question === "" || stdin === "" ? [] : [`<stdin>\n${endLine(stdin)}</stdin>`]
  return [...files.map(showFile), ...about, asked, form].filter((part) => part !== "").join("\n\n")
}

const showFile = ({ path, text }: Part): string => `<file path=${JSON.stringify(path)}>\n${endLine(text)}</file>`

const endLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

/** Returns a message without the files, and without the input, that precede its question. */
export const withoutContext = (message: string): string =>
  withoutFiles(message).replace(/^<stdin>\n.*?<\/stdin>\n\n/s, "")

/**
 * Returns a message without the files that the page has attached, which stand below its text as `File NAME:` and a
 * fenced block. A message that has nothing but files is their first name.
 */
export const withoutAttachments = (message: string): string => {
  const [, name] = /^File ([^\n]+):\n`{3,}/.exec(message) ?? []
  return name ?? message.replace(/\n\nFile [^\n]+:\n`{3,}.*$/s, "")
}

/** Returns a message without the text of its files. */
export const withoutFiles = (message: string): string =>
  message.replace(/^(?:<file path="(?:[^"\\]|\\.)*">\n.*?<\/file>\n\n)+/s, "")
