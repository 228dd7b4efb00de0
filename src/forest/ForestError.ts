/** Why an operation on the forest failed. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: NodeId }) {
  override get message() {
    return `Node not found: ${this.id}`
  }
}

export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { cause: Schema.Defect }) {
  override get message() {
    return "the stored conversations cannot be read"
  }
}

export class Unwritable extends Schema.TaggedError<Unwritable>()("Unwritable", { cause: Schema.Defect }) {
  override get message() {
    return "the conversation cannot be saved"
  }
}

export const Reason = Schema.Union(NotFound, Unreadable, Unwritable)
export type Reason = typeof Reason.Type

export class ForestError extends Schema.TaggedError<ForestError>()("ForestError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
