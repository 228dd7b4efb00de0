/** The output of one message, as a fold of the events of its run. Pure. */

import type { GenerateError } from "../../agent/GenerateError.ts"
import type { TurnEvent } from "../../agent/TurnEvent.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import type { EngineOutput } from "../engines/EngineOutput.ts"
import * as SessionComplete from "../engines/SessionComplete.ts"

export interface Turn {
  /** The text of the last reply. */
  readonly text: string
  /** The text of the last reply that had text as well as tool calls. */
  readonly aside: string
  readonly filesWritten: ReadonlySet<string>
  readonly isComplete: boolean
  readonly failure: GenerateError | undefined
}

export const start: Turn = { text: "", aside: "", filesWritten: new Set(), isComplete: false, failure: undefined }

/** Adds one event of the run. */
export const step = (turn: Turn, event: TurnEvent): Turn => {
  switch (event._tag) {
    case "NodeStored":
      return event.kind === "reply" ? withReply(turn, event.node) : withResult(turn, event.node)
    case "RunFailed":
      return { ...turn, failure: event.error }
    default:
      return turn
  }
}

const withReply = (turn: Turn, { message }: Node): Turn => {
  const text = Message.text(message)
  const isAside = Message.toolUses(message).length > 0 && text.trim() !== ""
  return { ...turn, text, aside: isAside ? text : turn.aside }
}

const withResult = (turn: Turn, { message, source }: Node): Turn => {
  if (source.type !== "tool" || message.role !== "tool") return turn
  return {
    ...turn,
    filesWritten: new Set([...turn.filesWritten, ...(source.filesWritten ?? [])]),
    // The call fails if the tool is not offered, and then nothing is complete.
    isComplete: turn.isComplete || (source.tool === SessionComplete.NAME && message.isError !== true),
  }
}

/** Returns the output of a turn that has ended. Undefined if the caller gets its failure instead. */
export const output = (turn: Turn): EngineOutput | undefined => {
  const { failure, filesWritten, isComplete } = turn
  const text = failure === undefined ? turn.text : textAfter(turn, failure)
  return text === undefined
    ? undefined
    : { text, ...(filesWritten.size > 0 && { files_written: [...filesWritten] }), done: isComplete }
}

/**
 * Returns the text of a turn that ended with an error. The limit of tool calls is not a failure of the turn, and
 * neither is an error after the session was declared complete.
 */
const textAfter = (turn: Turn, failure: GenerateError): string | undefined => {
  if (turn.isComplete && (failure._tag === "ModelError" || failure._tag === "ToolIterationLimitExceededError"))
    return closingText(turn)
  return failure._tag === "ToolIterationLimitExceededError"
    ? `Stopped: ${failure.limit} rounds of tool calls have passed without an answer. What was done until now is kept; say how to go on.`
    : undefined
}

const closingText = ({ aside }: Turn): string => (aside === "" ? "Session complete." : aside)
