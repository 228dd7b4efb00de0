/** The NODE, TEXT and --system arguments with which `append` and `generate` name a message and its place. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import * as NodeName from "../../forest/NodeName.ts"

export interface MessageArguments {
  /** The first operand: the name of a node or, with `system`, the first word of the text. */
  readonly node: Option.Option<string>
  readonly words: ReadonlyArray<string>
  /** The system prompt of a tree, to append to its root. */
  readonly system: Option.Option<string>
}

/** The owner of trees that `--system` creates. */
const OWNER = "loom"

interface Defaults<E, R> {
  /** The name of the node if none is given; without a default the node is required. */
  readonly node?: string
  readonly command: string
  /** The text if no words are given: empty by default. */
  readonly text?: Effect.Effect<string, E, R>
}

/** The node to append to, and the text. A tree is created only if the text is not blank. */
export const resolve = Effect.fn("MessageArguments.resolve")(function* <E = never, R = never>(
  { node, system, words }: MessageArguments,
  { command, node: defaultNode, text: defaultText = Effect.succeed("") }: Defaults<E, R>,
) {
  const forest = yield* Forest.Forest
  const textOf = (words: ReadonlyArray<string>) => {
    const text = words.join(" ")
    if (text === "") return defaultText
    return text.trim() === "" ? new ForestError({ reason: new BlankText() }) : Effect.succeed(text)
  }
  if (Option.isSome(system)) {
    const text = yield* textOf([...Option.toArray(node), ...words])
    const root = yield* forest.root({ owner: OWNER, systemPrompt: system.value })
    return { parent: root.id, text }
  }
  const name = Option.getOrElse(node, () => defaultNode)
  if (name === undefined) {
    return yield* new UsageError({ message: `'${command}' needs NODE, or --system TEXT`, command })
  }
  const parent = yield* Effect.mapError(NodeName.resolve(name), (error) =>
    error._tag === "NoSuchNode" && words.length === 0 && /\s/.test(name.trim())
      ? new UsageError({
          message: `there is no node '${name}'; to add a text, name the node before it, such as @`,
          command,
        })
      : error,
  )
  return { parent, text: yield* textOf(words) }
})
