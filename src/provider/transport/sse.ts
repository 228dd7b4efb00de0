/** The events of a streamed answer, in whatever form a server sends them. */
import * as Json from "../../message/Json.ts"
import { readText } from "./http.ts"

/** A body that no answer can be read from. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

/** What servers end a stream with who speak like OpenAI. */
export const done = "[DONE]"

/**
 * Hears the JSON of each event, as they come; of a body that is no stream, its documents. `done` comes as the text it is
 * where it is `wanted`, and else not at all. Rejects with `Unreadable`.
 */
export const read = async (
  response: Response,
  hear: (event: unknown) => void,
  wanted: typeof done | "" = "",
): Promise<void> =>
  readText(response, gap, (text, ended) => {
    const { events, rest } = split(text, ended, wanted)
    for (const event of events) hear(Json.parse(event))
    return rest
  })

/**
 * The data of the events that `text` holds whole, and what is left over until more has come. A bare JSON document,
 * first thing or after some events, is an event, and so is each item of a JSON array; `done` is one only where it is
 * `wanted`, as JSON. Throws `Unreadable` on anything else.
 */
export const split = (
  text: string,
  ended: boolean,
  wanted: typeof done | "" = "",
): { readonly events: ReadonlyArray<string>; readonly rest: string } => {
  const events: Array<string> = []
  let rest = text.trimStart()
  while (rest !== "") {
    if (/^[[{<]/.test(rest)) {
      if (ended) events.push(...documents(rest))
      return { events, rest: ended ? "" : rest }
    }
    const found = gap.exec(rest)
    if (found === null && !ended) return { events, rest }
    const data = dataOf(found === null ? rest : rest.slice(0, found.index))
    if (data === done && wanted === done) events.push(JSON.stringify(done))
    else if (data !== "" && data !== done) events.push(data)
    rest = found === null ? "" : rest.slice(found.index + found[0].length).trimStart()
  }
  return { events, rest }
}

/** What parts two events. */
const gap = /\r?\n\r?\n|\r\r/

/** An event a token: no lists are made of lines on the way. */
const dataOf = (event: string): string => {
  let data = ""
  for (const line of event.split(/\r\n|\n|\r/)) {
    const more = line.startsWith("data:") ? line.slice("data:".length).trim() : ""
    data = data === "" || more === "" ? data + more : `${data}\n${more}`
  }
  return data
}

const documents = (text: string): ReadonlyArray<string> => {
  try {
    const document = Json.parse(text)
    return (Array.isArray(document) ? document : [document]).map((item) => JSON.stringify(item))
  } catch {
    throw new Unreadable(text.startsWith("<") ? "the answer was a page, not an API response" : "the answer was cut off")
  }
}
