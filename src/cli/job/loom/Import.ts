/** The work of `vibe loom import`. */
import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import type { Draft, Node } from "../../../forest/Node.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { plural } from "../../../message/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../../message/Sanitize.ts"
import { UsageError } from "../../../message/UsageError.ts"
import * as NamedFile from "../../arguments/NamedFile.ts"
import type { Sapling } from "../../loom/transcript/Sapling.ts"
import * as Transcript from "../../loom/transcript/Transcript.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly file: string
  readonly json: boolean
}

/** An export of many years; JavaScript can hold twice as much as one text. */
const mostBytes = 256_000_000

/** Nothing is written before all of the file is understood; each conversation from its beginning to an end at once. */
export const run = Effect.fn("cli.loom.import")(function* ({ file, json }: Input) {
  const { err, out } = yield* Screen.Screen
  const text = new TextDecoder().decode(yield* NamedFile.read(file, { most: mostBytes, command: "loom import" }))
  const transcript = Transcript.read(text)
  if (transcript === undefined) {
    return yield* unusable(`${file}: of no known format; there are ${Transcript.formats.join(", ")}`)
  }
  const { format, saplings, skipped } = transcript
  const forest = yield* Forest.Forest
  const planted = yield* forest.operation(Effect.forEach(saplings, plant))
  const known = planted.reduce((sum, { known }) => sum + known, 0)
  const added = planted.reduce((sum, { nodes }) => sum + nodes.length, 0) - known
  const taken = planted.flatMap(({ taken }) => taken)
  for (const title of taken) {
    yield* Screen.line(err, sanitizeLine(`vibe: the bookmark ${title} stays where it is, on another node`))
  }
  if (json) {
    const roots = [...new Set(planted.map(({ root }) => root))]
    return yield* Screen.line(out, sanitizeJson({ format, roots, added, known, skipped }))
  }
  const messages = `${plural(added, "message")} added, ${known} known already`
  yield* Screen.line(out, `${format}: ${messages}, ${plural(skipped, "line")} without a message`)
})

const unusable = (message: string) => new UsageError({ message, command: "loom import" })

const plant = Effect.fnUntraced(function* ({ bookmarks, owner, seedlings, systemPrompt }: Sapling) {
  const forest = yield* Forest.Forest
  const root = yield* forest.root({ owner, systemPrompt })
  const nodes: Array<Node> = []
  const placed = new Set<NodeId>()
  let known = 0
  const place = (node: Node, isKnown: boolean) => {
    nodes.push(node)
    placed.add(node.id)
    if (isKnown) known++
  }
  while (nodes.length < seedlings.length) {
    const from = nodes.length
    const { parent } = seedlings[from] ?? {}
    const drafts = chainAt(seedlings, from).map(({ draft }) => draft)
    const under = parent === undefined ? root.id : idOf(nodes, parent)
    const twin = yield* twinOf(under, drafts, placed)
    if (twin !== undefined) place(twin.node, twin.isKnown)
    const rest = twin === undefined ? drafts : drafts.slice(1)
    const above = twin?.node.id ?? under
    const there = yield* forest.prefix(
      above,
      rest.map(({ message }) => message),
    )
    for (const [at, node] of (yield* forest.append(above, rest)).entries()) place(node, at < there.length)
    if (nodes.length !== from + drafts.length) yield* Effect.dieMessage("a message that says something was not kept")
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

/**
 * The node of the first draft where it is an answer that this import has placed already: what a model says twice is told
 * twice. It is one of those that the forest has besides, or a new one.
 */
const twinOf = Effect.fnUntraced(function* (under: NodeId, [first]: ReadonlyArray<Draft>, placed: ReadonlySet<NodeId>) {
  if (first?.source.type !== "model") return undefined
  const forest = yield* Forest.Forest
  const [same] = yield* forest.prefix(under, [first.message])
  if (same === undefined || !placed.has(same.id)) return undefined
  const text = JSON.stringify(first.message)
  const known = (yield* forest.children(under)).find(
    (child) => !placed.has(child.id) && JSON.stringify(child.message) === text,
  )
  if (known !== undefined) return { node: known, isKnown: true }
  const [node] = yield* forest.append(under, [first], { distinct: true })
  return node && { node, isKnown: false }
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
