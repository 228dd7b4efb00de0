/** The operations of a forest that only read. */
import * as Option from "effect/Option"
import { withSpan } from "../../base/Tracing.ts"
import type { Counted, OnPath, Outline, Service } from "../ForestService.ts"
import type * as ForestStore from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import { rootOf, throwMissing, treeOf } from "./lookup.ts"
import * as Undo from "./undo.ts"

/** All operations that change nothing, except the position, which depends on a FiberRef, and the preview of a purge. */
type Reads = Pick<
  Service,
  | "conversations"
  | "conversation"
  | "roots"
  | "node"
  | "path"
  | "depth"
  | "children"
  | "outline"
  | "siblings"
  | "prefix"
  | "subtree"
  | "newestBelow"
  | "leaves"
  | "search"
  | "idsByPrefix"
  | "bookmarks"
  | "removedIdsByPrefix"
  | "history"
>

export const makeReads = (store: ForestStore.Service): Reads => ({
  node: (id) => store.read((rows) => rows.node(id) ?? throwMissing(id)),
  depth: (id) =>
    store.read((rows) => {
      treeOf(rows, id)
      return rows.depth(id)
    }),
  children: (id) => store.read((rows) => rows.children(id)),
  path: (id, { last } = {}) =>
    store
      .read((rows) => {
        const nodes = rows.path(id, last)
        return { root: rootOf(rows, treeOf(rows, id)), nodes }
      })
      .pipe(withSpan("Forest.path", { node: id })),
  outline: outlineOf(store),
  siblings: (id) =>
    store.read((rows) => {
      const { parent } = rows.node(id) ?? throwMissing(id)
      return rows.children(parent).filter((node) => node.id !== id)
    }),
  prefix: (parent, messages) =>
    store.read((rows) => {
      treeOf(rows, parent)
      return rows.prefix(parent, messages)
    }),
  subtree: (id, { depth } = {}) =>
    store.read((rows) => {
      treeOf(rows, id)
      return rows.subtree(id, depth)
    }),
  newestBelow: (id, limit, { depth } = {}) =>
    store.read((rows) => {
      treeOf(rows, id)
      return rows.newestBelow(id, limit, depth)
    }),
  leaves: (limit, root) => store.read((rows) => rows.leaves(limit, root)),
  search: (query) => store.read((rows) => rows.search(query)),
  idsByPrefix: (prefix, limit) => store.read((rows) => rows.idsByPrefix(prefix, limit)),
  conversations: (filter) => store.read((rows) => rows.conversations(filter)),
  conversation: (id) => store.read((rows) => Option.fromNullable(rows.conversation(id))),
  roots: (owner) => store.read((rows) => rows.roots(owner)),
  bookmarks: store.read((rows) => rows.bookmarks()),
  removedIdsByPrefix: (prefix, limit) => store.read((rows) => rows.removedIdsByPrefix(prefix, limit)),
  history: (limit) => store.read((rows) => rows.recent(limit).map((entries) => Undo.summary(rows, entries))),
})

const outlineOf = ({ read }: ForestStore.Service): Outline => {
  const count =
    (rows: ForestStore.Reader) =>
    (node: Node): Counted => ({ node, children: rows.childCount(node.id) })
  return {
    children: (id, part) =>
      read((rows) => {
        treeOf(rows, id)
        const { nodes, total } = rows.childrenFrom(id, part)
        return { nodes: nodes.map(count(rows)), total }
      }),
    run: (id, limit) =>
      read((rows) => {
        treeOf(rows, id)
        return rows.onlyDescendants(id, limit).map(count(rows))
      }),
    path: (id, limit) =>
      read((rows) =>
        rows.path(id, limit).map((node): OnPath => {
          const siblings = rows.childCount(node.parent)
          return { ...count(rows)(node), position: siblings === 1 ? 0 : rows.childIndex(node.id), siblings }
        }),
      ),
    count: (id) =>
      read((rows) => {
        treeOf(rows, id)
        return rows.childCount(id)
      }),
  }
}
