/** Handles requests about the forest. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../base/Prose.ts"
import type { Conversation } from "../forest/Conversation.ts"
import * as Export from "../forest/Export.ts"
import * as Forest from "../forest/Forest.ts"
import * as Graph from "../forest/Graph.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { Node } from "../forest/Node.ts"
import * as NodeText from "../forest/NodeText.ts"
import * as Operation from "../forest/Operation.ts"
import { queryTerms } from "../forest/Query.ts"
import type { NodeId } from "../message/NodeId.ts"
import { Api } from "./Api.ts"
import { type Format, MAX_ROWS, type Row, type Text } from "./api/Forest.ts"
import { EventHub } from "./EventHub.ts"
import { toFailure } from "./Failures.ts"
import * as Rows from "./ForestRows.ts"
import * as Messages from "./Messages.ts"
import { Served } from "./Served.ts"

/** The most characters of a message that a page gets. */
const MAX_TEXT = 50_000
/** The most messages that are shown beside each other. */
const MAX_COMPARED = 8
/** The most nodes of a path that a page gets. */
const MAX_PATH = 100
const MAX_TITLES = 10
const MAX_HITS = 40
const MAX_OPERATIONS = 50

export const layer = HttpApiBuilder.group(Api, "forest", (handlers) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { publish } = yield* EventHub
    const { folder } = yield* Served

    const bookmarks = Effect.map(
      forest.bookmarks,
      (all): Rows.Bookmarks =>
        new Map(
          Array.from(
            Map.groupBy(all, ({ node }) => node),
            ([node, marks]) => [node, marks.map(({ title }) => title)] as const,
          ),
        ),
    )

    const conversationRow = Effect.fnUntraced(function* (conversation: Conversation, marks: Rows.Bookmarks) {
      const children = yield* forest.outline.count(conversation.root)
      return Rows.ofConversation(conversation, children, marks)
    })

    /**
     * Returns a function from a node to the whole message that ends there. The nodes are siblings, or each is the child
     * of the one before, so that the parts before them are read only once.
     */
    const wholeMessages = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>) {
      const [first] = nodes
      const isFirst = first === undefined || first.parent === first.root
      const before = isFirst ? [] : yield* MessageParts.read(forest, first.parent)
      const whole = new Map(MessageParts.joinAll([...before, ...nodes]).map((node) => [node.id, node]))
      return (node: Node): Node => whole.get(node.id) ?? node
    })

    /** Returns the row of a node or of the root of a conversation. */
    const rowOf = Effect.fnUntraced(function* (id: NodeId, marks: Rows.Bookmarks) {
      const [placed] = yield* forest.outline.path(id, 1)
      if (placed !== undefined) {
        const node = MessageParts.join(yield* MessageParts.read(forest, id))
        return { row: Rows.ofNode(placed, marks, node), node }
      }
      const conversation = yield* forest.conversation(id)
      if (Option.isSome(conversation)) {
        return { row: yield* conversationRow(conversation.value, marks), node: undefined }
      }
      return { row: yield* sharedRoot(id), node: undefined }
    })

    const sharedRoot = Effect.fnUntraced(function* (id: NodeId) {
      const { root } = yield* forest.path(id, { last: 0 })
      const row: Row = {
        id,
        parent: id,
        kind: "conversation",
        text: NodeText.firstWords(root),
        at: root.createdAt,
        children: yield* forest.outline.count(id),
        bookmarks: [],
      }
      return row
    })

    const textOf = Effect.fnUntraced(function* (row: Row, node: Node | undefined) {
      const text = node === undefined ? row.text : NodeText.body(node)
      const { isEstimated = false, usage } =
        node === undefined ? {} : yield* Effect.provideService(Messages.usageOf(node), Forest.Forest, forest)
      const shown: Text = {
        row,
        text: text.slice(0, MAX_TEXT).toWellFormed(),
        isCut: text.length > MAX_TEXT,
        ...(usage !== undefined && { tokens: { input: usage.inputTokens, output: usage.outputTokens } }),
        ...(isEstimated && { estimated: true }),
      }
      return shown
    })

    /** A change by this view, which all pages receive as an event. */
    const change = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.zipLeft(Effect.locally(effect, Operation.author, Rows.AUTHOR), publish({ type: "forest" }))

    return handlers
      .handle("conversations", ({ urlParams: { before, changed, folder: which, kinds } }) =>
        Effect.gen(function* () {
          const found = yield* forest.conversations({
            limit: MAX_ROWS + 1,
            ...(which === "this" && { folder }),
            ...(kinds === undefined && { exceptKinds: ["index"] }),
            ...(before !== undefined && changed !== undefined && { before: { root: before, changed } }),
          })
          const marks = yield* bookmarks
          const rows = yield* Effect.forEach(found.slice(0, MAX_ROWS), (each) => conversationRow(each, marks))
          return { rows, more: found.length > MAX_ROWS }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("children", ({ urlParams: { of, offset = 0 } }) =>
        Effect.gen(function* () {
          const { nodes, total } = yield* forest.outline.children(of, { offset, limit: MAX_ROWS })
          const marks = yield* bookmarks
          const wholeOf = yield* wholeMessages(nodes.map(({ node }) => node))
          return { rows: nodes.map((each) => Rows.ofNode(each, marks, wholeOf(each.node))), total }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("run", ({ urlParams: { of } }) =>
        Effect.gen(function* () {
          const marks = yield* bookmarks
          const found = yield* forest.outline.run(of, MAX_ROWS)
          const wholeOf = yield* wholeMessages(found.map(({ node }) => node))
          return { rows: found.map((each) => Rows.ofNode(each, marks, wholeOf(each.node))) }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("path", ({ urlParams: { to } }) =>
        Effect.gen(function* () {
          const marks = yield* bookmarks
          const found = yield* forest.outline.path(to, MAX_PATH + 1)
          const path = found.slice(-MAX_PATH)
          const conversation = yield* forest.conversation(to)
          const wholeOf = yield* wholeMessages(path.map(({ node }) => node))
          const rows = path.map((each) => ({
            ...Rows.ofNode(each, marks, wholeOf(each.node)),
            position: each.position,
            siblings: each.siblings,
          }))
          return {
            rows,
            earlier: found.length > path.length,
            ...(Option.isSome(conversation) && { conversation: yield* conversationRow(conversation.value, marks) }),
          }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("search", ({ urlParams: { text } }) =>
        Effect.gen(function* () {
          if (text.trim() === "") return []
          const marks = yield* bookmarks
          const titled = yield* forest.conversations({ search: text, limit: MAX_TITLES })
          const titles = yield* Effect.forEach(titled, (each) =>
            Effect.map(conversationRow(each, marks), (row) => ({ row, title: row.text })),
          )
          // The last word may be incomplete while the user types. A search for prefixes takes far longer, so it comes
          // second.
          const prefix = /[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text
          const whole = yield* forest.search({ text, limit: MAX_HITS })
          const hits = whole.length > 0 ? whole : yield* forest.search({ text: prefix, limit: MAX_HITS })
          const found = yield* Effect.forEach(hits, (node) =>
            Effect.gen(function* () {
              const conversation = yield* forest.conversation(node.id)
              const children = yield* forest.outline.count(node.id)
              const whole = MessageParts.join(yield* MessageParts.read(forest, node.id))
              return {
                row: Rows.ofNode({ node, children }, marks, whole),
                title: Option.match(conversation, { onNone: () => "", onSome: ({ title }) => title }),
                excerpt: Rows.around(NodeText.body(whole), queryTerms(prefix)),
              }
            }),
          )
          return [...titles, ...found]
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("text", ({ urlParams: { of } }) =>
        Effect.gen(function* () {
          const { node, row } = yield* rowOf(of, yield* bookmarks)
          return yield* textOf(row, node)
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("compare", ({ urlParams: { of, offset = 0 } }) =>
        Effect.gen(function* () {
          const marks = yield* bookmarks
          const { nodes, total } = yield* forest.outline.children(of, { offset, limit: MAX_COMPARED })
          const wholeOf = yield* wholeMessages(nodes.map(({ node }) => node))
          const texts = yield* Effect.forEach(nodes, (each) => {
            const whole = wholeOf(each.node)
            return textOf(Rows.ofNode(each, marks, whole), whole)
          })
          return { texts, total }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("bookmarks", () =>
        Effect.gen(function* () {
          const marks = yield* bookmarks
          return yield* Effect.forEach(yield* forest.bookmarks, ({ node, title }) =>
            Effect.map(rowOf(node, marks), ({ row }) => ({ title, row })),
          )
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("bookmark", ({ payload: { node, title } }) =>
        change(forest.bookmark(title.trim(), node)).pipe(
          Effect.map((mark) => ({ message: `Bookmarked as “${mark.title}”.` })),
          Effect.mapError(toFailure),
        ),
      )
      .handle("unbookmark", ({ urlParams: { title } }) =>
        change(forest.unbookmark(title)).pipe(
          Effect.map((mark) => ({ message: `The bookmark “${mark.title}” is gone.` })),
          Effect.mapError(toFailure),
        ),
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { nodes } = yield* forest.path(id, { last: 1 })
          // A root stays, without anything below it: such a conversation is in no list.
          const targets = nodes.length > 0 ? [id] : (yield* forest.children(id)).map((node) => node.id)
          const removed = yield* change(
            forest.operation(
              Effect.forEach(targets, (target) => forest.remove(target, "cascade", { bookmarks: true })),
            ),
          )
          const count = removed.reduce((sum, each) => sum + each.nodes.length, 0)
          const marks = removed.reduce((sum, each) => sum + each.bookmarks.length, 0)
          return {
            message: `Removed ${plural(count, "message")}${marks === 0 ? "" : ` and ${plural(marks, "bookmark")}`}.`,
          }
        }).pipe(Effect.mapError(toFailure)),
      )
      .handle("history", () =>
        Effect.map(forest.history(MAX_OPERATIONS), (operations) =>
          operations.map((operation) => ({
            id: operation.id,
            at: operation.at,
            author: operation.author ?? "unknown",
            what: Rows.describeOperation(operation),
            isUndone: operation.isUndone,
            isUnderWay: operation.isUnderWay,
          })),
        ).pipe(Effect.mapError(toFailure)),
      )
      .handle("undo", ({ payload: { operation } }) =>
        change(operation === undefined ? forest.undo(undefined, Rows.AUTHOR) : forest.undoOperation(operation)).pipe(
          Effect.map((undone) => ({ message: Rows.describeReverted("undo", undone) })),
          Effect.mapError(toFailure),
        ),
      )
      .handle("redo", () =>
        change(forest.redo(Rows.AUTHOR)).pipe(
          Effect.map((redone) => ({ message: Rows.describeReverted("redo", redone) })),
          Effect.mapError(toFailure),
        ),
      )
      .handle("export", ({ urlParams: { format, of } }) =>
        Effect.map(exportAround(of), (all) => {
          const { extension, name, type } = formats[format]
          // It is sent as a file to download: a browser must not show foreign HTML as a page of this server.
          return HttpServerResponse.text(`${Export.text(all, name)}\n`, {
            contentType: type,
            headers: { "content-disposition": `attachment; filename="conversation.${extension}"` },
          })
        }).pipe(Effect.provideService(Forest.Forest, forest), Effect.mapError(toFailure)),
      )
  }),
)

const formats: Readonly<
  Record<Format, { readonly name: Export.Format; readonly extension: string; readonly type: string }>
> = {
  markdown: { name: "markdown", extension: "md", type: "text/markdown; charset=utf-8" },
  html: { name: "html", extension: "html", type: "text/html; charset=utf-8" },
  json: { name: "json", extension: "json", type: "application/json; charset=utf-8" },
}

/** Exports the path to a node and everything below it. */
const exportAround = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(id)
  const below = Graph.outline(nodes.at(-1) ?? root, yield* forest.subtree(id)).flatMap(({ place }) =>
    place === undefined || NodeText.isRoot(place) || place.id === id ? [] : [place],
  )
  const all = [...nodes, ...below]
  const ids = new Set(all.map((node) => node.id))
  const bookmarks = (yield* forest.bookmarks).filter((bookmark) => ids.has(bookmark.node))
  return Export.readable({ root, nodes: all, bookmarks }).exported
})
