/** Appends a tree of messages at once. */
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { BlankText, ForestError } from "../ForestError.ts"
import { type Draft, isReadable, type Node } from "../Node.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { digest } from "./messageDigest.ts"
import { validateDraft } from "./validate.ts"

export interface Placed {
  readonly draft: Draft
  /** The index of an earlier message; undefined for one directly below the parent of all. */
  readonly parent: number | undefined
  /** The index of the message from which this one was split; see `Node.splitFrom`. */
  readonly splitFrom?: number | undefined
  /** The index of the last message that a summary stands for. */
  readonly upTo?: number | undefined
}

export interface Appended {
  readonly root: NodeId
  /** The nodes, in the order of the messages. */
  readonly nodes: ReadonlyArray<Node>
  /** The number of messages that existed already. */
  readonly known: number
}

/**
 * Appends messages. A message is the same as an existing child of its parent if it is equal, and no message before it
 * is that child. Messages of the user may be the same as an earlier one, unless `exact`, since most programs write one
 * again with each of its answers. Throws `BlankText` for an empty message.
 */
export const appendTree = (
  { change, insert, rows }: ChangeRecorder,
  { parent, root }: Pick<Node, "parent" | "root">,
  messages: ReadonlyArray<Placed>,
  fresh: IdsAndTime,
  exact: boolean,
): Appended => {
  const drafts = messages.map(({ draft }) => validateDraft(draft))
  if (drafts.some(({ message }) => Message.isEmpty(message))) throw new ForestError({ reason: new BlankText() })
  const matched = new Set<NodeId>()
  /** The children of nodes that existed before, and those that were added to them, with their digests. */
  const children = new Map<NodeId, Array<readonly [digest: string, node: Node]>>()
  const childrenOf = (id: NodeId, isNew: boolean) => {
    const known = children.get(id)
    if (known !== undefined) return known
    const found = isNew
      ? []
      : rows.children(id).flatMap((node) => (isReadable(node) ? [[digestOf(node.message), node] as const] : []))
    children.set(id, found)
    return found
  }
  /** The ids of all messages come first, since a message may be split from a later one. */
  const places: Array<{ readonly node: Node; readonly isNew: boolean }> = []
  messages.forEach(({ parent: above }, at) => {
    const { createdAt = fresh.now, message, source } = drafts[at] ?? throwEmpty()
    const to = above === undefined ? undefined : places[above]
    const siblings = childrenOf(to?.node.id ?? parent, to?.isNew ?? false)
    const own = digestOf(message)
    const mayRepeat = !exact && source.type !== "model"
    const equal = siblings.find(([digest, { id }]) => digest === own && (mayRepeat || !matched.has(id)))?.[1]
    const node = equal ?? { id: fresh.id(), root, parent: to?.node.id ?? parent, message, source, createdAt }
    if (equal === undefined) siblings.push([own, node])
    matched.add(node.id)
    places.push({ node, isNew: equal === undefined })
  })
  const marked = new Set<NodeId>()
  const idOf = (index: number | undefined) => (index === undefined ? undefined : places[index]?.node.id)
  const inserted = new Map<NodeId, Node>()
  const nodes = places.map(({ isNew, node }, at) => {
    if (!isNew || inserted.has(node.id)) return inserted.get(node.id) ?? node
    const [splitFrom, upTo] = [idOf(messages[at]?.splitFrom), idOf(messages[at]?.upTo)]
    const { source } = node
    const added = insert({
      ...node,
      source: source.type === "summary" && upTo !== undefined ? { ...source, upTo } : source,
      ...(splitFrom !== undefined && { splitFrom }),
    })
    inserted.set(added.id, added)
    return added
  })
  for (const [at, { parent: above }] of messages.entries()) {
    const [to, own] = [above === undefined ? undefined : places[above], places[at]]
    if (to === undefined || own === undefined || to.isNew || !own.isNew) continue
    // This is a new message that continues one that existed and was not divided until now.
    const isMarked = to.node.splitFrom !== undefined || messages[above ?? -1]?.splitFrom === undefined
    if (!isMarked && own.node.message.role === to.node.message.role && !marked.has(to.node.id)) {
      const before = rows.children(to.node.id).filter(({ id }) => !inserted.has(id))
      if (before.some(({ message }) => message.role === to.node.message.role)) continue
      change(to.node, { ...to.node, splitFrom: to.node.id })
      marked.add(to.node.id)
    }
  }
  return { root, nodes, known: nodes.length - inserted.size }
}

const digestOf = (message: Message.Message): string => digest(message).toString("base64")

const throwEmpty = (): never => {
  throw new Error("a message stands before its parent")
}
