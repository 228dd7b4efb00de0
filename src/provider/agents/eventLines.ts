/**
 * Reads the stdout of an agent as JSON events, one on each line. If a program prints no events, its output is the
 * answer: a wrapper or an old release may answer in plain text, whatever it was asked for.
 */
import type * as AgentProgram from "../../model/AgentProgram.ts"
import * as Decoder from "./events/Decoder.ts"

/** Decodes the lines of one answer. */
export interface EventLines {
  /** Returns the outputs of the lines that end in this piece of stdout. */
  readonly push: (piece: string) => ReadonlyArray<AgentProgram.Output>
  /** Returns what is left after the end of stdout. */
  readonly end: () => Decoder.End
  /** Returns whether the program has printed an event. If so, the end of stdout is of no use in an error message. */
  readonly hasEvents: () => boolean
}

/** The most characters before the first event. Longer output counts as plain text. */
const MAX_PREAMBLE_CHARS = 4096

export const make = (decoder: Decoder.Decoder): EventLines => {
  let form: "unknown" | "events" | "text" = "unknown"
  /** The lines before the first event, with their line breaks. */
  let preamble = ""
  /** The pieces of the line that has not ended. */
  let pieces: Array<string> = []

  const readLine = (line: string): ReadonlyArray<AgentProgram.Output> => {
    const event = eventOf(line)
    if (event !== undefined) {
      const before = form === "unknown" ? statusOf(preamble) : []
      form = "events"
      preamble = ""
      return [...before, ...decoder.step(event)]
    }
    if (form === "events") return statusOf(line)
    preamble += `${line}\n`
    if (preamble.length <= MAX_PREAMBLE_CHARS) return []
    form = "text"
    return [Decoder.text(preamble)]
  }

  const push = (piece: string): ReadonlyArray<AgentProgram.Output> => {
    if (form === "text") return [Decoder.text(piece)]
    // Only a line feed ends an event: its strings may contain the other line ends of Unicode.
    const [first = "", ...rest] = piece.split("\n")
    const last = rest.pop()
    if (last === undefined) {
      pieces.push(first)
      return []
    }
    const lines = [pieces.join("") + first, ...rest]
    pieces = [last]
    const outputs: Array<AgentProgram.Output> = []
    for (const [index, line] of lines.entries()) {
      outputs.push(...readLine(line))
      if (isText()) {
        const remaining = [...lines.slice(index + 1), last].join("\n")
        pieces = []
        return remaining === "" ? outputs : [...outputs, Decoder.text(remaining)]
      }
    }
    return outputs
  }

  const isText = (): boolean => form === "text"

  return {
    push,
    end: () => {
      const line = pieces.join("")
      const outputs = line === "" ? [] : [...readLine(line)]
      if (form === "events") {
        const { failure, outputs: held } = decoder.end()
        return { outputs: [...outputs, ...held], failure }
      }
      const words = line === "" ? preamble : preamble.slice(0, -1)
      return { outputs: form === "text" || words === "" ? outputs : [Decoder.text(words)], failure: undefined }
    },
    hasEvents: () => form === "events",
  }
}

const eventOf = (line: string): Decoder.Event | undefined => {
  const words = line.trim()
  if (!words.startsWith("{")) return undefined
  try {
    const event = Decoder.objectOf(JSON.parse(words))
    return typeof event.type === "string" ? event : undefined
  } catch {
    return undefined
  }
}

/** Words between events are not the answer. */
const statusOf = (words: string): ReadonlyArray<AgentProgram.Output> =>
  words
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(Decoder.status)
