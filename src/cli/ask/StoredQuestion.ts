/** Stores a question in the forest before it is sent to a model. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import * as ForestStore from "../../forest/ForestStore.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Ids from "../../message/Ids.ts"
import type { User } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as Question from "./Question.ts"

/** Owner of the trees of questions. */
const OWNER = "ask"

interface Typed {
  readonly words: ReadonlyArray<string>
  readonly system: Option.Option<string>
  /** The name of a node; blank stands for the newest answer. */
  readonly continued: Option.Option<string>
}

/**
 * The forest and the node of the question, and whether they outlive the run. A forest that cannot be written is
 * replaced by one in memory, unless the question continues a conversation in it.
 */
export const store = Effect.fn("StoredQuestion.store")(function* (typed: Typed, question: Option.Option<User>) {
  const stored = Effect.all({
    forest: Forest.Forest,
    parent: appendQuestion(typed, question),
    isPersistent: ForestLayer.IsPersistent,
  })
  if (Option.isSome(typed.continued)) return yield* stored
  return yield* Effect.catchIf(stored, isStorage, (error) =>
    Effect.zipRight(
      ForestLayer.warnNotPersisted(error),
      Effect.flatMap(ForestStore.Fallback, (open) => Effect.provide(stored, memory(open))),
    ),
  )
})

const memory = (open: Effect.Effect<ForestStore.Service>) =>
  Forest.layer.pipe(
    Layer.provide(Ids.layer),
    Layer.provide(Layer.effect(ForestStore.ForestStore, open)),
    Layer.provideMerge(ForestLayer.layerTemporary),
  )

/** The question is valid, but cannot be stored. */
const isStorage = (error: { readonly _tag: string }): error is ForestError =>
  error instanceof ForestError && ["Full", "Removed", "Unreadable", "Unwritable"].includes(error.reason._tag)

const appendQuestion = Effect.fnUntraced(function* (typed: Typed, question: Option.Option<User>) {
  const forest = yield* Forest.Forest
  const parent = yield* findParent(typed)
  if (Option.isNone(question)) return yield* requireUnanswered(parent)
  const [node] = yield* forest.append(parent, [{ message: question.value, source: { type: "user" } }])
  return node === undefined ? yield* new ForestError({ reason: new BlankText() }) : node.id
})

const findParent = Effect.fnUntraced(function* ({ continued, system, words }: Typed) {
  const forest = yield* Forest.Forest
  if (Option.isNone(continued)) {
    const { id } = yield* forest.root({ owner: OWNER, systemPrompt: Option.getOrElse(system, () => "") })
    return id
  }
  if (Option.isSome(system)) return yield* usageError("a conversation that is continued has its system prompt already")
  if (continued.value !== "") return yield* NodeName.resolve(continued.value)
  // A bookmark's title looks like any word of a question: refuse rather than continue the wrong conversation.
  const [first, ...rest] = words
  const title = rest.length === 0 ? undefined : (yield* forest.bookmarks).find(({ title }) => title === first)?.title
  if (title !== undefined) {
    return yield* usageError(`'${title}' is a bookmark: go on from it with --continue=${title}, or quote the question`)
  }
  return yield* newestAnswer
})

/** The end of the newest conversation of `vibe ask`, whatever the folder. */
const newestAnswer = Effect.flatMap(Forest.Forest, (forest) =>
  Effect.flatMap(forest.conversations({ owner: OWNER, limit: 1 }), ([newest]) =>
    newest === undefined ? usageError("nothing has been asked that can be continued") : Effect.succeed(newest.leaf),
  ),
)

/** The node itself, if it is a question without an answer, which failed. */
const requireUnanswered = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes } = yield* forest.path(id)
  return nodes.at(-1)?.message.role === "user" ? id : yield* Question.missing
})

const usageError = (message: string) => new UsageError({ message, command: "ask" })
