/**
 * A conversation in the form common to all providers: user and assistant alternate, and the user begins and ends. Pure.
 */

import { createHash } from "node:crypto"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"
import * as Block from "../../message/Block.ts"
import type * as Message from "../../message/Message.ts"
import * as History from "../../model/History.ts"

export type Turn = UserTurn | AssistantTurn

interface UserTurn {
  readonly role: "user"
  /** The results of all calls of the previous turn, in order. */
  readonly results: ReadonlyArray<CallResult>
  /** The content of the user, which is never blank. */
  readonly content: ReadonlyArray<UserContent>
}

interface AssistantTurn {
  readonly role: "assistant"
  readonly blocks: ReadonlyArray<Block.Block>
}

export interface CallResult {
  /** The call, with the id that it has in the previous turn. */
  readonly call: Block.ToolUse
  readonly message: Message.Tool
}

export interface UserContent {
  /** A notice has the role `system`. */
  readonly role: "user" | "system"
  readonly block: Message.User["content"][number]
}

/** The additional rules of a provider. */
export interface Rules {
  /** Maps a block of the assistant; `undefined` omits it. A tool call must not be omitted. */
  readonly block: (block: Block.Block) => Block.Block | undefined
  /** Matches valid ids of calls. An invalid id is replaced. */
  readonly callId?: RegExp | undefined
}

/**
 * Encodes the successive requests to one model. A run sends its whole history with each request, so the part shared
 * with the previous request is not encoded again. `encode` is called once per turn.
 */
export const makeEncoder = <A>(
  rules: Rules,
  encode: (turn: Turn) => ReadonlyArray<A>,
): ((messages: ReadonlyArray<Message.Message>) => ReadonlyArray<A>) => {
  let previous: EncodedHistory<A> | undefined

  const encodeAll = (messages: ReadonlyArray<Message.Message>): EncodedHistory<A> => {
    const ids = new Set<string>()
    const turns = turnsOf(rules, messages, ids)
    const whole = turns[0]?.role === "user" ? turns : [continuePrompt, ...turns]
    return { messages, ids, encoded: whole.flatMap(encode), ends: whole.at(-1)?.role ?? "user" }
  }

  const next = (messages: ReadonlyArray<Message.Message>): EncodedHistory<A> => {
    if (previous === undefined || !isExtension(previous, messages)) return encodeAll(messages)
    if (messages.length === previous.messages.length) return previous
    const added = turnsOf(rules, messages.slice(previous.messages.length), previous.ids)
    // The rules omit the whole message of the assistant, so that two user turns would follow each other.
    if (added[0]?.role === "user") return encodeAll(messages)
    const ends = added.at(-1)?.role ?? previous.ends
    return { ...previous, messages, encoded: previous.encoded.concat(added.flatMap(encode)), ends }
  }

  return (messages) => {
    previous = next(messages)
    return previous.ends === "user" ? previous.encoded : previous.encoded.concat(encode(continuePrompt))
  }
}

/** The previous request and its encoding. */
interface EncodedHistory<A> {
  readonly messages: ReadonlyArray<Message.Message>
  /** The ids of all calls so far. */
  readonly ids: Set<string>
  readonly encoded: ReadonlyArray<A>
  readonly ends: Turn["role"]
}

/**
 * Returns whether the messages extend the previous ones with a message of the assistant after a user turn. Otherwise
 * the last turn would have to change.
 */
const isExtension = (previous: EncodedHistory<unknown>, messages: ReadonlyArray<Message.Message>): boolean => {
  const { length } = previous.messages
  return (
    previous.ends === "user" &&
    length <= messages.length &&
    previous.messages.every((message, index) => message === messages[index]) &&
    (length === messages.length || messages[length]?.role === "assistant")
  )
}

/** Merges consecutive messages of one role into a turn, and places the result of every call in the turn after it. */
const turnsOf = (rules: Rules, messages: ReadonlyArray<Message.Message>, ids: Set<string>): ReadonlyArray<Turn> => {
  const turns: Array<OpenTurn> = []
  /** The unanswered calls of the latest assistant message. Their results follow in the same order. */
  let open: ReadonlyArray<Block.ToolUse> = []

  for (const message of History.repair(messages)) {
    switch (message.role) {
      case "assistant": {
        const blocks = message.content
          .flatMap((block) => rules.block(block) ?? [])
          .map((block) => (Block.isToolUse(block) ? withUniqueId(block, rules, ids) : block))
        open = blocks.filter(Block.isToolUse)
        if (blocks.length > 0) assistantTurn(turns).blocks.push(...blocks)
        break
      }
      case "tool": {
        const [call, ...rest] = open
        if (call !== undefined) userTurn(turns).results.push({ call, message })
        open = rest
        break
      }
      default: {
        const role = message.role
        const content = message.content.filter(isNotBlank).map((block) => ({ role, block }))
        if (content.length > 0) userTurn(turns).content.push(...content)
      }
    }
  }
  return turns
}

const isNotBlank = (block: UserContent["block"]): boolean => block.type !== "text" || block.text.trim() !== ""

type OpenTurn = OpenUserTurn | OpenAssistantTurn

interface OpenUserTurn extends UserTurn {
  readonly results: Array<CallResult>
  readonly content: Array<UserContent>
}

interface OpenAssistantTurn extends AssistantTurn {
  readonly blocks: Array<Block.Block>
}

const userTurn = (turns: Array<OpenTurn>): OpenUserTurn => {
  const last = turns.at(-1)
  if (last?.role === "user") return last
  const turn: OpenUserTurn = { role: "user", results: [], content: [] }
  turns.push(turn)
  return turn
}

const assistantTurn = (turns: Array<OpenTurn>): OpenAssistantTurn => {
  const last = turns.at(-1)
  if (last?.role === "assistant") return last
  const turn: OpenAssistantTurn = { role: "assistant", blocks: [] }
  turns.push(turn)
  return turn
}

/** Gives a call an id that the provider accepts and that is unique. */
const withUniqueId = (call: Block.ToolUse, { callId }: Rules, ids: Set<string>): Block.ToolUse => {
  let id = call.id
  for (let attempt = 0; ids.has(id) || callId?.test(id) === false; attempt++) id = replacementId(call.id, attempt)
  ids.add(id)
  return id === call.id ? call : { ...call, id }
}

/** Returns nine letters and digits, which even Mistral accepts. It is a pure function of id and attempt. */
const replacementId = (id: string, attempt: number): string =>
  createHash("sha256").update(`${attempt} ${id}`).digest("hex").slice(0, 9)

/** The turn to insert if the history begins or ends with the assistant, which requests must not. */
const continuePrompt: UserTurn = {
  role: "user",
  results: [],
  content: [{ role: "user", block: Block.text("Please continue.") }],
}

/**
 * Makes the functions that keep data of this form, and read it back, by provider. The data names the model that
 * produced it, and is read for that model only: another one rejects signatures and encrypted text that are not its own.
 */
export const metadataOf = <A extends { readonly model: string }, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (provider: string): Metadata<A> => ({
    read: (meta, model) =>
      Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (kept) => kept.model === model)),
    write: (data) => ({ [provider]: data }),
  })
}

export interface Metadata<A> {
  /** Returns `undefined` if there is no metadata from this model. */
  readonly read: (meta: Meta | undefined, model: string) => A | undefined
  readonly write: (data: A) => Meta
}
