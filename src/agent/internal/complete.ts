/** The loop: requests a reply, runs the tools that it calls, and sends their results, until a reply calls none. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Cost from "../../model/Cost.ts"
import * as History from "../../model/History.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as Limits from "../../model/Limits.ts"
import { ContextOverflow, ModelError } from "../../model/ModelError.ts"
import type { Reply } from "../../model/Reply.ts"
import { declarations, type Request } from "../../model/Request.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import { RepeatedCallsError, ToolIterationLimitExceededError } from "../GenerateError.ts"
import type { Additions, GenerateOptions } from "../GenerateOptions.ts"
import { DEFAULT_ROUNDS } from "../rounds.ts"
import { replyText, type Sink, TurnEvent } from "../TurnEvent.ts"
import { compact } from "./compact.ts"
import * as Drafts from "./drafts.ts"
import { executeCalls, type Results } from "./executeCalls.ts"
import * as FitWindow from "./fitWindow.ts"
import { type Messages, type OpenPath, ownMessage } from "./openPath.ts"
import * as Repeats from "./repeats.ts"
import { type Append, kindWith, lastOf, unusable } from "./storeNodes.ts"

/**
 * Makes one final reply, with all the calls on the way to it. If the results of a round end the run, their last one is
 * returned.
 */
export const make = (append: Append, defaultModel: LanguageModel.Service) =>
  Effect.fnUntraced(function* ({ state, system }: OpenPath, options: GenerateOptions, deliver: Sink) {
    const {
      answerSchema,
      maxOutputTokens,
      maxToolIterations = DEFAULT_ROUNDS,
      model = defaultModel,
      temperature,
      thinking,
    } = options
    const { concludes = false, keepUnfinished = false, stopsRepeats = false, meanwhile = noAdditions } = options
    const { messageOf = ownMessage, onEvent = ignore } = options
    let { toolChoice } = options
    const tools = options.tools ?? ToolRegistry.none
    const uniqueId = Drafts.makeUniqueIds(state.messages.flatMap(Message.toolUses).map((call) => call.id))
    const seen = Repeats.make((name) => tools.tools.some((tool) => tool.name === name))
    const outputLimit = FitWindow.outputLimit(system, maxOutputTokens, model.limits)
    const maxInput = Limits.maxInput(maxOutputTokens, model.limits)
    let offered = tools.tools
    let fitWindow = FitWindow.make(system + declarations(offered), maxInput)
    /** Takes over the current tools of tool servers, so that each request has the latest ones. */
    const refreshTools = Effect.zipRight(
      tools.refresh ?? Effect.void,
      Effect.sync(() => {
        if (tools.tools === offered) return
        offered = tools.tools
        fitWindow = FitWindow.make(system + declarations(offered), maxInput)
      }),
    )

    let unfinished = ""
    const report: Sink = keepUnfinished
      ? (event) =>
          Effect.suspend(() => {
            unfinished = replyText(unfinished, event)
            return onEvent(event)
          })
      : onEvent
    const emit: Sink = (event) => Effect.zipRight(report(event), deliver(event))
    const observer: LanguageModel.Observer = {
      // If there is no receiver, the parts of a reply cost nothing.
      part: report === ignore ? undefined : (part) => report({ _tag: "PartReceived", part }),
      retry: (retry) => report(TurnEvent.RetryScheduled(retry)),
      replaced: (by, error) => report(TurnEvent.ModelReplaced({ by, error })),
      report: (said) => report(TurnEvent.AgentReported(said)),
    }

    /** The time at which the latest request was sent. */
    let askedAt = 0
    const sinceAsked = Effect.map(Clock.currentTimeMillis, (now) => now - askedAt)

    /** Stores the text of a reply that is interrupted. */
    const keepText = (cursor: NodeId, pending: ReadonlyArray<Draft>) =>
      Effect.flatMap(sinceAsked, (took) => {
        if (unfinished.trim() === "") return Effect.void
        const drafts = [...pending, Drafts.unfinishedReply(model.id, unfinished, took)]
        return Effect.ignoreLogged(append(cursor, drafts, kindWith("unfinished"), report))
      })

    /** Awaits the reply, and stores it and a result for each of its calls, whatever happens in between. */
    const requestAndPersist = (
      cursor: NodeId,
      pending: ReadonlyArray<Draft>,
      awaitReply: Effect.Effect<Answered, ModelError>,
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { messages, reply } = yield* Effect.onInterrupt(restore(awaitReply), () => keepText(cursor, pending))
          const draft = Drafts.reply(reply, yield* sinceAsked, uniqueId)
          const calls = Message.toolUses(draft.message)
          const stored = yield* Effect.mapError(
            append(cursor, [...pending, draft], kindWith("reply"), report),
            (error) => unusable(error, reply),
          )
          const event = yield* lastOf(stored)
          const results: Results = new Map()
          const executed = yield* deliver(event).pipe(
            Effect.zipRight(executeCalls(tools, { node: event.node.id, model: reply.model }, calls, results, report)),
            restore,
            Effect.exit,
          )
          const { repetitionOf: repeated, results: shown } = seen(results)
          const drafts = calls.map((call) => Drafts.toolResult(call, shown.get(call)))
          const answers = drafts.length === 0 ? [] : yield* append(event.node.id, drafts, () => "result", report)
          yield* executed
          const endsRun = calls.length > 0 && calls.every((call) => results.get(call)?.endsRun === true)
          return { assistant: event.node, answers, repeated, endsRun, sent: messages, reply: draft.message }
        }),
      )

    const requestOf = (messages: Messages, trailing: Messages): Request => {
      const all = trailing.length === 0 ? messages : [...messages, ...trailing]
      return {
        system,
        messages: all,
        tools: offered,
        toolChoice,
        answerSchema,
        maxOutputTokens: outputLimit(all),
        minOutputTokens: options.minOutputTokens,
        temperature,
        thinking,
      }
    }

    /** Returns the reply, and the messages that it replies to. */
    const ask = (request: Request, messages: Messages): Effect.Effect<Answered, ModelError> =>
      Effect.map(model.generate(request, observer), (reply) => ({ reply, messages }))

    /** Asks, and compacts a path that is too long for the model, once. */
    const askCompacted = (
      request: Request,
      messages: Messages,
      trailing: Messages,
    ): Effect.Effect<Answered, ModelError> =>
      Effect.catchAll(ask(request, messages), (error) =>
        Option.match(error.reason._tag === "ContextOverflow" ? compact(messages) : Option.none(), {
          onNone: () => Effect.fail(error),
          onSome: ({ leftOut, messages }) =>
            Effect.zipRight(
              report(TurnEvent.HistoryCompacted({ leftOut, error })),
              ask(requestOf(messages, trailing), messages),
            ),
        }),
      )

    let { cursor, pending } = state
    let sent: Messages = []
    let newMessages = state.messages
    for (let iteration = 1; ; iteration++) {
      const isLast = concludes && iteration > 1 && iteration === maxToolIterations
      if (isLast) toolChoice = "none"
      const additions = yield* meanwhile(cursor)
      yield* refreshTools
      for (const node of additions.nodes) yield* report(TurnEvent.NodeStored({ node, kind: "input" }))
      const trailing = isLast ? [...additions.trailing, conclusion] : additions.trailing
      cursor = additions.nodes.at(-1)?.id ?? cursor
      // The new messages can be repaired without the earlier ones: they begin with the calls of a reply, followed by
      // their results.
      const added = History.repair([
        ...newMessages,
        ...additions.nodes.map((node) => messageOf(node)),
        ...messagesOf(pending),
      ])
      const { exceeded, leftOut, messages } = fitWindow(sent.concat(added), trailing)
      if (exceeded !== undefined) {
        const message = `the conversation comes to about ${exceeded} tokens, and ${maxInput} fit beside the reply`
        const error = new ModelError({ model: String(model.id), reason: new ContextOverflow({ message }) })
        yield* report(TurnEvent.HistoryCompacted({ leftOut, error }))
      }
      const request = requestOf(messages, trailing)
      askedAt = yield* Clock.currentTimeMillis
      yield* emit(TurnEvent.RequestSent({ request }))
      const awaitReply = Effect.tap(askCompacted(request, messages, trailing), ({ reply }) =>
        emit(TurnEvent.ReplyReceived({ reply, cost: Cost.ofReply(model, reply) })),
      )
      const answered = yield* requestAndPersist(cursor, pending, awaitReply)
      const { answers, assistant, repeated, reply } = answered
      const last = answers.at(-1)
      if (last === undefined) return assistant
      for (const event of answers) yield* deliver(event)
      if (answered.endsRun) return last.node
      if (iteration >= maxToolIterations)
        return yield* new ToolIterationLimitExceededError({ limit: maxToolIterations })
      if (repeated !== undefined && stopsRepeats) return yield* new RepeatedCallsError({ what: repeated })
      // The required tool has been called.
      if (typeof toolChoice === "object") toolChoice = "auto"
      cursor = last.node.id
      sent = answered.sent
      newMessages = [reply, ...answers.map(({ node }) => node.message)]
      pending = []
    }
  })

/** The sink of a run without `onEvent`. */
export const ignore: Sink = () => Effect.void

interface Answered {
  readonly reply: Reply
  /** The messages of the request that the next request sends again. */
  readonly messages: Messages
}

/** The notice in the last request of a run that `concludes`. */
const conclusion: Message.Notice = {
  role: "system",
  content: [
    Block.text("No more calls can be made. Answer with what you know by now, and say what is left open. (A notice.)"),
  ],
}

const noAdditions = (): Effect.Effect<Additions> => Effect.succeed({ nodes: [], trailing: [] })

const messagesOf = (drafts: ReadonlyArray<Pick<Draft, "message">>): Messages => drafts.map((draft) => draft.message)
