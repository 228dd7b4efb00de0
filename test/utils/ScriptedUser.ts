/** A view without a display: a test sends input through it, and reads the entries that are shown. */
import { Effect, Layer, Option, Queue, Ref } from "effect"
import type { Sink } from "../../src/agent/TurnEvent.ts"
import * as View from "../../src/conversation/View.ts"
import type * as Block from "../../src/message/Block.ts"

export interface ScriptedUser {
  readonly layer: Layer.Layer<View.View>
  readonly sends: (text: string, pictures?: ReadonlyArray<Block.Image>) => Effect.Effect<void>
  readonly stops: Effect.Effect<void>
  readonly requestsExit: Effect.Effect<void>
  readonly closes: Effect.Effect<void>
  /** Waits for an entry of that tag; returns all entries since the last wait, up to it. */
  readonly waitFor: (tag: View.Entry["_tag"]) => Effect.Effect<ReadonlyArray<View.Entry>>
  /** Sends a message, and waits for its answer; returns all entries since the last wait. */
  readonly asks: (text: string) => Effect.Effect<ReadonlyArray<View.Entry>>
  /** All entries so far. */
  readonly shown: Effect.Effect<ReadonlyArray<View.Entry>>
  /** The content of the input field. */
  readonly draft: Ref.Ref<string>
  /** What was copied last. */
  readonly clipboard: Ref.Ref<string>
}

export interface Options {
  readonly isInteractive?: boolean
  readonly onEvent?: Sink
  /** The index of the choice that the user picks in a menu. */
  readonly picks?: (menu: View.Menu, search?: View.MenuSearch) => number | undefined
}

export const makeUser = ({
  isInteractive = true,
  onEvent = () => Effect.void,
  picks = () => undefined,
}: Options = {}) =>
  Effect.gen(function* () {
    const inputs = yield* Queue.unbounded<View.Input>()
    const entries = yield* Queue.unbounded<View.Entry>()
    const all: Array<View.Entry> = []
    const draft = yield* Ref.make("")
    const clipboard = yield* Ref.make("")
    const waitFor: ScriptedUser["waitFor"] = (tag) =>
      Effect.iterate([] as ReadonlyArray<View.Entry>, {
        while: (heard) => heard.at(-1)?._tag !== tag,
        body: (heard) => Effect.map(Queue.take(entries), (entry) => [...heard, entry]),
      })
    const opened: View.Opened = {
      isInteractive,
      hasMenu: isInteractive,
      inputs,
      onEvent,
      promptUser: Effect.void,
      show: (entry) =>
        Effect.zipRight(
          Effect.sync(() => all.push(entry)),
          Queue.offer(entries, entry),
        ),
      choose: (menu, search) => Effect.succeed(Option.fromNullable(picks(menu, search))),
      setDraft: (text) => Ref.set(draft, text),
      draft: Ref.get(draft),
      copy: (text) => Effect.as(Ref.set(clipboard, text), "copied"),
    }
    const sends: ScriptedUser["sends"] = (text, pictures) =>
      Effect.asVoid(Queue.offer(inputs, View.Input.Sent({ text, ...(pictures !== undefined && { pictures }) })))
    const self: ScriptedUser = {
      layer: Layer.succeed(View.View, { open: () => Effect.succeed(opened) }),
      sends,
      asks: (text) => Effect.zipRight(sends(text), waitFor("Answered")),
      stops: Effect.asVoid(Queue.offer(inputs, View.Input.StopRequested())),
      requestsExit: Effect.asVoid(Queue.offer(inputs, View.Input.ExitRequested())),
      closes: Effect.asVoid(Queue.offer(inputs, View.Input.Closed())),
      waitFor,
      shown: Effect.sync(() => [...all]),
      draft,
      clipboard,
    }
    return self
  })

/** The words of entries: `Answered: Hello`. */
export const texts = (entries: ReadonlyArray<View.Entry>): ReadonlyArray<string> =>
  entries.map((entry) => ("text" in entry ? `${entry._tag}: ${entry.text}` : entry._tag))
