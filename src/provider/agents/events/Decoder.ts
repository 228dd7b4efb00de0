/**
 * Decodes the JSON events that an agent prints, one object on each line of stdout. Each agent has events of its own. A
 * decoder ignores those that it does not recognise, since agents add some with each release.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import type { Reason } from "../../../model/ModelError.ts"

export type Event = Readonly<Record<string, unknown>>

/** Decodes the events of one answer. */
export interface Decoder {
  /** The outputs that an event stands for, in order. */
  readonly step: (event: Event) => ReadonlyArray<AgentProgram.Output>
  /** Returns what was held back until the last event, and why the agent has failed if its events say so. */
  readonly end: () => End
}

export interface End {
  readonly outputs: ReadonlyArray<AgentProgram.Output>
  readonly failure: Failure | undefined
}

export interface Failure {
  /** The message in the agent's words. */
  readonly message: string
  /** Makes the reason, if the agent names the kind of its error. The default is `ProgramFailed`. */
  readonly toReason?: ((message: string) => Reason) | undefined
}

export const text = (text: string): AgentProgram.Output => AgentProgram.Output.Stdout({ text })

/** A status of one line. */
export const status = (text: string): AgentProgram.Output => AgentProgram.Output.Status({ text: oneLine(text) })

/** A line with the tool and the first text among its arguments, such as `Read src/a.ts`. */
export const call = (tool: string, parameters: unknown): AgentProgram.Output => {
  const given = Object.values(objectOf(parameters)).find((value) => typeof value === "string" && value.trim() !== "")
  return status(given === undefined ? tool : `${tool} ${given}`)
}

export const callFailed = (tool: string, why: string): AgentProgram.Output => status(`${tool} failed: ${why}`)

const oneLine = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > MAX_STATUS ? `${line.slice(0, MAX_STATUS - 1).toWellFormed()}…` : line
}

/** The most characters of a status, about a line of a terminal. */
const MAX_STATUS = 100

/** Returns the fields of an object; any other value has none. */
export const objectOf = (value: unknown): Event =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

export const arrayOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Returns a count of tokens or a cost. It is zero if it is not reported. */
export const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0

/** Separates the texts of several messages of one answer by a blank line. */
export const makeParagraphs = () => {
  let hasText = false
  let isNew = false
  return {
    /** The next text belongs to another message. */
    next: () => {
      isNew = hasText
    },
    text: (piece: string): ReadonlyArray<AgentProgram.Output> => {
      if (piece === "") return []
      const separator = isNew ? "\n\n" : ""
      hasText = true
      isNew = false
      return [text(separator + piece)]
    },
    hasText: () => hasText,
  }
}
