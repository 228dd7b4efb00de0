/** The request for one batch: its message and tools, how it is sent, and what its answer or its failure means. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import type { GenerateError } from "../agent/GenerateError.ts"
import type * as LoomEngine from "../agent/LoomEngine.ts"
import type { Sink } from "../agent/TurnEvent.ts"
import type { Node } from "../forest/Node.ts"
import { type IndexEntry, versionOf } from "../index/IndexEntry.ts"
import type { NewPurpose } from "../index/IndexStore.ts"
import * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { ToolChoice } from "../model/Request.ts"
import * as RunBudget from "../model/RunBudget.ts"
import type { Thinking } from "../model/Thinking.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { answerTokens, type Batch } from "./Batch.ts"
import { type OnRefused, RECORDING } from "./ExplorationTools.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import * as Instruction from "./Instruction.ts"
import * as FollowUps from "./internal/FollowUps.ts"
import type * as TaskQueue from "./internal/TaskQueue.ts"
import * as TextAnswer from "./internal/TextAnswer.ts"

/** The part of the settings of a run that concerns each request. */
export interface Settings {
  readonly loom: LoomEngine.Service
  /** The root of the conversation: each batch is a branch below it. */
  readonly root: NodeId
  /** The map of the project, which is sent with every batch. */
  readonly map: string | undefined
  readonly thinking: Thinking | undefined
  /** Returns the tools for a batch, which report the purposes that they have stored and refused. */
  readonly toolsFor: (batch: Batch, receivers?: Receivers) => ToolRegistry.Service
  readonly watch: Watch
  /** Returns the receiver of the events of the conversation with that number. */
  readonly onEvent: (branch: number) => Sink
}

type OnRecord = (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void>

interface Receivers {
  readonly onRecord: OnRecord
  readonly onRefused: OnRefused
}

export interface Answer {
  readonly failure: GenerateError | undefined
  /** The symbols of the batch that have got no purpose. */
  readonly left: ReadonlyArray<IndexEntry>
  /** The most frequent reason for which a purpose was refused. */
  readonly refusal: string | undefined
}

export interface Options {
  readonly task: TaskQueue.Task
  readonly followUps: FollowUps.FollowUps
  readonly onRecord: OnRecord
  /** Called when the provider limits the rate. */
  readonly slowDown: Effect.Effect<void>
}

/** Writes the message of a batch. Nothing is sent before `send`. */
export const make = Effect.fnUntraced(function* (
  settings: Settings,
  { followUps, slowDown, task, ...options }: Options,
) {
  const { batch, model } = task
  /** Versions of symbols that have got a purpose. */
  const explained = yield* Ref.make<ReadonlySet<string>>(new Set())
  const answeredBy = yield* Ref.make(model.id)
  const refusals = yield* Ref.make<ReadonlyArray<string>>([])
  const tools = settings.toolsFor(batch, {
    onRecord: (purposes) =>
      Effect.all(
        [
          followUps.noteRecorded(purposes),
          options.onRecord(purposes),
          Ref.update(explained, (before) => new Set([...before, ...purposes.map(({ entry }) => versionOf(entry))])),
        ],
        { discard: true },
      ),
    onRefused: (purposes) =>
      Effect.zipRight(
        followUps.noteRefused(purposes),
        Ref.update(refusals, (before) => [...before, ...purposes.map(({ reason }) => reason)]),
      ),
  })
  const text = batch.sent?.message ?? Instruction.batch(settings.map, batch, yield* followUps.earlierIn(batch))

  /** Treats an answer that a model wrote as text like the tool call that it stands for. */
  const recordText = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>, model: ModelId, number: number) {
    const [node] = nodes
    if (node?.source.type !== "model") return
    const entries = TextAnswer.read(Message.text(node.message), node.source.finish === "stop")
    if (entries === undefined) return
    const call = Block.toolUse(`text-${number}`, RECORDING, { entries })
    yield* settings.watch(IndexEvent.ToolStarted({ name: call.name, parameters: call.parameters, batch: number }))
    const { isError = false, text } = yield* tools.execute(call, { node: node.id, callId: call.id, model })
    yield* settings.watch(IndexEvent.ToolFinished({ name: call.name, text, isError, batch: number }))
  })

  const send = Effect.fnUntraced(function* (number: number) {
    const result = yield* settings.loom
      .generate(settings.root, {
        text,
        tools,
        toolChoice: choiceOf(settings.thinking),
        model,
        thinking: settings.thinking,
        maxToolIterations: 1,
        minOutputTokens: batch.sent === undefined ? minAnswerTokens(batch) : undefined,
        onEvent: (event) =>
          Effect.gen(function* () {
            if (event._tag === "ReplyReceived") yield* Ref.set(answeredBy, event.reply.model)
            if (event._tag === "RetryScheduled" && event.error.reason._tag === "RateLimited") yield* slowDown
            yield* settings.onEvent(number)(event)
          }),
      })
      .pipe(Effect.either)
    if (Either.isRight(result)) yield* recordText(result.right, yield* Ref.get(answeredBy), number)
    const done = yield* Ref.get(explained)
    const failure = Either.isLeft(result) ? result.left : undefined
    const answer: Answer = {
      // The limit of one round is no failure: the answer is in its calls.
      failure: failure?._tag === "ToolIterationLimitExceededError" ? undefined : failure,
      left: batch.symbols.filter((entry) => !done.has(versionOf(entry))),
      refusal: mostFrequent(yield* Ref.get(refusals)),
    }
    return answer
  })

  return {
    text,
    /** Returns whether the rest of the budget covers the message and its answer. */
    isAffordable:
      model.affords === undefined || batch.sent !== undefined
        ? Effect.succeed(true)
        : model.affords({
            inputTokens: RunBudget.estimate({
              system: Instruction.system,
              messages: [Message.user(text)],
              tools: tools.tools,
            }),
            outputTokens: Math.min(minAnswerTokens(batch), model.limits?.output ?? Number.POSITIVE_INFINITY),
          }),
    /** Sends it as the branch with that number, and stores the purposes of the answer. */
    send,
  }
})

/** An answer is cut off if the budget leaves less than this: a quarter more than its mean length. */
const minAnswerTokens = ({ symbols }: Batch): number => Math.ceil(1.25 * answerTokens(symbols.length))

export const mostFrequent = (texts: ReadonlyArray<string>): string | undefined => {
  const counts = Array.from(
    Map.groupBy(texts, (text) => text),
    ([text, { length }]) => ({ text, length }),
  )
  return counts.toSorted((one, other) => other.length - one.length)[0]?.text
}

/**
 * Some models describe what they would record instead of recording it, so the tool is required. A model that thinks is
 * free to choose, since providers refuse one or the other, or leave out the thoughts.
 */
export const choiceOf = (thinking: Thinking | undefined): ToolChoice =>
  thinking === "off" ? { tool: RECORDING } : "auto"

/** Writes the message that first sends a batch. */
export const messageOf = (map: string | undefined, batch: Batch): Effect.Effect<string> =>
  Effect.map(
    Effect.flatMap(FollowUps.make, ({ earlierIn }) => earlierIn(batch)),
    (earlier) => Instruction.batch(map, batch, earlier),
  )

type Reason = ModelError["reason"]["_tag"]

const tooLong: ReadonlySet<Reason> = new Set(["ContextOverflow", "OutputLimit"])

/** Failures of one batch: the model may well do another one. */
export const isOfBatch: ReadonlySet<Reason> = new Set([
  ...tooLong,
  "Blocked",
  "Unusable",
  "Empty",
  "InvalidRequest",
  "StreamIncomplete",
  "TimedOut",
])

/**
 * Returns what a failed request leads to, for a batch of so many symbols that is a part of a longer one or not:
 *
 * - `shrink`: it was not sent, since the budget does not cover it
 * - `split`: it was too long and is sent again in parts
 * - `skip`: its symbols stay open, and the run goes on
 * - `end`: the run ends
 */
export const reactionTo = (
  reason: Reason,
  { isPart, symbols }: { readonly isPart: boolean; readonly symbols: number },
): "shrink" | "split" | "skip" | "end" => {
  if (reason === "BudgetReached") return "shrink"
  if (tooLong.has(reason) && !isPart && symbols > 1) return "split"
  return isOfBatch.has(reason) ? "skip" : "end"
}
