/** The rows of bookmarks. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { Bookmark } from "../../Bookmark.ts"
import * as IdentityMap from "./identityMap.ts"
import type * as Row from "./row.ts"
import * as Seal from "./seal.ts"

export const find = (sql: Statements, title: string): Bookmark | undefined => {
  const row = sql("select * from bookmark where title = ?").get(title)
  return row === undefined ? undefined : bookmarkOf(row)
}

/** Replaces `before`, the bookmark with this title, by `after`; undefined means that there is no bookmark. */
export const change = (
  sql: Statements,
  title: string,
  before: Bookmark | undefined,
  after: Bookmark | undefined,
): void => {
  Seal.tally(sql, Seal.BOOKMARKS, Number(after !== undefined) - Number(before !== undefined))
  if (after === undefined) sql("delete from bookmark where title = ?").run(title)
  else put(sql, after)
}

const put = (sql: Statements, { createdAt: created_at, node, title, updatedAt: updated_at }: Bookmark) => {
  sql("insert or replace into bookmark (title, node, created_at, updated_at, digest) values (?, ?, ?, ?, ?)").run(
    title,
    node,
    created_at,
    updated_at,
    Seal.bookmarkDigest({ title, node, created_at, updated_at }),
  )
}

const decodeBookmark = Schema.decodeUnknownSync(Bookmark)

/** Decodes a row, and throws if it is damaged. */
const bookmarkOf = (row: Row.Row): Bookmark =>
  row.digest === Seal.bookmarkDigest(row)
    ? decodeRow(row)
    : IdentityMap.failDamaged(`the row of the bookmark ${row.title} is damaged`)

/** Decodes a row without checking its digest, and throws if it is no bookmark. */
export const decodeRow = ({ created_at: createdAt, node, title, updated_at: updatedAt }: Row.Row): Bookmark =>
  decodeBookmark({ title, node, createdAt, updatedAt })

/** Lists all bookmarks, sorted by title. */
export const all = (sql: Statements): ReadonlyArray<Bookmark> => {
  const rows = sql("select * from bookmark order by title").all()
  const counted = Seal.tallyOf(sql, Seal.BOOKMARKS)
  if (rows.length !== counted) IdentityMap.failDamaged(`there are ${counted} bookmarks, not ${rows.length}`)
  return rows.map(bookmarkOf)
}
