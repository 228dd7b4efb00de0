/** The text that puts a question to a model: what it is about, each part under its name, and the question last. Pure. */

/** A text that is not the user's own words. */
export interface Part {
  readonly path: string
  readonly text: string
}

export interface Prompt {
  readonly question: string
  readonly files: ReadonlyArray<Part>
  /** Empty where nothing came. */
  readonly stdin: string
  /** What the answer has to be like; empty for whatever it is. */
  readonly form: string
}

/** What comes on stdin is the question where there is no other. */
export const text = ({ files, form, question, stdin }: Prompt): string => {
  const asked = question === "" ? stdin : question
  const about = question === "" || stdin === "" ? [] : [`<stdin>\n${ended(stdin)}</stdin>`]
  return [...files.map(shown), ...about, asked, form].filter((part) => part !== "").join("\n\n")
}

const shown = ({ path, text }: Part): string => `<file path=${JSON.stringify(path)}>\n${ended(text)}</file>`

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)
