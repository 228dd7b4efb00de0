/** What is to be said, and to whom: a node that is named, or a tree by its system prompt. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { UsageError } from "../Arguments.ts"
import * as NodeName from "./NodeName.ts"

export interface Typed {
  /** The first word of the command line. */
  readonly node: Option.Option<string>
  readonly words: ReadonlyArray<string>
  readonly system: Option.Option<string>
}

export interface Speech {
  /** Told where what is said goes: a node or a root. */
  readonly parent: NodeId
  /** Empty where nothing is said. */
  readonly text: string
}

/** Whom the trees belong to that are made by hand. */
const OWNER = "loom"

/** With a system prompt, every word is text. `otherwise` is the name of the node where none is given. */
export const of = Effect.fn("Speech.of")(function* ({ node, system, words }: Typed, otherwise?: string) {
  const forest = yield* Forest.Forest
  if (Option.isSome(system)) {
    const root = yield* forest.root({ owner: OWNER, systemPrompt: system.value })
    return { parent: root.id, text: [...Option.toArray(node), ...words].join(" ") }
  }
  const name = Option.getOrElse(node, () => otherwise)
  if (name === undefined) {
    return yield* new UsageError({ message: "'loom append' needs NODE, or --system TEXT", command: "loom append" })
  }
  return { parent: yield* NodeName.resolve(name), text: words.join(" ") }
})
