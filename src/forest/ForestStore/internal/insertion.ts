/** Inserts roots and nodes, with what is kept of each beside its row: seal, counts, conversation and words. */
import type { Result, Statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { ForestError, Unwritable } from "../../ForestError.ts"
import type { Writer } from "../../ForestStore.ts"
import type { Conversations } from "./conversations.ts"
import type { IdentityMap } from "./identityMap.ts"
import type { Prefix } from "./prefix.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"
import * as SearchIndex from "./searchIndex.ts"

export const insertion = (
  sql: Statements,
  known: IdentityMap,
  conversations: Conversations,
  prefix: Prefix,
): Pick<Writer, "insertRoot" | "insert"> => ({
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
    SearchIndex.addNode(sql, number, known.nodeOrUnreadable)
  },
  insert: (node) => {
    const { body, detail, isJson, model, role, source } = Row.columns(node)
    const parent = known.numberOf(node.parent) ?? -1
    const root = known.numberOf(node.root) ?? -1
    const result = sql(
      `insert into node
           (name, parent, root, digest, role, body, is_json, source, model, detail, created_at, split_from, removed)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
         on conflict (name) do nothing`,
    ).run(
      node.id,
      parent,
      root,
      prefix.digestOf(node.message),
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
    prefix.inserted(number, parent, node.message)
    SearchIndex.addNode(sql, number, known.nodeOrUnreadable)
  },
})

/** Returns the number of the inserted row, and throws if the id exists. */
const numberGiven = (id: NodeId, { changes, lastInsertRowid }: Result): number => {
  if (Number(changes) > 0) return Number(lastInsertRowid)
  throw new ForestError({ reason: new Unwritable({ cause: new Error(`the id ${id} is taken`) }) })
}
