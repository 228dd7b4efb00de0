/**
 * The port of the display: it shows a session to a user, and reads their input. A view does not depend on models or the
 * forest. Entries, inputs and menus are plain data, so that a view may run in another process.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { ContextUse } from "../agent/ContextUse.ts"
import type { Sink } from "../agent/TurnEvent.ts"
import type { Node } from "../forest/Node.ts"
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Usage } from "../message/Usage.ts"

export class View extends Context.Tag("vibe/conversation/View")<View, Service>() {}

export interface Service {
  /** Opens one session at a time. Entries stay visible after the scope closes. */
  readonly open: (options: Options) => Effect.Effect<Opened, never, Scope.Scope>
}

export interface Options {
  /** The slash commands. */
  readonly commands: ReadonlyArray<CommandName>
  /** Completes a path after `@`: returns the paths that contain the letters, the likeliest first. */
  readonly files: (letters: string) => Effect.Effect<ReadonlyArray<string>>
  /** Earlier messages of the user, oldest first, which the input can recall. */
  readonly history: ReadonlyArray<string>
}

export interface CommandName {
  /** The name without its slash. */
  readonly name: string
  /** The placeholder of the argument, such as `[NODE]`. Undefined if the command takes none. */
  readonly argument: string | undefined
  /** One line about the command. */
  readonly summary: string
  /**
   * Completes the argument from what is typed so far: returns the likeliest choices first. Omitted if the argument is
   * not completed.
   */
  readonly complete?: ((typed: string) => Effect.Effect<ReadonlyArray<Choice>>) | undefined
}

export interface Opened {
  /** True if a user watches and can be asked. Otherwise the input comes from a program or a file. */
  readonly isInteractive: boolean
  /** True if `choose` asks the user. Otherwise it shows the choices, numbered. */
  readonly hasMenu: boolean
  /** The inputs in order. Nothing comes after `Closed`. */
  readonly inputs: Queue.Dequeue<Input>
  readonly show: (entry: Entry) => Effect.Effect<void>
  /** Called when the session is idle and waits for input. */
  readonly promptUser: Effect.Effect<void>
  /** Receives the events of an answer, from `Asked` to the entry that ends it. */
  readonly onEvent: Sink
  /**
   * Returns the index of a choice. Returns none if the user cancels or cannot be asked; then the choices are shown,
   * numbered.
   */
  readonly choose: (menu: Menu, search?: MenuSearch) => Effect.Effect<Option.Option<number>>
  /** Puts a text into the input field, to be edited and sent. */
  readonly setDraft: (text: string) => Effect.Effect<void>
  /** Reads the content of the input field. */
  readonly draft: Effect.Effect<string>
  /** Copies a text to the user's clipboard, and says how. Omitted if the view has no clipboard. */
  readonly copy?: ((text: string) => Effect.Effect<string>) | undefined
}

/**
 * - `Sent`: a message, or a command that begins with `/`; `line` is its line in the input, from 1, unless it is typed
 *   at a terminal
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
  /** The first entry. Each of `facts` is a line. */
  Titled: { readonly title: string; readonly model: string; readonly facts: ReadonlyArray<string> }
  /** Earlier messages, oldest first; `more` is true if the forest has still earlier ones. */
  History: { readonly nodes: ReadonlyArray<Node>; readonly more: boolean }
  /** The user's message is stored at this node, and its answer is in progress. */
  Asked: {
    readonly text: string
    readonly model: string
    readonly node: NodeId
    /** Describes the pictures of the message, such as `image/png, 12 kB`. */
    readonly pictures?: ReadonlyArray<string> | undefined
  }
  /**
   * A message that waits for the end of the current answer. It is only in memory, and lost if the program is killed.
   */
  Queued: { readonly text: string }
  /**
   * A queued message or command that waits no longer: it is handled now, or back in the input field. The next entry
   * shows what it leads to.
   */
  Dequeued: { readonly text: string }
  /** A queued message that goes to the model in the middle of an answer, with the results of its tools. */
  Steered: { readonly text: string }
  Answered: { readonly text: string; readonly node: NodeId | undefined; readonly account: Account }
  /** An answer that could not be stored; `Failed`, or the failure of the session, gives the reason. */
  NotPersisted: { readonly text: string }
  /** The user has stopped the answer. The part that arrived is stored. */
  Stopped: { readonly account: Account }
  /** A failure of the answer or of a command; the text gives the reason. */
  Failed: { readonly text: string }
  /** A remark of one or more lines. */
  Noted: { readonly text: string }
  /** Clears the view: a new conversation begins, and nothing of the earlier one stays in view. */
  Cleared: object
  /** Says that a second `ExitRequested` ends the session; the view names the key or command. */
  ExitHint: object
  /** The output of a command. */
  Printed: { readonly text: string; readonly form: Form }
}>
export const Entry = Data.taggedEnum<Entry>()

/** The form of a printed text; a `diff` is a unified one. */
export type Form = "text" | "markdown" | "diff"

/** The time, tokens and cost of an answer, and the cost of the session so far. */
export interface Account {
  readonly durationMs: number
  /** The usage of all requests of the answer. */
  readonly usage: Usage
  /** The cost of `usage` in US dollars; undefined if a price is unknown. */
  readonly cost: number | undefined
  /** The cost of all answers of the session. */
  readonly sessionCost: number | undefined
  /** How full the context of the model is. */
  readonly context?: ContextUse | undefined
  /** True if the answer was stopped before its provider counted the tokens: they are estimated. */
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
  /** Names the texts that are searched, such as `in a message`. */
  readonly label: string
  /** Returns the indices of the choices with these words, of which the last may be unfinished. */
  readonly find: (words: string) => Effect.Effect<ReadonlyArray<number>>
}

export interface Choice {
  readonly label: string
  readonly about: string | undefined
}
