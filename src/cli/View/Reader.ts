/** Lines as a person types them, or a program writes them: what `View/Lines` hears. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

export class Reader extends Context.Tag("vibe/cli/View/Reader")<Reader, Service>() {}

export interface Service {
  /** `history`: earlier lines, oldest first, to be called up again. */
  readonly open: (history: ReadonlyArray<string>) => Effect.Effect<Open, never, Scope.Scope>
}

export interface Open {
  /** A person sits there. */
  readonly isInteractive: boolean
  /** Nothing comes after `Ended`. */
  readonly lines: Queue.Dequeue<ReaderEvent>
  /** Shows that it is the person's turn; what they have begun to type stays. */
  readonly prompt: Effect.Effect<void>
  /** Puts words where they type; of several lines, shows them first. */
  readonly draft: (text: string) => Effect.Effect<void>
  /** What they have typed of a line. */
  readonly unsent: Effect.Effect<string>
}

export type ReaderEvent = Data.TaggedEnum<{
  Line: { readonly text: string }
  /** Ctrl-C, where a person sits there. */
  Interrupted: object
  Ended: object
}>
export const ReaderEvent = Data.taggedEnum<ReaderEvent>()
