/** Prints the conversations of one owner, or the messages in them that contain a text. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as Conversations from "../../conversation/Conversations.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Operation from "../../forest/Operation.ts"
import * as NodeFormat from "../loom/NodeFormat.ts"
import * as Screen from "../terminal/Screen.ts"

interface Listing {
  readonly owner: string
  /** The command that continues a conversation, such as `vibe chat`. */
  readonly program: string
  readonly json: boolean
  /** True if the conversations of all folders are listed, not only those of the working folder. */
  readonly all: boolean
}

/** Finds the conversation with the latest message. */
export const newest = Effect.fn("ConversationList.newest")(function* ({ all, json, owner, program }: Listing) {
  const { err, out } = yield* Screen.Screen
  const here = yield* FiberRef.get(Operation.folder)
  const scope = Conversations.scopeOf(owner, here, all)
  const listed = yield* Conversations.newest(scope, LIMIT)
  if (json) return yield* Screen.line(out, sanitizeJson({ conversations: listed.map(toObject) }))
  if (listed.length === 0) {
    const others = yield* Conversations.list({ owner }, 1)
    const elsewhere = others.length > 0 ? `; '${program} --list --all' has those of other folders` : ""
    const where = scope.folder === undefined ? "" : ` in ${scope.folder}`
    yield* Screen.line(err, sanitizeLine(`there are no conversations yet${where}${elsewhere}`))
    return yield* noteHeldInPage(scope)
  }
  const labels = yield* NodeFormat.loadLabels(listed.map(({ last }) => last))
  const folderText = scope.isWide === true ? yield* Conversations.makeFolderText(listed) : undefined
  const now = yield* Clock.currentTimeMillis
  const { quiet, strong } = out.style
  const width = (yield* NodeFormat.lineWidth(out)) ?? Number.POSITIVE_INFINITY
  const rows = listed.map(({ conversation, last }) => {
    const id = labels.shortId(last.id)
    const facts = [
      Conversations.describe(conversation, now),
      ...Conversations.originOf(conversation),
      ...(folderText === undefined ? [] : [folderText(conversation)]),
      ...labels.titles(last.id).map((title) => `[${title}]`),
    ].map(sanitizeLine)
    const left = width - [id, ...facts].reduce((sum, part) => sum + DisplayWidth.width(part) + 2, 0)
    const title = DisplayWidth.cut(sanitizeLine(conversation.title), Math.max(MIN_TITLE, left))
    return [strong(id), title, ...facts.map(quiet)].join("  ")
  })
  yield* Screen.line(out, rows.join("\n"))
  if (out.isTerminal) yield* Screen.line(err, err.style.quiet(`${program} --resume NODE continues one`))
  if (listed.length === LIMIT) {
    yield* Screen.line(err, err.style.quiet(`the newest ${plural(LIMIT, "conversation")}; there may be more`))
  }
  yield* noteHeldInPage(scope)
})

const toObject = ({ conversation, last }: Conversations.Listed): object => ({
  ...NodeFormat.toConversationObject(conversation),
  lastWords: NodeText.firstWords(last),
})

/** The page has sessions of its own. A new conversation that was begun there is listed with the others. */
const noteHeldInPage = Effect.fnUntraced(function* ({ folder, isWide, owner }: Conversations.Scope) {
  if (owner !== Conversations.CHAT) return
  const { err } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const where = isWide === true ? {} : { folder }
  const { length } = (yield* forest.conversations({ kinds: ["session"], limit: LIMIT, ...where })).filter(
    ({ messages }) => messages > 0,
  )
  if (length === 0) return
  const held = `${length}${length === LIMIT ? " or more" : ""} more ${length === 1 ? "was" : "were"} held in the page`
  yield* Screen.line(err, err.style.quiet(`${held}: vibe serve shows ${length === 1 ? "it" : "them"}`))
})

/** Conversations by their titles, and messages, both newest first. */
export const search = Effect.fn("ConversationList.search")(function* ({ json, owner }: Listing, text: string) {
  const { err, out } = yield* Screen.Screen
  const nodes = yield* Conversations.search(owner, text, LIMIT)
  const titled = yield* Conversations.findByTitle(text, { owner, limit: LIMIT })
  if (json) {
    const { titles } = yield* NodeFormat.loadLabels([])
    const objects = nodes.map((node) => NodeFormat.toObject(node, titles))
    const conversations = titled.map(NodeFormat.toConversationObject)
    return yield* Screen.line(out, sanitizeJson({ nodes: objects, conversations }))
  }
  if (nodes.length + titled.length === 0) {
    return yield* Screen.line(err, sanitizeLine(`no conversation says: ${text}`))
  }
  const messages = yield* MessageParts.readAll(yield* Forest.Forest, nodes)
  const labels = yield* NodeFormat.loadLabels([...titled.map(({ leaf }) => ({ id: leaf })), ...messages.flat()])
  const lines = [
    ...titled.map((each) => NodeFormat.titleHit(each, labels, out.style)),
    ...messages.map((parts) => NodeFormat.searchHit(parts, text, labels, out.style)),
  ]
  yield* Screen.line(out, lines.join("\n"))
})

/** The fewest columns of a title, however narrow the terminal is. */
const MIN_TITLE = 20

/** The most rows of a list. */
const LIMIT = 50
