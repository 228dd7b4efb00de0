/** A conversation read from a file, ready to be appended to the forest. */
import * as Schema from "effect/Schema"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import type { FinishReason } from "../../../message/FinishReason.ts"
import { isObject, tryParse } from "../../../message/Json.ts"
import * as Message from "../../../message/Message.ts"
import * as Usage from "../../../message/Usage.ts"
import * as Content from "./Content.ts"

export interface Sapling {
  readonly owner: string
  readonly systemPrompt: string
  /** Parents before their children. */
  readonly seedlings: ReadonlyArray<Seedling>
  readonly bookmarks: ReadonlyArray<{ readonly title: string; readonly seedling: number }>
}

export interface Seedling {
  /** The place of an earlier one; none for what follows the system prompt. */
  readonly parent: number | undefined
  readonly draft: Draft
}

/** What a reader of some format makes of a file. */
export interface Reading {
  readonly saplings: ReadonlyArray<Sapling>
  /** Lines, or messages, that say nothing a conversation can hold. */
  readonly skipped: number
}

/** Collects them by the names that their file gives them. */
export interface Bed {
  readonly seedlings: ReadonlyArray<Seedling>
  /**
   * What `name` says, after what `parent` says: several drafts follow one another, and what follows a name without any
   * follows its parent. A parent that nobody has named counts as none. `at`: when it was said, as the file writes that;
   * what is no time is not known. Returns whether it says something.
   */
  readonly add: (name: string, parent: string | undefined, drafts: ReadonlyArray<Draft>, at?: unknown) => boolean
  /** Where the last draft of a name stands. */
  readonly place: (name: string) => number | undefined
}

export const bed = (): Bed => {
  const seedlings: Array<Seedling> = []
  const places = new Map<string, number | undefined>()
  return {
    seedlings,
    add: (name, parent, drafts, at) => {
      const createdAt = timeOf(at)
      let place = parent === undefined ? undefined : places.get(parent)
      const spoken = drafts.filter(({ message }) => !Message.isEmpty(message))
      for (const draft of spoken) {
        seedlings.push({ parent: place, draft: createdAt === undefined ? draft : { ...draft, createdAt } })
        place = seedlings.length - 1
      }
      places.set(name, place)
      return spoken.length > 0
    },
    place: (name) => places.get(name),
  }
}

/** In milliseconds since the epoch, as a date's text or a number of them. */
export const timeOf = (at: unknown): number | undefined => {
  const time = typeof at === "string" ? Date.parse(at) : at
  return typeof time === "number" && time > 0 && time < LATEST ? Math.round(time) : undefined
}

/** No date is later (ECMA-262, 21.4.1.1). */
const LATEST = 8.64e15

export const user = (content: ReadonlyArray<Block.Text | Block.Image>): ReadonlyArray<Draft> => {
  const [first, ...rest] = content.filter((block) => block.type === "image" || !isBlank(block.text))
  return first === undefined ? [] : [{ message: { role: "user", content: [first, ...rest] }, source: { type: "user" } }]
}

export const notice = (text: string): ReadonlyArray<Draft> => [
  { message: { role: "system", content: [Block.text(text)] }, source: { type: "notice" } },
]

export interface Answer {
  readonly blocks: ReadonlyArray<Block.Block>
  /** `provider/name`. */
  readonly model: string
  readonly finish?: FinishReason | undefined
  readonly usage?: Usage.Usage | undefined
}

export const assistant = ({ blocks, finish, model, usage = Usage.none }: Answer): ReadonlyArray<Draft> => {
  const [first, ...rest] = blocks.filter((block) => !("text" in block) || !isBlank(block.text))
  if (first === undefined) return []
  const calls = [first, ...rest].some(Block.isToolUse)
  return [
    {
      message: { role: "assistant", content: [first, ...rest] },
      source: { type: "model", model, finish: finish ?? (calls ? "tool_calls" : "stop"), usage },
    },
  ]
}

export interface Result {
  readonly call: string
  readonly tool: string
  readonly content: unknown
  readonly isError: boolean
}

export const result = ({ call, content, isError, tool }: Result): ReadonlyArray<Draft> => [
  {
    message: {
      role: "tool",
      tool_call_id: call,
      name: tool,
      ...(isError && { isError }),
      content: [Block.text(Content.text(content))],
    },
    source: { type: "tool", tool },
  },
]

/** Arguments as an object, whatever a model wrote there. */
export const parameters = (input: unknown): Block.ToolUse["parameters"] => {
  const value = typeof input === "string" ? (tryParse(input) ?? input) : input
  return isObject(value) ? value : value === undefined || value === null ? {} : { input: value }
}

/** Counts that a format leaves out are none. */
export const Count = Schema.optionalWith(Schema.Number, { default: () => 0, nullable: true })

const isBlank = (text: string): boolean => text.trim() === ""
