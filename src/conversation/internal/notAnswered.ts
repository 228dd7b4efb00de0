/** A notice between a message without an answer and the next one: models read adjacent user messages as one text. */
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"

export const notAnswered: Draft = {
  message: { role: "system", content: [Block.text("[The message above was not answered.]")] },
  source: { type: "notice" },
}
