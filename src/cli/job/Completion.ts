/** The work of `vibe completion`. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Cli from "../Cli.ts"
import * as Completion from "../Completion.ts"
import * as Loom from "../command/Loom.ts"
import * as Screen from "../Screen.ts"

export interface Input {
  readonly words: ReadonlyArray<string>
}

/** Nodes that are offered at the most. */
const MOST = 20

export const run = Effect.fn("cli.completion")(function* ({ words }: Input) {
  const { out } = yield* Screen.Screen
  if (words.length === 0) return yield* Screen.line(out, Completion.script)
  const typed = Completion.typed(words)
  const candidates = Completion.candidates(Cli.withLoom(Loom.specs), typed)
  const prefix = typed.at(-1) ?? ""
  const titles = candidates.names === undefined ? [] : yield* bookmarks(prefix)
  const ids = candidates.names === "nodes" ? yield* nodes(prefix) : []
  for (const word of [...candidates.words, ...titles, ...ids])
    yield* Screen.line(out, Completion.quoted(sanitizeLine(word)))
})

const bookmarks = Effect.fnUntraced(function* (prefix: string) {
  const forest = yield* Forest.Forest
  return (yield* forest.bookmarks).map(({ title }) => title).filter((title) => title.startsWith(prefix))
})

/** By their ids: the newest ends of conversations where nothing is typed yet. */
const nodes = Effect.fnUntraced(function* (prefix: string) {
  const forest = yield* Forest.Forest
  const ids = prefix === "" ? (yield* forest.leaves(MOST)).map(({ id }) => id) : yield* forest.idsByPrefix(prefix, MOST)
  const short = yield* NodeName.shortNames(ids)
  return ids.map(short)
})
