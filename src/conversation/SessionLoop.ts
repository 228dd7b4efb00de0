/**
 * Runs a session. The loop passes the input of the user and the end of each answer to the state machine
 * (`SessionState`), in one order, and carries out its actions one after the other. All modes and all views share this
 * loop.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as ContextUse from "../agent/ContextUse.ts"
import * as Spending from "../agent/Spending.ts"
import { broadcast } from "../agent/TurnEvent.ts"
import { UsageError } from "../base/UsageError.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import { ForestError, Unwritable } from "../forest/ForestError.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Picture from "../message/Picture.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type * as ToolServers from "../tool/ToolServers.ts"
import { AnswerNotKept } from "./AnswerNotKept.ts"
import type * as DraftStorage from "./DraftStorage.ts"
import * as History from "./History.ts"
import * as LogLines from "./LogLines.ts"
import * as Mentions from "./Mentions.ts"
import * as Pictures from "./Pictures.ts"
import type { Next, Session, Settings } from "./Session.ts"
import { isMessageStored, isPositionGone, type SessionFailure } from "./SessionFailure.ts"
import type { Reply, SessionMode } from "./SessionMode.ts"
import * as SessionState from "./SessionState.ts"
import * as Spent from "./Spent.ts"
import * as StartingServers from "./StartingServers.ts"
import * as SlashCommand from "./slash/SlashCommand.ts"
import * as Turn from "./Turn.ts"
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

type Outcome = Exit.Exit<Reply, SessionFailure>
type Event = SessionState.Event<Turn.Turn, Outcome>
type Action = SessionState.Action<Turn.Turn, Outcome>

const isSent = (event: Event) => event._tag === "Sent"

/**
 * Runs until the user leaves, or the mode or a command ends the session. Without a user, the first failure ends it,
 * too. It interrupts itself if the user requests to leave twice in a row.
 */
export const run = Effect.fn("SessionLoop.run")(function* (options: Options) {
  const { commands, drafts, facts, first, from, mode, title, workspace } = options
  const forest = yield* Forest.Forest
  const { open } = yield* View.View
  const events = yield* Queue.unbounded<Event>()
  const view = yield* open({ commands, files: options.files, history: yield* UserMessages.newest(forest, from) })

  const state = yield* Ref.make<SessionState.State<Turn.Turn>>(SessionState.initial(first))
  const settings = yield* Ref.make<Settings>({ model: options.model, tools: options.tools })
  const openBackend = (from: NodeId | undefined) =>
    Effect.flatMap(Ref.get(settings), (settings) => mode.open({ ...settings, from, show: view.show }))
  const backend = yield* Ref.make(yield* openBackend(from))
  const spent = yield* Ref.make(Spent.none)
  /** The earlier positions of the conversation, oldest first. */
  const positions = yield* Ref.make<ReadonlyArray<NodeId>>(from === undefined ? [] : [from])
  /** The reason that a message or an answer could not be stored. The session fails with the first one. */
  const notPersisted = yield* Ref.make<AnswerNotKept | ForestError | undefined>(undefined)

  const cursor = Effect.flatMap(Ref.get(backend), ({ cursor }) => cursor)
  const moveTo = (to: NodeId | undefined) => Effect.flatMap(openBackend(to), (opened) => Ref.set(backend, opened))
  const noteNotPersisted = (error: AnswerNotKept | ForestError) => Ref.update(notPersisted, (first) => first ?? error)

  const note = (text: string) => view.show(View.Entry.Noted({ text }))
  const noteMissing = (expanded: Mentions.Expanded) => {
    const text = Mentions.missingText(expanded)
    return text === undefined ? Effect.void : note(text)
  }
  const servers = yield* StartingServers.make(note)
  const tools = Effect.flatMap(Ref.get(settings), ({ tools }) => servers.addTo(tools))

  /** Gives the model the tools of the servers that have started. */
  const addServed = Effect.gen(function* () {
    if (!(yield* servers.wait)) return
    const own = (yield* Ref.get(settings)).tools
    const joined = yield* servers.addTo(own)
    yield* servers.forget
    yield* session.change({ tools: joined })
    const unshown = joined.notes.slice(own.notes.length)
    if (unshown.length > 0) yield* note(unshown.join("\n"))
  })

  const transition = (event: Event) =>
    Ref.modify(state, (state) => {
      const [next, actions] = SessionState.transition(state, event)
      return [actions, next]
    })
  const prepend = (...messages: ReadonlyArray<SessionState.QueuedMessage>) =>
    Effect.asVoid(transition({ _tag: "Prepended", messages }))

  const session: Session = {
    owner: mode.owner,
    forest,
    view,
    cursor,
    lastUserMessage: Effect.flatMap(cursor, (from) => UserMessages.last(forest, from)),
    model: Effect.map(Ref.get(settings), ({ model }) => model),
    tools,
    spent: Ref.get(spent),
    contextUse: Effect.gen(function* () {
      const at = yield* cursor
      if (at === undefined) return undefined
      const { limits } = yield* session.model
      return yield* ContextUse.at(forest, at, { limits, tools: (yield* tools).tools })
    }),
    recordSpending: (spending) => Ref.update(spent, (sum) => Spent.addOther(sum, spending)),
    serve: servers.start,
    moveTo,
    change: (change) =>
      Effect.flatMap(cursor, (at) =>
        Effect.zipRight(
          Ref.update(settings, (settings) => ({ ...settings, ...change })),
          moveTo(at),
        ),
      ),
    send: (text, at, pictures) => prepend({ text, at, hasFiles: false, ...(pictures?.length && { pictures }) }),
    // This takes the text of the stored node. A whole message that an edit has divided would be stored as another one
    // below it.
    answerAgain: ({ id }) =>
      Effect.flatMap(forest.node(id), ({ message }) =>
        prepend({ text: Message.text(message), at: id, hasFiles: true }),
      ),
  }

  /** Text that the backend sends to the model in the middle of an answer: the queued messages, if a user watches. */
  const meanwhile = Effect.suspend(() =>
    view.isInteractive ? Ref.modify(state, SessionState.takeForModel) : Effect.succeed([]),
  ).pipe(
    Effect.flatMap((messages) =>
      Effect.forEach(messages, ({ text }) => Pictures.expandText(workspace, text)).pipe(
        Effect.tap(() => Effect.forEach(messages, ({ text }) => view.show(View.Entry.Steered({ text })))),
        Effect.tap((expanded) => Effect.forEach(expanded, noteMissing)),
        Effect.map((expanded) => expanded.map(({ text }) => text).join("\n\n")),
        // A message with a picture, or with a file that cannot be shown, waits until the answer is complete.
        Effect.catchAll(() => Effect.as(prepend(...messages), "")),
      ),
    ),
  )

  /** Puts a text into the input field, above its content. */
  const restoreDraft = (text: string) =>
    Effect.flatMap(view.draft, (draft) =>
      view.setDraft(draft.trim() === "" || draft === text ? text : `${text}\n${draft}`),
    )

  /**
   * Puts messages that waited back into the input field. Commands are left out: in the field, a command would become
   * part of the text, or take a message for its argument.
   */
  const giveBack = Effect.fnUntraced(function* (queued: ReadonlyArray<SessionState.QueuedMessage>) {
    const texts = queued.map(({ text }) => text)
    yield* Effect.forEach(texts, (text) => view.show(View.Entry.Dequeued({ text })), { discard: true })
    const [messages, ours] = Arr.partition(texts, SlashCommand.isCommand)
    yield* restoreDraft(messages.join("\n"))
    yield* note(Unsent.heldNote(messages.length, ours))
  })

  const startTurn = Effect.fnUntraced(function* (queued: SessionState.QueuedMessage) {
    const { at, text } = queued
    const answering = yield* session.model
    const expanded = yield* Pictures.expand(queued, workspace)
    const { pictures, text: message } = expanded
    if (pictures.length > 0) yield* Pictures.requireReader(mode, answering)
    if (at !== undefined) yield* moveTo(at)
    const before = yield* cursor
    const startedAt = yield* Clock.currentTimeMillis
    const model = String(answering.id)
    let isStored = false
    const messageStored = (node: NodeId) => {
      isStored = true
      const shown = pictures.length === 0 ? {} : { pictures: pictures.map(Picture.describe) }
      const asked = View.Entry.Asked({ text: Mentions.withoutFiles(text), model, node, ...shown })
      return Effect.zipRight(view.show(asked), noteMissing(expanded))
    }
    const progress = yield* Ref.make(Turn.noProgress)
    const onEvent = broadcast((event) => Ref.update(progress, (progress) => Turn.step(progress, event)), view.onEvent)
    const answer = Effect.flatMap(Ref.get(backend), ({ send }) =>
      forest.operation(send(message, { onEvent, messageStored, meanwhile, pictures })),
    )
    const fiber = yield* Effect.zipRight(addServed, answer).pipe(
      Effect.onExit((outcome) => Queue.offer(events, { _tag: "TurnEnded", outcome })),
      Effect.fork,
    )
    if (before !== undefined) yield* Ref.update(positions, (positions) => [...positions, before])
    const turn: Turn.Turn = { fiber, text, progress, startedAt, before, isStored: () => isStored }
    yield* dispatch({ _tag: "TurnStarted", turn })
  })

  const finishTurn = Effect.fnUntraced(function* (turn: Turn.Turn, outcome: Outcome, wasStopped: boolean) {
    const { before, isStored, progress, startedAt, text } = turn
    const { pending, reply: node, spending: complete } = yield* Ref.get(progress)
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    // The provider charges for a stopped reply, too, but has not reported its tokens.
    const stopped = wasStopped && pending !== undefined ? pending : undefined
    const estimate = stopped && Spending.estimate(stopped, (yield* session.model).price)
    const isEstimated = stopped !== undefined && stopped.usage === undefined
    const spending = estimate === undefined ? complete : Spending.add(complete, estimate)
    const { total } = yield* Ref.updateAndGet(spent, (sum) => Spent.add(sum, { spending, durationMs, isEstimated }))
    const account: View.Account = {
      durationMs,
      usage: spending.usage,
      cost: spending.cost,
      sessionCost: total.cost,
      // If the forest cannot be read, the answer is reported without its context use.
      context: yield* Effect.orElseSucceed(session.contextUse, () => undefined),
      ...(isEstimated && { isEstimated }),
    }
    if (Exit.isSuccess(outcome)) {
      yield* view.show(View.Entry.Answered({ text: outcome.value.text, node, account }))
      const next = yield* mode.onReply(outcome.value, session)
      return next === "exit" ? next : yield* onIdle
    }
    const failure = taggedFailure(outcome)
    if (failure?._tag === "ForestError") return yield* reportNotPersisted(turn, failure, (yield* cursor) !== before)
    if (!wasStopped || !Exit.isInterrupted(outcome)) return yield* Effect.zipRight(onIdle, Effect.as(outcome, proceed))
    yield* view.show(View.Entry.Stopped({ account }))
    // If the message was stopped before it was stored, the user gets its text back.
    if (!isStored()) yield* restoreDraft(text)
    const names = yield* servers.skipped
    if (names.length > 0) yield* note(`messages no longer wait for tool server ${names.join(", ")}: send yours again`)
    return yield* onIdle
  })

  /** Shows an answer that cannot be stored. A message that cannot be stored is queued again, and so kept as a draft. */
  const reportNotPersisted = Effect.fnUntraced(function* (turn: Turn.Turn, cause: ForestError, isAsked: boolean) {
    const { progress, text } = turn
    const { replyText: answer } = yield* Ref.get(progress)
    if (answer.trim() === "") {
      if (!isAsked && !view.isInteractive) yield* prepend({ text, at: undefined, hasFiles: false })
      return yield* cause
    }
    yield* noteNotPersisted(new AnswerNotKept({ cause }))
    yield* view.show(View.Entry.NotPersisted({ text: answer }))
    return yield* new AnswerNotKept({ cause })
  })

  /** Moves from a deleted position to the last earlier one that still exists, or to the beginning. */
  const recoverPosition = Effect.gen(function* () {
    const existing = yield* Effect.findFirst((yield* Ref.get(positions)).toReversed(), (node) => exists(forest, node))
    const to = Option.getOrUndefined(existing)
    yield* Ref.update(positions, (positions) => positions.slice(0, to === undefined ? 0 : positions.lastIndexOf(to)))
    yield* moveTo(to)
    yield* view.show(View.Entry.Noted({ text: deletedNote }))
  })

  /**
   * Shows a failure, and gives the user their message back if it was not stored. Without a user it ends the session.
   */
  const reportFailure = Effect.fnUntraced(function* (failure: SessionFailure, text: string | undefined) {
    if (!view.isInteractive) return yield* Effect.fail(Unsent.withoutHelp(failure))
    yield* view.show(View.Entry.Failed({ text: options.describeFailure(failure) }))
    if (isPositionGone(failure)) yield* recoverPosition
    if (text !== undefined && isMessageStored(failure)) yield* view.show(keptNote)
    else if (text !== undefined) yield* restoreDraft(text)
    return proceed
  })

  /** A failure here does not concern the user's message. */
  const onIdle: Effect.Effect<Next, SessionFailure> = Effect.suspend(() =>
    mode.onIdle === undefined
      ? Effect.succeed(proceed)
      : Effect.catchAll(mode.onIdle(session), (failure) => reportFailure(failure, undefined)),
  )

  const runCommand = (line: string): Effect.Effect<Next, SessionFailure> => {
    const { argument, name } = SlashCommand.parse(line)
    const command = SlashCommand.find(commands, name)
    return command === undefined
      ? reportFailure(new UsageError({ message: `there is no /${name}; /help lists the commands` }), undefined)
      : Effect.catchAll(command.run(session, argument), (failure) => reportFailure(failure, undefined))
  }

  /** Passes a message to the mode first, then to the slash commands; any other message goes to the model. */
  const handle = Effect.fnUntraced(function* (message: SessionState.QueuedMessage) {
    const { at, text } = message
    if (text.trim() === "") return proceed
    const handled = at === undefined ? yield* mode.handleInput(text, session) : undefined
    if (handled !== undefined) return handled
    if (at === undefined && SlashCommand.isCommand(text)) return yield* runCommand(text)
    if (text.length > MAX_CHARACTERS) return yield* new UsageError({ message: tooLong })
    yield* startTurn(message)
    return proceed
  })

  const perform = (action: Action): Effect.Effect<Next, SessionFailure> => {
    switch (action._tag) {
      case "Handle": {
        const { isShown, text } = action.message
        const leaveQueue = isShown === true ? view.show(View.Entry.Dequeued({ text })) : Effect.void
        return Effect.catchAll(Effect.zipRight(leaveQueue, handle(action.message)), (failure) =>
          reportFailure(failure, text),
        )
      }
      case "RunCommand":
        return runCommand(action.text)
      case "FinishTurn":
        return Effect.catchAll(finishTurn(action.turn, action.outcome, action.wasStopped), (failure) =>
          reportFailure(failure, action.turn.text),
        )
      case "InterruptTurn":
        return Effect.as(Fiber.interruptFork(action.turn.fiber), proceed)
      case "ShowQueued":
        return Effect.as(view.show(View.Entry.Queued({ text: action.text })), proceed)
      case "GiveBack":
        return Effect.as(giveBack(action.messages), proceed)
      case "ShowExitHint":
        return Effect.as(view.show(View.Entry.ExitHint()), proceed)
      case "PromptUser":
        return Effect.as(view.promptUser, proceed)
      case "AwaitEvent":
        return Effect.as(Effect.flatMap(Queue.take(events), dispatch), proceed)
      case "Abort":
        return Effect.interrupt
    }
  }

  const dispatch = (event: Event): Effect.Effect<void, SessionFailure> =>
    Effect.flatMap(transition(event), (actions) =>
      Effect.forEach(actions, (action) => Effect.flatMap(perform(action), exitOn), { discard: true }),
    )

  const exitOn = (next: Next): Effect.Effect<void> =>
    next === "exit" ? Effect.asVoid(transition({ _tag: "Finished" })) : Effect.void

  /** An immediate command does not wait if a user watches. The input of a program is handled in order. */
  const toEvent = View.Input.$match({
    Sent: ({ line, pictures, text }): Event => ({
      _tag: "Sent",
      text,
      line,
      pictures,
      isImmediate:
        view.isInteractive &&
        SlashCommand.isCommand(text) &&
        SlashCommand.find(commands, SlashCommand.parse(text).name)?.isImmediate === true,
    }),
    StopRequested: (input): Event => input,
    ExitRequested: (input): Event => input,
    Closed: (): Event => ({ _tag: "InputClosed" }),
  })

  /** Stores the text that the user did not send, for their next session. Unsent input from a pipe is only reported. */
  const keepDrafts = Effect.gen(function* () {
    const { queue, ...rest } = yield* Ref.get(state)
    const turn = SessionState.turnOf({ queue, ...rest })
    if (turn !== undefined) yield* Fiber.interrupt(turn.fiber)
    if (!view.isInteractive) {
      // This lets input arrive that is still on its way to the queue.
      yield* Effect.yieldNow({ priority: 1 })
      const coming = [...(yield* Queue.takeAll(events)), ...Chunk.map(yield* Queue.takeAll(view.inputs), toEvent)]
      const isClosed = rest.isInputClosed || coming.some(({ _tag }) => _tag === "InputClosed")
      const unsent = Unsent.pipedNote([...queue, ...coming.filter(isSent)], isClosed)
      return yield* unsent === undefined ? Effect.void : note(unsent)
    }
    const notStored = turn === undefined || turn.isStored() ? [] : [turn.text]
    const texts = [...notStored, ...queue.map(({ text }) => text), yield* view.draft].filter(
      (text) => text.trim() !== "",
    )
    const text = texts.join("\n\n")
    yield* drafts.put(text).pipe(
      Effect.flatMap((isKept) => (isKept ? note(Unsent.typedNote) : Effect.void)),
      Effect.catchAll((cause) =>
        Effect.zipRight(
          noteNotPersisted(new ForestError({ reason: new Unwritable({ cause }) })),
          note(`messages that were not sent cannot be stored:\n\n${text}`),
        ),
      ),
    )
  })

  const logging = view.isInteractive
    ? yield* LogLines.redirectTo((text) => view.show(View.Entry.Noted({ text })))
    : identity
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(
      Effect.forever(Effect.flatMap(Queue.take(view.inputs), (input) => Queue.offer(events, toEvent(input)))),
    )
    yield* view.show(View.Entry.Titled({ title, model: String((yield* session.model).id), facts }))
    if (options.notice !== undefined) yield* note(options.notice)
    if (from !== undefined) yield* view.show(yield* History.entry(forest, from, History.SHOWN))
    const draft = view.isInteractive ? yield* drafts.take : ""
    if (draft !== "") yield* Effect.zipRight(note(Unsent.restoredNote(draft)), view.setDraft(draft))
    yield* servers.start(options.servers)
    if (options.opening !== undefined) yield* Effect.flatMap(options.opening(session), exitOn)
    if ((yield* Ref.get(state)).phase._tag !== "Exiting") yield* Effect.flatMap(onIdle, exitOn)
    yield* Effect.repeat(Effect.zipRight(dispatch({ _tag: "Ready" }), Ref.get(state)), {
      until: ({ phase }) => phase._tag === "Exiting",
    })
  }).pipe(Effect.ensuring(keepDrafts), logging)
  const cause = yield* Ref.get(notPersisted)
  if (cause !== undefined) yield* cause
}, Effect.scoped)

const proceed: Next = "continue"

const keptNote = View.Entry.Noted({ text: "Your message is stored; /retry requests an answer again" })

const deletedNote = "The last messages were deleted or undone elsewhere; the conversation continues before them"

/** A limit in characters: more than a million tokens, which exceeds the context of models. */
const MAX_CHARACTERS = 4_000_000

const tooLong = `the message is too long for a model (limit: ${MAX_CHARACTERS.toLocaleString("en")} characters); send a part of it`

const exists = (forest: Forest.Service, id: NodeId): Effect.Effect<boolean> =>
  Effect.isSuccess(forest.path(id, { last: 0 }))

const taggedFailure = (outcome: Outcome) => {
  const failure = Exit.isFailure(outcome) ? Option.getOrUndefined(Cause.failureOption(outcome.cause)) : undefined
  return failure !== undefined && "_tag" in failure ? failure : undefined
}
