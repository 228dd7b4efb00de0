/** A forest as the first format had it: entries of the journal without an operation and an author. */
import { DatabaseSync } from "node:sqlite"
import * as Row from "../../src/forest/ForestStore/internal/row.ts"
import { digest } from "../../src/forest/internal/messageDigest.ts"
import type { Draft } from "../../src/forest/Node.ts"

const tables = `
  pragma journal_mode = wal;
  create table node (
    id integer primary key,
    name text not null unique,
    parent integer references node (id),
    root integer references node (id),
    digest blob,
    role text not null,
    body text not null,
    is_json integer not null,
    source text not null,
    model text,
    detail text,
    created_at integer not null,
    split_from text,
    removed integer not null
  ) strict;
  create index node_child on node (parent, digest) where not removed;
  create index node_owner on node (source) where parent is null;
  create table bookmark (
    title text primary key,
    node text not null references node (name),
    created_at integer not null,
    updated_at integer not null
  ) strict, without rowid;
  create index bookmark_node on bookmark (node);
  create table journal (
    id integer primary key,
    root text not null references node (name),
    operation text not null,
    at integer not null,
    changes text not null,
    undoes integer references journal (id)
  ) strict;
  create unique index journal_undoes on journal (undoes) where undoes is not null;
  create table state (
    revision integer not null,
    indexed integer not null
  ) strict;
  insert into state values (0, 0);
  create virtual table said using fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  pragma user_version = 1;
`

/**
 * The tree `r`, and below it a path of the drafts, `n-1` and so on, each appended by an entry of its own: entry 1 is of
 * the root, entry 2 of `n-1`. An entry after these adds `gone`, and the last one undoes that.
 */
export const write = (file: string, drafts: ReadonlyArray<Draft>): void => {
  const database = new DatabaseSync(file)
  database.exec(tables)
  const node = database.prepare(
    `insert into node (name, parent, root, digest, role, body, is_json, source, model, detail, created_at, removed)
     values (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, 5, ?)`,
  )
  const journal = database.prepare(
    "insert into journal (root, operation, at, changes, undoes) values ('r', ?, 5, ?, ?)",
  )
  database.exec(
    "insert into node (name, role, body, is_json, source, created_at, removed) values ('r', 'root', '', 0, 'test', 5, 0)",
  )
  journal.run("root", '[{"type":"planted","root":"r"}]', null)
  const insert = (name: string, draft: Draft, number: number, removed: number) => {
    const { body, detail, isJson, model, role, source } = Row.columns(draft)
    node.run(name, number - 1, digest(draft.message), role, body, isJson, source, model, detail, removed)
    journal.run("append", `${number} ${number}`, null)
  }
  for (const [at, draft] of drafts.entries()) insert(`n-${at + 1}`, draft, at + 2, 0)
  const [first] = drafts
  if (first === undefined) throw new Error("a forest without a message")
  const last = drafts.length + 2
  insert("gone", first, last, 1)
  journal.run("undo", '[{"type":"removed","node":"gone"}]', last)
  database.close()
}
