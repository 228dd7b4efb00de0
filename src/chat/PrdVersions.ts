/** The versions of the PRD in a conversation. Pure. */

import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Node } from "../forest/Node.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Prd from "./Prd.ts"

export interface Version {
  /** From 1, oldest first. */
  readonly number: number
  readonly prd: Prd.Prd
  /** The model's message that contains it. */
  readonly node: NodeId
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/**
 * The versions on a path or a part of it: each document that a model wrote or submitted successfully, unless it equals the
 * one before.
 */
export const versions = (nodes: ReadonlyArray<Node>): ReadonlyArray<Version> => {
  const accepted = new Set(nodes.flatMap(({ message }) => acceptedCalls(message)))
  const found: Array<Version> = []
  for (const node of nodes) {
    for (const prd of documentsIn(node, accepted)) {
      const last = found.at(-1)?.prd
      if (last?.name === prd.name && last.content === prd.content) continue
      found.push({ number: found.length + 1, prd, node: node.id, createdAt: node.createdAt })
    }
  }
  return found
}

/** A reply that calls tools contains a document only as a submission: its text is not the answer yet. */
const documentsIn = ({ message, source }: Node, accepted: ReadonlySet<string>): ReadonlyArray<Prd.Prd> => {
  if (message.role !== "assistant") return []
  const calls = Message.toolUses(message)
  const isWhole = source.type !== "model" || source.finish !== "interrupted"
  const detect = isWhole ? Prd.detect : Prd.detectComplete
  if (calls.length === 0) return Option.toArray(Option.fromNullable(detect(Message.text(message))))
  return calls.flatMap(({ id, name, parameters }) =>
    name === Prd.submission && accepted.has(id) ? Option.toArray(decodeSubmission(parameters)) : [],
  )
}

const decodeSubmission = (parameters: unknown): Option.Option<Prd.Prd> =>
  Option.map(decode(parameters), ({ content, name }) => ({ name: name.trim(), content: content.trim() }))

const decode = Schema.decodeUnknownOption(Prd.Prd)

const acceptedCalls = (message: Message.Message): ReadonlyArray<string> =>
  message.role === "tool" && message.isError !== true ? [message.tool_call_id] : []
