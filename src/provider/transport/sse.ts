/** Reads server-sent events, including the deviations of known servers. */
import * as Json from "../../base/Json.ts"
import { readText, UnreadableBody } from "./http.ts"

/** The sentinel at the end of OpenAI-compatible streams. */
export const DONE = "[DONE]"

/**
 * Calls `onEvent` with the JSON object of each event, or with the documents of a body that is not a stream. `DONE` is
 * passed as a string if it is `wanted`, and otherwise dropped. Gateways send keep-alives as events whose data is no
 * JSON object, such as `: keepalive`, `ping`, `""` and `null`. These are skipped, unless there is nothing else. Rejects
 * with `UnreadableBody`, or with a `SyntaxError` if the JSON of an object is broken.
 */
export const readEvents = async (
  response: Response,
  onEvent: (event: unknown) => void,
  wanted: typeof DONE | "" = "",
): Promise<void> => {
  let hasEvent = false
  let skipped: string | undefined
  return readText(response, eventEnd, (text, ended) => {
    const { events, rest } = splitEvents(text, ended, wanted)
    for (const event of events) {
      const objects = objectsIn(event)
      for (const object of objects) onEvent(object)
      if (objects.length === 0) skipped ??= event
      else hasEvent = true
    }
    if (ended && !hasEvent && skipped !== undefined) onEvent(Json.parse(skipped))
    return rest
  })
}

/** Returns the objects of an event: one, each of an array, or none in a keep-alive. `DONE` counts as an object. */
const objectsIn = (event: string): ReadonlyArray<unknown> => {
  const value = Json.tryParse(event)
  if (Json.isObject(value) || value === DONE) return [value]
  if (Array.isArray(value)) return value.filter(Json.isObject)
  if (value !== undefined) return []
  // The blank line between two events may be missing.
  if (event.includes("\n")) return event.split("\n").flatMap(objectsIn)
  return /^(?:\{|\[\s*\{)/.test(event) ? [Json.parse(event)] : []
}

/**
 * Returns the data of the complete events in `text`, and the rest. A bare JSON document counts as an event, even after
 * other events, and so does each item of a JSON array. `DONE` counts only if it is `wanted`, and is returned as JSON.
 * Throws `UnreadableBody` on anything else.
 */
export const splitEvents = (
  text: string,
  ended: boolean,
  wanted: typeof DONE | "" = "",
): { readonly events: ReadonlyArray<string>; readonly rest: string } => {
  const events: Array<string> = []
  let rest = text.trimStart()
  while (rest !== "") {
    if (/^[[{<]/.test(rest)) {
      if (ended) events.push(...documents(rest))
      return { events, rest: ended ? "" : rest }
    }
    const end = eventEnd.exec(rest)
    if (end === null && !ended) return { events, rest }
    const data = dataOf(end === null ? rest : rest.slice(0, end.index))
    if (data === DONE && wanted === DONE) events.push(JSON.stringify(DONE))
    else if (data !== "" && data !== DONE) events.push(data)
    rest = end === null ? "" : rest.slice(end.index + end[0].length).trimStart()
  }
  return { events, rest }
}

/** Matches the empty line between two events. */
const eventEnd = /\r?\n\r?\n|\r\r/

/** This runs for every token, so it builds no intermediate arrays. */
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
    throw new UnreadableBody(text)
  }
}
