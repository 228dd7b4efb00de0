/** Reads and writes the rows of a forest within one step: the parts of this folder, as one `Writer`. */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import type { Writer } from "../../ForestStore.ts"
import type { Change } from "../../JournalEntry.ts"
import { applyChange } from "./applyChange.ts"
import * as Bookmarks from "./bookmarks.ts"
import * as Conversations from "./conversations.ts"
import { descendants } from "./descendants.ts"
import * as IdentityMap from "./identityMap.ts"
import { insertion } from "./insertion.ts"
import { entryOf, journal } from "./journal.ts"
import { outline } from "./outline.ts"
import { nameOrNumber, paths } from "./paths.ts"
import * as Positions from "./positions.ts"
import * as Prefix from "./prefix.ts"
import * as Purge from "./purge.ts"
import * as RunningOperations from "./runningOperations.ts"
import * as SearchIndex from "./searchIndex.ts"
import { trees } from "./trees.ts"

/**
 * `beginStep`, `endStep` and `clear` are called around the body of a step; see the identity map and the conversations.
 */
interface Rows extends Writer, Pick<Conversations.Conversations, "beginStep" | "endStep" | "clear"> {}

export const rows = (sql: Statements): Rows => {
  const known = IdentityMap.make(sql)
  const conversations = Conversations.make(sql)
  const prefix = Prefix.make(sql, known)
  const applyOne = applyChange(sql, known)

  return {
    beginStep: () => {
      if (known.beginStep()) conversations.clear()
      conversations.beginStep()
      prefix.forget()
    },
    endStep: conversations.endStep,
    clear: () => {
      known.clear()
      conversations.clear()
    },
    root: known.root,
    node: known.node,
    ...trees(sql, known),
    conversations: conversations.list,
    conversation: conversations.of,
    ...paths(sql, known),
    ...descendants(sql, known),
    ...outline(sql, known),
    ...journal(sql, known),
    prefix: prefix.prefix,
    search: (query) => SearchIndex.search(sql, query, known.numberOfTree(query.root), known.nodeOrUnreadable),
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
    runningOperations: () => RunningOperations.list(sql),

    setFolder: conversations.setFolder,
    describe: conversations.describe,
    ...insertion(sql, known, conversations, prefix),
    apply: (change) => {
      known.revise()
      prefix.forget()
      const number = isTextAlone(sql, change) ? undefined : numberOfChanged(sql, change)
      if (number === undefined) applyOne(change)
      else conversations.changing(number, () => applyOne(change))
    },
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

/** Returns the row number of the node that a change concerns, even if it was removed. */
const numberOfChanged = (sql: Statements, change: Change): number | undefined => {
  const id = change.type === "changed" ? change.before.id : "node" in change ? change.node : undefined
  const row = id === undefined ? undefined : sql("select id from node where name = ?").get(id)
  return row === undefined ? undefined : Number(row.id)
}
