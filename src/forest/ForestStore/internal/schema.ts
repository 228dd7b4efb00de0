/** The tables of a forest. */
import type * as Sqlite from "../../../disk/Sqlite.ts"
import { statements } from "../../../disk/Sqlite.ts"
import * as ConversationRows from "./conversationRows.ts"
import * as Positions from "./positions.ts"
import * as Seal from "./seal.ts"

/** All tables and named indices. */
export const objects = [
  "node",
  "node_child",
  "node_owner",
  "bookmark",
  "bookmark_node",
  "journal",
  "journal_undoes",
  "journal_operation",
  "running",
  "state",
  "said",
  "seal",
  "tally",
  "conversation",
  "conversation_tree",
  "conversation_changed",
  "conversation_folder",
  "position",
] as const

export const format: Sqlite.Format = {
  tables: objects,
  version: 4,
  upgrade: (database, from) => {
    if (from < 1) database.exec(schema + searchTable)
    if (from < 2) addOperations(database)
    if (from < 2) Seal.addAll(database)
    if (from < 3) addConversations(database)
    if (from < 4) database.exec(Positions.table)
    Seal.addTables(database)
  },
}

/**
 * Adds operations to the journal. Earlier entries stay as they are: each is an operation of its own, without an author.
 */
const addOperations = (database: Sqlite.Database): void =>
  database.exec(`
    -- the same for all entries of one operation; none where it is one by itself
    alter table journal add column operation_id text;
    -- the command that made it, see Operation
    alter table journal add column author text;
    create index journal_operation on journal (operation_id) where operation_id is not null;

    create table running (
      -- of the journal
      operation_id text primary key,
      -- the number of the process that it is of
      process integer not null
    ) strict, without rowid;
  `)

/**
 * Lists the conversations of the existing trees; 100,000 conversations take three seconds. In the trees of earlier
 * formats, which chats share, each first message begins a conversation.
 */
const addConversations = (database: Sqlite.Database): void => {
  database.exec(`
    drop index node_owner;
    create index node_owner on node (source, model) where parent is null;

    create table conversation (
      -- of the root of its tree, or of its first message in a tree that it shares
      id integer primary key,
      -- of the root
      tree integer not null,
      owner text not null,
      -- none where it is not known
      folder text,
      title text not null,
      -- whether the user has named it
      is_named integer not null,
      created_at integer not null,
      changed_at integer not null,
      -- how many were said; a conversation without any is in no list
      messages integer not null,
      -- of the node where it continues; 0 without any
      leaf integer not null,
      -- of the whole row
      digest text not null
    ) strict;
    create index conversation_tree on conversation (tree);
    create index conversation_changed on conversation (changed_at, id, owner) where messages > 0;
    create index conversation_folder on conversation (folder, changed_at, id, owner) where messages > 0;
  `)
  ConversationRows.rebuild(statements(database))
}

/**
 * The table of the search index; see `searchIndex`. Its row ids are those of nodes, and its words are separated by
 * spaces.
 */
export const searchTable = `
  create virtual table said using fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
`

const schema = `
  create table node (
    id integer primary key,
    -- what it is known by outside
    name text not null unique,
    -- none for a root
    parent integer references node (id),
    -- none for a root
    root integer references node (id),
    -- see likeness; none for a root
    digest blob,
    -- 'root' for a root
    role text not null,
    -- a text alone as it is, all else as JSON; of a root the system prompt
    body text not null,
    is_json integer not null,
    -- 'user', 'model', 'tool' or 'notice'; of a root its owner
    source text not null,
    -- provider/name; of the root of a conversation its key
    model text,
    -- what else is known of the source, as JSON
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
    -- see changes
    changes text not null,
    undoes integer references journal (id)
  ) strict;
  create unique index journal_undoes on journal (undoes) where undoes is not null;

  create table state (
    -- how often what was there already was changed: who remembers it need only look here
    revision integer not null,
    -- up to which node there is full-text search, see said
    indexed integer not null
  ) strict;
  insert into state values (0, 0);
`
