/** Where in the forest a question goes. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import * as ForestStore from "../../forest/ForestStore.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Ids from "../../message/Ids.ts"
import type { User } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Conversations from "../../session/Conversations.ts"
import * as Durable from "../Durable.ts"
import * as Unkept from "../Unkept.ts"
import * as Question from "./Question.ts"

/** Whom the trees belong to that questions grow. */
const OWNER = "ask"

export interface Typed {
  readonly words: ReadonlyArray<string>
  readonly system: Option.Option<string>
  /** A node's name; blank for the newest of all answers. */
  readonly continued: Option.Option<string>
}

/**
 * Keeps the question, before anybody is asked, and tells in which forest it is, where, and whether that outlasts the
 * run. A forest that cannot be written gives way to one in memory, unless the question goes on from what is in it.
 */
export const of = Effect.fn("Place.of")(function* (typed: Typed, question: Option.Option<User>) {
  const kept = Effect.all({ forest: Forest.Forest, parent: asked(typed, question), isKept: Durable.Durable })
  if (Option.isSome(typed.continued)) return yield* kept
  return yield* Effect.catchIf(kept, isStorage, (error) =>
    Effect.zipRight(
      Unkept.warn(error),
      Effect.flatMap(ForestStore.Fallback, (open) => Effect.provide(kept, memory(open))),
    ),
  )
})

const memory = (open: Effect.Effect<ForestStore.Service>) =>
  Forest.layer.pipe(
    Layer.provide([Layer.effect(ForestStore.ForestStore, open), Ids.layer]),
    Layer.merge(Durable.layerNot),
  )

/** What is asked is right, and cannot be kept. */
const isStorage = (error: { readonly _tag: string }): error is ForestError =>
  error instanceof ForestError && ["Full", "Removed", "Unreadable", "Unwritable"].includes(error.reason._tag)

const asked = Effect.fnUntraced(function* (typed: Typed, question: Option.Option<User>) {
  const forest = yield* Forest.Forest
  const parent = yield* begun(typed)
  if (Option.isNone(question)) return yield* unanswered(parent)
  const [node] = yield* forest.append(parent, [{ message: question.value, source: { type: "user" } }])
  return node === undefined ? yield* new ForestError({ reason: new BlankText() }) : node.id
})

const begun = Effect.fnUntraced(function* ({ continued, system, words }: Typed) {
  const forest = yield* Forest.Forest
  if (Option.isNone(continued)) {
    const { id } = yield* forest.root({ owner: OWNER, systemPrompt: Option.getOrElse(system, () => "") })
    return id
  }
  if (Option.isSome(system)) return yield* wrong("a conversation that is continued has its system prompt already")
  if (continued.value !== "") return yield* NodeName.resolve(continued.value)
  // A title looks like any other word: better asked back than the wrong conversation gone on with.
  const [first, ...rest] = words
  const title = rest.length === 0 ? undefined : (yield* forest.bookmarks).find(({ title }) => title === first)?.title
  if (title !== undefined) {
    return yield* wrong(`'${title}' is a bookmark: go on from it with --continue=${title}, or quote the question`)
  }
  return (yield* newest).id
})

/** Of all conversations that questions began. */
const newest = Effect.flatMap(Conversations.newest(OWNER, 1), ([node]) =>
  node === undefined ? wrong("nothing has been asked that can be continued") : Effect.succeed(node),
)

/** The question that is there already, where its answer failed. */
const unanswered = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes } = yield* forest.path(id)
  return nodes.at(-1)?.message.role === "user" ? id : yield* Question.missing
})

const wrong = (message: string) => new UsageError({ message, command: "ask" })
