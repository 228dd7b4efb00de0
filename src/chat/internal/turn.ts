/** One message and what came of it, read off the events of the loop. Pure. */
import type { Node } from "../../forest/Node.ts"
import type { GenerateError } from "../../loom/GenerateError.ts"
import type { GenerateEvent } from "../../loom/GenerateEvent.ts"
import * as Message from "../../message/Message.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import type { EngineOutput } from "../EngineOutput.ts"

export interface Turn {
  /** What the model said last. */
  readonly text: string
  /** What it said last beside a call of a tool. */
  readonly aside: string
  readonly filesWritten: ReadonlySet<string>
  readonly isComplete: boolean
  readonly failure: GenerateError | undefined
}

export const start: Turn = { text: "", aside: "", filesWritten: new Set(), isComplete: false, failure: undefined }

/** The tool whose call means that the model has all it wanted. */
export const completion = "session_complete"

export const step = (turn: Turn, event: GenerateEvent): Turn => {
  switch (event.type) {
    case "assistant_node":
      return heard(turn, event.node)
    case "tool_result_node":
      return told(turn, event.node)
    case "error":
      return { ...turn, failure: event.error }
    default:
      return turn
  }
}

const heard = (turn: Turn, { message }: Node): Turn => {
  const text = Message.text(message)
  const isAside = Message.toolUses(message).length > 0 && text.trim() !== ""
  return { ...turn, text, aside: isAside ? text : turn.aside }
}

const told = (turn: Turn, { message, source }: Node): Turn => {
  if (source.type !== "tool" || message.role !== "tool") return turn
  return {
    ...turn,
    filesWritten: new Set([...turn.filesWritten, ...(source.filesWritten ?? [])]),
    // A model that calls it where it is not offered is told so, and has not completed anything.
    isComplete: turn.isComplete || (source.tool === completion && message.isError !== true),
  }
}

/** What there is to say of a turn that has ended, however it did; none where its failure is the answer. */
export const output = (turn: Turn): EngineOutput | undefined => {
  const { failure, filesWritten, isComplete } = turn
  const text = failure === undefined ? spoken(turn) : excused(turn, failure)
  return text === undefined
    ? undefined
    : { text, ...(filesWritten.size > 0 && { files_written: [...filesWritten] }), done: isComplete }
}

const spoken = (turn: Turn): string =>
  turn.isComplete && turn.text === LanguageModel.noAnswer ? parting(turn) : turn.text

/** Of what ends a run early, the limit is no failure, and a model that has taken its leave may stay silent. */
const excused = (turn: Turn, failure: GenerateError): string | undefined => {
  if (turn.isComplete && (failure._tag === "ModelError" || failure._tag === "ToolIterationLimitExceededError"))
    return parting(turn)
  return failure._tag === "ToolIterationLimitExceededError"
    ? `Stopped: ${failure.limit} rounds of tool calls have passed without an answer. What was done until now is kept; say how to go on.`
    : undefined
}

const parting = ({ aside }: Turn): string => (aside === "" ? "Session complete." : aside)
