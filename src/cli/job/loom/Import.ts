/** The work of `vibe loom import`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import type { Node } from "../../../forest/Node.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { printableLine } from "../../../message/Printable.ts"
import { UsageError } from "../../Arguments.ts"
import type { Sapling } from "../../loom/transcript/Sapling.ts"
import * as Transcript from "../../loom/transcript/Transcript.ts"
import { plural } from "../../Plural.ts"
import * as Render from "../../Render.ts"
import * as Screen from "../../Screen.ts"

export interface Input {
  readonly file: string
  readonly json: boolean
}

/** Nothing is written before all of the file is understood; each conversation from its beginning to an end at once. */
export const run = Effect.fn("cli.loom.import")(function* ({ file, json }: Input) {
  const { err, out } = yield* Screen.Screen
  const files = yield* FileSystem.FileSystem
  const unreadable = () => unusable(`${file}: cannot be read`)
  // A device may never come to an end.
  const { type } = yield* Effect.mapError(files.stat(file), unreadable)
  if (type !== "File") return yield* unusable(`${file}: is no file`)
  const text = yield* Effect.mapError(files.readFileString(file), unreadable)
  const transcript = Transcript.read(text)
  if (transcript === undefined) {
    return yield* unusable(`${file}: of no known format; there are ${Transcript.formats.join(", ")}`)
  }
  const { format, saplings, skipped } = transcript
  const planted = yield* Effect.forEach(saplings, plant)
  const known = planted.reduce((sum, { known }) => sum + known, 0)
  const added = planted.reduce((sum, { nodes }) => sum + nodes.length, 0) - known
  const taken = planted.flatMap(({ taken }) => taken)
  for (const title of taken) {
    yield* Screen.line(err, printableLine(`vibe: the bookmark ${title} stays where it is, on another node`))
  }
  if (json) {
    const roots = [...new Set(planted.map(({ root }) => root))]
    return yield* Screen.line(out, Render.json({ format, roots, added, known, skipped }))
  }
  const messages = `${plural(added, "message")} added, ${known} known already`
  yield* Screen.line(out, `${format}: ${messages}, ${plural(skipped, "line")} without a message`)
})

const unusable = (message: string) => new UsageError({ message, command: "loom import" })

const plant = Effect.fnUntraced(function* ({ bookmarks, owner, seedlings, systemPrompt }: Sapling) {
  const forest = yield* Forest.Forest
  const root = yield* forest.root({ owner, systemPrompt })
  const nodes: Array<Node> = []
  let known = 0
  while (nodes.length < seedlings.length) {
    const from = nodes.length
    const { parent } = seedlings[from] ?? {}
    const chain = chainAt(seedlings, from)
    const drafts = chain.map(({ draft }) => draft)
    const under = parent === undefined ? root.id : idOf(nodes, parent)
    known += (yield* forest.prefix(
      under,
      drafts.map(({ message }) => message),
    )).length
    for (const node of yield* forest.append(under, drafts)) nodes.push(node)
    if (nodes.length !== from + chain.length) yield* Effect.dieMessage("a message that says something was not kept")
  }
  const marked = new Map((yield* forest.bookmarks).map(({ node, title }) => [title, node]))
  const taken: Array<string> = []
  for (const { seedling, title } of bookmarks) {
    const id = idOf(nodes, seedling)
    if ((marked.get(title) ?? id) === id) yield* forest.bookmark(title, id)
    else taken.push(title)
  }
  return { root: root.id, nodes, known, taken }
})

/** What follows one after the other from there: one step of the forest. */
const chainAt = (seedlings: Sapling["seedlings"], from: number): Sapling["seedlings"] => {
  let end = from + 1
  while (end < seedlings.length && seedlings[end]?.parent === end - 1) end++
  return seedlings.slice(from, end)
}

const idOf = (nodes: ReadonlyArray<Node>, place: number): NodeId => {
  const node = nodes[place]
  if (node === undefined) throw new Error("a message stands before the one that it follows")
  return node.id
}
