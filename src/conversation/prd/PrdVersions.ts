/** The versions of the PRD in a conversation. Pure. */

import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as Prd from "./Prd.ts"

export interface Version {
  /** The number of the version. The oldest one is 1. */
  readonly number: number
  readonly prd: Prd.Prd
  /** The model's message that contains it. */
  readonly node: NodeId
  /** The time in milliseconds since the epoch. */
  readonly createdAt: number
  /** True if its end mark is missing and the user has not accepted it. */
  readonly isUnclosed?: true
}

/** A part of an answer that is only likely to be a document. */
export interface Doubtful {
  readonly prd: Prd.Prd
  readonly doubt: Prd.Doubt
  /** The model's message that contains it. */
  readonly node: NodeId
}

/**
 * Lists the versions on a path or a part of it: each document that a model wrote or submitted successfully, or that the
 * user has accepted, unless it equals the one before.
 */
export const versions = (nodes: ReadonlyArray<Node>): ReadonlyArray<Version> => {
  const submitted = new Set(nodes.flatMap(({ message }) => acceptedCalls(message)))
  const found: Array<Version> = []
  const add = (prd: Prd.Prd, { createdAt, id: node }: Node, isUnclosed = false) => {
    const last = found.at(-1)
    const isSame = last?.prd.name === prd.name && last.prd.content === prd.content
    if (isSame && (isUnclosed || last.isUnclosed !== true)) return
    if (isSame) found.pop()
    found.push({ number: found.length + 1, prd, node, createdAt, ...(isUnclosed && { isUnclosed }) })
  }
  for (const node of nodes) {
    for (const { isUnclosed, prd } of documentsIn(node, submitted)) add(prd, node, isUnclosed)
    const acceptance = readAcceptance(node)
    const answer = acceptance && nodes.find(({ id }) => id === acceptance.answer)
    const prd = answer && acceptedDocument(answer, acceptance.isWhole)
    if (answer !== undefined && prd !== undefined) add(prd, answer)
  }
  return found
}

/** Returns the document of an answer that is not a version by itself, and has not been accepted. */
export const doubtfulIn = (node: Node): Doubtful | undefined => {
  if (node.message.role !== "assistant" || Message.toolUses(node.message).length > 0) return undefined
  const { doubtful } = Prd.find(Message.text(node.message), isWhole(node))
  return doubtful && { ...doubtful, node: node.id }
}

/** Returns the PRD that the user accepts with an answer: the document in it, or all of it. */
export const acceptedDocument = (answer: Node, whole: boolean): Prd.Prd | undefined => {
  const text = Message.text(answer.message)
  const { complete, doubtful } = Prd.find(text, isWhole(answer))
  return whole ? Prd.wholeAnswer(text) : (doubtful?.prd ?? complete)
}

/** A record that the user has accepted an answer as a PRD. */
export interface Acceptance {
  readonly answer: NodeId
  /** True if all of the answer is accepted, not only the document in it. */
  readonly isWhole: boolean
}

/** Makes the notice that records an acceptance; the model reads it, too. */
export const acceptance = ({ answer, isWhole }: Acceptance): Draft => ({
  message: {
    role: "system",
    content: [Block.text(`[The user accepted ${isWhole ? "all" : "the PRD"} of answer ${answer} as the PRD]`)],
  },
  source: { type: "notice" },
})

/** Reads an acceptance. It is also recognised by its source, since a user may write the same text. */
export const readAcceptance = ({ message, source }: Node): Acceptance | undefined => {
  if (source.type !== "notice") return undefined
  const [, part, answer] = ACCEPTANCE.exec(Message.text(message)) ?? []
  return answer !== undefined && isNodeId(answer) ? { answer, isWhole: part === "all" } : undefined
}

const ACCEPTANCE = /^\[The user accepted (all|the PRD) of answer (\S+) as the PRD\]$/

const isNodeId = Schema.is(NodeId)

/** Returns true if the model has ended the answer by itself. */
const isWhole = ({ source }: Node): boolean => source.type !== "model" || source.finish === "stop"

interface Document {
  readonly prd: Prd.Prd
  readonly isUnclosed: boolean
}

/**
 * Finds the documents in a node. A reply that calls tools contains a document only as a submission: its text is not the
 * answer yet.
 */
const documentsIn = (node: Node, submitted: ReadonlySet<string>): ReadonlyArray<Document> => {
  const { message } = node
  if (message.role !== "assistant") return []
  const calls = Message.toolUses(message)
  if (calls.length > 0) {
    return calls.flatMap(({ id, name, parameters }) =>
      name === Prd.submission && submitted.has(id)
        ? Option.toArray(decodeSubmission(parameters)).map((prd) => ({ prd, isUnclosed: false }))
        : [],
    )
  }
  const { complete, doubtful } = Prd.find(Message.text(message), isWhole(node))
  if (complete !== undefined) return [{ prd: complete, isUnclosed: false }]
  return doubtful?.doubt === "unclosed" ? [{ prd: doubtful.prd, isUnclosed: true }] : []
}

const decodeSubmission = (parameters: unknown): Option.Option<Prd.Prd> =>
  Option.map(decode(parameters), ({ content, name }) => ({ name: name.trim(), content: content.trim() }))

const decode = Schema.decodeUnknownOption(Prd.Prd)

const acceptedCalls = (message: Message.Message): ReadonlyArray<string> =>
  message.role === "tool" && message.isError !== true ? [message.tool_call_id] : []
