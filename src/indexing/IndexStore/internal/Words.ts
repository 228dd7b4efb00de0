/** The full-text tables: the words under which files and symbols are found. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Purpose } from "../../IndexEntry.ts"
import { words } from "../../Search.ts"

export interface SymbolText {
  readonly name: string
  readonly container?: string | undefined
  readonly doc?: string | undefined
  readonly path: string
  readonly signature: string
  /** The `spaced` source without that of the symbols inside it. */
  readonly body: string
}

/** The words of a text, for FTS5 to take apart at the spaces. */
export const spaced = (text: string): string => words(text).join(" ")

export const putSymbol = (sql: Statements, id: number, text: SymbolText): void => {
  sql(
    `insert into symbol_words (rowid, name, container, doc, path, signature, body, purpose)
     values (?, ?, ?, ?, ?, ?, ?, '')`,
  ).run(
    id,
    spaced(text.name),
    spaced(text.container ?? ""),
    spaced(text.doc ?? ""),
    spaced(text.path),
    spaced(text.signature),
    text.body,
  )
}

/**
 * What a model wrote of a symbol is a document of its own, under the number below zero. What was read off its comment
 * or derived from its name is left out: these are in the other document.
 */
export const putPurpose = (sql: Statements, id: number, purpose: Purpose | undefined): void => {
  sql("delete from symbol_words where rowid = ?").run(-id)
  if (purpose?.origin === "model") {
    sql("insert into symbol_words (rowid, purpose) values (?, ?)").run(-id, spaced(purpose.text))
  }
}

export const removeSymbol = (sql: Statements, id: number): void => {
  sql("delete from symbol_words where rowid in (?, ?)").run(id, -id)
}

/** `text`: `spaced`. */
export const putFile = (sql: Statements, id: number, path: string, text: string): void => {
  sql("insert into file_words (rowid, path, text) values (?, ?, ?)").run(id, spaced(path), text)
}

export const removeFile = (sql: Statements, id: number): void => {
  sql("delete from file_words where rowid = ?").run(id)
}
