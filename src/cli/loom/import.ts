/** `vibe loom import`: appends the conversations of a transcript file to the forest. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Operation from "../../forest/Operation.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as NamedFile from "../arguments/NamedFile.ts"
import * as Screen from "../terminal/Screen.ts"
import type { ImportedConversation, ImportedMessage } from "./transcripts/ImportedConversation.ts"
import * as Transcript from "./transcripts/Transcript.ts"
import type { ImportInput } from "./writeCommands.ts"

/** Enough for an export of many years, and half of the longest string that JavaScript can hold. */
const MAX_FILE_BYTES = 256_000_000

/** The whole file is parsed before anything is written. */
export const run = Effect.fn("cli.loom.import")(function* ({ file, json }: ImportInput) {
  const { err, out } = yield* Screen.Screen
  const text = new TextDecoder().decode(
    yield* NamedFile.read(file, { maxBytes: MAX_FILE_BYTES, command: "loom import" }),
  )
  const transcript = Transcript.parse(text)
  if (transcript === undefined) {
    const message = `${file}: unrecognised format; supported are ${Transcript.FORMATS.join(", ")}`
    return yield* new UsageError({ message, command: "loom import" })
  }
  const { conversations, format, skipped } = transcript
  const forest = yield* Forest.Forest
  const imported = yield* Effect.forEach(conversations, importConversation).pipe(
    forest.operation,
    // They were not held in the working folder.
    Effect.locally(Operation.folder, undefined),
  )
  const known = imported.reduce((sum, { known }) => sum + known, 0)
  const added = imported.reduce((sum, { nodes }) => sum + nodes.length, 0) - known
  for (const title of imported.flatMap(({ takenTitles }) => takenTitles)) {
    yield* Screen.line(err, sanitizeLine(`vibe: the bookmark ${title} stays where it is, on another node`))
  }
  if (json) {
    const roots = [...new Set(imported.map(({ root }) => root))]
    return yield* Screen.line(out, sanitizeJson({ format, roots, added, known, skipped }))
  }
  const summary = `${plural(added, "message")} added, ${known} known already`
  yield* Screen.line(out, `${format}: ${summary}, ${plural(skipped, "line")} without a message`)
})

const importConversation = Effect.fnUntraced(function* (conversation: ImportedConversation) {
  const { bookmarks, descriptions = [], key, messages, owner, systemPrompt } = conversation
  const forest = yield* Forest.Forest
  const root = yield* forest.root({ owner, systemPrompt, key })
  /** The node of each message, by its index. */
  const nodes: Array<Node> = []
  const matched = new Set<NodeId>()
  let known = 0
  const match = (node: Node, isKnown: boolean) => {
    nodes.push(node)
    matched.add(node.id)
    if (isKnown) known++
  }
  while (nodes.length < messages.length) {
    const start = nodes.length
    const parent = messages[start]?.parent
    const drafts = chainFrom(messages, start).map(({ draft }) => draft)
    const parentId = parent === undefined ? root.id : idAt(nodes, parent)
    const repeated = yield* matchRepeatedAnswer(parentId, drafts, matched)
    if (repeated !== undefined) match(repeated.node, repeated.isKnown)
    const rest = repeated === undefined ? drafts : drafts.slice(1)
    const restParent = repeated?.node.id ?? parentId
    const existing = yield* forest.prefix(
      restParent,
      rest.map(({ message }) => message),
    )
    for (const [index, node] of (yield* forest.append(restParent, rest)).entries()) match(node, index < existing.length)
    if (nodes.length !== start + drafts.length)
      yield* Effect.dieMessage("the forest has left out a message with content")
  }
  const bookmarked = new Map((yield* forest.bookmarks).map(({ node, title }) => [title, node]))
  const takenTitles: Array<string> = []
  for (const { message, title } of bookmarks) {
    const id = idAt(nodes, message)
    if ((bookmarked.get(title) ?? id) === id) yield* forest.bookmark(title, id)
    else takenTitles.push(title)
  }
  for (const { folder, message, title } of descriptions) {
    const at = message === undefined ? root.id : idAt(nodes, message)
    const found = Option.getOrUndefined(yield* forest.conversation(at))
    if (found === undefined) continue
    if (title !== undefined && !found.isNamed) yield* forest.rename(found.root, title)
    if (folder !== undefined && found.folder === undefined) yield* forest.setFolder(found.root, folder)
  }
  return { root: root.id, nodes, known, takenTitles }
})

/**
 * `append` would merge two equal answers to one message, and a transcript may hold both. Where the first draft is such a
 * second answer: the node of it that the forest has already, or a new one.
 */
const matchRepeatedAnswer = Effect.fnUntraced(function* (
  parent: NodeId,
  [draft]: ReadonlyArray<Draft>,
  matched: ReadonlySet<NodeId>,
) {
  if (draft?.source.type !== "model") return undefined
  const forest = yield* Forest.Forest
  const [equal] = yield* forest.prefix(parent, [draft.message])
  if (equal === undefined || !matched.has(equal.id)) return undefined
  const text = JSON.stringify(draft.message)
  const existing = (yield* forest.children(parent)).find(
    (child) => !matched.has(child.id) && JSON.stringify(child.message) === text,
  )
  if (existing !== undefined) return { node: existing, isKnown: true }
  const [node] = yield* forest.append(parent, [draft], { distinct: true })
  return node && { node, isKnown: false }
})

/** The messages from `start` on of which each is the parent of the next: they are appended in one step. */
const chainFrom = (messages: ReadonlyArray<ImportedMessage>, start: number): ReadonlyArray<ImportedMessage> => {
  let end = start + 1
  while (end < messages.length && messages[end]?.parent === end - 1) end++
  return messages.slice(start, end)
}

const idAt = (nodes: ReadonlyArray<Node>, index: number): NodeId => {
  const node = nodes[index]
  if (node === undefined) throw new Error("a message stands before its parent")
  return node.id
}
