/** Input that was not sent when an answer was stopped or a session ended: it is returned to the user, with a note. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { plural } from "../base/Prose.ts"
import { UsageError } from "../base/UsageError.ts"
import { ForestError, Unwritable } from "../forest/ForestError.ts"
import type * as DraftStorage from "./DraftStorage.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { QueuedMessage } from "./SessionState.ts"
import * as SlashCommand from "./slash/SlashCommand.ts"
import * as View from "./View.ts"

export interface Unsent {
  /** Shows the text that the user had not sent when their last session ended. */
  readonly offer: Effect.Effect<void>
  /** Puts a text into the input field, above its content. */
  readonly restore: (text: string) => Effect.Effect<void>
  /**
   * Puts messages that waited back into the input field. Commands are left out: in the field, a command would become
   * part of the text, or take a message for its argument.
   */
  readonly giveBack: (queued: ReadonlyArray<QueuedMessage>) => Effect.Effect<void>
  /** Stores messages that a user typed, and the content of the input field, for their next session. */
  readonly keep: (messages: ReadonlyArray<string>) => Effect.Effect<void>
}

export interface Options {
  readonly view: View.Opened
  readonly drafts: DraftStorage.DraftStorage
  /** Receives the reason if text cannot be stored. */
  readonly noteNotPersisted: (error: ForestError) => Effect.Effect<void>
}

export const make = ({ drafts, noteNotPersisted, view }: Options): Unsent => {
  const note = (text: string) => view.show(View.Entry.Noted({ text }))
  const restore = (text: string) => Effect.flatMap(view.draft, (draft) => view.setDraft(joinDraft(text, draft)))
  return {
    offer: Effect.gen(function* () {
      const draft = view.isInteractive ? yield* drafts.take : ""
      if (draft !== "") yield* Effect.zipRight(note(restoredNote(draft)), view.setDraft(draft))
    }),
    restore,
    giveBack: Effect.fnUntraced(function* (queued) {
      const texts = queued.map(({ text }) => text)
      yield* Effect.forEach(texts, (text) => view.show(View.Entry.Dequeued({ text })), { discard: true })
      const [messages, commands] = Arr.partition(texts, SlashCommand.isCommand)
      yield* restore(messages.join("\n"))
      yield* note(heldNote(messages.length, commands))
    }),
    keep: Effect.fnUntraced(function* (messages) {
      const text = typedText([...messages, yield* view.draft])
      yield* drafts.put(text).pipe(
        Effect.flatMap((isKept) => (isKept ? note(typedNote) : Effect.void)),
        Effect.catchAll((cause) =>
          Effect.zipRight(
            noteNotPersisted(new ForestError({ reason: new Unwritable({ cause }) })),
            note(`messages that were not sent cannot be stored:\n\n${text}`),
          ),
        ),
      )
    }),
  }
}

/** The note at the end of a session of a user. */
const typedNote = "What was not sent is kept: the next session of this kind in this folder begins with it"

/**
 * The note at the start of the next session. The text is described, since the input may show a long text as a
 * placeholder.
 */
export const restoredNote = (text: string): string => {
  const lines = text.split("\n").length
  const size = lines === 1 ? "" : `, ${plural(lines, "line")}`
  const lost = /\[picture \d+(?:: [^\]\n]*)?\]/.test(text) ? " (its pictures have to be attached again)" : ""
  return `You had not sent this when your last session here ended${size}${lost}:`
}

/** The note for a user who stops an answer while messages, and commands after them, wait. */
const heldNote = (messages: number, commands: ReadonlyArray<string>): string => {
  const [are, them] = messages === 1 ? ["is", "it"] : ["are", "them together"]
  const held = `${plural(messages, "message")} that waited ${are} back in the input: Enter sends ${them}, Ctrl-C drops ${messages === 1 ? "it" : "them"}`
  const skipped = `not run, since the answer was stopped: ${commands.join(", ")} (Up recalls ${commands.length === 1 ? "it" : "them"})`
  return commands.length === 0 ? held : `${held}\n${skipped}`
}

/** Puts a text above the content of the input field, unless that is the same text. */
export const joinDraft = (text: string, draft: string): string =>
  draft.trim() === "" || draft === text ? text : `${text}\n${draft}`

/** Joins all that was typed and not sent to the text that is stored for the next session. */
export const typedText = (texts: ReadonlyArray<string>): string =>
  texts.filter((text) => text.trim() !== "").join("\n\n")

interface Piped {
  readonly text: string
  readonly line?: number | undefined
}

/** The most characters of a message that are quoted. */
const MAX_QUOTED = 60

/**
 * Says how many messages of a program or a file come after the one that failed, and from which line on. They are not
 * stored, since their source has them. `isComplete` says whether the whole input was read. Returns undefined if all
 * messages were sent.
 */
export const pipedNote = (messages: ReadonlyArray<Piped>, isComplete: boolean): string | undefined => {
  const unsent = messages.filter(({ text }) => text.trim() !== "")
  const [first] = unsent
  if (first === undefined) return undefined
  const [line = ""] = first.text.trim().split("\n", 1)
  const quoted = line.length <= MAX_QUOTED ? line : `${line.slice(0, MAX_QUOTED - 1).toWellFormed()}…`
  const from = first.line === undefined ? "" : ` from line ${first.line} on`
  const were = unsent.length === 1 ? "was" : "were"
  return isComplete
    ? `${plural(unsent.length, "message")} of the input ${were} not sent,${from === "" ? "" : `${from},`} beginning with: ${quoted}`
    : `the input${from} was not sent, beginning with: ${quoted}`
}

/**
 * Marks the failure of a session without a user, so that it points to no help: the help of no command describes what
 * may be typed in a session.
 */
export const withoutHelp = (failure: SessionFailure): SessionFailure =>
  "_tag" in failure && failure._tag === "UsageError" && failure.command === undefined
    ? new UsageError({ message: failure.message, isOfSession: true })
    : failure
