/**
 * The agent loop: messages go to a model, the model calls tools, their results go back, until the model answers. All
 * other modules use this one loop.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Draft, Node } from "../forest/Node.ts"
import { readTail } from "../forest/readTail.ts"
import * as Block from "../message/Block.ts"
import { inParallel, mapInParallel } from "../message/inParallel.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Cost from "../model/Cost.ts"
import * as History from "../model/History.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as Limits from "../model/Limits.ts"
import { ContextOverflow, ModelError, Unusable } from "../model/ModelError.ts"
import { rendezvous } from "../model/Rendezvous.ts"
import type { Reply } from "../model/Reply.ts"
import { declarations, type Request } from "../model/Request.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import type * as ToolResult from "../tool/ToolResult.ts"
import { countSaid, takeWindow } from "./Context.ts"
import {
  type GenerateError,
  RepeatedCallsError,
  ToolIterationLimitExceededError,
  ToolNotFoundError,
  ToolsOnlySupportNSingletonError,
} from "./GenerateError.ts"
import { fromTurnEvent, type GenerateEvent } from "./GenerateEvent.ts"
import type { Additions, GenerateOptions } from "./GenerateOptions.ts"
import { abortable } from "./internal/abortable.ts"
import { compact } from "./internal/compact.ts"
import * as Drafts from "./internal/drafts.ts"
import * as FitWindow from "./internal/fitWindow.ts"
import * as MakeRoom from "./internal/makeRoom.ts"
import * as OutputLimit from "./internal/outputLimit.ts"
import * as Repeats from "./internal/repeats.ts"
import * as UniqueIds from "./internal/uniqueIds.ts"
import * as Summary from "./Summary.ts"
import { type NodeKind, replyText, type Sink, TurnEvent } from "./TurnEvent.ts"

export class LoomEngine extends Context.Tag("vibe/loom/LoomEngine")<LoomEngine, Service>() {}

export interface Service {
  /**
   * Answers the path that ends at `parent`, a node or a root. The run goes no further than its consumer: what follows
   * an event happens when the next one is pulled. Cancelling the stream interrupts the run; the stored path stays
   * complete, with a result for every tool call.
   */
  readonly generateStream: (parent: NodeId, options?: GenerateOptions) => Stream.Stream<GenerateEvent>
  /**
   * The same run without a consumer: the nodes of `done`, or the error. They are the ends of the paths: replies, or the last
   * result of a turn whose results all end the run (`ToolResult.endsRun`).
   */
  readonly generate: (parent: NodeId, options?: GenerateOptions) => Effect.Effect<ReadonlyArray<Node>, GenerateError>
  /**
   * Runs of several models on one path, concurrently, each event with its model: one that fails ends its own run only.
   * The user's text is stored once, before the runs. `onEvent` receives the events of all runs, one at a time.
   */
  readonly generateSeveral: (
    parent: NodeId,
    models: ReadonlyArray<LanguageModel.Service>,
    options?: Omit<GenerateOptions, "model">,
  ) => Stream.Stream<readonly [model: ModelId, event: GenerateEvent], ForestError>
}

/** The most read-only tools that run at a time. */
const CONCURRENCY = 8

export const make = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const defaultModel = yield* LanguageModel.LanguageModel

  /** Adds to the path and reports each node, as one step: where a node is stored, it is reported. */
  const append = (
    parent: NodeId,
    drafts: ReadonlyArray<Draft>,
    kindOf: (node: Node) => NodeKind,
    report: Sink,
  ): Effect.Effect<ReadonlyArray<Stored>, ForestError> =>
    // A reply is a node of its own, even where another one has the same text.
    forest.append(parent, drafts, { distinct: drafts.at(-1)?.message.role === "assistant" }).pipe(
      Effect.map((nodes) => nodes.map((node) => TurnEvent.NodeStored({ node, kind: kindOf(node) }))),
      Effect.tap((stored) => Effect.forEach(stored, (event) => report(event), { discard: true })),
      Effect.uninterruptible,
    )

  const makeRoom = MakeRoom.make(forest)

  /**
   * The path to answer. Calls at its end that a crash or an abort left without a result get one first. `isRefused`: the provider has
   * refused it as too long.
   */
  const openPath = Effect.fnUntraced(function* (
    parent: NodeId,
    options: GenerateOptions,
    report: Sink,
    isRefused = false,
  ) {
    const { maxOutputTokens, messageOf = ownMessage, model = defaultModel, text, tools, window } = options
    const path = yield* readPath(forest, parent, window)
    const system = path.root.systemPrompt
    const missing = History.unanswered(path.nodes.map(({ message }) => message)).map((call) =>
      Drafts.toolResult(call, undefined),
    )
    const added = missing.length === 0 ? [] : yield* append(parent, missing, () => "repair", report)
    const nodes = Summary.visible([...path.nodes, ...added.map(({ node }) => node)])
    const cursor = added.at(-1)?.node.id ?? parent
    const room =
      options.summarizes === true
        ? yield* makeRoom({
            nodes,
            cursor,
            model,
            messageOf,
            fixed: system + declarations(tools?.tools ?? []),
            maxOutputTokens,
            isRefused,
            report,
          })
        : { nodes, cursor }
    const state: State = {
      cursor: room.cursor,
      messages: takeWindow(
        room.nodes.map((node) => messageOf(node)),
        window,
      ),
      pending: text === undefined ? [] : [Drafts.userMessage(text)],
    }
    return { system, state, hasMadeRoom: room.cursor !== cursor }
  })

  /** What it stores is one operation of the forest. */
  const run = Effect.fn("LoomEngine.run")(function* (parent: NodeId, options: GenerateOptions, handOver: Sink) {
    const { n = 1, onEvent = ignore, toolChoice, tools } = options
    if (n > 1 && tools !== undefined && tools.tools.length > 0) return yield* new ToolsOnlySupportNSingletonError({})
    if (typeof toolChoice === "object" && !tools?.tools.some(({ name }) => name === toolChoice.tool)) {
      return yield* new ToolNotFoundError({ name: toolChoice.tool })
    }
    if (options.summarizes === true && n === 1) return [yield* completeInRoom(parent, options, handOver)]
    const path = yield* openPath(parent, options, onEvent)
    const final: Array<Node> = []
    while (final.length < n) final.push(yield* complete(path, options, handOver))
    return final
  }, forest.operation)

  /** A reply to a path that is summarised where it is too long: before the request, or after the provider has refused it. */
  const completeInRoom = (parent: NodeId, options: GenerateOptions, handOver: Sink) =>
    Effect.gen(function* () {
      const { onEvent = ignore } = options
      let cursor = parent
      const follow: Sink = (event) => {
        if (event._tag === "NodeStored") cursor = event.node.id
        return onEvent(event)
      }
      const following = { ...options, onEvent: follow }
      const path = yield* openPath(parent, following, follow)
      return yield* Effect.catchIf(complete(path, following, handOver), isOverflow, (error) =>
        Effect.gen(function* () {
          // The user's text is stored with the first reply.
          const rest = cursor === path.state.cursor ? following : { ...following, text: undefined }
          const shorter = yield* openPath(cursor, rest, follow, true)
          return shorter.hasMadeRoom ? yield* complete(shorter, rest, handOver) : yield* error
        }),
      )
    })

  /** One final reply, with all the calls on the way to it; or the last result, where the results of a turn end the run. */
  const complete = Effect.fnUntraced(function* ({ state, system }: OpenPath, options: GenerateOptions, handOver: Sink) {
    const {
      answerSchema,
      maxOutputTokens,
      maxToolIterations = 5,
      model = defaultModel,
      temperature,
      thinking,
    } = options
    const { concludes = false, keepUnfinished = false, stopsRepeats = false, meanwhile = noAdditions } = options
    const { messageOf = ownMessage, onEvent = ignore } = options
    let { toolChoice } = options
    const tools = options.tools ?? ToolRegistry.make([])
    const uniqueId = UniqueIds.make(state.messages.flatMap(Message.toolUses).map((call) => call.id))
    const seen = Repeats.make((name) => tools.tools.some((tool) => tool.name === name))
    const outputLimit = OutputLimit.make(system, maxOutputTokens, model.limits)
    const maxInput = Limits.maxInput(maxOutputTokens, model.limits)
    const fitWindow = FitWindow.make(system + declarations(tools.tools), maxInput)

    let unfinished = ""
    const report: Sink = keepUnfinished
      ? (event) =>
          Effect.suspend(() => {
            unfinished = replyText(unfinished, event)
            return onEvent(event)
          })
      : onEvent
    const emit: Sink = (event) => Effect.zipRight(report(event), handOver(event))
    const observer: LanguageModel.Observer = {
      // Without a receiver the parts of a reply cost nothing.
      part: report === ignore ? undefined : (part) => report({ _tag: "PartReceived", part }),
      retry: (retry) => report(TurnEvent.RetryScheduled(retry)),
      replaced: (by, error) => report(TurnEvent.ModelReplaced({ by, error })),
      report: (said) => report(TurnEvent.AgentReported(said)),
    }

    const execute = (assistant: Node, reply: Reply, calls: ReadonlyArray<Block.ToolUse>, results: Results) => {
      const executeCall = (call: Block.ToolUse, report: Sink) =>
        Effect.gen(function* () {
          yield* report(TurnEvent.ToolStarted({ call }))
          const context = { node: assistant.id, callId: call.id, model: reply.model }
          const result = yield* tools.execute(call, context)
          results.set(call, result)
          yield* report(TurnEvent.ToolFinished({ call, result }))
        })
      return Effect.gen(function* () {
        for (const [first, ...others] of concurrentGroups(calls, tools)) {
          // A single call needs no fiber of its own.
          if (others.length === 0) yield* executeCall(first, report)
          else {
            const lock = yield* Effect.makeSemaphore(1)
            const oneAtATime: Sink = (event) => lock.withPermits(1)(report(event))
            yield* mapInParallel([first, ...others], (call) => executeCall(call, oneAtATime), CONCURRENCY)
          }
        }
      })
    }

    /** Stores the text of a reply that is interrupted. */
    const keepText = (cursor: NodeId, pending: ReadonlyArray<Draft>) =>
      Effect.suspend(() => {
        if (unfinished.trim() === "") return Effect.void
        const drafts = [...pending, Drafts.unfinishedReply(model.id, unfinished)]
        return Effect.ignoreLogged(append(cursor, drafts, kindWith("unfinished"), report))
      })

    /** Awaits the reply, and stores it and a result for each of its calls, whatever happens between. */
    const requestAndPersist = (
      cursor: NodeId,
      pending: ReadonlyArray<Draft>,
      awaitReply: Effect.Effect<Answered, ModelError>,
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { messages, reply } = yield* Effect.onInterrupt(restore(awaitReply), () => keepText(cursor, pending))
          const draft = Drafts.reply(reply, uniqueId)
          const calls = Message.toolUses(draft.message)
          const stored = yield* Effect.mapError(
            append(cursor, [...pending, draft], kindWith("reply"), report),
            (error) => unusable(error, reply),
          )
          const event = yield* lastOf(stored)
          const results: Results = new Map()
          const executed = yield* handOver(event).pipe(
            Effect.zipRight(execute(event.node, reply, calls, results)),
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
        tools: tools.tools,
        toolChoice,
        answerSchema,
        maxOutputTokens: outputLimit(all),
        temperature,
        thinking,
      }
    }

    /** The reply, and the messages that it replies to. */
    const ask = (request: Request, messages: Messages): Effect.Effect<Answered, ModelError> =>
      Effect.map(model.generate(request, observer), (reply) => ({ reply, messages }))

    /** A path that is too long for the model is compacted, once. */
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
      for (const node of additions.nodes) yield* report(TurnEvent.NodeStored({ node, kind: "input" }))
      const trailing = isLast ? [...additions.trailing, conclusion] : additions.trailing
      cursor = additions.nodes.at(-1)?.id ?? cursor
      // The new messages need no context to be repaired: they begin with the calls of a reply, followed by their results.
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
      yield* emit(TurnEvent.RequestSent({ request }))
      const awaitReply = Effect.tap(askCompacted(request, messages, trailing), ({ reply }) =>
        emit(TurnEvent.ReplyReceived({ reply, cost: Cost.ofReply(model, reply) })),
      )
      const answered = yield* requestAndPersist(cursor, pending, awaitReply)
      const { answers, assistant, repeated, reply } = answered
      const last = answers.at(-1)
      if (last === undefined) return assistant
      for (const event of answers) yield* handOver(event)
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

  /** The whole run. Each event is passed to `onEvent`, then to `handOver`. */
  const runAndReport = (parent: NodeId, options: GenerateOptions, handOver: Sink) => {
    const { onEvent = ignore } = options
    return abortable(options.signal, handOver, (handOver) => run(parent, options, handOver)).pipe(
      Effect.tapBoth({
        onFailure: (error) => onEvent(TurnEvent.RunFailed({ error })),
        onSuccess: (final) => onEvent(TurnEvent.RunCompleted({ final })),
      }),
    )
  }

  const generateStream: Service["generateStream"] = (parent, options = {}) =>
    rendezvous((emit) => {
      const handOver: Sink = (event) => {
        const specified = fromTurnEvent(event)
        return specified === undefined ? Effect.void : emit(specified)
      }
      return runAndReport(parent, options, handOver).pipe(
        Effect.matchEffect({
          onFailure: (error) => handOver(TurnEvent.RunFailed({ error })),
          onSuccess: (final) => handOver(TurnEvent.RunCompleted({ final })),
        }),
      )
    })

  const generate: Service["generate"] = (parent, options = {}) => runAndReport(parent, options, ignore)

  const generateSeveral: Service["generateSeveral"] = (parent, models, { text, onEvent = ignore, ...options } = {}) => {
    const lock = Effect.unsafeMakeSemaphore(1)
    const oneAtATime: Sink = onEvent === ignore ? ignore : (event) => lock.withPermits(1)(onEvent(event))
    const stored =
      text === undefined ? Effect.succeed([]) : append(parent, [Drafts.userMessage(text)], () => "input", oneAtATime)
    return Stream.unwrap(
      Effect.map(stored, (added) => {
        const cursor = added.at(-1)?.node.id ?? parent
        return rendezvous<readonly [ModelId, GenerateEvent], never, never>((emit) =>
          inParallel(
            models.map((model) =>
              Stream.runForEach(generateStream(cursor, { ...options, model, onEvent: oneAtATime }), (event) =>
                emit([model.id, event]),
              ),
            ),
          ),
        )
      }),
    )
  }

  return LoomEngine.of({ generateStream, generate, generateSeveral })
})

/** Needs a `Forest`, and the `LanguageModel` of runs that name no other. */
export const layer: Layer.Layer<LoomEngine, never, Forest.Forest | LanguageModel.LanguageModel> = Layer.effect(
  LoomEngine,
  make,
)

/** The sink of a run without `onEvent`. */
const ignore: Sink = () => Effect.void

type Stored = Extract<TurnEvent, { readonly _tag: "NodeStored" }>

/** The kinds of nodes that are stored together: `kind` for the reply, `input` for the messages before it. */
const kindWith =
  (kind: "reply" | "unfinished") =>
  ({ message }: Node): NodeKind =>
    message.role === "assistant" ? kind : "input"

type Results = Map<Block.ToolUse, ToolResult.ToolResult>

type Messages = ReadonlyArray<Message.Message>

interface Answered {
  readonly reply: Reply
  /** The messages of its request that the next request sends again. */
  readonly messages: Messages
}

const isOverflow = (error: GenerateError): error is ModelError =>
  error._tag === "ModelError" && error.reason._tag === "ContextOverflow"

interface OpenPath {
  readonly system: string
  readonly state: State
}

interface State {
  /** Where the next message goes. */
  readonly cursor: NodeId
  /** The messages of the path that are sent. */
  readonly messages: Messages
  /** The user's message, stored together with the reply: a request that fails leaves no trace. */
  readonly pending: ReadonlyArray<Draft>
}

/** Ends the last request of a run that `concludes`. */
const conclusion: Message.Notice = {
  role: "system",
  content: [
    Block.text("No more calls can be made. Answer with what you know by now, and say what is left open. (A notice.)"),
  ],
}

const ownMessage = ({ message }: Node): Message.Message => message

const noAdditions = (): Effect.Effect<Additions> => Effect.succeed({ nodes: [], trailing: [] })

type Group = [first: Block.ToolUse, ...others: Array<Block.ToolUse>]

/** Adjacent calls of read-only tools form a group that runs concurrently; every other call is a group of its own. */
const concurrentGroups = (
  calls: ReadonlyArray<Block.ToolUse>,
  { tools }: ToolRegistry.Service,
): ReadonlyArray<Group> => {
  const writers = new Set(tools.filter((tool) => !tool.readOnly).map((tool) => tool.name))
  const groups: Array<Group> = []
  let reading = false
  for (const call of calls) {
    const reads = !writers.has(call.name)
    const group = groups.at(-1)
    if (reads && reading && group !== undefined) group.push(call)
    else groups.push([call])
    reading = reads
  }
  return groups
}

/** As much of the path as is sent, and as the check for open calls needs: back to the last message of user or model. */
const readPath = (
  forest: Forest.Service,
  parent: NodeId,
  window: number | undefined,
): Effect.Effect<Forest.Path, ForestError> =>
  window === undefined
    ? readTail(forest, parent, TAIL, Summary.hasWhole)
    : // One more than the window: fewer nodes mean that the whole path was read.
      readTail(forest, parent, window + 1, (nodes) => {
        const messages = nodes.map(({ message }) => message)
        return countSaid(messages) >= window && messages.some(({ role }) => role === "assistant" || role === "user")
      })

/** Nodes that are read of a path at first, where all are sent after its last summary: as many as most conversations have. */
const TAIL = 200

/** A reply that the forest refuses as invalid is an error of the model. */
const unusable = (error: ForestError, { model, usage }: Reply): ForestError | ModelError =>
  error.reason._tag === "Invalid"
    ? new ModelError({
        model: String(model),
        reason: new Unusable({
          message: `its answer cannot be stored: ${error.reason.issues.join("; ")}`,
          correction: "Your last answer could not be read. Answer again.",
        }),
        usage,
      })
    : error

const messagesOf = (drafts: ReadonlyArray<Pick<Draft, "message">>): Messages => drafts.map((draft) => draft.message)

const lastOf = (stored: ReadonlyArray<Stored>): Effect.Effect<Stored> => {
  const last = stored.at(-1)
  return last === undefined ? Effect.dieMessage("the forest has stored no node for a reply") : Effect.succeed(last)
}
