/** What is in `index.db`: derived from the files and from `purposes.jsonl`, and made again where it does not fit. */
import type * as Sqlite from "../../../disk/Sqlite.ts"

export const format: Sqlite.Format = {
  tables: ["file", "symbol"],
  // Of the tables and of what is in them: another parser, or other words for the search, are a new one too.
  version: 6,
  isExact: true,
  addIndices: (database) => {
    for (const index of nameIndices) database.exec(index)
  },
  upgrade: (database) => {
    // The tables behind a virtual one go with it; SQLite's own stay.
    const tables = database
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         order by sql like 'create virtual%' desc`,
      )
      .all()
    for (const { name } of tables) database.exec(`drop table if exists "${String(name).replaceAll('"', '""')}"`)
    database.exec(schema)
  },
}

const schema = `
  -- see Facts
  create table fact (name text primary key, value text not null) strict, without rowid;

  create table file (
    -- see Roster
    id integer primary key,
    path text not null unique,
    size integer not null,
    modified real not null,
    hash text not null,
    language text,
    note text,
    -- see Symbols.Cut
    cut text,
    -- see Identifiers
    identifiers text not null,
    -- one a line
    imports text not null
  ) strict;

  create table symbol (
    id integer primary key,
    file integer not null,
    -- its place among those of the file
    ordinal integer not null,
    name text not null,
    container text,
    qualified text not null,
    kind text not null,
    start_line integer not null,
    end_line integer not null,
    exported integer not null,
    used_by integer not null,
    -- by IndexEntry.isMajor
    major integer not null,
    hash text not null,
    signature text not null,
    doc text,
    -- as Purposes.choose has chosen it from the table purpose
    purpose text,
    origin text,
    model text,
    node text,
    stale integer
  ) strict;
  create unique index symbol_place on symbol (file, ordinal);

  -- see Names
  create table name (
    name text primary key,
    -- in which it occurs
    files integer not null,
    -- whether symbols of that name have yet to be brought in line
    changed integer not null
  ) strict, without rowid;
  create index name_changed on name (name) where changed;

  create table purpose (
    id integer primary key,
    path text not null,
    symbol text not null,
    kind text not null,
    hash text not null,
    origin text not null,
    doc text,
    purpose text not null,
    model text not null,
    node text not null
  ) strict;
  create unique index purpose_version on purpose (symbol, path, hash, origin);

  -- see Roster
  create table block (id integer primary key, files blob not null) strict;

  -- see Unsorted
  create table unsorted (
    id integer primary key,
    part integer not null,
    block integer not null,
    terms text not null,
    ends blob not null,
    postings blob not null
  ) strict;

  -- see Postings
  create table term (id integer primary key, term text not null unique) strict;
  create table posting (id integer primary key, list blob not null) strict;
`

const nameIndices = [
  "create index if not exists symbol_name on symbol (name)",
  "create index if not exists symbol_qualified on symbol (qualified)",
]

/**
 * Makes the indices by which symbols are found by name, with a pause after each. Called once all symbols of a first
 * run are stored: names come in no order, and each batch of files would rewrite nearly all of an index.
 */
export function* indexNames(sql: Sqlite.Statements): Sqlite.Steps<void> {
  for (const index of nameIndices) {
    sql(index).run()
    yield
  }
}
