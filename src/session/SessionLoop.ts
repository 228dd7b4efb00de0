/**
 * A conversation in the terminal: hears what the person does, has it answered, and runs what they type after a slash.
 * One loop for all kinds of conversation and both views. Whatever the person does comes in one order, and so does the
 * end of an answer: nothing is decided at the same time.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { Workspace } from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import { ForestError, Unwritable } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import { tail } from "../forest/Tail.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import * as Unfinished from "../loom/Unfinished.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import { UsageError } from "../message/UsageError.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as Account from "./Account.ts"
import { AnswerNotKept } from "./AnswerNotKept.ts"
import type * as DraftStorage from "./DraftStorage.ts"
import * as History from "./History.ts"
import * as LogLines from "./LogLines.ts"
import * as Mentions from "./Mentions.ts"
import type { Session } from "./Session.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { Backend, Next, Reply, SessionMode } from "./SessionMode.ts"
import type { SlashCommand } from "./slash/SlashCommand.ts"
import * as View from "./View.ts"

export interface Options {
  readonly mode: SessionMode
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** Where it goes on; it begins where there is none. */
  readonly from: NodeId | undefined
  readonly title: string
  /** What there is to know of it, a line each. */
  readonly facts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<SlashCommand>
  /** Whose files can be named with `@`. */
  readonly workspace: Workspace
  readonly files: View.Options["files"]
  /** Where words are kept that were not sent; nowhere without. */
  readonly drafts: DraftStorage.DraftStorage
  /** What is said first, in the person's name. */
  readonly first: string | undefined
  /** A failure in words for the user, with what to do about it. */
  readonly describeFailure: (failure: SessionFailure) => string
}

/** Messages that are shown of a conversation that goes on. */
const SHOWN = 20

/** What happens, in one order. */
type Happening = Data.TaggedEnum<{
  Done: { readonly input: View.Input }
  Ended: { readonly exit: Exit.Exit<Reply, SessionFailure> }
}>
const Happening = Data.taggedEnum<Happening>()

/** What the person said and nobody has heard yet, and where on the tree it belongs, if not where things stand. */
interface Waiting {
  readonly text: string
  readonly at: NodeId | undefined
  /** The text of the files that it names is in it already. */
  readonly isWhole: boolean
}

interface Turn {
  readonly fiber: Fiber.RuntimeFiber<unknown>
  readonly text: string
  /** What the model has said last, as far as it has come. */
  readonly words: () => string
  /** Milliseconds since the epoch. */
  readonly begun: number
  readonly before: NodeId | undefined
  /** Whether the words are on the tree. */
  readonly isStored: () => boolean
}

interface State {
  model: LanguageModel.Service
  tools: ToolRegistry.Service
  partner: Backend
  /** What is being answered. */
  turn: Turn | undefined
  /** The person has stopped it. */
  isStopped: boolean
  spent: Account.Spending
  readonly waiting: Array<Waiting>
  /** Where it stood before, oldest first. */
  readonly places: Array<NodeId>
  /** Why something that was said is not kept. */
  unkept: AnswerNotKept | ForestError | undefined
  /** The person has pressed Ctrl-C, and nothing since. */
  wantsOut: boolean
  /** No more is to be heard: the talk ends once all is answered. */
  isDeaf: boolean
}

/** Interrupts itself where the person wants out at once; `main` makes 130 of that. */
export const run = Effect.fn("Talk.run")(function* (options: Options) {
  const { commands, facts, first, from, mode: kind, title, drafts: unsent, workspace } = options
  const forest = yield* Forest.Forest
  const { open } = yield* View.View
  const happenings = yield* Queue.unbounded<Happening>()
  const view = yield* open({ commands, files: options.files, history: yield* saidBefore(forest, from) })
  const now: State = {
    model: options.model,
    tools: options.tools,
    partner: yield* kind.open({ from, model: options.model, tools: options.tools, show: view.show }),
    turn: undefined,
    isStopped: false,
    spent: Account.zero,
    waiting: [],
    places: from === undefined ? [] : [from],
    unkept: undefined,
    wantsOut: false,
    isDeaf: false,
  }
  const cursor = Effect.suspend(() => now.partner.cursor)

  const move = (from: NodeId | undefined) =>
    Effect.map(kind.open({ from, model: now.model, tools: now.tools, show: view.show }), (partner) => {
      now.partner = partner
    })

  const session: Session = {
    mode: kind,
    forest,
    view,
    cursor,
    lastUserMessage: Effect.flatMap(cursor, (from) => lastSaid(forest, from)),
    model: Effect.sync(() => now.model),
    tools: Effect.sync(() => now.tools),
    moveTo: move,
    change: ({ model = now.model, tools = now.tools }) =>
      Effect.flatMap(cursor, (at) => {
        Object.assign(now, { model, tools })
        return move(at)
      }),
    send: (text, at) => Effect.sync(() => void now.waiting.unshift({ text, at, isWhole: false })),
    answerAgain: ({ id, message }) =>
      Effect.sync(() => void now.waiting.unshift({ text: Message.text(message), at: id, isWhole: true })),
  }

  /** What waits and is no command goes to a model that works, where a person watches. */
  const meanwhile = Effect.suspend(() => {
    const end = now.waiting.findIndex(({ at, text }) => at !== undefined || isCommand(text))
    const taken = view.isInteractive ? now.waiting.splice(0, end === -1 ? now.waiting.length : end) : []
    return Effect.forEach(taken, ({ text }) => Mentions.withFiles(workspace, text)).pipe(
      Effect.tap(() => Effect.forEach(taken, ({ text }) => view.show(View.Entry.Steered({ text })))),
      Effect.map((texts) => texts.join("\n\n")),
      // Said where it can be answered: once the model has said what it has to say.
      Effect.catchAll(() => {
        now.waiting.unshift(...taken)
        return Effect.succeed("")
      }),
    )
  })

  const begin = Effect.fnUntraced(function* ({ at, isWhole, text }: Waiting) {
    if (at !== undefined) yield* move(at)
    const before = yield* cursor
    const message = isWhole ? text : yield* Mentions.withFiles(workspace, text)
    const begun = yield* Clock.currentTimeMillis
    const model = String(now.model.id)
    let isStored = false
    const messageStored = (node: NodeId) => {
      isStored = true
      return view.show(View.Entry.Asked({ text: Mentions.withoutFiles(text), model, node }))
    }
    const { observer, words } = following(view.observer)
    const fiber = yield* forest.operation(now.partner.send(message, { observer, messageStored, meanwhile })).pipe(
      Effect.onExit((exit) => Queue.offer(happenings, Happening.Ended({ exit }))),
      Effect.fork,
    )
    if (before !== undefined) now.places.push(before)
    Object.assign(now, { turn: { fiber, text, words, begun, before, isStored: () => isStored }, isStopped: false })
  })

  const end = Effect.fnUntraced(function* (turn: Turn, exit: Exit.Exit<Reply, SessionFailure>) {
    const { before, begun, isStored, text } = turn
    const after = yield* cursor
    const between = after === undefined ? Effect.succeed([]) : Account.nodesBetween(forest, before, after)
    // What is gone is told by the failure that it has led to.
    const nodes = yield* Exit.isSuccess(exit) ? between : Effect.orElseSucceed(between, () => [])
    const { cost, usage } = Account.spendingOf(nodes, now.model)
    now.spent = Account.add(now.spent, { cost, usage })
    const durationMs = (yield* Clock.currentTimeMillis) - begun
    const account: View.Account = { durationMs, usage, cost: now.spent.cost }
    if (Exit.isSuccess(exit)) {
      const node = nodes.findLast(({ message }) => message.role === "assistant")?.id
      yield* view.show(View.Entry.Answered({ text: exit.value.text, node, account }))
      const next = yield* kind.onReply(exit.value, session)
      return next === "exit" ? next : yield* settled
    }
    const failure = failureOf(exit)
    if (failure?._tag === "ForestError") return yield* reportUnkept(turn, failure, after !== before)
    if (!now.isStopped || !Exit.isInterrupted(exit)) return yield* Effect.zipRight(settled, Effect.as(exit, goOn))
    yield* view.show(View.Entry.Stopped({ account }))
    // Stopped before they were on the tree.
    if (!isStored()) yield* view.setDraft(text)
    return yield* settled
  })

  /** An answer that cannot be kept is shown; words that cannot are put where those go that were not sent. */
  const reportUnkept = Effect.fnUntraced(function* ({ text, words }: Turn, cause: ForestError, isAsked: boolean) {
    const answer = words()
    if (answer.trim() === "") {
      if (!isAsked && !view.isInteractive) now.waiting.unshift({ text, at: undefined, isWhole: false })
      return yield* cause
    }
    now.unkept ??= new AnswerNotKept({ cause })
    yield* view.show(View.Entry.NotPersisted({ text: answer }))
    return yield* new AnswerNotKept({ cause })
  })

  /** Where what it stood on is gone, it goes on from the last place that is still there, or from the beginning. */
  const goneBack = Effect.gen(function* () {
    let place = now.places.pop()
    while (place !== undefined && !(yield* isThere(forest, place))) place = now.places.pop()
    yield* move(place)
    yield* view.show(View.Entry.Noted({ text: gone }))
  })

  /** Tells of a failure, and the words that it befell are not lost. Where nobody is there to read it, it is the end. */
  const failed = Effect.fnUntraced(function* (failure: SessionFailure, text: string | undefined) {
    if (!view.isInteractive) return yield* Effect.fail(failure)
    yield* view.show(View.Entry.Failed({ text: options.describeFailure(failure) }))
    if (isGone(failure)) yield* goneBack
    if (text !== undefined && isKept(failure)) yield* view.show(kept)
    else if (text !== undefined) yield* view.setDraft(text)
    return goOn
  })

  /** The person's words are heard already: they are no part of what fails here. */
  const settled: Effect.Effect<Next, SessionFailure> = Effect.suspend(() =>
    kind.onIdle === undefined
      ? Effect.succeed(goOn)
      : Effect.catchAll(kind.onIdle(session), (failure) => failed(failure, undefined)),
  )

  const obey = (line: string): Effect.Effect<Next, SessionFailure> => {
    const { name, words } = parse(line)
    const command = named(commands, name)
    return command === undefined
      ? failed(new UsageError({ message: `there is no /${name}; /help lists what there is` }), undefined)
      : Effect.catchAll(command.run(session, words), (failure) => failed(failure, undefined))
  }

  /** What the person says while nothing is going on. */
  const said = Effect.fnUntraced(function* (waiting: Waiting) {
    const { at, text } = waiting
    if (text.trim() === "") return goOn
    const heeded = at === undefined ? yield* kind.handleInput(text, session) : undefined
    if (heeded !== undefined) return heeded
    if (at === undefined && isCommand(text)) return yield* obey(text)
    if (text.length > MOST) return yield* new UsageError({ message: tooLong })
    yield* begin(waiting)
    return goOn
  })

  /** What the person says while an answer is on its way. */
  const saidMeanwhile = (text: string): Effect.Effect<Next, SessionFailure> => {
    if (text.trim() === "") return Effect.succeed(goOn)
    const isImmediate = isCommand(text) && named(commands, parse(text).name)?.isImmediate === true
    // Where nobody watches, order is all there is.
    if (isImmediate && view.isInteractive) return obey(text)
    now.waiting.push({ text, at: undefined, isWhole: false })
    return Effect.as(view.show(View.Entry.Queued({ text })), goOn)
  }

  const interrupted = (by: "escape" | "ctrl-c"): Effect.Effect<Next> =>
    Effect.suspend(() => {
      if (by === "ctrl-c" && now.wantsOut) return Effect.interrupt
      now.wantsOut = by === "ctrl-c"
      if (now.turn === undefined) return Effect.as(by === "ctrl-c" ? view.show(howToLeave) : Effect.void, goOn)
      now.isStopped = true
      return Effect.as(Fiber.interruptFork(now.turn.fiber), goOn)
    })

  const hear = View.Input.$match({
    Said: ({ text }) =>
      Effect.suspend(() => {
        now.wantsOut = false
        if (now.turn !== undefined) return saidMeanwhile(text)
        now.waiting.push({ text, at: undefined, isWhole: false })
        return Effect.succeed(goOn)
      }),
    Interrupted: ({ by }) => interrupted(by),
    Left: () =>
      Effect.sync(() => {
        now.isDeaf = true
        return goOn
      }),
  })

  const happened = (happening: Happening): Effect.Effect<Next, SessionFailure> => {
    if (happening._tag === "Done") return hear(happening.input)
    const { turn } = now
    now.turn = undefined
    return turn === undefined
      ? Effect.succeed(goOn)
      : Effect.catchAll(end(turn, happening.exit), (failure) => failed(failure, turn.text))
  }

  /** What waits goes before what happens next, as long as nothing is being answered. */
  const step: Effect.Effect<Next, SessionFailure> = Effect.suspend(() => {
    const next = now.turn === undefined ? now.waiting.shift() : undefined
    if (next !== undefined) return Effect.catchAll(said(next), (failure) => failed(failure, next.text))
    if (now.turn === undefined && now.isDeaf) return Effect.succeed<Next>("exit")
    const resting = now.turn === undefined ? view.promptUser : Effect.void
    return Effect.zipRight(resting, Effect.flatMap(Queue.take(happenings), happened))
  })

  const leaving = Effect.gen(function* () {
    const { turn } = now
    if (turn !== undefined) yield* Fiber.interrupt(turn.fiber)
    const unstored = turn === undefined || turn.isStored() ? [] : [turn.text]
    const texts = [...unstored, ...now.waiting.map(({ text }) => text), yield* view.draft]
    const text = texts.filter((text) => text.trim() !== "").join("\n\n")
    yield* Effect.catchAll(unsent.put(text), (cause) => {
      now.unkept ??= new ForestError({ reason: new Unwritable({ cause }) })
      return view.show(View.Entry.Noted({ text: `what was not sent cannot be kept:\n\n${text}` }))
    })
  })

  const warning = view.isInteractive
    ? yield* LogLines.redirectTo((text) => view.show(View.Entry.Noted({ text })))
    : identity
  yield* Effect.gen(function* () {
    const listening = Effect.flatMap(Queue.take(view.inputs), (input) =>
      Queue.offer(happenings, Happening.Done({ input })),
    )
    yield* Effect.forkScoped(Effect.forever(listening))
    yield* view.show(View.Entry.Titled({ title, model: String(now.model.id), facts }))
    if (from !== undefined) yield* view.show(yield* History.entry(forest, from, SHOWN))
    if (first !== undefined) now.waiting.push({ text: first, at: undefined, isWhole: false })
    const left = view.isInteractive ? yield* unsent.take : ""
    if (left !== "") yield* view.setDraft(left)
    yield* Effect.iterate(yield* settled, { while: (next) => next === "continue", body: () => step })
  }).pipe(Effect.ensuring(leaving), warning)
  if (now.unkept !== undefined) yield* now.unkept
}, Effect.scoped)

const goOn: Next = "continue"

const kept = View.Entry.Noted({ text: "Your words are kept: /retry has them answered" })

const gone = "What it stood on was deleted or undone elsewhere: it goes on from before that"

const howToLeave = View.Entry.Noted({ text: "Ctrl-C again leaves; so does /quit" })

/** Characters: more than a million tokens, and than a model can take in. */
const MOST = 4_000_000

const tooLong = `that is longer than a model can take in (${MOST.toLocaleString("en")} characters): say a part of it`

/** Other failures befall words that the forest has. */
const isKept = (failure: SessionFailure): boolean =>
  "_tag" in failure &&
  ["ModelError", "GenerationAbortedError", "RepeatedCallsError", "ToolIterationLimitExceededError"].includes(
    String(failure._tag),
  )

/** A path is no command: `/usr/bin/env` has a second slash. */
const isCommand = (text: string): boolean => /^\s*\/[^\s/]*(\s|$)/.test(text)

const parse = (line: string): { readonly name: string; readonly words: string } => {
  const [, name = "", words = ""] = /^\s*\/(\S*)\s*(.*)$/s.exec(line) ?? []
  return { name, words: words.trim() }
}

const named = (commands: ReadonlyArray<SlashCommand>, name: string): SlashCommand | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name) === true)

/** Among the last messages, oldest first. */
const saidBefore = (forest: Forest.Service, from: NodeId | undefined) =>
  from === undefined
    ? Effect.succeed([])
    : Effect.map(forest.path(from, { last: 100 }), ({ nodes }) =>
        nodes.flatMap(({ message }) => (message.role === "user" ? [Mentions.withoutFiles(Message.text(message))] : [])),
      )

/** Upwards from there, as far as it takes. */
const lastSaid = (forest: Forest.Service, from: NodeId | undefined): Effect.Effect<Node | undefined, ForestError> =>
  from === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
        tail(forest, from, SHOWN, (nodes) => nodes.some(isPersons)),
        ({ nodes }) => nodes.findLast(isPersons),
      )

const isPersons = ({ message }: Node): boolean => message.role === "user"

const isThere = (forest: Forest.Service, id: NodeId): Effect.Effect<boolean> =>
  Effect.isSuccess(forest.path(id, { last: 0 }))

const isGone = (failure: SessionFailure): boolean => {
  if (!("_tag" in failure)) return false
  const error = failure._tag === "AnswerNotKept" ? failure.cause : failure
  return error._tag === "ForestError" && error.reason._tag === "NotFound"
}

const failureOf = (exit: Exit.Exit<Reply, SessionFailure>) => {
  const failure = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
  return failure !== undefined && "_tag" in failure ? failure : undefined
}

/** What the model has said last: what it said before a call of its own is kept by the time that the tool runs. */
const following = (observer: TurnObserver): { readonly observer: TurnObserver; readonly words: () => string } => {
  const unfinished = Unfinished.make(observer)
  return {
    words: unfinished.text,
    observer: {
      ...unfinished.observer,
      toolStarted: (call) =>
        Effect.suspend(() => {
          unfinished.begin()
          return observer.toolStarted?.(call) ?? Effect.void
        }),
    },
  }
}
