/**
 * The kernel: messages go to a model, the model calls tools, results go back, until it answers. The only loop over a
 * model that there is.
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
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as History from "../model/History.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { ModelError, Unusable } from "../model/ModelError.ts"
import { rendezvous } from "../model/Rendezvous.ts"
import type { Reply } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import type * as ToolResult from "../tool/ToolResult.ts"
import { takeWindow } from "./Context.ts"
import {
  type GenerateError,
  RepeatedCallsError,
  ToolIterationLimitExceededError,
  ToolNotFoundError,
  ToolsOnlySupportNSingletonError,
} from "./GenerateError.ts"
import type { GenerateEvent } from "./GenerateEvent.ts"
import type { Additions, GenerateOptions } from "./GenerateOptions.ts"
import { abortable } from "./internal/abortable.ts"
import { compact } from "./internal/compact.ts"
import * as Distinct from "./internal/distinct.ts"
import * as Drafts from "./internal/drafts.ts"
import * as Repeats from "./internal/repeats.ts"
import * as Room from "./internal/room.ts"
import * as Unfinished from "./Unfinished.ts"

export class LoomEngine extends Context.Tag("vibe/loom/LoomEngine")<LoomEngine, Service>() {}

export interface Service {
  /**
   * Answers the path that ends at `parent`, a node or a root. The run goes no further than its consumer: what follows
   * an event happens when the next one is asked for. Letting the stream go interrupts the run; the stored path stays
   * whole, with every tool use answered.
   */
  readonly generateStream: (parent: NodeId, options?: GenerateOptions) => Stream.Stream<GenerateEvent>
  /** The same run, heard to its end: the nodes of `done`, or the error. */
  readonly generate: (parent: NodeId, options?: GenerateOptions) => Effect.Effect<ReadonlyArray<Node>, GenerateError>
  /**
   * Runs of several models on one path, all at once, each told apart: one that fails ends its own run alone. What the
   * user says is stored first, and once.
   */
  readonly generateSeveral: (
    parent: NodeId,
    models: ReadonlyArray<LanguageModel.Service>,
    options?: Omit<GenerateOptions, "model">,
  ) => Stream.Stream<readonly [model: ModelId, event: GenerateEvent], ForestError>
}

/** How many calls of tools that only read run at a time (FAULTS, settled). */
const concurrency = 8

export const make = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const defaultModel = yield* LanguageModel.LanguageModel

  /** Adds to the path, and tells of it. */
  const append = (
    parent: NodeId,
    drafts: ReadonlyArray<Draft>,
    { stored }: GenerateOptions,
  ): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
    // A model's answer is its own, even where another said the same.
    forest.append(parent, drafts, { distinct: drafts.at(-1)?.message.role === "assistant" }).pipe(
      Effect.tap((nodes) =>
        stored === undefined ? Effect.void : Effect.forEach(nodes, (node) => stored(node), { discard: true }),
      ),
      Effect.uninterruptible,
    )

  /** The path to answer. What a crash or an abort left open at its end is answered first. */
  const opened = Effect.fnUntraced(function* (parent: NodeId, options: GenerateOptions) {
    const { text, window } = options
    const { nodes, root } = yield* shown(forest, parent, window)
    const stored = nodes.map((node) => node.message)
    const missing = History.unanswered(stored).map((call) => Drafts.answer(call, undefined))
    const added = missing.length === 0 ? [] : yield* append(parent, missing, options)
    const state: State = {
      cursor: added.at(-1)?.id ?? parent,
      told: takeWindow([...stored, ...messagesOf(missing)], window),
      pending: text === undefined ? [] : [Drafts.said(text)],
    }
    return { system: root.systemPrompt, state }
  })

  /** What it stores is one operation of the forest. */
  const run = Effect.fn("LoomEngine.run")(function* (parent: NodeId, options: GenerateOptions, emit: Emit) {
    const { n = 1, toolChoice, tools } = options
    if (n > 1 && tools !== undefined && tools.tools.length > 0) return yield* new ToolsOnlySupportNSingletonError({})
    if (typeof toolChoice === "object" && !tools?.tools.some(({ name }) => name === toolChoice.tool)) {
      return yield* new ToolNotFoundError({ name: toolChoice.tool })
    }
    const path = yield* opened(parent, options)
    const final: Array<Node> = []
    while (final.length < n) final.push(yield* complete(path, options, emit))
    return final
  }, forest.operation)

  /** One answer, with all the calls on the way to it. */
  const complete = Effect.fnUntraced(function* ({ state, system }: Opened, options: GenerateOptions, emit: Emit) {
    const { answerSchema, maxOutputTokens, maxToolIterations = 5, model = defaultModel, temperature } = options
    const { concludes = false, keepUnfinished = false, stopsRepeats = false, meanwhile = nothingNew } = options
    let { toolChoice } = options
    const unfinished = Unfinished.make(options.observer ?? {})
    const observer = keepUnfinished ? unfinished.observer : (options.observer ?? {})
    const tools = options.tools ?? ToolRegistry.make([])
    const distinct = Distinct.make(state.told.flatMap(Message.toolUses).map((call) => call.id))
    const seen = Repeats.make((name) => tools.tools.some((tool) => tool.name === name))
    const room = Room.make(system, maxOutputTokens, model.limits)

    const execute = (assistant: Node, reply: Reply, calls: ReadonlyArray<Block.ToolUse>, results: Results) => {
      const one = (call: Block.ToolUse) =>
        Effect.gen(function* () {
          yield* observer.toolStarted?.(call) ?? Effect.void
          const context = { node: assistant.id, callId: call.id, model: reply.model, isRuleBased: model.isRuleBased }
          const result = yield* tools.execute(call, context)
          results.set(call, result)
          yield* observer.toolFinished?.(call, result) ?? Effect.void
        })
      return Effect.gen(function* () {
        for (const [first, ...others] of sideBySide(calls, tools)) {
          // A fiber for each, so none for one alone.
          yield* others.length === 0
            ? one(first)
            : Effect.forEach([first, ...others], one, { concurrency, discard: true })
        }
      })
    }

    /** Stores what was heard of a reply that nobody waits for any longer. */
    const keepWords = (cursor: NodeId, pending: ReadonlyArray<Draft>) =>
      Effect.suspend(() => {
        const text = unfinished.text()
        if (text.trim() === "") return Effect.void
        return Effect.ignoreLogged(append(cursor, [...pending, Drafts.unfinished(model.id, text)], options))
      })

    /** Hears the reply, and stores it and an answer to each of its calls, whatever happens between. */
    const exchange = (cursor: NodeId, pending: ReadonlyArray<Draft>, hear: Effect.Effect<Asked, ModelError>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { messages, reply } = yield* Effect.onInterrupt(restore(hear), () => keepWords(cursor, pending))
          const draft = Drafts.reply(reply, distinct)
          const calls = Message.toolUses(draft.message)
          const stored = Effect.mapError(append(cursor, [...pending, draft], options), (error) =>
            unusable(error, reply),
          )
          const assistant = yield* lastOf(yield* stored)
          const results: Results = new Map()
          const executed = yield* emit({ type: "assistant_node", node: assistant }).pipe(
            Effect.zipRight(execute(assistant, reply, calls, results)),
            restore,
            Effect.exit,
          )
          const { repeated, results: told } = seen(results)
          const drafts = calls.map((call) => Drafts.answer(call, told.get(call)))
          const answers = drafts.length === 0 ? [] : yield* append(assistant.id, drafts, options)
          yield* executed
          return { assistant, answers, repeated, asked: messages, reply: draft.message }
        }),
      )

    const requestOf = (messages: Messages, trailing: Messages): Request => {
      const told = trailing.length === 0 ? messages : [...messages, ...trailing]
      return {
        system,
        messages: told,
        tools: tools.tools,
        toolChoice,
        answerSchema,
        maxOutputTokens: room(told),
        temperature,
      }
    }

    /** The reply, and what it replies to. */
    const ask = (request: Request, messages: Messages): Effect.Effect<Asked, ModelError> =>
      Effect.map(model.generate(request, observer), (reply) => ({ reply, messages }))

    /** A path that is too long for the model is made shorter, once (FAULTS F1). */
    const askShorter = (request: Request, messages: Messages, trailing: Messages): Effect.Effect<Asked, ModelError> =>
      Effect.catchAll(ask(request, messages), (error) =>
        Option.match(error.reason._tag === "ContextOverflow" ? compact(messages) : Option.none(), {
          onNone: () => Effect.fail(error),
          onSome: ({ leftOut, messages }) =>
            Effect.zipRight(
              observer.compacted?.(leftOut, error) ?? Effect.void,
              ask(requestOf(messages, trailing), messages),
            ),
        }),
      )

    let { cursor, pending } = state
    let told: Messages = []
    let since = state.told
    for (let iteration = 1; ; iteration++) {
      const isLast = concludes && iteration > 1 && iteration === maxToolIterations
      if (isLast) toolChoice = "none"
      const { nodes, trailing: said } = yield* meanwhile(cursor)
      const trailing = isLast ? [...said, conclusion] : said
      cursor = nodes.at(-1)?.id ?? cursor
      // What is new is fit by itself: it begins with the calls of a model, and ends with their answers and the rest.
      const messages = told.concat(History.repair([...since, ...messagesOf(nodes), ...messagesOf(pending)]))
      const request = requestOf(messages, trailing)
      unfinished.begin()
      yield* emit({ type: "provider_request", request })
      const hear = Effect.tap(askShorter(request, messages, trailing), ({ reply }) =>
        emit({ type: "provider_response", reply }),
      )
      const { answers, asked, assistant, repeated, reply } = yield* exchange(cursor, pending, hear)
      if (answers.length === 0) return assistant
      for (const node of answers) yield* emit({ type: "tool_result_node", node })
      if (iteration >= maxToolIterations)
        return yield* new ToolIterationLimitExceededError({ limit: maxToolIterations })
      if (repeated !== undefined && stopsRepeats) return yield* new RepeatedCallsError({ what: repeated })
      // It has called what it had to.
      if (typeof toolChoice === "object") toolChoice = "auto"
      cursor = answers.at(-1)?.id ?? assistant.id
      told = asked
      since = [reply, ...messagesOf(answers)]
      pending = []
    }
  })

  const generateStream: Service["generateStream"] = (parent, options = {}) =>
    rendezvous((emit) =>
      abortable(options.signal, emit, (emit) => run(parent, options, emit)).pipe(
        Effect.match({
          onFailure: (error): GenerateEvent => ({ type: "error", error }),
          onSuccess: (final): GenerateEvent => ({ type: "done", final }),
        }),
        Effect.flatMap(emit),
      ),
    )

  const generate: Service["generate"] = (parent, options = {}) =>
    abortable(options.signal, unheard, (emit) => run(parent, options, emit))

  const generateSeveral: Service["generateSeveral"] = (parent, models, { text, ...options } = {}) =>
    Stream.unwrap(
      Effect.map(text === undefined ? Effect.succeed([]) : forest.append(parent, [Drafts.said(text)]), (added) => {
        const cursor = added.at(-1)?.id ?? parent
        return Stream.mergeAll(
          models.map((model) =>
            Stream.map(generateStream(cursor, { ...options, model }), (event) => [model.id, event] as const),
          ),
          { concurrency: "unbounded" },
        )
      }),
    )

  return LoomEngine.of({ generateStream, generate, generateSeveral })
})

/** Needs a `Forest`, and the `LanguageModel` that is asked where a call names no other. */
export const layer: Layer.Layer<LoomEngine, never, Forest.Forest | LanguageModel.LanguageModel> = Layer.effect(
  LoomEngine,
  make,
)

type Emit = (event: GenerateEvent) => Effect.Effect<void>

/** Where only the end is wanted, nobody is handed the events on the way to it. */
const unheard: Emit = () => Effect.void

type Results = Map<Block.ToolUse, ToolResult.ToolResult>

type Messages = ReadonlyArray<Message.Message>

interface Asked {
  readonly reply: Reply
  /** What is kept of what was said with it. */
  readonly messages: Messages
}

interface Opened {
  readonly system: string
  readonly state: State
}

interface State {
  /** Where the next message goes. */
  readonly cursor: NodeId
  /** What a model is told of the path. */
  readonly told: Messages
  /** Said, and stored together with the answer: a request that fails leaves no trace. */
  readonly pending: ReadonlyArray<Draft>
}

/** FAULTS D7. */
const conclusion: Message.Notice = {
  role: "system",
  content: [
    Block.text("No more calls can be made. Answer with what you know by now, and say what is left open. (A notice.)"),
  ],
}

const nothingNew = (): Effect.Effect<Additions> => Effect.succeed({ nodes: [], trailing: [] })

type Group = [first: Block.ToolUse, ...others: Array<Block.ToolUse>]

/** Neighbours that only read form a group that runs side by side; every other call is a group of its own. */
const sideBySide = (calls: ReadonlyArray<Block.ToolUse>, { tools }: ToolRegistry.Service): ReadonlyArray<Group> => {
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

/** As much of the path as tells what a window shows, and which calls are open: back to whoever spoke last. */
const shown = (
  forest: Forest.Service,
  parent: NodeId,
  window: number | undefined,
): Effect.Effect<Forest.Path, ForestError> =>
  window === undefined
    ? forest.path(parent)
    : // One more than the window, which tells it from all of the path.
      readTail(forest, parent, window + 1, (nodes) =>
        nodes.some(({ message: { role } }) => role === "assistant" || role === "user"),
      )

/** A reply that cannot be stored is the model's fault, and not the forest's. */
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

const lastOf = (nodes: ReadonlyArray<Node>): Effect.Effect<Node> => {
  const last = nodes.at(-1)
  return last === undefined ? Effect.dieMessage("the forest stored nothing of what it was given") : Effect.succeed(last)
}
