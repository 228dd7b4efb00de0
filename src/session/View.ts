/**
 * Port of the display: shows a session to a user, and reads their input. A view does not depend on models or the
 * forest. Entries, inputs and menus are plain data, so that a view may be in another process.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Node } from "../forest/Node.ts"
import type { ContextUse } from "../loom/ContextUse.ts"
import type { Sink } from "../loom/TurnEvent.ts"
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Usage } from "../message/Usage.ts"

export class View extends Context.Tag("vibe/session/View")<View, Service>() {}

export interface Service {
  /** One session at a time. Entries stay visible after the scope closes. */
  readonly open: (options: Options) => Effect.Effect<Opened, never, Scope.Scope>
}

export interface Options {
  /** The slash commands. */
  readonly commands: ReadonlyArray<CommandName>
  /** Paths to complete after `@`: those that contain the letters, the likeliest first. */
  readonly files: (letters: string) => Effect.Effect<ReadonlyArray<string>>
  /** Earlier messages of the user, oldest first, to be recalled. */
  readonly history: ReadonlyArray<string>
}

export interface CommandName {
  /** Without its slash. */
  readonly name: string
  /** The placeholder of its argument, such as `[NODE]`; none without one. */
  readonly argument: string | undefined
  /** One line. */
  readonly summary: string
  /** What its argument may be, the likeliest first, by what was typed of it; none where it is not completed. */
  readonly complete?: ((typed: string) => Effect.Effect<ReadonlyArray<Choice>>) | undefined
}

export interface Opened {
  /** A user watches and can be asked; otherwise the input comes from a program or a file. */
  readonly isInteractive: boolean
  /** `choose` asks; otherwise the choices are shown, numbered. */
  readonly hasMenu: boolean
  /** In order. Nothing comes after `Closed`. */
  readonly inputs: Queue.Dequeue<Input>
  readonly show: (entry: Entry) => Effect.Effect<void>
  /** Called when the session is idle and waits for input. */
  readonly promptUser: Effect.Effect<void>
  /** Receives the events of an answer, from `Asked` to the entry that ends it. */
  readonly onEvent: Sink
  /** The index of a choice. None where the user cancels, or cannot be asked: then the choices are shown, numbered. */
  readonly choose: (menu: Menu, search?: MenuSearch) => Effect.Effect<Option.Option<number>>
  /** Puts a text into the input field, to be edited and sent. */
  readonly setDraft: (text: string) => Effect.Effect<void>
  /** The content of the input field. */
  readonly draft: Effect.Effect<string>
  /** Copies a text to the clipboard of the user, and says how; none where the view has no clipboard. */
  readonly copy?: ((text: string) => Effect.Effect<string>) | undefined
}

/**
 * - `Sent`: a message, or a command that begins with `/`; `line`: of the input, from 1, where it is not typed at a terminal
 * - `StopRequested`: stop the answer
 * - `ExitRequested`: stop the answer; twice in a row, leave at once
 * - `Closed`: there is no more input
 */
export type Input = Data.TaggedEnum<{
  Sent: {
    readonly text: string
    readonly line?: number | undefined
    /** Pictures that the message shows besides those that it mentions with `@`. */
    readonly pictures?: ReadonlyArray<Block.Image> | undefined
  }
  StopRequested: object
  ExitRequested: object
  Closed: object
}>
export const Input = Data.taggedEnum<Input>()

/** Texts are not sanitised: a view makes them safe for its display. */
export type Entry = Data.TaggedEnum<{
  /** The first entry. `facts` are a line each. */
  Titled: { readonly title: string; readonly model: string; readonly facts: ReadonlyArray<string> }
  /** Earlier messages, oldest first; `more`: the forest has still earlier ones. */
  History: { readonly nodes: ReadonlyArray<Node>; readonly more: boolean }
  /** The user's message is stored at this node, and its answer is in progress. */
  Asked: {
    readonly text: string
    readonly model: string
    readonly node: NodeId
    /** What pictures the message shows: `image/png, 12 kB`. */
    readonly pictures?: ReadonlyArray<string> | undefined
  }
  /** A message that waits for the end of the current answer. It is in memory alone, and lost if the program is killed. */
  Queued: { readonly text: string }
  /** A queued message or command waits no longer: it is handled now, or back in the input field. What it leads to is shown next. */
  Dequeued: { readonly text: string }
  /** A queued message that goes to the model in the middle of an answer, with the results of its tools. */
  Steered: { readonly text: string }
  Answered: { readonly text: string; readonly node: NodeId | undefined; readonly account: Account }
  /** An answer that could not be stored; `Failed`, or the failure of the session, gives the reason. */
  NotPersisted: { readonly text: string }
  /** The user has stopped the answer. The part that arrived is stored. */
  Stopped: { readonly account: Account }
  /** The answer or a command has failed; the text gives the reason. */
  Failed: { readonly text: string }
  /** A remark of one or more lines. */
  Noted: { readonly text: string }
  /** A new conversation begins, and nothing of the earlier one stays in view. */
  Cleared: object
  /** A second `ExitRequested` ends the session; the view names the key or command. */
  ExitHint: object
  /** The output of a command. */
  Printed: { readonly text: string; readonly form: Form }
}>
export const Entry = Data.taggedEnum<Entry>()

/** `diff`: a unified one. */
export type Form = "text" | "markdown" | "diff"

/** The time, tokens and cost of an answer, and the cost of the session so far. */
export interface Account {
  readonly durationMs: number
  /** The usage of all requests of the answer. */
  readonly usage: Usage
  /** The cost of `usage` in US dollars; undefined where a price is unknown. */
  readonly cost: number | undefined
  /** The cost of all answers of the session. */
  readonly sessionCost: number | undefined
  /** How full the context of the model is. */
  readonly context?: ContextUse | undefined
  /** The answer was stopped, and its provider has not counted the tokens: they are estimated. */
  readonly isEstimated?: boolean | undefined
}

export interface Menu {
  readonly title: string
  readonly choices: ReadonlyArray<Choice>
  /** The index of the likeliest choice. */
  readonly preselected: number
  /** The command that picks a choice by its number or its `about`, such as `/tree N`. */
  readonly command: string
}

/** Finds choices by text that their lines do not show, while the user types. A view need not use it. */
export interface MenuSearch {
  /** Where it looks: `in a message`. */
  readonly label: string
  /** The indices of the choices with these words, of which the last may be unfinished. */
  readonly find: (words: string) => Effect.Effect<ReadonlyArray<number>>
}

export interface Choice {
  readonly label: string
  readonly about: string | undefined
}
