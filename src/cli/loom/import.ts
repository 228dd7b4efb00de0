/** `vibe loom import`: appends the conversations of a transcript file to the forest. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import * as Operation from "../../forest/Operation.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Input from "../terminal/Input.ts"
import * as Screen from "../terminal/Screen.ts"
import type { ImportedConversation } from "./transcripts/ImportedConversation.ts"
import * as Transcript from "./transcripts/Transcript.ts"
import type { ImportInput } from "./writeCommands.ts"

/**
 * The most bytes of a file: enough for an export of many years, and half of the longest string that JavaScript can
 * hold.
 */
const MAX_FILE_BYTES = 256_000_000

/** The whole file is parsed before anything is written. */
export const run = Effect.fn("cli.loom.import")(function* ({ file, json }: ImportInput) {
  const { err, out } = yield* Screen.Screen
  const text = new TextDecoder().decode(
    yield* Input.readNamed(file, { maxBytes: MAX_FILE_BYTES, command: "loom import" }),
  )
  const transcript = Transcript.parse(text)
  if (transcript === undefined) {
    const message = `${file}: unrecognised format; supported are ${Transcript.FORMATS.join(", ")}`
    return yield* new UsageError({ message, command: "loom import" })
  }
  const { conversations, format, skipped } = transcript
  const forest = yield* Forest.Forest
  // An empty conversation would become a tree that shows nothing. An export of vibe is restored as it was, with its
  // empty ones.
  const meant = conversations.filter(({ exact, messages }) => exact === true || messages.length > 0)
  const imported = yield* Effect.forEach(meant, importConversation).pipe(
    forest.operation,
    // These conversations were not held in the working folder.
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
  const { bookmarks, descriptions = [], exact = false, key, messages, owner, systemPrompt } = conversation
  const forest = yield* Forest.Forest
  const { known, nodes, root } = yield* forest.appendTree({ owner, systemPrompt, key }, messages, { exact })
  const bookmarked = new Map((yield* forest.bookmarks).map(({ node, title }) => [title, node]))
  const takenTitles: Array<string> = []
  for (const { message, title } of bookmarks) {
    const id = idAt(nodes, message)
    if ((bookmarked.get(title) ?? id) === id) yield* forest.bookmark(title, id)
    else takenTitles.push(title)
  }
  for (const { folder, message, title } of descriptions) {
    const at = message === undefined ? root : idAt(nodes, message)
    const found = Option.getOrUndefined(yield* forest.conversation(at))
    if (found === undefined) continue
    if (title !== undefined && !found.isNamed) yield* forest.rename(found.root, title)
    if (folder !== undefined && found.folder === undefined) yield* forest.setFolder(found.root, folder)
  }
  return { root, nodes, known, takenTitles }
})

const idAt = (nodes: ReadonlyArray<Node>, index: number): NodeId => {
  const node = nodes[index]
  if (node === undefined) throw new Error("a message stands before its parent")
  return node.id
}
