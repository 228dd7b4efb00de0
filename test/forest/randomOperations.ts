/** Random operations on a forest, and how a forest performs them. */
import { Effect, Either, FastCheck } from "effect"
import type * as Forest from "../../src/forest/Forest.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import type * as Model from "./Forest.model.ts"

/** Few words and letters, so that texts meet. */
const text = FastCheck.array(FastCheck.constantFrom("a", "b", "ab", " ", "é", "😀", "😁"), { maxLength: 5 }).map(
  (parts) => parts.join(""),
)

export const place = FastCheck.nat({ max: 11 })

const said = FastCheck.record({ role: FastCheck.constantFrom("user" as const, "assistant" as const), text })

const step: FastCheck.Arbitrary<Model.Step> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      type: FastCheck.constant("append" as const),
      place,
      said: FastCheck.array(said, { maxLength: 3 }),
      distinct: FastCheck.boolean(),
    }),
  },
  { weight: 3, arbitrary: FastCheck.record({ type: FastCheck.constant("edit" as const), place, text }) },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      type: FastCheck.constant("split" as const),
      place,
      position: FastCheck.nat({ max: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      type: FastCheck.constant("remove" as const),
      place,
      strategy: FastCheck.constantFrom("cascade" as const, "reparent" as const),
      bookmarks: FastCheck.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      type: FastCheck.constant("bookmark" as const),
      place,
      title: FastCheck.constantFrom("x", "y"),
    }),
  },
)

const placed = FastCheck.oneof(
  { weight: 3, arbitrary: step },
  {
    weight: 1,
    arbitrary: FastCheck.oneof<Array<FastCheck.Arbitrary<Model.Step>>>(
      FastCheck.record({ type: FastCheck.constant("join" as const), place }),
      FastCheck.record({ type: FastCheck.constant("move" as const), place, to: place }),
      FastCheck.record({
        type: FastCheck.constant("copy" as const),
        place,
        to: place,
        what: FastCheck.constantFrom("branch" as const, "path" as const),
      }),
    ),
  },
)

export const operation: FastCheck.Arbitrary<Model.Operation> = FastCheck.oneof(
  { weight: 12, arbitrary: placed },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      type: FastCheck.constant("several" as const),
      steps: FastCheck.array(placed, { maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: FastCheck.record({ type: FastCheck.constant("undo" as const) }) },
  { weight: 2, arbitrary: FastCheck.record({ type: FastCheck.constant("redo" as const) }) },
)

export const draftOf = ({ role, text }: Model.Said): Draft => ({
  message: { role, content: [Block.text(text)] },
  source: { type: "user" },
})

const take = (forest: Forest.Service, at: NodeId, to: NodeId, step: Model.Step) => {
  switch (step.type) {
    case "append":
      return forest.append(at, step.said.map(draftOf), { distinct: step.distinct })
    case "edit":
      return Effect.map(forest.edit(at, step.text), (node) => [node])
    case "split":
      return Effect.map(forest.split(at, step.position), ({ left, right }) => [left, right])
    case "remove":
      return Effect.as(forest.remove(at, step.strategy, { bookmarks: step.bookmarks }), [])
    case "bookmark":
      return Effect.as(forest.bookmark(step.title, at), [])
    case "join":
      return Effect.map(forest.join(at), (node) => [node])
    case "move":
      return Effect.map(forest.move(at, to), (node) => [node])
    case "copy":
      return Effect.as(forest.copy(at, to, step.what), [])
  }
}

export const perform = (forest: Forest.Service, root: NodeId, operation: Model.Operation) => {
  switch (operation.type) {
    case "undo":
      return Effect.as(forest.undo(root), [])
    case "redo":
      return Effect.as(forest.redo(), [])
    case "several": {
      const steps = Effect.forEach(operation.steps, (step) =>
        Effect.flatMap(placesOf(forest, root, step), ([at, to]) => Effect.either(take(forest, at, to, step))),
      )
      return Effect.flatMap(forest.operation(steps), (taken) => {
        const failed = taken.find(Either.isLeft)
        return failed === undefined ? Effect.succeed([]) : Effect.fail(failed.left)
      })
    }
    default:
      return Effect.flatMap(placesOf(forest, root, operation), ([at, to]) => take(forest, at, to, operation))
  }
}

export const placesOf = (forest: Forest.Service, root: NodeId, step: Model.Step) =>
  Effect.map(forest.subtree(root), (nodes) => {
    const places = [root, ...nodes.map(({ id }) => id)]
    const find = (place: number) => places[place % places.length] ?? root
    return [find(step.place), "to" in step ? find(step.to) : root] as const
  })
