/**
 * What the JSON events of an agent mean, an object a line on stdout. Each agent has events of its own; a decoder ignores those
 * that it does not recognise, since agents add some with each release.
 */
import * as Agent from "../../../model/Agent.ts"
import type { Reason } from "../../../model/ModelError.ts"

export type Event = Readonly<Record<string, unknown>>

/** Of one answer. */
export interface Decoder {
  /** The outputs that an event stands for, in order. */
  readonly step: (event: Event) => ReadonlyArray<Agent.Output>
  /** After the last event: what was held back, and why the agent has failed, where its events say so. */
  readonly end: () => End
}

export interface End {
  readonly outputs: ReadonlyArray<Agent.Output>
  readonly failure: Failure | undefined
}

export interface Failure {
  /** As the agent words it. */
  readonly message: string
  /** Its kind, where the agent names one: by default `ProgramFailed`. */
  readonly toReason?: ((message: string) => Reason) | undefined
}

export const text = (text: string): Agent.Output => Agent.Output.Stdout({ text })

/** Of one line. */
export const status = (text: string): Agent.Output => Agent.Output.Status({ text: oneLine(text) })

/** A tool with the argument that says most about the call, as a line: `Read src/a.ts`. */
export const call = (tool: string, parameters: unknown): Agent.Output => {
  const given = Object.values(objectOf(parameters)).find((value) => typeof value === "string" && value.trim() !== "")
  return status(given === undefined ? tool : `${tool} ${given}`)
}

export const callFailed = (tool: string, why: string): Agent.Output => status(`${tool} failed: ${why}`)

const oneLine = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > MAX_STATUS ? `${line.slice(0, MAX_STATUS - 1).toWellFormed()}…` : line
}

/** In characters: about a line of a terminal. */
const MAX_STATUS = 100

/** The fields of an object; of anything else, none. */
export const objectOf = (value: unknown): Event =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

export const arrayOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A count of tokens, or a cost: zero where it is not reported. */
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
    text: (piece: string): ReadonlyArray<Agent.Output> => {
      if (piece === "") return []
      const separator = isNew ? "\n\n" : ""
      hasText = true
      isNew = false
      return [text(separator + piece)]
    },
    hasText: () => hasText,
  }
}
