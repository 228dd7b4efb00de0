/**
 * What shows a conversation to a person and hears them: a terminal that is drawn on, or lines. It knows nothing of
 * models and forests; `Talk` drives it, the same commands both ways.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Node } from "../forest/Node.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Usage } from "../message/Usage.ts"

export class View extends Context.Tag("vibe/session/View")<View, Service>() {}

export interface Service {
  /** For one conversation at a time. What was shown stays; the terminal is as it was once the scope closes. */
  readonly open: (options: Options) => Effect.Effect<Opened, never, Scope.Scope>
}

export interface Options {
  /** What can be typed after `/`. */
  readonly commands: ReadonlyArray<CommandName>
  /** Paths that can be named after `@`: those that hold the letters, the likeliest first. */
  readonly files: (letters: string) => Effect.Effect<ReadonlyArray<string>>
  /** What the person said earlier, oldest first: to be called up again. */
  readonly history: ReadonlyArray<string>
}

export interface CommandName {
  /** Without its slash. */
  readonly name: string
  /** What follows the name, for people: `[NODE]`. */
  readonly argument: string | undefined
  /** One line. */
  readonly summary: string
}

export interface Opened {
  /** A person sits there, who can be asked and told; else a program or a file speaks. */
  readonly isInteractive: boolean
  /** What the person does, in order. Nothing comes after `Closed`. */
  readonly inputs: Queue.Dequeue<Input>
  readonly show: (entry: Entry) => Effect.Effect<void>
  /** Nothing goes on: it is the person's turn. */
  readonly promptUser: Effect.Effect<void>
  /** Hears an answer while it is made: between `Asked` and what ends it. */
  readonly observer: TurnObserver
  /** One of several. None where the person wants none of them, or cannot be asked: then the choices are shown, numbered. */
  readonly choose: (menu: Menu) => Effect.Effect<Option.Option<number>>
  /** Puts words where the person writes, to be changed and sent. */
  readonly setDraft: (text: string) => Effect.Effect<void>
  /** What the person has written and not sent. */
  readonly draft: Effect.Effect<string>
}

/**
 * - `Sent`: a message, or a command that begins with `/`
 * - `StopRequested`: stop the answer
 * - `ExitRequested`: stop the answer; twice in a row, leave at once
 * - `Closed`: there is no more input
 */
export type Input = Data.TaggedEnum<{
  Sent: { readonly text: string }
  StopRequested: object
  ExitRequested: object
  Closed: object
}>
export const Input = Data.taggedEnum<Input>()

/** All texts are as they were said: a view makes them safe to print. */
export type Entry = Data.TaggedEnum<{
  /** What this is, and with whom: the first that is told. `facts` are a line each. */
  Titled: { readonly title: string; readonly model: string; readonly facts: ReadonlyArray<string> }
  /** What was said before, oldest first; `more` than that is in the forest. */
  History: { readonly nodes: ReadonlyArray<Node>; readonly more: boolean }
  /** The person's words, stored at this node: the answer is on its way. */
  Asked: { readonly text: string; readonly model: string; readonly node: NodeId }
  /** The person's words, which wait until the answer before is there: in memory alone, and lost if vibe is killed. */
  Queued: { readonly text: string }
  /** The person's words that waited, taken in the middle of an answer: the model hears them with what its tools said. */
  Steered: { readonly text: string }
  Answered: { readonly text: string; readonly node: NodeId | undefined; readonly account: Account }
  /** An answer that is there and cannot be kept; `Failed`, or the end, says why. */
  NotPersisted: { readonly text: string }
  /** The person has stopped the answer. What of it was said is kept. */
  Stopped: { readonly account: Account }
  /** In words; the answer did not come, or something else did not work. */
  Failed: { readonly text: string }
  /** What vibe has to say besides, a line or several. */
  Noted: { readonly text: string }
  /** Asking to leave once more ends the session; the view says by which key or command. */
  ExitHint: object
  /** What a command was asked for. */
  Printed: { readonly text: string; readonly form: Form }
}>
export const Entry = Data.taggedEnum<Entry>()

/** `diff`: a unified one. */
export type Form = "text" | "markdown" | "diff"

/** What an answer took, and the conversation so far. */
export interface Account {
  readonly durationMs: number
  /** Of the answer, with all that was done for it. */
  readonly usage: Usage
  /** Of all answers since the view was opened, in US dollars; none where a price is not known. */
  readonly cost: number | undefined
}

export interface Menu {
  readonly title: string
  readonly choices: ReadonlyArray<Choice>
  /** The one that is likeliest meant: its place among them. */
  readonly preselected: number
  /** How one is picked in words, by its number or what stands beside it: `/tree N`. */
  readonly command: string
}

export interface Choice {
  readonly label: string
  readonly about: string | undefined
}
