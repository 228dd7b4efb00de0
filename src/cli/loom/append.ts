/** `vibe loom append`: appends a message to a node. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import type { Draft } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Input from "../terminal/Input.ts"
import * as Screen from "../terminal/Screen.ts"
import * as MessageArguments from "./MessageArguments.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { AppendInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.append")(function* ({ json, role, ...input }: AppendInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const append = Effect.flatMap(
    MessageArguments.resolve(input, { command: "loom append", text: stdinText }),
    ({ parent, text }) => {
      const draft: Draft = {
        message: { role, content: [Block.text(text)] },
        source: { type: "user" },
      }
      return forest.append(parent, [draft])
    },
  )
  const [node] = yield* forest.operation(append)
  if (node === undefined) return yield* new ForestError({ reason: new BlankText() })
  const { titles } = yield* NodeFormat.loadLabels([])
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(node, titles) }) : node.id)
})

/** Standard input without the line break that ends a file. */
const stdinText = Effect.flatMap(Input.Stdin, ({ text }) =>
  Effect.filterOrFail(
    Effect.map(text, (text) => Option.getOrElse(text, () => "").replace(/\r?\n$/, "")),
    (text) => text.trim() !== "",
    () => new ForestError({ reason: new BlankText() }),
  ),
)
