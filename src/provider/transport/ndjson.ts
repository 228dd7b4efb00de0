/** Reads newline-delimited JSON. */
import { isObject, tryParse } from "../../base/Json.ts"
import { readText, UnreadableBody } from "./http.ts"

/**
 * Calls `onDocument` with the JSON object of each line, or of the whole body if that is one document. All other lines
 * are keep-alives and are skipped, unless there is nothing else. Rejects with `UnreadableBody`.
 */
export const readLines = (response: Response, onDocument: (document: unknown) => void): Promise<void> => {
  let hasDocument = false
  let skipped: string | undefined
  return readText(response, /\n/, (text, ended) => {
    const { documents, rest, skipped: found } = splitLines(text, ended)
    for (const document of documents) onDocument(document)
    hasDocument ||= documents.length > 0
    skipped ??= found
    if (ended && !hasDocument && skipped !== undefined) onDocument(whole(skipped))
    return rest
  })
}

/**
 * Returns the documents of the complete lines in `text`, the first line that is a keep-alive, and the rest. A document
 * of several lines is parsed at the end. Throws `UnreadableBody` if it cannot be parsed.
 */
const splitLines = (
  text: string,
  ended: boolean,
): { readonly documents: ReadonlyArray<unknown>; readonly rest: string; readonly skipped: string | undefined } => {
  const documents: Array<unknown> = []
  let skipped: string | undefined
  for (let start = 0; ; ) {
    const end = text.indexOf("\n", start)
    if (end === -1 && !ended) return { documents, rest: text.slice(start), skipped }
    const line = text.slice(start, end === -1 ? undefined : end).trim()
    const isDocument = /^[{[<]/.test(line)
    const document = isDocument ? tryParse(line) : undefined
    if (isObject(document)) documents.push(document)
    else if (isDocument && document === undefined) {
      if (ended) documents.push(whole(text.slice(start)))
      return { documents, rest: ended ? "" : text.slice(start), skipped }
    } else if (line !== "") skipped ??= line
    if (end === -1) return { documents, rest: "", skipped }
    start = end + 1
  }
}

const whole = (text: string): unknown => {
  const document = tryParse(text)
  if (document !== undefined) return document
  throw new UnreadableBody(text)
}
