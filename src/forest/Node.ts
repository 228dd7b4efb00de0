/** A node of the forest: one message under a parent. */
import * as Schema from "effect/Schema"
import { FinishReason } from "../message/FinishReason.ts"
import { Message } from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import { Usage } from "../message/Usage.ts"

/** A reply, with the tokens that it took. */
const ReplyUsage = Schema.Struct({
  /** `provider/name`. */
  model: Schema.String,
  usage: Usage,
})
export type ReplyUsage = typeof ReplyUsage.Type

/** The source of a message. */
export const ReadableSource = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("user"),
    /** The replies that the user has edited into this text: their usage still counts. */
    replaces: Schema.optional(Schema.Array(ReplyUsage)),
  }),
  Schema.Struct({
    type: Schema.Literal("model"),
    /** `provider/name`. */
    model: Schema.String,
    finish: FinishReason,
    usage: Usage,
    /** Milliseconds from the request to the end of the reply; none in older forests, of imported messages, and for less than one. */
    took: Schema.optional(Schema.Number),
  }),
  Schema.Struct({
    type: Schema.Literal("tool"),
    tool: Schema.String,
    filesWritten: Schema.optional(Schema.Array(Schema.String)),
  }),
  Schema.Struct({ type: Schema.Literal("notice") }),
  /** A summary of earlier nodes of the path, which is sent to models in place of them; see `loom/Summary`. */
  Schema.Struct({
    type: Schema.Literal("summary"),
    /** The last node that it stands for. */
    upTo: NodeId,
    /** How many nodes between that one and the summary are sent as they are. */
    keeps: Schema.Number,
    /** How many messages of users and models it stands for. */
    messages: Schema.Number,
    /** `provider/name` of the model that wrote it; none where the messages are left out without a summary. */
    model: Schema.optional(Schema.String),
    usage: Usage,
  }),
)
export type ReadableSource = typeof ReadableSource.Type

/** The source of a node with a row that is damaged or does not decode. Its message is a notice that says so. */
export const Unreadable = Schema.Struct({ type: Schema.Literal("unreadable"), why: Schema.String })

export const Source = Schema.Union(ReadableSource, Unreadable)
export type Source = typeof Source.Type

export const Node = Schema.Struct({
  id: NodeId,
  root: NodeId,
  /** Another node of the same tree, or its root. */
  parent: NodeId,
  message: Message,
  source: Source,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number,
  /** Its text goes on below: the node from which this one was split, or itself where an edit has added to its end. */
  splitFrom: Schema.optional(NodeId),
})
export type Node = typeof Node.Type

/** Whether the message is the one that was stored. */
export const isReadable = ({ source }: Pick<Node, "source">): boolean => source.type !== "unreadable"

/** Whether the text that `node` begins goes on in `child`: a split or an edit has divided the message. */
export const continuesIn = (node: Node, child: Node): boolean =>
  node.splitFrom !== undefined &&
  child.parent === node.id &&
  child.message.role === node.message.role &&
  // Nothing else can be divided.
  (child.message.role === "user" || child.message.role === "assistant")

/** The replies that the text is made of, with their usage: that of a model, a summary, or those that a user has edited. */
export const repliesIn = (source: Source): ReadonlyArray<ReplyUsage> => {
  switch (source.type) {
    case "model":
      return [{ model: source.model, usage: source.usage }]
    case "user":
      return source.replaces ?? []
    case "summary":
      return source.model === undefined ? [] : [{ model: source.model, usage: source.usage }]
    default:
      return []
  }
}

/** A node that is not in the forest yet. */
export interface Draft extends Pick<Node, "message"> {
  readonly source: ReadableSource
  /** Milliseconds since the epoch, for imported messages; now by default. */
  readonly createdAt?: number | undefined
}
