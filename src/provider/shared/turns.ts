/**
 * A conversation as every wire has it at bottom: the user and the assistant take turns, and the user has the first
 * word and the last. Pure.
 */
import { createHash } from "node:crypto"
import * as Block from "../../message/Block.ts"
import type * as Message from "../../message/Message.ts"
import * as History from "../../model/History.ts"

export type Turn = UserTurn | AssistantTurn

export interface UserTurn {
  readonly role: "user"
  /** To all calls of the turn before, in their order. */
  readonly answers: ReadonlyArray<Answer>
  /** Never blank. */
  readonly said: ReadonlyArray<Said>
}

export interface AssistantTurn {
  readonly role: "assistant"
  readonly blocks: ReadonlyArray<Block.Block>
}

export interface Answer {
  /** As the turn before has it. */
  readonly call: Block.ToolUse
  readonly message: Message.Tool
}

export interface Said {
  /** A notice is the system's. */
  readonly by: "user" | "system"
  readonly block: Message.User["content"][number]
}

/** What a wire wants of a history beyond that. */
export interface Rules {
  /** How a block of the assistant's goes back: changed, or, unless it is a call, not at all. */
  readonly block: (block: Block.Block) => Block.Block | undefined
  /** Ids of calls that it takes; one that it does not take gets another. */
  readonly callId?: RegExp | undefined
}

/**
 * Encodes the histories of the requests to one model, one after the other: what a request has in common with the one
 * before it is not encoded again, since a run sends all of its history with each. `encode` is asked turn by turn.
 */
export const encoder = <A>(
  rules: Rules,
  encode: (turn: Turn) => ReadonlyArray<A>,
): ((messages: ReadonlyArray<Message.Message>) => ReadonlyArray<A>) => {
  let before: Before<A> | undefined

  const anew = (messages: ReadonlyArray<Message.Message>): Before<A> => {
    const ids = new Set<string>()
    const turns = turnsOf(rules, messages, ids)
    const whole = turns[0]?.role === "user" ? turns : [goOn, ...turns]
    return { messages, ids, encoded: whole.flatMap(encode), ends: whole.at(-1)?.role ?? "user" }
  }

  const next = (messages: ReadonlyArray<Message.Message>): Before<A> => {
    if (before === undefined || !isContinued(before, messages)) return anew(messages)
    if (messages.length === before.messages.length) return before
    const added = turnsOf(rules, messages.slice(before.messages.length), before.ids)
    // What the assistant said is nothing to this wire: the user would have two turns in a row.
    if (added[0]?.role === "user") return anew(messages)
    const ends = added.at(-1)?.role ?? before.ends
    return { ...before, messages, encoded: before.encoded.concat(added.flatMap(encode)), ends }
  }

  return (messages) => {
    before = next(messages)
    return before.ends === "user" ? before.encoded : before.encoded.concat(encode(goOn))
  }
}

/** What has been encoded. */
interface Before<A> {
  readonly messages: ReadonlyArray<Message.Message>
  /** Of all calls in it. */
  readonly ids: Set<string>
  readonly encoded: ReadonlyArray<A>
  readonly ends: Turn["role"]
}

/** Whether the messages go on with the assistant where the user had the last word: else the seam would show. */
const isContinued = (before: Before<unknown>, messages: ReadonlyArray<Message.Message>): boolean => {
  const { length } = before.messages
  return (
    before.ends === "user" &&
    length <= messages.length &&
    before.messages.every((message, index) => message === messages[index]) &&
    (length === messages.length || messages[length]?.role === "assistant")
  )
}

/** Neighbours of one speaker are one turn, whatever the messages are, and every call is answered in the next. */
const turnsOf = (rules: Rules, messages: ReadonlyArray<Message.Message>, ids: Set<string>): ReadonlyArray<Turn> => {
  const turns: Array<Open> = []
  /** Calls of the assistant's latest message: their answers come next, in the same order. */
  let open: ReadonlyArray<Block.ToolUse> = []

  for (const message of History.history(messages)) {
    switch (message.role) {
      case "assistant": {
        const blocks = message.content
          .flatMap((block) => rules.block(block) ?? [])
          .map((block) => (Block.isToolUse(block) ? withId(block, rules, ids) : block))
        open = blocks.filter(Block.isToolUse)
        if (blocks.length > 0) assistantTurn(turns).blocks.push(...blocks)
        break
      }
      case "tool": {
        const [call, ...rest] = open
        if (call !== undefined) userTurn(turns).answers.push({ call, message })
        open = rest
        break
      }
      default: {
        const by = message.role
        const said = message.content.filter(says).map((block) => ({ by, block }))
        if (said.length > 0) userTurn(turns).said.push(...said)
      }
    }
  }
  return turns
}

const says = (block: Said["block"]): boolean => block.type !== "text" || block.text.trim() !== ""

type Open = OpenUser | OpenAssistant

interface OpenUser extends UserTurn {
  readonly answers: Array<Answer>
  readonly said: Array<Said>
}

interface OpenAssistant extends AssistantTurn {
  readonly blocks: Array<Block.Block>
}

const userTurn = (turns: Array<Open>): OpenUser => {
  const last = turns.at(-1)
  if (last?.role === "user") return last
  const turn: OpenUser = { role: "user", answers: [], said: [] }
  turns.push(turn)
  return turn
}

const assistantTurn = (turns: Array<Open>): OpenAssistant => {
  const last = turns.at(-1)
  if (last?.role === "assistant") return last
  const turn: OpenAssistant = { role: "assistant", blocks: [] }
  turns.push(turn)
  return turn
}

/** With an id that the wire takes and that no other call has. */
const withId = (call: Block.ToolUse, { callId }: Rules, ids: Set<string>): Block.ToolUse => {
  let id = call.id
  for (let attempt = 0; ids.has(id) || callId?.test(id) === false; attempt++) id = anotherId(call.id, attempt)
  ids.add(id)
  return id === call.id ? call : { ...call, id }
}

/** Nine letters and digits, which even Mistral takes: the same for the same id, whenever it is asked. */
const anotherId = (id: string, attempt: number): string =>
  createHash("sha256").update(`${attempt} ${id}`).digest("hex").slice(0, 9)

/** Where history begins or ends with the assistant, since a request may not. */
const goOn: UserTurn = { role: "user", answers: [], said: [{ by: "user", block: Block.text("Please continue.") }] }
