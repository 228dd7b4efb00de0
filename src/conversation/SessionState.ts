/**
 * A pure state machine of a session: its states, its events, and where each event leads. `SessionLoop` carries out its
 * actions. `Turn` describes an answer in progress for the loop, and `Outcome` its end; both are only passed on.
 */
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as SlashCommand from "./slash/SlashCommand.ts"

export interface State<Turn> {
  readonly phase: Phase<Turn>
  /** The messages that wait. They are handled one at a time, in order, while no answer is in progress. */
  readonly queue: ReadonlyArray<QueuedMessage>
  /** True if the last event was `ExitRequested`: another one aborts the session. */
  readonly isExitRequested: boolean
  /** True if there is no more input: the session exits once the queue is empty. */
  readonly isInputClosed: boolean
}

/**
 * The phases of a session:
 *
 * - `Idle`: no answer is in progress
 * - `Answering`: a turn runs
 * - `Stopping`: the user has stopped the turn, and it has not ended yet
 * - `Exiting`: the session ends, perhaps with a turn that was still running
 */
type Phase<Turn> =
  | { readonly _tag: "Idle" }
  | { readonly _tag: "Answering"; readonly turn: Turn }
  | { readonly _tag: "Stopping"; readonly turn: Turn }
  | { readonly _tag: "Exiting"; readonly turn: Turn | undefined }

export interface QueuedMessage {
  readonly text: string
  /** The node that the message follows. If undefined, it follows the position of the session when its turn comes. */
  readonly at: NodeId | undefined
  /** True if the text already contains the files that it mentions. */
  readonly hasFiles: boolean
  /** True if the user sees that the message waits. */
  readonly isShown?: boolean | undefined
  /** The line of the input at which the message begins, from 1. Undefined if a user typed it. */
  readonly line?: number | undefined
  /** Pictures that the message shows besides those that it mentions with `@`. */
  readonly pictures?: ReadonlyArray<Block.Image> | undefined
}

/**
 * The events of a session:
 *
 * - `Ready`: the previous event has been handled completely
 * - `Sent`: the user sent a message or a command; `isImmediate` is true for a command that need not wait for the answer
 * - `StopRequested`, `ExitRequested`, `InputClosed`: the inputs of the same names in `View.Input`
 * - `Prepended`: messages are to be handled before those that are queued
 * - `TurnStarted`, `TurnEnded`: the only way into and out of an answer
 * - `Finished`: the mode or a command has ended the session
 */
export type Event<Turn, Outcome> =
  | { readonly _tag: "Ready" }
  | {
      readonly _tag: "Sent"
      readonly text: string
      readonly isImmediate: boolean
      /** The same as in `QueuedMessage`. */
      readonly line?: number | undefined
      readonly pictures?: ReadonlyArray<Block.Image> | undefined
    }
  | { readonly _tag: "StopRequested" }
  | { readonly _tag: "ExitRequested" }
  | { readonly _tag: "InputClosed" }
  | { readonly _tag: "Prepended"; readonly messages: ReadonlyArray<QueuedMessage> }
  | { readonly _tag: "TurnStarted"; readonly turn: Turn }
  | { readonly _tag: "TurnEnded"; readonly outcome: Outcome }
  | { readonly _tag: "Finished" }

/**
 * The actions of a session:
 *
 * - `Handle`: handles a message while no answer is in progress
 * - `RunCommand`: runs a slash command while an answer is in progress
 * - `GiveBack`: returns messages that waited when the user stopped the answer, and the commands after the first of
 *   them, so that the user decides anew whether to send them
 * - `Abort`: interrupts the session itself
 */
export type Action<Turn, Outcome> =
  | { readonly _tag: "Handle"; readonly message: QueuedMessage }
  | { readonly _tag: "RunCommand"; readonly text: string }
  | { readonly _tag: "ShowQueued"; readonly text: string }
  | { readonly _tag: "GiveBack"; readonly messages: ReadonlyArray<QueuedMessage> }
  | { readonly _tag: "ShowExitHint" }
  | { readonly _tag: "PromptUser" }
  | { readonly _tag: "AwaitEvent" }
  | { readonly _tag: "InterruptTurn"; readonly turn: Turn }
  | { readonly _tag: "FinishTurn"; readonly turn: Turn; readonly outcome: Outcome; readonly wasStopped: boolean }
  | { readonly _tag: "Abort" }

type Transition<Turn, Outcome> = readonly [state: State<Turn>, actions: ReadonlyArray<Action<Turn, Outcome>>]

/** Begins with the message `first`, if there is one. */
export const initial = (first: string | undefined): State<never> => ({
  phase: { _tag: "Idle" },
  queue: first === undefined ? [] : [message(first)],
  isExitRequested: false,
  isInputClosed: false,
})

/** Returns the next state and its actions, which are carried out in order before the next event. */
export const transition = <Turn, Outcome>(
  state: State<Turn>,
  event: Event<Turn, Outcome>,
): Transition<Turn, Outcome> => {
  const { phase } = state
  if (phase._tag === "Exiting") return [state, []]
  if (event._tag === "InputClosed") return [{ ...state, isInputClosed: true }, []]
  if (event._tag === "Prepended") return [{ ...state, queue: [...event.messages, ...state.queue] }, []]
  if (event._tag === "Finished") return [{ ...state, phase: { _tag: "Exiting", turn: turnOf(state) } }, []]
  return phase._tag === "Idle" ? whenIdle(state, event) : whenBusy(state, phase, event)
}

/** The turn that has not ended. */
export const turnOf = <Turn>({ phase }: State<Turn>): Turn | undefined =>
  phase._tag === "Idle" ? undefined : phase.turn

/**
 * Takes the messages that may go to the model in the middle of an answer: the queued ones up to the first that is a
 * command, shows pictures, or belongs to another position.
 */
export const takeForModel = <Turn>(
  state: State<Turn>,
): readonly [messages: ReadonlyArray<QueuedMessage>, state: State<Turn>] => {
  const end = state.queue.findIndex(
    ({ at, pictures, text }) => at !== undefined || pictures !== undefined || SlashCommand.isCommand(text),
  )
  const count = end === -1 ? state.queue.length : end
  return [state.queue.slice(0, count), { ...state, queue: state.queue.slice(count) }]
}

type Handled = "InputClosed" | "Prepended" | "Finished"
type Rest<Turn, Outcome> = Exclude<Event<Turn, Outcome>, { readonly _tag: Handled }>
type Busy<Turn> = Extract<Phase<Turn>, { readonly _tag: "Answering" | "Stopping" }>

const whenIdle = <Turn, Outcome>(state: State<Turn>, event: Rest<Turn, Outcome>): Transition<Turn, Outcome> => {
  switch (event._tag) {
    case "Ready": {
      const [next, ...queue] = state.queue
      if (next !== undefined) return [{ ...state, queue }, [{ _tag: "Handle", message: next }]]
      return state.isInputClosed
        ? [{ ...state, phase: { _tag: "Exiting", turn: undefined } }, []]
        : [state, [{ _tag: "PromptUser" }, { _tag: "AwaitEvent" }]]
    }
    case "Sent":
      return [enqueue({ ...state, isExitRequested: false }, toQueued(event)), []]
    case "StopRequested":
      return [{ ...state, isExitRequested: false }, []]
    case "ExitRequested":
      return state.isExitRequested
        ? [{ ...state, phase: { _tag: "Exiting", turn: undefined } }, [{ _tag: "Abort" }]]
        : [{ ...state, isExitRequested: true }, [{ _tag: "ShowExitHint" }]]
    case "TurnStarted":
      return [{ ...state, phase: { _tag: "Answering", turn: event.turn } }, []]
    case "TurnEnded":
      return [state, []]
  }
}

const whenBusy = <Turn, Outcome>(
  state: State<Turn>,
  { _tag, turn }: Busy<Turn>,
  event: Rest<Turn, Outcome>,
): Transition<Turn, Outcome> => {
  const stopping = { _tag: "Stopping", turn } as const
  switch (event._tag) {
    case "Ready":
      return [state, [{ _tag: "AwaitEvent" }]]
    case "Sent": {
      const { isImmediate, text } = event
      const next = { ...state, isExitRequested: false }
      if (text.trim() === "") return [next, []]
      return isImmediate
        ? [next, [{ _tag: "RunCommand", text }]]
        : [enqueue(next, { ...toQueued(event), isShown: true }), [{ _tag: "ShowQueued", text }]]
    }
    case "StopRequested": {
      const isWaiting = ({ isShown }: QueuedMessage) => isShown === true
      // Commands before the first message run; later ones, such as /undo, may be about its answer.
      const first = state.queue.findIndex((each) => isWaiting(each) && !SlashCommand.isCommand(each.text))
      const messages = first === -1 ? [] : state.queue.slice(first).filter(isWaiting)
      const queue = state.queue.filter((each) => !messages.includes(each))
      const next = { ...state, queue, phase: stopping, isExitRequested: false }
      const interrupt = { _tag: "InterruptTurn", turn } as const
      return [next, messages.length === 0 ? [interrupt] : [{ _tag: "GiveBack", messages }, interrupt]]
    }
    case "ExitRequested":
      return state.isExitRequested
        ? [{ ...state, phase: { _tag: "Exiting", turn } }, [{ _tag: "Abort" }]]
        : [{ ...state, phase: stopping, isExitRequested: true }, [{ _tag: "InterruptTurn", turn }]]
    case "TurnStarted":
      return [state, []]
    case "TurnEnded": {
      const { outcome } = event
      const finish = { _tag: "FinishTurn", turn, outcome, wasStopped: _tag === "Stopping" } as const
      return [{ ...state, phase: { _tag: "Idle" } }, [finish]]
    }
  }
}

const enqueue = <Turn>(state: State<Turn>, message: QueuedMessage): State<Turn> =>
  message.text.trim() === "" ? state : { ...state, queue: [...state.queue, message] }

const toQueued = ({ line, pictures, text }: Pick<QueuedMessage, "text" | "line" | "pictures">): QueuedMessage => ({
  ...message(text),
  ...(line !== undefined && { line }),
  ...(pictures !== undefined && { pictures }),
})

const message = (text: string): QueuedMessage => ({ text, at: undefined, hasFiles: false })
