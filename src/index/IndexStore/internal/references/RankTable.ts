/**
 * Keeps a ranking of all symbols, since a map reads some hundred of them, and computing it takes longer than all the
 * rest of the command. It is stored when it is first asked for after a change of the files, and not with the change:
 * most commands that notice one need no ranking.
 */
import type { Statements, Steps } from "../../../../disk/Sqlite.ts"
import * as Metadata from "../Metadata.ts"
import * as SymbolRank from "./SymbolRank.ts"

/** Has at most one row. */
export const schema = `
  create table ranking (
    -- see Metadata: the revision of what was ranked
    revision integer not null,
    -- see SymbolRank; the ids have four bytes each
    ways blob not null,
    used blob not null,
    others blob not null
  ) strict;
`

/** A ranking of the symbols as they are at a revision. */
export interface Ranking extends SymbolRank.Ranking {
  readonly revision: number
  readonly isStored: boolean
}

/** Stores a ranking, unless something has changed since it was computed. */
export function* store(sql: Statements, { others, revision, used, ways }: Ranking): Steps<void> {
  if (Metadata.revision(sql) !== revision) return
  sql("delete from ranking").run()
  // Node 22 gives SQLite null for a blob without bytes.
  sql("insert into ranking values (?, ifnull(?, x''), ifnull(?, x''), ifnull(?, x''))").run(
    revision,
    encode(ways),
    encode(used),
    encode(others),
  )
  yield
}

/** The size of an id. */
const BYTES = 4

/** A size that no ranking has. */
const ALL = 2 ** 31

/** Returns whether the ranking of this revision is stored. */
export const isStored = (sql: Statements): boolean =>
  sql("select 1 from ranking where revision = ?").get(Metadata.revision(sql)) !== undefined

/** Reads the first `limit` of each list, or all without a limit. Computes what is not stored for this revision. */
export const read = (sql: Statements, limit: number | undefined): Ranking => {
  const revision = Metadata.revision(sql)
  const row = sql(
    `select substr(ways, 1, ?1) as ways, substr(used, 1, ?1) as used, substr(others, 1, ?1) as others
     from ranking where revision = ?2`,
  ).get(limit === undefined ? ALL : BYTES * limit, revision)
  return row === undefined
    ? { ...SymbolRank.compute(sql), revision, isStored: false }
    : { ways: decode(row.ways), used: decode(row.used), others: decode(row.others), revision, isStored: true }
}

const encode = (ids: ReadonlyArray<number>): Uint8Array => {
  const bytes = new Uint8Array(BYTES * ids.length)
  const view = new DataView(bytes.buffer)
  for (const [position, id] of ids.entries()) view.setUint32(BYTES * position, id)
  return bytes
}

const decode = (value: unknown): ReadonlyArray<number> => {
  if (!(value instanceof Uint8Array)) return []
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  return Array.from({ length: value.byteLength / BYTES }, (_, position) => view.getUint32(BYTES * position))
}
