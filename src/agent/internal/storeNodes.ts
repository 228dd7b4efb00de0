/** Stores the messages of a run in the forest, and reports each node. */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { ModelError, Unusable } from "../../model/ModelError.ts"
import type { Reply } from "../../model/Reply.ts"
import { type NodeKind, type Sink, TurnEvent } from "../TurnEvent.ts"

export type Stored = Extract<TurnEvent, { readonly _tag: "NodeStored" }>

/**
 * Makes a function for the kinds of nodes that are stored together: `kind` for the reply, `input` for the messages
 * before it.
 */
export const kindWith =
  (kind: "reply" | "unfinished") =>
  ({ message }: Node): NodeKind =>
    message.role === "assistant" ? kind : "input"

export type Append = (
  parent: NodeId,
  drafts: ReadonlyArray<Draft>,
  kindOf: (node: Node) => NodeKind,
  report: Sink,
) => Effect.Effect<ReadonlyArray<Stored>, ForestError>

/** Adds to the path and reports each node, in one step, so that every stored node is reported. */
export const append =
  (forest: Forest.Service): Append =>
  (parent, drafts, kindOf, report) =>
    // A reply is a node of its own, even if another one has the same text.
    forest.append(parent, drafts, { distinct: drafts.at(-1)?.message.role === "assistant" }).pipe(
      Effect.map((nodes) => nodes.map((node) => TurnEvent.NodeStored({ node, kind: kindOf(node) }))),
      Effect.tap((stored) => Effect.forEach(stored, (event) => report(event), { discard: true })),
      Effect.uninterruptible,
    )

/** Turns the error of a reply that the forest refuses as invalid into an error of the model. */
export const unusable = (error: ForestError, { model, usage }: Reply): ForestError | ModelError =>
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

export const lastOf = (stored: ReadonlyArray<Stored>): Effect.Effect<Stored> => {
  const last = stored.at(-1)
  return last === undefined ? Effect.dieMessage("the forest has stored no node for a reply") : Effect.succeed(last)
}
