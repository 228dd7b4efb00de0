/** Forests of format 1, which the first versions of vibe wrote, with rows that later ones refuse to write. */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { digest } from "../../src/forest/internal/messageDigest.ts"
import * as Message from "../../src/message/Message.ts"

interface Row {
  readonly name: string
  /** Numbers of rows, from 1. */
  readonly parent?: number
  readonly role?: string
  readonly body?: string
  readonly isJson?: boolean
  /** The details of the source. */
  readonly detail?: object
}

const model = (model: string, inputTokens: number | null) => ({
  type: "model",
  model,
  finish: "stop",
  usage: { inputTokens, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 },
})

/**
 * The root, and a path below it: `hello`, a message of an unknown role, `answer`, an answer with usage that is none,
 * `more`. Beside `answer` stands `aside`, which was removed; `more` was changed in place, and is bookmarked.
 */
const rows: ReadonlyArray<Row> = [
  { name: "root", role: "root", body: "Be kind." },
  { name: "hello", parent: 1, body: "hello marmalade" },
  { name: "robot", parent: 2, role: "robot", body: "marmalade of a robot" },
  { name: "answer", parent: 3, role: "assistant", body: "an answer", detail: model("test/one", 12) },
  { name: "nan", parent: 4, role: "assistant", body: "another answer", detail: model("test/two", null) },
  { name: "more", parent: 5, body: "more marmalade" },
  { name: "aside", parent: 3, role: "assistant", body: "an aside", detail: model("test/one", 0) },
]

const node = (text: string) => ({
  id: "more",
  root: "root",
  parent: "nan",
  message: { role: "user", content: [{ type: "text", text }] },
  source: { type: "user" },
  createdAt: 6,
})

const bookmark = { title: "here", node: "more", createdAt: 11, updatedAt: 11 }

/** Operation, changes, and the entry that is undone. */
const entries: ReadonlyArray<readonly [operation: string, changes: string, undoes?: number]> = [
  ["root", JSON.stringify([{ type: "planted", root: "root" }])],
  ["append", "2 6"],
  ["append", "7 7"],
  ["delete", JSON.stringify([{ type: "removed", node: "aside" }])],
  ["edit", JSON.stringify([{ type: "changed", before: node("less marmalade"), after: node("more marmalade") }])],
  ["bookmark", JSON.stringify([{ type: "bookmarked", after: bookmark }])],
  ["append", "8 8"],
  ["undo", JSON.stringify([{ type: "removed", node: "undone" }]), 7],
]

export const writeFormatOne = (file: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec("pragma journal_mode = wal; pragma foreign_keys = off")
  database.exec(schema)
  const insert = database.prepare("insert into node values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?)")
  for (const [at, row] of [...rows, { name: "undone", parent: 2, body: "undone" }].entries()) {
    const { body = "", detail, name, parent, role = "user" } = row
    const isRoot = parent === undefined
    insert.run(
      at + 1,
      name,
      parent ?? null,
      isRoot ? null : 1,
      isRoot ? null : digest({ ...Message.user(body), role: role === "assistant" ? role : "user" }),
      role,
      body,
      0,
      isRoot ? "loom" : detail === undefined ? "user" : "model",
      detail !== undefined && "model" in detail ? String(detail.model) : null,
      detail === undefined ? null : JSON.stringify(detail),
      at + 1,
      Number(name === "aside" || name === "undone"),
    )
  }
  const log = database.prepare("insert into journal (root, operation, at, changes, undoes) values ('root', ?, ?, ?, ?)")
  for (const [at, [operation, changes, undoes]] of entries.entries())
    log.run(operation, at + 1, changes, undoes ?? null)
  database.exec("insert into bookmark values ('here', 'more', 11, 11)")
  database.exec("pragma user_version = 1")
  database.close()
}

const schema = `
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
`
