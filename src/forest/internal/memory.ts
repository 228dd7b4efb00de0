/** A forest in memory. */
import * as Effect from "effect/Effect"
import type { NodeId } from "../../message/NodeId.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Brief, Change, Entry } from "../Entry.ts"
import { inverse, isOfNode } from "../Entry.ts"
import { Changed, ForestError, NotFound, Purged, Unwritable } from "../ForestError.ts"
import type { Service, Writer } from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import * as Operation from "../Operation.ts"
import * as Query from "../Query.ts"
import type { Root } from "../Root.ts"
import { digest } from "./likeness.ts"
import { endless, subtree } from "./subtree.ts"
import { type Kept as Everything, verify } from "./verify.ts"

/** What is removed stays, for `apply` to bring it back. */
interface Kept<A> {
  readonly value: A
  readonly removed: boolean
}

export const make: Effect.Effect<Service> = Effect.sync(() => {
  const roots = new Map<NodeId, Kept<Root>>()
  const nodes = new Map<NodeId, Kept<Node>>()
  /** By parent, oldest first, those that were removed too. */
  const below = new Map<NodeId, Array<NodeId>>()
  /** In which order they came: who comes back has its old place. */
  const order = new Map<NodeId, number>()
  let count = 0
  const bookmarks = new Map<string, Bookmark>()
  const entries: Array<Entry> = []
  const numbered = new Map<number, Entry>()
  const operations = new Map<string, Array<Entry>>()
  /** By the entry that it has undone. */
  const undoing = new Map<number, Entry>()
  const underWay = new Set<string>()

  const there = <A>(kept: Kept<A> | undefined): A | undefined => (kept?.removed === false ? kept.value : undefined)
  const node = (id: NodeId) => there(nodes.get(id))
  const root = (id: NodeId) => there(roots.get(id))
  const allNodes = () => Array.from(nodes.values()).flatMap((kept) => there(kept) ?? [])
  const children = (parent: NodeId) => (below.get(parent) ?? []).flatMap((id) => node(id) ?? [])

  const hang = ({ id, parent }: Node) => {
    const siblings = below.get(parent) ?? []
    below.set(parent, siblings)
    const place = order.get(id) ?? count++
    order.set(id, place)
    siblings.splice(siblings.findLastIndex((sibling) => (order.get(sibling) ?? 0) < place) + 1, 0, id)
  }
  const unhang = ({ id, parent }: Node) => {
    below.set(
      parent,
      (below.get(parent) ?? []).filter((child) => child !== id),
    )
  }

  const toggle = <A>(all: Map<NodeId, Kept<A>>, id: NodeId, removed: boolean) => {
    const kept = all.get(id)
    if (kept === undefined || kept.removed === removed) throw changed(id)
    all.set(id, { ...kept, removed })
  }

  const apply = (change: Change): void => {
    switch (change.type) {
      case "planted":
      case "uprooted":
        toggle(roots, change.root, change.type === "uprooted")
        return
      case "added":
      case "removed":
        toggle(nodes, change.node, change.type === "removed")
        return
      case "changed": {
        const { after, before } = change
        if (node(before.id) === undefined) throw changed(before.id)
        nodes.set(after.id, { value: after, removed: false })
        if (after.parent !== before.parent) {
          unhang(before)
          hang(after)
        }
        return
      }
      case "purged":
        throw new ForestError({ reason: new Purged() })
      case "bookmarked": {
        const { after, before } = change
        const title = after?.title ?? before?.title ?? ""
        if (bookmarks.get(title)?.node !== before?.node) throw changed(title)
        if (after === undefined) bookmarks.delete(title)
        else if (node(after.node) === undefined) throw changed(title)
        else bookmarks.set(title, after)
      }
    }
  }

  const stands = ({ id }: Entry) => !undoing.has(id)
  const operationOf = (entry: Entry): ReadonlyArray<Entry> =>
    (entry.operationId === undefined ? undefined : operations.get(entry.operationId)) ?? [entry]
  const brief = (entry: Entry): Brief => {
    const { changes, ...rest } = entry
    return { ...rest, nodes: changes.filter(isOfNode).length, first: operationOf(entry)[0]?.id ?? entry.id }
  }
  const briefly = (entry: Entry | undefined) => entry && brief(entry)

  const note = (entry: Entry): void => {
    const { id, operationId, undoes } = entry
    entries.push(entry)
    numbered.set(id, entry)
    if (undoes !== undefined) undoing.set(undoes, entry)
    if (operationId !== undefined) operations.set(operationId, [...(operations.get(operationId) ?? []), entry])
  }
  const forget = ({ id, operationId, undoes }: Entry): void => {
    numbered.delete(id)
    if (undoes !== undefined) undoing.delete(undoes)
    if (operationId !== undefined) {
      operations.set(operationId, operations.get(operationId)?.filter((entry) => entry.id !== id) ?? [])
    }
  }

  const rows: Writer = {
    root,
    roots: (owner) =>
      Array.from(roots.values())
        .flatMap((kept) => there(kept) ?? [])
        .filter((root) => owner === undefined || root.owner === owner),
    node,
    path: (id, limit) => {
      const path: Array<Node> = []
      const seen = new Set<NodeId>()
      for (let cursor = id; root(cursor) === undefined; ) {
        const found = node(cursor)
        if (found === undefined) throw new ForestError({ reason: new NotFound({ id: cursor }) })
        if (seen.has(cursor)) throw endless(cursor)
        if (path.length === limit) break
        seen.add(cursor)
        path.push(found)
        cursor = found.parent
      }
      return path.reverse()
    },
    children,
    prefix: (parent, messages) => {
      const found: Array<Node> = []
      for (const message of messages) {
        const wanted = digest(message)
        const next = children(found.at(-1)?.id ?? parent).find((child) => wanted.equals(digest(child.message)))
        if (next === undefined) break
        found.push(next)
      }
      return found
    },
    subtree: (id, depth) => subtree(node(id), id, children, depth),
    leaves: (limit, tree) =>
      allNodes()
        .filter(({ id, root }) => (tree === undefined || root === tree) && children(id).length === 0)
        .reverse()
        .slice(0, limit),
    search: (query) => {
      const isMeant = Query.answers(query)
      return allNodes()
        .filter(isMeant)
        .reverse()
        .slice(0, query.limit ?? Query.LIMIT)
    },
    beginning: (prefix, limit) =>
      [...rows.roots().map(({ id }) => id), ...allNodes().map(({ id }) => id)]
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, limit),
    removed: (prefix, limit) =>
      [...roots.values(), ...nodes.values()]
        .filter((kept) => kept.removed && !isErased(kept.value))
        .map(({ value: { id } }) => id)
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, limit),
    inventory: () => ({
      trees: Array.from(roots.values(), ({ removed, value }) => ({
        id: value.id,
        isRemoved: removed,
        isErased: isErased(value),
      })),
      nodes: Array.from(nodes.values(), ({ removed, value: { id, parent, root, splitFrom } }) => ({
        id,
        parent,
        root,
        isRemoved: removed,
        splitFrom,
      })),
      entries: entries.map((entry) => ({ id: entry.id, root: entry.root, entry })),
      bookmarks: rows.bookmarks(),
      messageOf: (id) => nodes.get(id)?.value.message,
    }),
    bookmark: (title) => bookmarks.get(title),
    bookmarks: () => Array.from(bookmarks.values()).sort((one, other) => (one.title < other.title ? -1 : 1)),
    latest: ({ by, except = [], isUndo = false, root } = {}) =>
      entries.findLast(
        (entry) =>
          (entry.operation === "undo") === isUndo &&
          stands(entry) &&
          entry.changes.length > 0 &&
          entry.changes.every(({ type }) => type !== "purged") &&
          (root === undefined || entry.root === root) &&
          (by === undefined || Operation.isBy(entry.author, by)) &&
          (entry.operationId === undefined || !except.includes(entry.operationId)),
      ),
    entry: (entry) => briefly(numbered.get(entry)),
    undoing: (entry) => briefly(undoing.get(entry)),
    operation: (entry) => {
      const found = numbered.get(entry)
      return found === undefined ? [] : operationOf(found)
    },
    recent: (limit) => {
      const last = new Map<string | number, Entry>()
      for (let at = entries.length - 1; at >= 0 && last.size < limit; at--) {
        const entry = entries[at]
        const key = entry?.operationId ?? entry?.id
        if (entry !== undefined && key !== undefined && !last.has(key)) last.set(key, entry)
      }
      return Array.from(last.values(), (entry) => operationOf(entry).map(brief))
    },
    madeBy: (node) =>
      entries.findLast(
        ({ changes, operation }) =>
          operation !== "undo" &&
          operation !== "redo" &&
          changes.some((change) => change.type === "added" && change.node === node),
      )?.id,
    changedSince: (since) =>
      entries
        .slice(entries.findLastIndex(({ id }) => id <= since) + 1)
        .filter(
          (entry) =>
            entry.operation !== "undo" && entry.changes.some(({ type }) => type === "changed") && stands(entry),
        ),
    underWay: () => Array.from(underWay),

    plant: (root) => {
      if (roots.has(root.id) || nodes.has(root.id)) throw taken(root.id)
      roots.set(root.id, { value: root, removed: false })
    },
    insert: (node) => {
      if (roots.has(node.id) || nodes.has(node.id)) throw taken(node.id)
      nodes.set(node.id, { value: node, removed: false })
      hang(node)
    },
    apply,
    purge: (plan) => {
      for (const title of plan.purged.bookmarks) bookmarks.delete(title)
      for (const id of plan.nodes) {
        const kept = nodes.get(id)
        if (kept !== undefined) unhang(kept.value)
        nodes.delete(id)
        order.delete(id)
        below.delete(id)
      }
      for (const [id, { removed, value }] of nodes) {
        if (value.splitFrom === undefined || !plan.nodes.has(value.splitFrom)) continue
        const { splitFrom: _, ...rest } = value
        nodes.set(id, { value: rest, removed })
      }
      for (const id of plan.trees) {
        roots.set(id, { value: { id, owner: "", systemPrompt: "", createdAt: 0 }, removed: true })
      }
      const left = entries.map((entry) => ({ ...entry, changes: plan.entries.get(entry.id) ?? entry.changes }))
      entries.splice(0).forEach(forget)
      left.forEach(note)
    },
    journal: (entry) => note({ ...entry, id: entries.length + 1 }),
    startOperation: (operationId) => void underWay.add(operationId),
  }

  /** Puts everything back as it is now. */
  const restoring = () => {
    const maps = [copied(roots), copied(nodes), copied(order), copied(bookmarks)]
    const children = Array.from(below, ([id, siblings]) => [id, [...siblings]] as const)
    const journal = [...entries]
    return () => {
      for (const restore of maps) restore()
      below.clear()
      for (const [id, siblings] of children) below.set(id, [...siblings])
      entries.splice(0).forEach(forget)
      journal.forEach(note)
    }
  }

  /** Takes back what was done since, where it throws. */
  const write = <A>(body: (rows: Writer) => A): A => {
    const done: Array<() => void> = []
    const entriesBefore = entries.length
    try {
      return body({
        ...rows,
        plant: (root) => {
          rows.plant(root)
          done.push(() => roots.delete(root.id))
        },
        insert: (node) => {
          rows.insert(node)
          done.push(() => {
            nodes.delete(node.id)
            unhang(node)
          })
        },
        apply: (change) => {
          apply(change)
          done.push(() => inverse([change]).forEach(apply))
        },
        purge: (plan) => {
          done.push(restoring())
          rows.purge(plan)
        },
      })
    } catch (cause) {
      for (const undo of done.reverse()) undo()
      entries.splice(entriesBefore).forEach(forget)
      throw cause
    }
  }

  const kept = (): Everything => ({
    roots: Array.from(roots.values(), ({ removed, value: { id } }) => ({ id, removed, flaws: [] })),
    nodes: Array.from(nodes.values(), ({ removed, value: node }) => {
      const { id, parent, root } = node
      return { id, parent, root, removed, node, flaws: [] }
    }),
    bookmarks: bookmarks.values(),
    entries: entries.map((entry) => ({ id: entry.id, entry })),
    flaws: [],
  })

  return {
    read: (body) => attempt(() => body(rows)),
    write: (body) => attempt(() => write(body)),
    erase: (body) => attempt(() => write(body)),
    verify: Effect.sync(() => verify(kept())),
    endOperation: (operationId) => Effect.sync(() => void underWay.delete(operationId)),
    mend: Effect.void,
  }
})

const attempt = <A>(body: () => A): Effect.Effect<A, ForestError> =>
  Effect.try({
    try: body,
    catch: (cause) => cause,
  }).pipe(Effect.catchAll((cause) => (cause instanceof ForestError ? Effect.fail(cause) : Effect.die(cause))))

/** Of a tree that was purged nothing but its id is left, for the journal to name. */
const isErased = (kept: Node | Root): boolean => "systemPrompt" in kept && kept.systemPrompt === "" && kept.owner === ""

/** What puts a map back as it is now. */
const copied = <K, V>(map: Map<K, V>) => {
  const before = Array.from(map)
  return () => {
    map.clear()
    for (const [key, value] of before) map.set(key, value)
  }
}

const taken = (id: NodeId) => new ForestError({ reason: new Unwritable({ cause: new Error(`the id ${id} is taken`) }) })

const changed = (what: string) => new ForestError({ reason: new Changed({ what }) })
