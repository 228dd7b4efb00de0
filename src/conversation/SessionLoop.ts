/**
 * Runs a session. The loop passes the input of the user and the end of each answer to the state machine
 * (`SessionState`), in one order, and carries out its actions one after the other. All modes and all views share this
 * loop.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import { redirectLogTo } from "../base/Logging.ts"
import { UsageError } from "../base/UsageError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type * as ToolServers from "../tool/ToolServers.ts"
import type * as DraftStorage from "./DraftStorage.ts"
import * as OpenSession from "./OpenSession.ts"
import { historyEntry, SHOWN_NODES } from "./Resume.ts"
import type { Next, Session } from "./Session.ts"
import { type AnswerNotKept, isMessageStored, isPositionGone, type SessionFailure } from "./SessionFailure.ts"
import type { SessionMode } from "./SessionMode.ts"
import * as SessionState from "./SessionState.ts"
import * as SessionTurns from "./SessionTurns.ts"
import * as StartingServers from "./StartingServers.ts"
import * as SlashCommand from "./slash/SlashCommand.ts"
import * as Unsent from "./Unsent.ts"
import * as UserMessages from "./UserMessages.ts"
import * as View from "./View.ts"

export interface Options {
  readonly mode: SessionMode
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** The tool servers that add their tools to these; they start once the session is shown. */
  readonly servers?: ToolServers.Service | undefined
  /** The node to continue from. Undefined for a new conversation. */
  readonly from: NodeId | undefined
  readonly title: string
  /** Lines that are shown below the title. */
  readonly facts: ReadonlyArray<string>
  /** A notice for the user before the first message. It is shown even if no title is. */
  readonly notice?: string | undefined
  readonly commands: ReadonlyArray<SlashCommand.SlashCommand>
  /** The folder of the files that can be mentioned with `@`. */
  readonly workspace: Workspace
  readonly files: View.Options["files"]
  /** Stores text that was typed and not sent when the session ended. */
  readonly drafts: DraftStorage.DraftStorage
  /** Called once the session is shown, before the first input. */
  readonly opening?: ((session: Session) => Effect.Effect<Next, SessionFailure>) | undefined
  /** A message to begin with, as if the user had sent it. */
  readonly first: string | undefined
  /** The message for the user about a failure, with what to do about it. */
  readonly describeFailure: (failure: SessionFailure) => string
}

type Event = SessionState.Event<SessionTurns.Running, SessionTurns.Outcome>
type Action = SessionState.Action<SessionTurns.Running, SessionTurns.Outcome>

/**
 * Runs until the user leaves, or the mode or a command ends the session. Without a user, the first failure ends it,
 * too. It interrupts itself if the user requests to leave twice in a row.
 */
export const run = Effect.fn("SessionLoop.run")(function* (options: Options) {
  const loop = yield* begin(options)
  const { view } = loop
  const logging = view.isInteractive ? yield* redirectLogTo((text) => note(loop, text)) : identity
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(
      Effect.forever(Effect.flatMap(Queue.take(view.inputs), (input) => Queue.offer(loop.events, loop.toEvent(input)))),
    )
    yield* welcome(loop)
    yield* Effect.repeat(Effect.zipRight(dispatch(loop, { _tag: "Ready" }), Ref.get(loop.state)), {
      until: ({ phase }) => phase._tag === "Exiting",
    })
  }).pipe(Effect.ensuring(keepUnsent(loop)), logging)
  const cause = yield* Ref.get(loop.notPersisted)
  if (cause !== undefined) yield* cause
}, Effect.scoped)

type Loop = Effect.Effect.Success<ReturnType<typeof begin>>

/** Opens the view and the session, and makes what carries out actions. */
const begin = Effect.fnUntraced(function* (options: Options) {
  const { commands, drafts, first, from, mode, model, tools, workspace } = options
  const forest = yield* Forest.Forest
  const { open: openView } = yield* View.View
  const events = yield* Queue.unbounded<Event>()
  const view = yield* openView({ commands, files: options.files, history: yield* UserMessages.newest(forest, from) })
  const state = yield* Ref.make<SessionState.State<SessionTurns.Running>>(SessionState.initial(first))
  /** The reason that a message or an answer could not be stored. The session fails with the first one. */
  const notPersisted = yield* Ref.make<AnswerNotKept | ForestError | undefined>(undefined)
  const noteNotPersisted = (error: AnswerNotKept | ForestError) => Ref.update(notPersisted, (first) => first ?? error)

  const transition = (event: Event): Effect.Effect<ReadonlyArray<Action>> =>
    Ref.modify(state, (state) => {
      const [next, actions] = SessionState.transition(state, event)
      return [actions, next]
    })
  const prepend = (...messages: ReadonlyArray<SessionState.QueuedMessage>) =>
    Effect.asVoid(transition({ _tag: "Prepended", messages }))

  const servers = yield* StartingServers.make((text) => view.show(View.Entry.Noted({ text })))
  const open = yield* OpenSession.make({ mode, settings: { model, tools }, from, view, servers, prepend })
  const unsent = Unsent.make({ view, drafts, noteNotPersisted })
  const turns = SessionTurns.make({
    mode,
    open,
    servers,
    unsent,
    view,
    workspace,
    takeForModel: Ref.modify(state, SessionState.takeForModel),
    prepend,
    ended: (outcome) => Queue.offer(events, { _tag: "TurnEnded", outcome }),
    noteNotPersisted,
  })
  const toEvent = (input: View.Input) => eventOf(input, view.isInteractive ? commands : [])
  return { options, forest, events, view, state, notPersisted, transition, servers, open, unsent, turns, toEvent }
})

const note = ({ view }: Pick<Loop, "view">, text: string) => view.show(View.Entry.Noted({ text }))

/** Shows the beginning of a session, and does what comes before the first input. */
const welcome = Effect.fnUntraced(function* (loop: Loop) {
  const { forest, open, options, servers, state, unsent, view } = loop
  const { facts, from, title } = options
  const { session } = open
  yield* view.show(View.Entry.Titled({ title, model: String((yield* session.model).id), facts }))
  if (options.notice !== undefined) yield* note(loop, options.notice)
  if (from !== undefined) yield* view.show(yield* historyEntry(forest, from, SHOWN_NODES))
  yield* unsent.offer
  yield* servers.start(options.servers)
  if (options.opening !== undefined) yield* Effect.flatMap(options.opening(session), exitOn(loop))
  if ((yield* Ref.get(state)).phase._tag !== "Exiting") yield* Effect.flatMap(onIdle(loop), exitOn(loop))
})

/** Passes an event to the state machine, and carries out its actions one after the other. */
const dispatch = (loop: Loop, event: Event): Effect.Effect<void, SessionFailure> =>
  Effect.flatMap(loop.transition(event), (actions) =>
    Effect.forEach(actions, (action) => Effect.flatMap(perform(loop, action), exitOn(loop)), { discard: true }),
  )

const exitOn =
  ({ transition }: Loop) =>
  (next: Next): Effect.Effect<void> =>
    next === "exit" ? Effect.asVoid(transition({ _tag: "Finished" })) : Effect.void

const perform = (loop: Loop, action: Action): Effect.Effect<Next, SessionFailure> => {
  const { events, unsent, view } = loop
  switch (action._tag) {
    case "Handle": {
      const { isShown, text } = action.message
      const leaveQueue = isShown === true ? view.show(View.Entry.Dequeued({ text })) : Effect.void
      return Effect.catchAll(Effect.zipRight(leaveQueue, handle(loop, action.message)), (failure) =>
        reportFailure(loop, failure, text),
      )
    }
    case "RunCommand":
      return runCommand(loop, action.text)
    case "FinishTurn":
      return Effect.catchAll(finishTurn(loop, action), (failure) => reportFailure(loop, failure, action.turn.text))
    case "InterruptTurn":
      return Effect.as(Fiber.interruptFork(action.turn.fiber), proceed)
    case "ShowQueued":
      return Effect.as(view.show(View.Entry.Queued({ text: action.text })), proceed)
    case "GiveBack":
      return Effect.as(unsent.giveBack(action.messages), proceed)
    case "ShowExitHint":
      return Effect.as(view.show(View.Entry.ExitHint()), proceed)
    case "PromptUser":
      return Effect.as(view.promptUser, proceed)
    case "AwaitEvent":
      return Effect.as(
        Effect.flatMap(Queue.take(events), (event) => dispatch(loop, event)),
        proceed,
      )
    case "Abort":
      return Effect.interrupt
  }
}

/** Passes a message to the mode first, then to the slash commands; any other message goes to the model. */
const handle = Effect.fnUntraced(function* (loop: Loop, message: SessionState.QueuedMessage) {
  const { at, text } = message
  if (text.trim() === "") return proceed
  const handled = at === undefined ? yield* loop.options.mode.handleInput(text, loop.open.session) : undefined
  if (handled !== undefined) return handled
  if (at === undefined && SlashCommand.isCommand(text)) return yield* runCommand(loop, text)
  if (text.length > MAX_CHARACTERS) return yield* new UsageError({ message: tooLong })
  yield* dispatch(loop, { _tag: "TurnStarted", turn: yield* loop.turns.start(message) })
  return proceed
})

const runCommand = (loop: Loop, line: string): Effect.Effect<Next, SessionFailure> => {
  const { argument, name } = SlashCommand.parse(line)
  const command = SlashCommand.find(loop.options.commands, name)
  return command === undefined
    ? reportFailure(loop, new UsageError({ message: `there is no /${name}; /help lists the commands` }), undefined)
    : Effect.catchAll(command.run(loop.open.session, argument), (failure) => reportFailure(loop, failure, undefined))
}

const finishTurn = Effect.fnUntraced(function* (loop: Loop, action: Extract<Action, { readonly _tag: "FinishTurn" }>) {
  const ended = yield* loop.turns.finish(action.turn, action.outcome, action.wasStopped)
  if (ended === undefined) return yield* onIdle(loop)
  if (Exit.isFailure(ended)) return yield* Effect.zipRight(onIdle(loop), Effect.as(ended, proceed))
  const next = yield* loop.options.mode.onReply(ended.value, loop.open.session)
  return next === "exit" ? next : yield* onIdle(loop)
})

/** Lets the mode act between two turns. A failure here does not concern the user's message. */
const onIdle = (loop: Loop): Effect.Effect<Next, SessionFailure> => {
  const { mode } = loop.options
  return mode.onIdle === undefined
    ? Effect.succeed(proceed)
    : Effect.catchAll(mode.onIdle(loop.open.session), (failure) => reportFailure(loop, failure, undefined))
}

/** Shows a failure, and gives the user their message back if it was not stored. Without a user it ends the session. */
const reportFailure = Effect.fnUntraced(function* (loop: Loop, failure: SessionFailure, text: string | undefined) {
  const { open, options, unsent, view } = loop
  if (!view.isInteractive) return yield* Effect.fail(Unsent.withoutHelp(failure))
  yield* view.show(View.Entry.Failed({ text: options.describeFailure(failure) }))
  if (isPositionGone(failure)) yield* open.recoverPosition
  if (text !== undefined && isMessageStored(failure)) yield* view.show(keptNote)
  else if (text !== undefined) yield* unsent.restore(text)
  return proceed
})

/** Stores the text that the user did not send, for their next session. Unsent input from a pipe is only reported. */
const keepUnsent = Effect.fnUntraced(function* (loop: Loop) {
  const { events, state, toEvent, unsent, view } = loop
  const last = yield* Ref.get(state)
  const turn = SessionState.turnOf(last)
  if (turn !== undefined) yield* Fiber.interrupt(turn.fiber)
  if (view.isInteractive) {
    const notStored = turn === undefined || turn.isStored() ? [] : [turn.text]
    return yield* unsent.keep([...notStored, ...last.queue.map(({ text }) => text)])
  }
  // This lets input arrive that is still on its way to the queue.
  yield* Effect.yieldNow({ priority: 1 })
  const coming = [...(yield* Queue.takeAll(events)), ...Chunk.map(yield* Queue.takeAll(view.inputs), toEvent)]
  const isClosed = last.isInputClosed || coming.some(({ _tag }) => _tag === "InputClosed")
  const text = Unsent.pipedNote([...last.queue, ...coming.filter(isSent)], isClosed)
  if (text !== undefined) yield* note(loop, text)
})

const isSent = (event: Event) => event._tag === "Sent"

const proceed: Next = "continue"

const keptNote = View.Entry.Noted({ text: "Your message is stored; /retry requests an answer again" })

/** A limit in characters: more than a million tokens, which exceeds the context of models. */
const MAX_CHARACTERS = 4_000_000

const tooLong = `the message is too long for a model (limit: ${MAX_CHARACTERS.toLocaleString("en")} characters); send a part of it`

/**
 * Returns the event of an input. An immediate one of these commands does not wait for the answer; the input of
 * a program is handled in order.
 */
export const eventOf = (input: View.Input, commands: ReadonlyArray<SlashCommand.SlashCommand>): Event => {
  switch (input._tag) {
    case "Sent": {
      const { line, pictures, text } = input
      const isImmediate =
        SlashCommand.isCommand(text) && SlashCommand.find(commands, SlashCommand.parse(text).name)?.isImmediate === true
      return { _tag: "Sent", text, line, pictures, isImmediate }
    }
    case "Closed":
      return { _tag: "InputClosed" }
    default:
      return input
  }
}
