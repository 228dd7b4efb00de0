/** Reads the roots of trees. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Reader } from "../../ForestStore.ts"
import * as IdentityMap from "./identityMap.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"

export const trees = (sql: Statements, { rootOf }: IdentityMap.IdentityMap): Pick<Reader, "findRoot" | "roots"> => ({
  findRoot: ({ key, owner, systemPrompt }) => {
    const { body, isJson } = Row.prompt(systemPrompt)
    const row = sql(
      `select ${Seal.columns} from ${Seal.nodes} where n.parent is null and n.source = ? and n.model is ?
           and n.body = ? and n.is_json = ? and not n.removed order by n.id limit 1`,
    ).get(owner, key ?? null, body, isJson)
    return row === undefined ? undefined : rootOf(row)
  },
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
})
