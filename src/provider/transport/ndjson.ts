/** The lines of a streamed answer, a JSON document each. */
import { tryParse } from "../../message/Json.ts"
import { readText } from "./http.ts"
import { Unreadable } from "./sse.ts"

/** Hears the JSON of each line, as they come; of a body that is one document, that. Rejects with `Unreadable`. */
export const read = (response: Response, hear: (document: unknown) => void): Promise<void> =>
  readText(response, /\n/, (text, ended) => {
    const { documents, rest } = split(text, ended)
    for (const document of documents) hear(document)
    return rest
  })

/**
 * The documents of the lines that `text` holds whole, and what is left over until more has come: a document over
 * several lines is read at the end. Throws `Unreadable` on anything else.
 */
export const split = (
  text: string,
  ended: boolean,
): { readonly documents: ReadonlyArray<unknown>; readonly rest: string } => {
  const documents: Array<unknown> = []
  for (let start = 0; ; ) {
    const end = text.indexOf("\n", start)
    if (end === -1 && !ended) return { documents, rest: text.slice(start) }
    const line = text.slice(start, end === -1 ? undefined : end).trim()
    const document = line === "" ? undefined : tryParse(line)
    if (document !== undefined) documents.push(document)
    else if (line !== "") {
      if (ended) documents.push(whole(text.slice(start)))
      return { documents, rest: ended ? "" : text.slice(start) }
    }
    if (end === -1) return { documents, rest: "" }
    start = end + 1
  }
}

const whole = (text: string): unknown => {
  const document = tryParse(text)
  if (document !== undefined) return document
  throw new Unreadable(
    text.trimStart().startsWith("<") ? "the answer was a page, not an API response" : "the answer was cut off",
  )
}
