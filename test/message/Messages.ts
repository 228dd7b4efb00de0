/** Generators of messages, for property tests. */
import { FastCheck } from "effect"
import * as Block from "../../src/message/Block.ts"
import type * as Message from "../../src/message/Message.ts"

const words = FastCheck.constantFrom("", " ", "\n", "a", "b c", "  d")

const meta = FastCheck.option(FastCheck.constant({ google: { thoughtSignature: "s" } }), { nil: undefined })

const text = FastCheck.tuple(words, meta).map(([text, meta]) => Block.text(text, meta))

const image = FastCheck.constant(Block.image("image/png", "aGVsbG8="))

const thinking = FastCheck.tuple(words, meta).map(([text, meta]) => Block.thinking(text, meta))

/** Few ids, so that results match calls by chance. */
const ids = FastCheck.constantFrom("c1", "c2", "c3")

const toolUse = ids.map((id) => Block.toolUse(id, "x", {}))

const nonEmpty = <A>(element: FastCheck.Arbitrary<A>) =>
  FastCheck.tuple(element, FastCheck.array(element, { maxLength: 3 })).map(([first, rest]): [A, ...Array<A>] => [
    first,
    ...rest,
  ])

/** The ids of the calls in one message differ. */
const differ = ([first, ...rest]: [Block.Block, ...Array<Block.Block>]): [Block.Block, ...Array<Block.Block>] => [
  first,
  ...rest.filter(
    (block, index) =>
      block.type !== "tool-use" ||
      ![first, ...rest.slice(0, index)].some((before) => before.type === "tool-use" && before.id === block.id),
  ),
]

const user = nonEmpty(FastCheck.oneof({ arbitrary: text, weight: 4 }, image)).map(
  (content): Message.Message => ({ role: "user", content }),
)

const notice = nonEmpty(text).map((content): Message.Message => ({ role: "system", content }))

const assistant = nonEmpty(FastCheck.oneof(text, thinking, toolUse, image)).map(
  (content): Message.Message => ({ role: "assistant", content: differ(content) }),
)

const tool = FastCheck.tuple(ids, FastCheck.constantFrom("1", "2")).map(
  ([tool_call_id, text]): Message.Message => ({
    role: "tool",
    tool_call_id,
    name: "x",
    content: [Block.text(text)],
  }),
)

/** In any order. Results may be missing, duplicate, or without a call. */
export const messages = FastCheck.array(FastCheck.oneof(user, notice, assistant, tool, tool), { maxLength: 12 })
