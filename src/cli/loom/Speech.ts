/** What is to be said, and to whom: a node that is named, or a tree by its system prompt. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import * as NodeName from "../../forest/NodeName.ts"
import { UsageError } from "../../message/UsageError.ts"

export interface Typed {
  /** The first word of the command line. */
  readonly node: Option.Option<string>
  readonly words: ReadonlyArray<string>
  readonly system: Option.Option<string>
}

/** Whom the trees belong to that are made by hand. */
const OWNER = "loom"

export interface Otherwise<E, R> {
  /** The name of the node where none is given. */
  readonly node?: string
  /** What is said where no word is given; nothing by default. */
  readonly text?: Effect.Effect<string, E, R>
}

/** With a system prompt, every word is text. A tree is planted for something to be said, and not for white space. */
export const of = Effect.fn("Speech.of")(function* <E = never, R = never>(
  { node, system, words }: Typed,
  { node: usual, text = Effect.succeed("") }: Otherwise<E, R> = {},
) {
  const forest = yield* Forest.Forest
  const said = (words: ReadonlyArray<string>) => {
    const typed = words.join(" ")
    if (typed === "") return text
    return typed.trim() === "" ? new ForestError({ reason: new BlankText() }) : Effect.succeed(typed)
  }
  if (Option.isSome(system)) {
    const text = yield* said([...Option.toArray(node), ...words])
    const root = yield* forest.root({ owner: OWNER, systemPrompt: system.value })
    return { parent: root.id, text }
  }
  const name = Option.getOrElse(node, () => usual)
  if (name === undefined) {
    return yield* new UsageError({ message: "'loom append' needs NODE, or --system TEXT", command: "loom append" })
  }
  return { parent: yield* NodeName.resolve(name), text: yield* said(words) }
})
