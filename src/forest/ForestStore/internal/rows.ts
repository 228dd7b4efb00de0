import type { Result, Statements } from "../../../disk/Sqlite.ts"
import type { Message } from "../../../message/Message.ts"
import { NodeId } from "../../../message/NodeId.ts"
import { Changed, ForestError, Purged, Unwritable } from "../../ForestError.ts"
import type { Writer } from "../../ForestStore.ts"
import { subtree } from "../../internal/lookup.ts"
import { digest, isSameText } from "../../internal/messageDigest.ts"
import type { Change } from "../../JournalEntry.ts"
import { isReadable, type Node, type Root } from "../../Node.ts"
import * as Bookmarks from "./bookmarks.ts"
import * as Conversations from "./conversations.ts"
import * as IdentityMap from "./identityMap.ts"
import { entryOf, journal } from "./journal.ts"
import { outline } from "./outline.ts"
import { nameOrNumber, paths } from "./paths.ts"
import * as Positions from "./positions.ts"
import * as Purge from "./purge.ts"
import * as Row from "./row.ts"
import * as RunningOperations from "./runningOperations.ts"
import * as Seal from "./seal.ts"
import * as SearchIndex from "./searchIndex.ts"

/**
 * `beginStep`, `endStep` and `clear` are called around the body of a step; see the identity map and the conversations.
 */
export interface Rows extends Writer, Pick<Conversations.Conversations, "beginStep" | "endStep" | "clear"> {}

export const rows = (sql: Statements): Rows => {
  const known = IdentityMap.make(sql)
  const conversations = Conversations.make(sql)
  const { nodeOrUnreadable: nodeAnywhere, nodeOf, nodeUnder, numberIn, numberOf, rootOf } = known

  /** The message that was looked up last in this step. If it was not found, it is written next, with this digest. */
  let lastLookup: { readonly parent: number; readonly message: Message; readonly digest: Buffer } | undefined
  const digestOf = (message: Message) => (message === lastLookup?.message ? lastLookup.digest : digest(message))

  const node = (id: NodeId): Node | undefined => {
    const there = known.find(id)
    return there !== undefined && "parent" in there ? there : undefined
  }

  const root = (id: NodeId): Root | undefined => {
    const there = known.find(id)
    return there !== undefined && "systemPrompt" in there ? there : undefined
  }

  /** Returns the row number of a tree, null for all trees, and -1, which no tree has, for one that does not exist. */
  const numberOfTree = (tree: NodeId | undefined): number | null => (tree === undefined ? null : (numberOf(tree) ?? -1))

  const children = (parent: NodeId): ReadonlyArray<Node> => {
    const number = numberOf(parent)
    if (number === undefined) return []
    // This checks the row of the parent if it was not read before.
    known.find(parent)
    const children = sql(
      `select ${Seal.columns} from ${Seal.nodes} where n.parent = ? and not n.removed order by n.id`,
    ).all(number)
    const counted = Seal.countChildren(sql, number)
    if (children.length !== counted)
      IdentityMap.failDamaged(`${parent} has ${counted} children, not ${children.length}`)
    return children.map((row) => nodeUnder(parent, number, row))
  }

  const prefix = (parent: NodeId, messages: ReadonlyArray<Message>): ReadonlyArray<Node> => {
    const found: Array<number> = []
    let above = numberOf(parent)
    for (const message of messages) {
      if (above === undefined) break
      const next = oldestMatch(above, message)
      if (next === undefined) break
      found.push(next)
      above = next
    }
    const nodes = known.nodes(found)
    const end = nodes.findIndex((node, at) => !isMatch(node, nodes[at - 1]?.id ?? parent, messages[at]))
    return end === -1 ? nodes : nodes.slice(0, end)
  }

  /**
   * Returns whether a node that was found by its digest has the same message, and the node found before it as its
   * parent.
   */
  const isMatch = (node: Node, parent: NodeId, message: Message | undefined): boolean =>
    isReadable(node) &&
    node.parent === parent &&
    message !== undefined &&
    (isSameText(node.message, message) || digest(node.message).equals(digest(message)))

  /** Returns the number of the oldest child with this message: mostly the one that was found the last time. */
  const oldestMatch = (parent: number, message: Message): number | undefined => {
    const followed = known.nextOnPath(parent)
    if (followed !== undefined && isSameText(followed[1].message, message)) return followed[0]
    lastLookup = { parent, message, digest: digest(message) }
    const row = sql("select id from node where parent = ? and digest = ? and not removed order by id limit 1").get(
      parent,
      lastLookup.digest,
    )
    if (row === undefined) return undefined
    const number = Number(row.id)
    known.setNextOnPath(parent, number)
    return number
  }

  const setRemoved = (id: NodeId, removed: boolean) => {
    const row = sql("update node set removed = ? where name = ? and removed = ? returning id, parent, source").get(
      Number(removed),
      id,
      Number(!removed),
    )
    if (row === undefined) throw toChangedError(id)
    const by = removed ? -1 : 1
    Seal.setRemoved(sql, Number(row.id), removed)
    if (row.parent === null) Seal.tally(sql, Seal.treesOf(String(row.source)), by)
    else Seal.addChildren(sql, row.parent, by)
    if (removed) known.remove(id)
  }

  /** Moves a node below another parent, and counts the children of both. */
  const move = (number: number, parent: number | null) => {
    const before = sql("select parent from node where id = ?").get(number)?.parent
    if (before === parent) return
    sql("update node set parent = ? where id = ?").run(parent, number)
    Seal.addChildren(sql, before, -1)
    Seal.addChildren(sql, parent, 1)
  }

  const put = (node: Node) => {
    // The row of an unreadable node is left as it is, except its parent.
    if (!isReadable(node)) return moveBelow(node)
    const { body, detail, isJson, model, role, source } = Row.columns(node)
    const number = numberIn(node.id)
    move(number, numberOf(node.parent) ?? null)
    const row = sql(
      `update node set digest = ?, role = ?, body = ?, is_json = ?, source = ?, model = ?, detail = ?,
         split_from = (select name from node where name = ?)
       where id = ? returning *`,
    ).get(digest(node.message), role, body, isJson, source, model, detail, node.splitFrom ?? null, number)
    if (row !== undefined) Seal.update(sql, row)
    SearchIndex.changeNode(sql, number, node)
    // An undo restores no mark of a node that was purged since.
    const { splitFrom: _, ...unmarked } = node
    known.put(number, row?.split_from === null ? unmarked : node)
  }

  /** Changes only the parent in the row. */
  const moveBelow = (node: Node) => {
    const number = numberIn(node.id)
    const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id = ?`).get(number)
    const parent = numberOf(node.parent) ?? null
    move(number, parent)
    if (row !== undefined) Seal.update(sql, { ...row, parent }, Seal.isIntact(row))
    known.put(number, node)
  }

  const apply = (change: Change): void => {
    known.revise()
    lastLookup = undefined
    const number = isTextAlone(sql, change) ? undefined : numberOfChanged(change)
    if (number === undefined) applyChange(change)
    else conversations.changing(number, () => applyChange(change))
  }

  /** Returns the row number of the node that a change concerns, even if it was removed. */
  const numberOfChanged = (change: Change): number | undefined => {
    const id = change.type === "changed" ? change.before.id : "node" in change ? change.node : undefined
    const row = id === undefined ? undefined : sql("select id from node where name = ?").get(id)
    return row === undefined ? undefined : Number(row.id)
  }

  const applyChange = (change: Change): void => {
    switch (change.type) {
      case "planted":
      case "uprooted":
        setRemoved(change.root, change.type === "uprooted")
        return
      case "added":
      case "removed":
        setRemoved(change.node, change.type === "removed")
        return
      case "changed":
        if (node(change.before.id) === undefined) throw toChangedError(change.before.id)
        put(change.after)
        return
      case "moved": {
        const moved = node(change.node)
        if (moved?.parent !== change.from) throw toChangedError(change.node)
        moveBelow({ ...moved, parent: change.to })
        return
      }
      case "purged":
        throw new ForestError({ reason: new Purged() })
      case "bookmarked": {
        const { after, before } = change
        const title = after?.title ?? before?.title ?? ""
        if (Bookmarks.find(sql, title)?.node !== before?.node) throw toChangedError(title)
        if (after !== undefined && node(after.node) === undefined) throw toChangedError(title)
        Bookmarks.change(sql, title, before, after)
      }
    }
  }

  return {
    beginStep: () => {
      if (known.beginStep()) conversations.clear()
      conversations.beginStep()
      lastLookup = undefined
    },
    endStep: conversations.endStep,
    clear: () => {
      known.clear()
      conversations.clear()
    },
    root,
    findRoot: ({ key, owner, systemPrompt }) => {
      const { body, isJson } = Row.prompt(systemPrompt)
      const row = sql(
        `select ${Seal.columns} from ${Seal.nodes} where n.parent is null and n.source = ? and n.model is ?
           and n.body = ? and n.is_json = ? and not n.removed order by n.id limit 1`,
      ).get(owner, key ?? null, body, isJson)
      return row === undefined ? undefined : rootOf(row)
    },
    conversations: conversations.list,
    conversation: conversations.of,
    roots: (owner) => {
      const [rows, counted] =
        owner === undefined
          ? [
              sql(
                `select ${Seal.columns} from ${Seal.nodes} where n.parent is null and not n.removed order by n.id`,
              ).all(),
              Seal.tallyOfTrees(sql),
            ]
          : [
              sql(
                `select ${Seal.columns} from ${Seal.nodes}
                 where n.parent is null and n.source = ? and not n.removed order by n.id`,
              ).all(owner),
              Seal.tallyOf(sql, Seal.treesOf(owner)),
            ]
      if (rows.length !== counted) IdentityMap.failDamaged(`there are ${counted} trees, not ${rows.length}`)
      return rows.map(rootOf)
    },
    node,
    ...paths(sql, known),
    children,
    ...outline(sql, known),
    ...journal(sql, known),
    prefix,
    subtree: (id, depth) => subtree(node(id), id, children, depth),
    leaves: (limit, tree) => {
      // The index and the counts are both used: they differ if one of the two is damaged.
      const rows = sql(
        `select * from (
           select ${Seal.columns}, s.children,
             exists (select 1 from node c where c.parent = n.id and not c.removed) as has_child
           from ${Seal.nodes}
           where not (n.parent is null and s.root = 0) and not (n.removed and s.removed)
             and (?1 is null or n.root = ?1 or s.root = ?1))
         where not (has_child and children > 0) order by id desc limit ?2`,
      ).all(numberOfTree(tree), limit)
      const sealed = Seal.leaves(sql, numberOfTree(tree), limit)
      if (sealed.length !== rows.length || sealed.some((number, at) => number !== rows[at]?.id)) {
        IdentityMap.failDamaged("which nodes have no children is damaged")
      }
      return rows.map((row) => {
        if (row.has_child !== 0 || row.children !== 0) IdentityMap.failDamaged(`what is below ${row.name} is damaged`)
        return nodeOf(row)
      })
    },
    search: (query) => SearchIndex.search(sql, query, numberOfTree(query.root), nodeAnywhere),
    idsByPrefix: (prefix, limit) =>
      sql("select name from node where name >= ? and name < ? and not removed order by name limit ?")
        .all(prefix, `${prefix}\u{10ffff}`, limit)
        .map(({ name }) => NodeId.make(String(name))),
    removedIdsByPrefix: (prefix, limit) =>
      sql(
        `select name from node where name >= ? and name < ? and removed and not (role = 'root' and source = '' and body = '')
         order by name limit ?`,
      )
        .all(prefix, `${prefix}\u{10ffff}`, limit)
        .map(({ name }) => NodeId.make(String(name))),
    inventory: () =>
      Purge.inventory(sql, Bookmarks.all(sql), (row) => entryOf(row, (number) => nameOrNumber(sql, number))),
    bookmark: (title) => Bookmarks.find(sql, title),
    bookmarks: () => Bookmarks.all(sql),
    position: (holder) => Positions.find(sql, holder),
    newestBelow: (top, limit, depth) => {
      const number = numberOf(top)
      if (number === undefined) return { nodes: [], count: 0 }
      // Only the index is used. The limit is the number of rows, since a circle would have no end.
      const below = sql(
        `with recursive below (id, depth) as (
           select ?1, 0
           union all
           select n.id, depth + 1 from below b join node n on n.parent = b.id
           where not n.removed and depth < ?2
           limit 2 + (select max(id) from node))
         select id, count(*) over () as count from below where id <> ?1 order by id desc limit ?3`,
      ).all(number, depth ?? Number.MAX_SAFE_INTEGER, limit)
      return { nodes: known.nodes(below.map(({ id }) => Number(id)).reverse()), count: Number(below[0]?.count ?? 0) }
    },
    runningOperations: () => RunningOperations.list(sql),

    setFolder: conversations.setFolder,
    describe: conversations.describe,
    insertRoot: ({ createdAt, id, key, owner, systemPrompt }) => {
      const { body, isJson } = Row.prompt(systemPrompt)
      const number = numberGiven(
        id,
        sql(
          `insert into node (name, role, body, is_json, source, model, created_at, removed)
           values (?, 'root', ?, ?, ?, ?, ?, 0) on conflict (name) do nothing`,
        ).run(id, body, isJson, owner, key ?? null, createdAt),
      )
      Seal.add(sql, {
        id: number,
        name: id,
        role: "root",
        body,
        is_json: isJson,
        source: owner,
        model: key,
        created_at: createdAt,
        removed: 0,
      })
      if (key !== undefined) conversations.addTree(number, owner)
      Seal.tally(sql, Seal.treesOf(owner), 1)
      SearchIndex.addNode(sql, number, nodeAnywhere)
    },
    insert: (node) => {
      const { body, detail, isJson, model, role, source } = Row.columns(node)
      const parent = numberOf(node.parent) ?? -1
      const root = numberOf(node.root) ?? -1
      const result = sql(
        `insert into node
           (name, parent, root, digest, role, body, is_json, source, model, detail, created_at, split_from, removed)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
         on conflict (name) do nothing`,
      ).run(
        node.id,
        parent,
        root,
        digestOf(node.message),
        role,
        body,
        isJson,
        source,
        model,
        detail,
        node.createdAt,
        node.splitFrom ?? null,
      )
      const number = numberGiven(node.id, result)
      Seal.add(sql, {
        id: number,
        name: node.id,
        parent,
        root,
        role,
        body,
        is_json: isJson,
        source,
        model,
        detail,
        created_at: node.createdAt,
        split_from: node.splitFrom,
        removed: 0,
      })
      Seal.addChildren(sql, parent, 1)
      conversations.addNode(number, parent, root, node)
      known.put(number, node)
      // The message was looked up there, and not found.
      if (node.message === lastLookup?.message && parent === lastLookup.parent) known.setNextOnPath(parent, number)
      SearchIndex.addNode(sql, number, nodeAnywhere)
    },
    apply,
    purge: (plan) => {
      known.revise()
      const numbers = new Set(
        [...plan.nodes, ...plan.trees].map((id) => Number(sql("select id from node where name = ?").get(id)?.id)),
      )
      Purge.purge(sql, plan)
      conversations.purge(numbers, plan.touched)
      known.clear()
    },
    startOperation: (operationId) => RunningOperations.start(sql, operationId),
    setPosition: (holder, node, at) => Positions.set(sql, holder, node, at),
  }
}

/**
 * Returns whether a change leaves the lists as they are: it changes only the text of a message that gives no
 * conversation its title. A title may come from a first message, from one after notices, and from the continuation of a
 * divided message. A mark changes the count of messages.
 */
const isTextAlone = (sql: Statements, change: Change): boolean =>
  change.type === "changed" &&
  change.before.parent === change.after.parent &&
  change.before.message.role === change.after.message.role &&
  change.before.splitFrom === change.after.splitFrom &&
  sql("select 1 from node where name = ? and role not in ('root', 'system') and split_from is null").get(
    change.before.parent,
  ) !== undefined

/** Returns the number of the inserted row, and throws if the id exists. */
const numberGiven = (id: NodeId, { changes, lastInsertRowid }: Result): number => {
  if (Number(changes) > 0) return Number(lastInsertRowid)
  throw new ForestError({ reason: new Unwritable({ cause: new Error(`the id ${id} is taken`) }) })
}

const toChangedError = (what: string) => new ForestError({ reason: new Changed({ what }) })
