/** The notes about input that was not sent when an answer was stopped or a session ended. Pure. */
import { plural } from "../base/Plural.ts"
import { UsageError } from "../base/UsageError.ts"
import type { SessionFailure } from "./SessionFailure.ts"

/** The note at the end of a session of a user. */
export const typedNote = "What was not sent is kept: the next session of this kind in this folder begins with it"

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
export const heldNote = (messages: number, commands: ReadonlyArray<string>): string => {
  const [are, them] = messages === 1 ? ["is", "it"] : ["are", "them together"]
  const held = `${plural(messages, "message")} that waited ${are} back in the input: Enter sends ${them}, Ctrl-C drops ${messages === 1 ? "it" : "them"}`
  const skipped = `not run, since the answer was stopped: ${commands.join(", ")} (Up recalls ${commands.length === 1 ? "it" : "them"})`
  return commands.length === 0 ? held : `${held}\n${skipped}`
}

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
