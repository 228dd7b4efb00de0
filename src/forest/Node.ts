/** A node of the forest: one message under a parent; and the root of a tree. */
import * as Schema from "effect/Schema"
import { Message } from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import { FinishReason, Usage } from "../message/Usage.ts"

/** The root of a tree: its owner, and the system prompt of everything in it. It never changes. */
export const Root = Schema.Struct({
  id: NodeId,
  /** The owner, such as `index:/home/me/project` or a browser session. Trees of different owners share nothing. */
  owner: Schema.String,
  systemPrompt: Schema.String,
  createdAt: Schema.Number,
  /**
   * Sets the tree of one conversation apart from other trees of the owner with this system prompt, even after an
   * export. Absent for a tree that several conversations share.
   */
  key: Schema.optional(Schema.String),
})
export type Root = typeof Root.Type

/** The model of a reply, and the tokens that the reply took. */
const ReplyUsage = Schema.Struct({
  /** The model, as `provider/name`. */
  model: Schema.String,
  usage: Usage,
})
export type ReplyUsage = typeof ReplyUsage.Type

/** The source of a message. */
export const ReadableSource = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("user"),
    /** The replies that the user has edited into this text; their usage still counts. */
    replaces: Schema.optional(Schema.Array(ReplyUsage)),
  }),
  Schema.Struct({
    type: Schema.Literal("model"),
    /** The model, as `provider/name`. */
    model: Schema.String,
    finish: FinishReason,
    usage: Usage,
    /**
     * The milliseconds from the request to the end of the reply; absent in older forests, for imported messages, and
     * for less than one.
     */
    took: Schema.optional(Schema.Number),
  }),
  Schema.Struct({
    type: Schema.Literal("tool"),
    tool: Schema.String,
    filesWritten: Schema.optional(Schema.Array(Schema.String)),
  }),
  Schema.Struct({ type: Schema.Literal("notice") }),
  /** A summary of earlier nodes of the path, which models receive in place of them; see `agent/Summary`. */
  Schema.Struct({
    type: Schema.Literal("summary"),
    /** The last node that it stands for. */
    upTo: NodeId,
    /** The number of nodes between that one and the summary that are sent as they are. */
    keeps: Schema.Number,
    /** The number of messages of users and models that it stands for. */
    messages: Schema.Number,
    /** `provider/name` of the model that wrote it; absent if the messages are left out without a summary. */
    model: Schema.optional(Schema.String),
    usage: Usage,
  }),
)
export type ReadableSource = typeof ReadableSource.Type

/** The source of a node whose row is damaged or does not decode. Its message is a notice that says so. */
export const Unreadable = Schema.Struct({ type: Schema.Literal("unreadable"), why: Schema.String })

export const Source = Schema.Union(ReadableSource, Unreadable)
export type Source = typeof Source.Type

export const Node = Schema.Struct({
  id: NodeId,
  root: NodeId,
  /** The id of another node of the same tree, or of its root. */
  parent: NodeId,
  message: Message,
  source: Source,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number,
  /**
   * Set if the text goes on below: the node from which this one was split, or this node itself if an edit has added to
   * its end.
   */
  splitFrom: Schema.optional(NodeId),
})
export type Node = typeof Node.Type

/** Returns whether the message is the one that was stored. */
export const isReadable = ({ source }: Pick<Node, "source">): boolean => source.type !== "unreadable"

/** Returns whether the text that `node` begins goes on in `child`, since a split or an edit has divided the message. */
export const continuesIn = (node: Node, child: Node): boolean =>
  node.splitFrom !== undefined &&
  child.parent === node.id &&
  child.message.role === node.message.role &&
  // No other message can be divided.
  (child.message.role === "user" || child.message.role === "assistant")

/**
 * Returns the replies that the text is made of, with their usage: the reply of a model, a summary, or the replies that
 * a user has edited.
 */
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
  /** The time of an imported message, in milliseconds since the epoch; now by default. */
  readonly createdAt?: number | undefined
}
