/** The events of a streamed answer, in whatever form a server sends them. */

/** A body that no answer can be read from. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

/** The JSON of each event, as they come; of a body that is no stream, its documents. Throws `Unreadable`. */
export async function* read({ body }: Response): AsyncGenerator<unknown> {
  if (body === null) return
  const decoder = new TextDecoder()
  let pending = ""
  for await (const bytes of body) {
    const { events, rest } = split(pending + decoder.decode(bytes, { stream: true }), false)
    pending = rest
    for (const event of events) yield JSON.parse(event)
  }
  for (const event of split(pending + decoder.decode(), true).events) yield JSON.parse(event)
}

/**
 * The data of the events that `text` holds whole, and what is left over until more has come. A bare JSON document,
 * first thing or after some events, is an event, and so is each item of a JSON array; `[DONE]` is none. Throws
 * `Unreadable` on anything else.
 */
export const split = (
  text: string,
  ended: boolean,
): { readonly events: ReadonlyArray<string>; readonly rest: string } => {
  const events: Array<string> = []
  let rest = text.trimStart()
  while (rest !== "") {
    if (/^[[{<]/.test(rest)) {
      if (ended) events.push(...documents(rest))
      return { events, rest: ended ? "" : rest }
    }
    const gap = /\r?\n\r?\n|\r\r/.exec(rest)
    if (gap === null && !ended) return { events, rest }
    const data = dataOf(gap === null ? rest : rest.slice(0, gap.index))
    if (data !== "" && data !== "[DONE]") events.push(data)
    rest = gap === null ? "" : rest.slice(gap.index + gap[0].length).trimStart()
  }
  return { events, rest }
}

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trim()] : []))
    .filter((line) => line !== "")
    .join("\n")

const documents = (text: string): ReadonlyArray<string> => {
  try {
    const document: unknown = JSON.parse(text)
    return (Array.isArray(document) ? document : [document]).map((item) => JSON.stringify(item))
  } catch {
    throw new Unreadable(text.startsWith("<") ? "the answer was a page, not an API response" : "the answer was cut off")
  }
}
