/**
 * The agent loop: each round requests a reply, runs the tools that it calls, and stores their results, until a reply
 * calls none. A round goes through three steps: `composeRequest` makes its request, `answer` stores the reply with its
 * results, and `decide` says what follows.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelError } from "../../model/ModelError.ts"
import type { Reply } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import { RepeatedCallsError, ToolIterationLimitExceededError } from "../GenerateError.ts"
import type { GenerateOptions } from "../GenerateOptions.ts"
import { DEFAULT_ROUNDS } from "../rounds.ts"
import { replyText, type Sink, TurnEvent } from "../TurnEvent.ts"
import { compact } from "./compact.ts"
import type { Composed, Round } from "./composeRequest.ts"
import * as ComposeRequest from "./composeRequest.ts"
import { executeCalls, type Results } from "./executeCalls.ts"
import type { Messages, OpenPath } from "./openPath.ts"
import * as Repeats from "./repeats.ts"
import * as StoreNodes from "./storeNodes.ts"

/**
 * Makes one final reply, with all the calls on the way to it. If the results of a round end the run, their last one is
 * returned.
 */
export const make = (append: StoreNodes.Append, defaultModel: LanguageModel.Service) =>
  Effect.fnUntraced(function* (path: OpenPath, options: GenerateOptions, deliver: Sink) {
    const run = begin({ append, defaultModel, path, options, deliver })
    const { cursor, messages, pending } = path.state
    let round: Round = { number: 1, cursor, pending, sent: [], added: messages, toolChoice: options.toolChoice }
    for (;;) {
      const settled = yield* answer(run, yield* run.composer.compose(round))
      for (const event of settled.results) yield* deliver(event)
      const next = decide(run, round, settled)
      if (next._tag === "Ended") return next.node
      if (next._tag === "Failed") return yield* next.error
      round = next.round
    }
  })

interface Answered {
  readonly reply: Reply
  /** The messages of the request that the next request sends again. */
  readonly messages: Messages
}

/** A round whose reply is stored, with a result for each of its calls. */
interface Settled {
  readonly node: Node
  readonly results: ReadonlyArray<StoreNodes.Stored>
  readonly endsRun: boolean
  /** Describes what the model repeats, once it is unlikely to stop by itself. */
  readonly repeated: string | undefined
  /** The messages of the request, and the message that replies to them. */
  readonly sent: Messages
  readonly reply: Message.Message
}

/** The step after a round. */
type Next =
  | { readonly _tag: "Ended"; readonly node: Node }
  | { readonly _tag: "Failed"; readonly error: RepeatedCallsError | ToolIterationLimitExceededError }
  | { readonly _tag: "Continued"; readonly round: Round }

interface Start {
  readonly append: StoreNodes.Append
  readonly defaultModel: LanguageModel.Service
  readonly path: OpenPath
  readonly options: GenerateOptions
  readonly deliver: Sink
}

type Run = ReturnType<typeof begin>

/** Makes what all rounds of a run share. */
const begin = ({ append, defaultModel, deliver, options, path: { state, system } }: Start) => {
  const { keepUnfinished = false, model = defaultModel, onEvent = ignore } = options
  const { maxToolIterations = DEFAULT_ROUNDS, tools = ToolRegistry.none } = options
  const unfinished = makeUnfinished()
  const report: Sink = keepUnfinished ? (event) => Effect.zipRight(unfinished.add(event), onEvent(event)) : onEvent
  const observer: LanguageModel.Observer = {
    // If there is no receiver, the parts of a reply cost nothing.
    part: report === ignore ? undefined : (part) => report({ _tag: "PartReceived", part }),
    retry: (retry) => report(TurnEvent.RetryScheduled(retry)),
    replaced: (by, error) => report(TurnEvent.ModelReplaced({ by, error })),
    report: (said) => report(TurnEvent.AgentReported(said)),
  }
  return {
    options,
    model,
    tools,
    maxToolIterations,
    append,
    deliver,
    report,
    observer,
    emit: (event: TurnEvent) => Effect.zipRight(report(event), deliver(event)),
    unfinished: unfinished.text,
    composer: ComposeRequest.make({ options, model, tools, system, maxToolIterations, report }),
    uniqueId: StoreNodes.makeUniqueIds(state.messages.flatMap(Message.toolUses).map((call) => call.id)),
    detectRepeats: Repeats.make((name) => tools.tools.some((tool) => tool.name === name)),
  }
}

/** Follows the text of the reply that is in progress. */
const makeUnfinished = () => {
  let text = ""
  return {
    text: () => text,
    add: (event: TurnEvent) =>
      Effect.sync(() => {
        text = replyText(text, event)
      }),
  }
}

/** Sends the request of a round, awaits the reply, and stores it and a result for each of its calls. */
const answer = Effect.fnUntraced(function* (run: Run, composed: Composed) {
  const request = run.composer.requestOf(composed, composed.messages)
  const askedAt = yield* Clock.currentTimeMillis
  yield* run.emit(TurnEvent.RequestSent({ request }))
  const reply = Effect.tap(askCompacted(run, composed, request), ({ reply }) =>
    run.emit(TurnEvent.ReplyReceived({ reply, cost: Cost.ofReply(run.model, reply) })),
  )
  const sinceAsked = Effect.map(Clock.currentTimeMillis, (now) => now - askedAt)
  return yield* persist(run, composed, reply, sinceAsked)
})

/** Asks, and compacts a path that is too long for the model, once. */
const askCompacted = (run: Run, composed: Composed, request: Request): Effect.Effect<Answered, ModelError> => {
  const { composer, model, observer, report } = run
  /** Returns the reply, and the messages that it replies to. */
  const ask = (request: Request, messages: Messages) =>
    Effect.map(model.generate(request, observer), (reply): Answered => ({ reply, messages }))
  return Effect.catchAll(ask(request, composed.messages), (error) =>
    Option.match(error.reason._tag === "ContextOverflow" ? compact(composed.messages) : Option.none(), {
      onNone: () => Effect.fail(error),
      onSome: ({ leftOut, messages }) =>
        Effect.zipRight(
          report(TurnEvent.HistoryCompacted({ leftOut, error })),
          ask(composer.requestOf(composed, messages), messages),
        ),
    }),
  )
}

/** Awaits the reply, and stores it and a result for each of its calls, whatever happens in between. */
const persist = (
  run: Run,
  { cursor, pending }: Composed,
  awaitReply: Effect.Effect<Answered, ModelError>,
  sinceAsked: Effect.Effect<number>,
) => {
  const { append, deliver, report, tools } = run
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { messages, reply } = yield* Effect.onInterrupt(restore(awaitReply), () =>
        Effect.flatMap(sinceAsked, (took) => keepText(run, cursor, pending, took)),
      )
      const draft = StoreNodes.replyDraft(reply, yield* sinceAsked, run.uniqueId)
      const calls = Message.toolUses(draft.message)
      const stored = yield* Effect.mapError(
        append(cursor, [...pending, draft], StoreNodes.kindWith("reply"), report),
        (error) => StoreNodes.unusable(error, reply),
      )
      const event = yield* StoreNodes.lastOf(stored)
      const { node } = event
      const results: Results = new Map()
      const executed = yield* deliver(event).pipe(
        Effect.zipRight(executeCalls(tools, { node: node.id, model: reply.model }, calls, results, report)),
        restore,
        Effect.exit,
      )
      const { repetitionOf: repeated, results: shown } = run.detectRepeats(results)
      const drafts = calls.map((call) => StoreNodes.resultDraft(call, shown.get(call)))
      const settled: Settled = {
        node,
        results: drafts.length === 0 ? [] : yield* append(node.id, drafts, () => "result", report),
        endsRun: calls.length > 0 && calls.every((call) => results.get(call)?.endsRun === true),
        repeated,
        sent: messages,
        reply: draft.message,
      }
      yield* executed
      return settled
    }),
  )
}

/** Stores the text of a reply that is interrupted. */
const keepText = (
  { append, model, report, unfinished }: Run,
  cursor: NodeId,
  pending: Composed["pending"],
  took: number,
) => {
  const text = unfinished()
  if (text.trim() === "") return Effect.void
  const drafts = [...pending, StoreNodes.unfinishedDraft(model.id, text, took)]
  return Effect.ignoreLogged(append(cursor, drafts, StoreNodes.kindWith("unfinished"), report))
}

/** Decides what follows a round. */
const decide = ({ maxToolIterations, options }: Run, { number, toolChoice }: Round, settled: Settled): Next => {
  const last = settled.results.at(-1)?.node
  if (last === undefined) return { _tag: "Ended", node: settled.node }
  if (settled.endsRun) return { _tag: "Ended", node: last }
  if (number >= maxToolIterations) {
    return { _tag: "Failed", error: new ToolIterationLimitExceededError({ limit: maxToolIterations }) }
  }
  if (settled.repeated !== undefined && options.stopsRepeats === true) {
    return { _tag: "Failed", error: new RepeatedCallsError({ what: settled.repeated }) }
  }
  const round: Round = {
    number: number + 1,
    cursor: last.id,
    pending: [],
    sent: settled.sent,
    added: [settled.reply, ...settled.results.map(({ node }) => node.message)],
    // The required tool has been called.
    toolChoice: typeof toolChoice === "object" ? "auto" : toolChoice,
  }
  return { _tag: "Continued", round }
}

/** The sink of a run without `onEvent`. */
export const ignore: Sink = () => Effect.void
