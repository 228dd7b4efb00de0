/** The port for line input, from a user or a program. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { Input } from "../../conversation/View.ts"

export class LineReader extends Context.Tag("vibe/cli/View/LineReader")<LineReader, Service>() {}

export interface Service {
  /** `history` has the earlier lines, oldest first, to be recalled. */
  readonly open: (history: ReadonlyArray<string>) => Effect.Effect<OpenReader, never, Scope.Scope>
}

export interface OpenReader {
  /** True if a user types the lines. */
  readonly isInteractive: boolean
  /** Nothing comes after `Ended`. */
  readonly lines: Queue.Dequeue<ReaderEvent>
  /** Shows the prompt. A line that the user has begun to type stays. */
  readonly showPrompt: Effect.Effect<void>
  /** Puts a text into the line that the user edits; a text of several lines is only printed. */
  readonly setDraft: (text: string) => Effect.Effect<void>
  /** The line that the user edits. */
  readonly draft: Effect.Effect<string>
}

export type ReaderEvent = Data.TaggedEnum<{
  Line: { readonly text: string }
  /** The user has pressed Ctrl-C on an empty line. On a line with text it only empties the line. */
  Interrupted: object
  Ended: object
}>
export const ReaderEvent = Data.taggedEnum<ReaderEvent>()

/** Begins and ends a message of several lines. */
const FENCE = '"""'

/** Turns lines into messages, until the input ends. A message without a closing fence ends with the input. */
export const readMessages = Effect.fnUntraced(function* (
  lines: Queue.Dequeue<ReaderEvent>,
  inputs: Queue.Enqueue<Input>,
  /** Runs for each blank line. */
  onBlank: Effect.Effect<void> = Effect.void,
) {
  /** The lines since the opening fence. */
  let block: Array<string> | undefined
  /** The number of the current line, and of the opening fence. */
  let line = 0
  let blockAt = 0
  const send = (text: string, line: number) => Queue.offer(inputs, Input.Sent({ text, line }))
  for (;;) {
    const event = yield* Queue.take(lines)
    if (event._tag === "Line") line++
    if (event._tag === "Interrupted") yield* Queue.offer(inputs, Input.ExitRequested())
    else if (event._tag === "Ended") {
      if (block !== undefined && block.length > 0) yield* send(block.join("\n"), blockAt)
      return yield* Queue.offer(inputs, Input.Closed())
    } else if (event.text.trim() === FENCE) {
      if (block !== undefined) yield* send(block.join("\n"), blockAt)
      blockAt = line
      block = block === undefined ? [] : undefined
    } else if (block !== undefined) block.push(event.text)
    else if (event.text.trim() === "") yield* onBlank
    else yield* send(event.text, line)
  }
})

/** The text of `View.Entry.ExitHint`, at a keyboard. */
export const exitHint = "Ctrl-C again leaves; so does /quit"
