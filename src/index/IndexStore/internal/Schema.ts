/**
 * The format of `index.db`: a cache of the files and of `purposes.jsonl`, which is made again if the format does not
 * fit.
 */
import type * as Sqlite from "../../../disk/Sqlite.ts"
import * as PostingLists from "../../../search/PostingLists.ts"
import * as CallerTable from "./references/CallerTable.ts"
import * as Declarations from "./references/Declarations.ts"
import * as RankTable from "./references/RankTable.ts"

export const format: Sqlite.Format = {
  tables: ["file", "symbol"],
  // Raise it for a change of the tables or of their content, such as another parser or tokenizer.
  version: 22,
  isExact: true,
  addIndices: (database) => {
    for (const index of nameIndices) database.exec(index)
  },
  upgrade: (database) => {
    // Virtual tables come first, since their shadow tables go with them. Tables of SQLite itself stay.
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
  -- see Metadata
  create table metadata (key text primary key, value text not null) strict, without rowid;

  create table file (
    -- see DocumentTable; below 0 for a file that is no document, having neither symbols nor an entry
    id integer primary key,
    path text not null unique,
    size integer not null,
    modified real not null,
    -- see Files.Stat; null where the file system has none. An inode may be larger than an integer that Node can read.
    changed real,
    inode real,
    hash text not null,
    language text,
    -- see FileClass; generated is 1 for FileClass.looksGenerated, and 2 for FileClass.isNamedLikeTests
    class text not null,
    generated integer not null,
    note text,
    -- see Symbols.Cut
    cut text,
    -- see FileEntry; null for a file that is no answer itself
    entry text,
    -- see LinkTable; it stays when the file is written anew
    number integer not null unique,
    -- see Links; null until they are found
    links blob,
    -- what it says about references, in two parts, see References; and a digest of the first part and of its symbols
    surface text not null,
    surface_hash text not null,
    uses text not null,
    -- see Identifiers
    identifiers text not null,
    -- one a line
    imports text not null
  ) strict;

  -- the files (by number) whose links depend on a file
  create table dependency (
    target integer not null,
    source integer not null,
    primary key (target, source)
  ) strict, without rowid;

  -- files that were written since links were found, and whether their surface has changed
  create table unresolved (number integer primary key, surface integer not null) strict;
  -- files that were removed since then
  create table departed (number integer primary key) strict;
  -- files that were added, removed, or configure others, since then
  create table changed_path (path text primary key) strict, without rowid;

  -- texts of the files by which module specifiers are resolved
  create table configuration (path text primary key, text text not null) strict, without rowid;

  create table symbol (
    id integer primary key,
    file integer not null,
    -- its number among the symbols of the file
    ordinal integer not null,
    name text not null,
    container text,
    qualified text not null,
    kind text not null,
    start_line integer not null,
    end_line integer not null,
    exported integer not null,
    used_by integer not null,
    -- see IndexEntry.majorWhen
    major_when text not null,
    major integer not null generated always as (
      major_when = 'always' or (major_when = 'used' and used_by >= 1)) virtual,
    hash text not null,
    -- see IndexEntry; null if the tokens cannot be read
    tokens text,
    signature text not null,
    doc text,
    -- as Purposes.choose has chosen it from the table purpose and doc
    purpose text,
    origin text,
    model text,
    node text,
    stale integer,
    weak text,
    confirmed integer,
    -- numbers, as JSON
    lines text
  ) strict;
  create unique index symbol_place on symbol (file, ordinal);
  -- what files register with a web framework, see Routes
  create table route (
    file integer not null,
    verb text not null,
    path text not null,
    start_line integer not null,
    end_line integer not null,
    signature text not null,
    handler text
  ) strict;
  create index route_file on route (file);
  -- the symbols that models have explained, for the search
  create index symbol_explained on symbol (file, ordinal) where origin = 'model';

  -- what models wrote, of all known versions of symbols
  create table purpose (
    id integer primary key,
    path text not null,
    symbol text not null,
    kind text not null,
    hash text not null,
    tokens text,
    purpose text not null,
    model text not null,
    node text not null,
    weak text,
    confirmed integer,
    -- numbers, as JSON
    lines text
  ) strict;
  create unique index purpose_version on purpose (symbol, path, hash);
${Declarations.schema}${CallerTable.schema}${RankTable.schema}${PostingLists.schema}`

const nameIndices = [
  "create index if not exists symbol_name on symbol (name)",
  "create index if not exists symbol_qualified on symbol (qualified)",
]

/**
 * Makes the indices by which symbols are found by name, with a pause after each. It is called at the end of a first
 * run: names come in no order, and each batch of files would rewrite nearly all of an index.
 */
export function* indexNames(sql: Sqlite.Statements): Sqlite.Steps<void> {
  for (const index of nameIndices) {
    sql(index).run()
    yield
  }
}
