/** The messages that a run adds to its path: how they are made, stored in the forest, and reported node by node. */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Usage from "../../message/Usage.ts"
import * as History from "../../model/History.ts"
import { ModelError, Unusable } from "../../model/ModelError.ts"
import type { Reply } from "../../model/Reply.ts"
import type * as ToolResult from "../../tool/ToolResult.ts"
import { type NodeKind, type Sink, TurnEvent } from "../TurnEvent.ts"

export const userDraft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

/**
 * Makes the draft of a reply that took `took` milliseconds. A call with the id of an earlier call of the path gets
 * another id.
 */
export const replyDraft = (
  { blocks, finish, model, usage }: Reply,
  took: number,
  uniqueId: (id: string) => string,
): Draft => {
  const rename = (block: Block.Block): Block.Block =>
    block.type === "tool-use" ? { ...block, id: uniqueId(block.id) } : block
  const [first, ...rest] = blocks
  return {
    message: { role: "assistant", content: [rename(first), ...rest.map(rename)] },
    source: { type: "model", model: String(model), finish, usage, ...(took > 0 && { took }) },
  }
}

/** Makes the draft of a reply that was interrupted after `took` milliseconds. Its usage is unknown. */
export const unfinishedDraft = (model: ModelId, text: string, took: number): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: String(model), finish: "interrupted", usage: Usage.none, ...(took > 0 && { took }) },
})

/** Makes the draft of a call's result. Without a result it is a notice that the call was interrupted. */
export const resultDraft = (call: Block.ToolUse, result: ToolResult.ToolResult | undefined): Draft => ({
  message:
    result === undefined
      ? Message.toolResult(call, History.interruptedResult(call), true)
      : Message.toolResult(call, result.text, result.isError ?? false),
  source: { type: "tool", tool: call.name, filesWritten: result?.filesWritten },
})

/** Makes a function that returns the id itself if no earlier call has it, else the id with a number appended. */
export const makeUniqueIds = (seen: Iterable<string>): ((id: string) => string) => {
  const taken = new Set(seen)
  // This has the last number of each id: if a provider sends no ids, every reply has the same ones.
  const counts = new Map<string, number>()
  return (id) => {
    let count = counts.get(id) ?? 1
    let distinct = id
    while (taken.has(distinct)) distinct = `${id}_${++count}`
    counts.set(id, count)
    taken.add(distinct)
    return distinct
  }
}

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
