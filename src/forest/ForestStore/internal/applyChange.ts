/** Applies changes of the journal to the rows of nodes and bookmarks, and to the seals and counts of these. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { Changed, ForestError, Purged } from "../../ForestError.ts"
import { digest } from "../../internal/messageDigest.ts"
import type { Change } from "../../JournalEntry.ts"
import { isReadable, type Node } from "../../Node.ts"
import * as Bookmarks from "./bookmarks.ts"
import type { IdentityMap } from "./identityMap.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"
import * as SearchIndex from "./searchIndex.ts"

/** Returns the function that applies a change. It throws `Changed` if the rows are not in the state before it. */
export const applyChange = (sql: Statements, known: IdentityMap): ((change: Change) => void) => {
  const { node, numberIn, numberOf } = known

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

  return (change) => {
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
}

const toChangedError = (what: string) => new ForestError({ reason: new Changed({ what }) })
