/**
 * The list of conversations (table `conversation`). A row follows from the nodes, except its folder, and its title if
 * the user gave it. A write updates the rows to which it added messages, and reads again the conversations in which it
 * changed or removed anything. So an index finds the newest conversations.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import * as Conversation from "../../Conversation.ts"
import { ForestError, Unreadable } from "../../ForestError.ts"
import type { Node } from "../../Node.ts"
import * as ConversationRows from "./conversationRows.ts"
import type * as Row from "./row.ts"
import * as Seal from "./seal.ts"

export interface Conversations {
  /** Called before each step. */
  readonly beginStep: () => void
  /** Called after the changes of a step, in its transaction. */
  readonly endStep: () => void
  /** Called after a step that failed. */
  readonly clear: () => void
  /** Sets the folder of the conversations that this step begins. */
  readonly setFolder: (folder: string | undefined) => void
  /** Adds the row for a new tree of one conversation. */
  readonly addTree: (tree: number, owner: string) => void
  readonly addNode: (number: number, parent: number, tree: number, node: Node) => void
  /** Runs a change of an existing node. */
  readonly changing: (number: number, change: () => void) => void
  /** Called after a purge of these rows, and of others in the trees with these ids. */
  readonly purge: (numbers: ReadonlySet<number>, trees: Iterable<NodeId>) => void
  readonly list: (filter: Conversation.Filter) => ReadonlyArray<Conversation.Conversation>
  /** Returns the conversation of a node or of a root; undefined for the root of a shared tree. */
  readonly of: (id: NodeId) => Conversation.Conversation | undefined
  readonly describe: (root: NodeId, what: Description) => void
}

/** The part of a conversation that does not follow from its nodes. */
interface Description {
  /** The name that the user gives it. */
  readonly title?: string | undefined
  readonly folder?: string | undefined
}

/** The part that a step has added to a conversation. */
interface Added {
  readonly tree: number
  /** The first added node that is no notice. */
  first: Node | undefined
  messages: number
  leaf: number
  created: number
  changed: number
}

export const make = (sql: Statements): Conversations => {
  let added = new Map<number, Added>()
  const touched = new Set<number>()
  /**
   * Maps a conversation of a shared tree to the one that has its nodes now, after its first message was split, or after
   * that was undone.
   */
  const moved = new Map<number, number>()
  let folder: string | undefined
  /** Caches the conversations of the nodes that were added last, since the next nodes mostly follow them. */
  const known = new Map<number, number>()

  const conversationOf = (number: number, tree: number): number | undefined =>
    ConversationRows.isOwnTree(sql, tree)
      ? tree
      : number === tree
        ? undefined
        : (known.get(number) ?? ConversationRows.firstOnPath(sql, number, tree))

  const conversationNow = (number: number): number | undefined => {
    known.clear()
    const tree = sql("select root from node where id = ?").get(number)?.root
    return typeof tree === "number" ? conversationOf(number, tree) : undefined
  }

  const flush = () => {
    for (const [from, to] of moved) if (ConversationRows.takeOver(sql, from, to)) added.delete(to)
    for (const [id, part] of added) insertOrUpdate(sql, id, part, folder)
    added = new Map()
    for (const id of touched) ConversationRows.recompute(sql, id)
    touched.clear()
    moved.clear()
  }

  const clear = () => {
    added = new Map()
    touched.clear()
    moved.clear()
    known.clear()
  }

  return {
    beginStep: () => {
      folder = undefined
    },
    endStep: flush,
    clear,
    setFolder: (to) => {
      folder = to
    },
    addTree: (tree, owner) =>
      ConversationRows.put(sql, ConversationRows.emptyRow(tree, tree, owner, ConversationRows.folderOf(owner, folder))),
    addNode: (number, parent, tree, node) => {
      const id =
        parent === tree && !ConversationRows.isOwnTree(sql, tree) ? number : (conversationOf(parent, tree) ?? number)
      if (known.size > MAX_KNOWN) known.clear()
      known.set(number, id)
      const { createdAt } = node
      const part = added.get(id) ?? {
        tree,
        first: undefined,
        messages: 0,
        leaf: number,
        created: createdAt,
        changed: createdAt,
      }
      if (node.message.role !== "system") part.first ??= node
      part.messages += Number(Conversation.isSaid(node))
      part.leaf = number
      part.created = Math.min(part.created, createdAt)
      part.changed = Math.max(part.changed, createdAt)
      added.set(id, part)
      // The title may come from this message, and the count of messages may change for the one above, too.
      if (ConversationRows.changesMessage(sql, parent, number)) touched.add(id)
    },
    changing: (number, change) => {
      const before = conversationNow(number)
      change()
      const after = conversationNow(number)
      for (const id of [before, after]) if (id !== undefined) touched.add(id)
      if (before !== undefined && after !== undefined && before !== after) moved.set(before, after)
    },
    purge: (numbers, trees) => {
      clear()
      for (const number of numbers) sql("delete from conversation where id = ?").run(number)
      for (const name of trees) {
        const tree = sql("select id, source, body from node where name = ?").get(name)
        if (tree === undefined) continue
        if (tree.source === "" && tree.body === "") sql("delete from conversation where tree = ?").run(Number(tree.id))
        const rest = sql("select id from conversation where tree = ?").all(Number(tree.id))
        for (const { id } of rest) ConversationRows.recompute(sql, Number(id))
      }
    },
    list: (filter) => list(sql, filter),
    of: (name) => {
      const row = sql("select id, root from node where name = ? and not removed").get(name)
      if (row === undefined) return undefined
      const number = Number(row.id)
      const id = conversationOf(number, Number(row.root ?? number))
      const found = id === undefined ? undefined : sql(`${SELECT} where c.id = ?`).get(id)
      return found === undefined ? undefined : toConversation(found)
    },
    describe: (root, { folder, title }) => {
      flush()
      const row = sql("select c.* from conversation c join node n on n.id = c.id where n.name = ?").get(root)
      if (row === undefined) return
      ConversationRows.put(sql, {
        ...row,
        ...(folder !== undefined && { folder }),
        ...(title !== undefined && { title, is_named: 1 }),
      })
    },
  }
}

/** This is enough for the branches that a program follows at once. */
const MAX_KNOWN = 10_000

const insertOrUpdate = (sql: Statements, id: number, part: Added, folder: string | undefined): void => {
  const { changed, created, first, leaf, messages, tree } = part
  const found = sql("select * from conversation where id = ?").get(id)
  const owner = String(sql("select source from node where id = ?").get(tree)?.source)
  const row = found ?? ConversationRows.emptyRow(id, tree, owner, ConversationRows.folderOf(owner, folder))
  const isFirst = row.leaf === 0
  ConversationRows.put(sql, {
    ...row,
    title: first === undefined || row.title !== "" ? row.title : Conversation.titleOf(first),
    created_at: isFirst ? created : Math.min(Number(row.created_at), created),
    changed_at: isFirst ? changed : Math.max(Number(row.changed_at), changed),
    messages: Number(row.messages) + messages,
    leaf: Math.max(Number(row.leaf), leaf),
  })
}

const SELECT = `select c.*, n.name as root_name, t.name as tree_name, l.name as leaf_name
  from conversation c join node n on n.id = c.id join node t on t.id = c.tree left join node l on l.id = c.leaf`

/** Selects the rows in the order of an index, so that a list costs no more than the part of it that is shown. */
export const query = ({ before, exceptKinds, folder, kinds, owner }: Conversation.Filter): string => {
  const conditions = [
    "c.messages > 0",
    ...(folder === undefined ? [] : [folder === null ? "c.folder is null" : "c.folder = :folder"]),
    ...(owner === undefined ? [] : ["c.owner = :owner"]),
    ...(kinds === undefined ? [] : [`${KIND} in (select value from json_each(:kinds))`]),
    ...(exceptKinds === undefined ? [] : [`${KIND} not in (select value from json_each(:exceptKinds))`]),
    ...(before === undefined ? [] : ["(c.changed_at, c.id) < (:changed, :id)"]),
  ]
  return `select c.id, c.title from conversation c where ${conditions.join(" and ")}
    order by c.changed_at desc, c.id desc`
}

/** Selects the kind of the owner in a column, as `Conversation.kindOf` does. */
export const kindIn = (column: string): string =>
  `substr(${column}, 1, instr(replace(${column}, '#', ':') || ':', ':') - 1)`

const KIND = kindIn("c.owner")

const list = (sql: Statements, filter: Conversation.Filter): ReadonlyArray<Conversation.Conversation> => {
  const { before, exceptKinds, folder, kinds, limit, owner, search } = filter
  const last = before === undefined ? undefined : sql("select id from node where name = ?").get(before.root)
  const rows = sql(query(filter)).iterate({
    ...(typeof folder === "string" && { folder }),
    ...(owner !== undefined && { owner }),
    ...(kinds !== undefined && { kinds: JSON.stringify(kinds) }),
    ...(exceptKinds !== undefined && { exceptKinds: JSON.stringify(exceptKinds) }),
    ...(before !== undefined && { changed: before.changed, id: Number(last?.id ?? 0) }),
  })
  const isMatch = Conversation.makeTitleFilter(search)
  const found: Array<number> = []
  for (const { id, title } of rows) {
    if (found.length >= limit) break
    if (isMatch(String(title))) found.push(Number(id))
  }
  return found.flatMap((id) => {
    const row = sql(`${SELECT} where c.id = ?`).get(id)
    return row === undefined ? [] : [toConversation(row)]
  })
}

const toConversation = (row: Row.Row): Conversation.Conversation => {
  if (row.digest !== Seal.conversationDigest(row)) {
    const cause = new Error(`the list of conversations is damaged, at ${row.root_name}`)
    throw new ForestError({ reason: new Unreadable({ cause }) })
  }
  const owner = String(row.owner)
  return {
    root: NodeId.make(String(row.root_name)),
    tree: NodeId.make(String(row.tree_name)),
    owner,
    kind: Conversation.kindOf(owner),
    ...(row.folder !== null && { folder: String(row.folder) }),
    title: String(row.title),
    isNamed: row.is_named === 1,
    created: Number(row.created_at),
    changed: Number(row.changed_at),
    messages: Number(row.messages),
    leaf: NodeId.make(String(row.leaf_name ?? row.root_name)),
  }
}
