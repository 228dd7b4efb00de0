/** Converts nodes of the forest to messages as a page shows them. */
import * as Effect from "effect/Effect"
import * as ContextUse from "../agent/ContextUse.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { continuesIn, type Node } from "../forest/Node.ts"
import * as NodeText from "../forest/NodeText.ts"
import type * as Block from "../message/Block.ts"
import * as StoredMessage from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Picture from "../message/Picture.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type { Call, Message, Result } from "./api/Conversations.ts"
import { Served } from "./Served.ts"

/** The longest result of a tool that a page gets, in UTF-16 units. */
const MAX_RESULT = 20_000

/** The most messages that a page gets at once. */
export const MAX_MESSAGES = 200

/** Returns the messages of nodes of one path, oldest first. Each of their parents is read once. */
export const ofNodes = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>) {
  return yield* Effect.forEach(nodes, ofNode)
})

export const ofNode = (node: Node): Effect.Effect<Message, ForestError, Forest.Forest | Served> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const before = node.parent === node.root ? undefined : yield* forest.node(node.parent)
    const shown = yield* withSiblings(node, yield* versionsBelow(node.parent))
    return before !== undefined && continuesIn(before, node) ? { ...shown, continues: true } : shown
  })

/**
 * Returns the last nodes of the messages below a node; for a message that an edit has divided, those of all its
 * versions.
 */
const versionsBelow = (parent: NodeId): Effect.Effect<ReadonlyArray<NodeId>, ForestError, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const found: Array<NodeId> = []
    const open = [...(yield* forest.children(parent))]
    for (let node = open.shift(); node !== undefined; node = open.shift()) {
      const beginning = node
      const below = beginning.splitFrom === undefined ? [] : yield* forest.children(beginning.id)
      const rest = below.filter((child) => continuesIn(beginning, child))
      if (rest.length === 0 || rest.length < below.length) found.push(beginning.id)
      open.unshift(...rest)
    }
    return found
  })

const withSiblings = Effect.fnUntraced(function* (node: Node, siblings: ReadonlyArray<NodeId>) {
  const { createdAt, id, message, parent, source } = node
  const { price } = yield* Served
  const thinking =
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "thinking" ? [block.text] : [])).join("\n")
      : ""
  const { isEstimated, usage } = yield* usageOf(node)
  const cost = source.type === "model" && usage !== undefined ? Cost.of(usage, yield* price(source.model)) : undefined
  const pictures = picturesOf(node)
  const shown: Message = {
    id,
    parent,
    kind: kindOf(node),
    text: message.role === "tool" ? "" : textOf(node),
    calls: StoredMessage.toolUses(message).map(
      (call): Call => ({ id: call.id, tool: call.name, arguments: JSON.stringify(call.parameters) }),
    ),
    results: resultsOf(message),
    at: createdAt,
    siblings,
    ...(pictures.length > 0 && { pictures: pictures.map(Picture.describe) }),
    ...(thinking !== "" && { thinking }),
    ...(source.type === "model" && { model: source.model, finish: source.finish }),
    ...(source.type === "model" && source.took !== undefined && { took: source.took }),
    ...(usage !== undefined && { tokens: { input: usage.inputTokens, output: usage.outputTokens } }),
    ...(cost !== undefined && { cost }),
    ...(isEstimated && { estimated: true }),
  }
  return shown
})

/** Returns the tokens that a reply has used. The usage is undefined if the node is not a reply. */
export const usageOf = Effect.fnUntraced(function* (node: Node) {
  const { source } = node
  if (source.type !== "model") return { usage: undefined, isEstimated: false }
  const isEstimated = source.finish === "interrupted" && source.usage.inputTokens === 0
  return { usage: isEstimated ? yield* estimate(node) : source.usage, isEstimated }
})

/**
 * Estimates, from the messages before it, the tokens of a reply that was stopped before its provider had counted them.
 * Leaves out the declarations of tools if no earlier request was counted, since they are not stored.
 */
const estimate = Effect.fnUntraced(function* ({ message, parent }: Node) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(parent, { last: MAX_MESSAGES })
  const { used } = ContextUse.of(nodes, { fixed: root.systemPrompt, limits: undefined })
  return {
    ...Usage.none,
    inputTokens: used,
    outputTokens: Tokens.tokens({ characters: Tokens.lengthOf(StoredMessage.text(message)), messages: 0 }),
  }
})

/** Returns the kind of a node. An answer that the user has edited is still an answer. */
export const kindOf = ({ message, source }: Node): Message["kind"] => {
  switch (source.type) {
    case "user":
      return message.role === "assistant" ? "assistant" : "user"
    case "model":
      return "assistant"
    case "tool":
      return "tool"
    case "notice":
      return "notice"
    case "summary":
    case "unreadable":
      return source.type
  }
}

/** Returns the text of a message. A picture that a browser should not show is described in words. */
const textOf = ({ message }: Node): string =>
  message.content
    .flatMap((block) =>
      block.type === "text" ? [block.text] : block.type === "image" && !isShown(block) ? [NodeText.picture(block)] : [],
    )
    .join("\n")

/** Returns the pictures that a browser can show, which are those that providers take. It runs nothing in them. */
export const picturesOf = ({ message }: Node): ReadonlyArray<Block.Image> =>
  message.content.flatMap((block) => (block.type === "image" && isShown(block) ? [block] : []))

const isShown = ({ media_type }: Block.Image): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(media_type)

const resultsOf = (message: StoredMessage.Message): ReadonlyArray<Result> => {
  if (message.role !== "tool") return []
  const text = StoredMessage.text(message)
  const shown =
    text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}\n[cut: ${text.length} characters in all]` : text
  return [{ call: message.tool_call_id, text: shown, failed: message.isError === true }]
}
