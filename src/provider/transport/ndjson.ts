/** Newline-delimited JSON. */
import { tryParse } from "../../message/Json.ts"
import { readText, UnreadableBody } from "./http.ts"

/**
 * Calls `onDocument` with the JSON of each line, or of the whole body if that is one document. Rejects with
 * `UnreadableBody`.
 */
export const readLines = (response: Response, onDocument: (document: unknown) => void): Promise<void> =>
  readText(response, /\n/, (text, ended) => {
    const { documents, rest } = splitLines(text, ended)
    for (const document of documents) onDocument(document)
    return rest
  })

/**
 * The documents of the complete lines in `text`, and the rest. A document of several lines is parsed at the end.
 * Throws `UnreadableBody` on anything else.
 */
const splitLines = (
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
  throw new UnreadableBody(text)
}
