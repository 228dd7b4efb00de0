/** The tables `file` and `symbol`: everything that is read from each file. */

import type * as FileClass from "../../../../code/FileClass.ts"
import type { Stat } from "../../../../code/Files.ts"
import * as Modules from "../../../../code/Modules.ts"
import * as References from "../../../../code/References.ts"
import type { File } from "../../../../code/Workspace.ts"
import { inSteps, type Row, type Statements, type Steps } from "../../../../disk/Sqlite.ts"
import type * as PostingLists from "../../../../search/PostingLists.ts"
import * as FileEntry from "../../../FileEntry.ts"
import * as Metadata from "../Metadata.ts"
import * as Declarations from "../references/Declarations.ts"
import * as Links from "../references/Links.ts"
import * as LinkTable from "../references/LinkTable.ts"
import { classOf, type FileContent } from "./FileContent.ts"
import * as RouteTable from "./RouteTable.ts"

/** A file to read again: its size, a time or its inode has changed, or its outline was cut short. */
export interface Suspect {
  readonly file: File
  /** The hash of the indexed content; undefined for a new file, and for a file to outline in any case. */
  readonly hash: string | undefined
}

/** A suspect that was read. */
export interface Examined {
  readonly file: File
  readonly hash: string
  /** Undefined if the content is the one in the index. */
  readonly content: FileContent | undefined
}

/** The size of a file that could not be read, for a reason that may pass. */
export const UNREAD = -1

/**
 * Finds the suspects among some files. `seen` receives the numbers of those that are in the index. With `retriesCut`,
 * files whose outline was cut short for time are suspects too.
 */
export const suspectsOf = (
  sql: Statements,
  files: ReadonlyArray<File>,
  { retriesCut, seen }: { readonly retriesCut: boolean; readonly seen: Set<number> },
): ReadonlyArray<Suspect> => {
  const find = sql("select number, size, modified, changed, inode, cut from file where path = ?")
  return files.flatMap((file): ReadonlyArray<Suspect> => {
    const row = find.get(file.path)
    if (row !== undefined) seen.add(Number(row.number))
    const isRetried = retriesCut && row?.cut === "time"
    if (!isRetried && row !== undefined && isSameStat(row, file.stat)) return []
    return [{ file, hash: row === undefined || isRetried ? undefined : hashOf(sql, file.path) }]
  })
}

/**
 * Returns whether a file is the one that was read. A copy that keeps the time of a file (`cp -p`, `rsync --times`, an
 * archive) has another `changed`, and most often another inode.
 */
const isSameStat = (row: Row, { changed, inode, modified, size }: Stat): boolean =>
  row.size === size && row.modified === modified && row.changed === (changed ?? null) && row.inode === (inode ?? null)

/** Returns the paths of the files in the index with numbers that are not in `seen`. */
export const unseen = (sql: Statements, seen: ReadonlySet<number>): ReadonlyArray<string> => {
  if (Number(sql("select count(*) as n from file").get()?.n) === seen.size) return []
  return sql("select path, number from file order by path")
    .all()
    .flatMap(({ number, path }) => (seen.has(Number(number)) ? [] : [String(path)]))
}

/** A file as a suspect, whatever its size and time. */
export const suspect = (sql: Statements, file: File): Suspect => {
  const row = sql("select hash from file where path = ?").get(file.path)
  return { file, hash: row === undefined ? undefined : String(row.hash) }
}

/** Returns the paths in the index that are `path`, or in the folder of that path. */
export const pathsAt = (sql: Statements, path: string): ReadonlyArray<string> =>
  // The range has all paths that begin with the path and a slash, since `0` follows `/` in ASCII.
  sql("select path from file where path = ?1 or (path > ?1 || '/' and path < ?1 || '0')")
    .all(path)
    .map((row) => String(row.path))

/** A version shows whether a file or its symbols have changed. */
export interface Version {
  readonly hash: string
  /** The hashes of the symbols by their qualified names; hashes of one name are joined. */
  readonly symbols: ReadonlyMap<string, string>
}

/** Undefined for a file that is not in the index. */
export const versionOf = (sql: Statements, path: string): Version | undefined => {
  const file = sql("select id, hash from file where path = ?").get(path)
  if (file === undefined) return undefined
  const symbols = new Map<string, string>()
  for (const { hash, qualified } of sql("select qualified, hash from symbol where file = ? order by ordinal").all(
    Number(file.id),
  )) {
    const name = String(qualified)
    symbols.set(name, `${symbols.get(name) ?? ""}${hash} `)
  }
  return { hash: String(file.hash), symbols }
}

/** Returns whether the index has the text of a file, by its times, its size and its inode. */
export const isUnchanged = (sql: Statements, path: string, stat: Stat): boolean => {
  const row = sql("select size, modified, changed, inode from file where path = ?").get(path)
  return row !== undefined && isSameStat(row, stat)
}

/** Returns the hash of the indexed text; "undefined" for a file that is not in the index. */
export const hashOf = (sql: Statements, path: string): string =>
  String(sql("select hash from file where path = ?").get(path)?.hash)

/** Writes the content that was read of a file. Returns the qualified names of the symbols that it wrote. */
export const write = (
  sql: Statements,
  postings: PostingLists.Writer,
  { content, file, hash }: Examined,
): ReadonlyArray<string> => {
  if (content === undefined) {
    const { changed, inode, modified, size } = file.stat
    sql("update file set size = ?, modified = ?, changed = ?, inode = ? where path = ?").run(
      size,
      modified,
      changed ?? null,
      inode ?? null,
      file.path,
    )
    return []
  }
  const former = LinkTable.formerOf(sql, file.path)
  const declaredBefore = Declarations.formerlyBy(sql, file.path)
  deleteRows(sql, postings, file.path)
  const {
    analyzed,
    facts,
    fileClass,
    language,
    look,
    outline,
    routes,
    surface,
    surfaceHash,
    symbols,
    text = "",
  } = content
  // Any other file is no document of the search, and has a number below 0.
  const id =
    analyzed === undefined
      ? Number(sql("select min(0, ifnull(min(id), 0)) - 1 as id from file").get()?.id)
      : postings.add(analyzed, fileClass !== "code")
  const number = former?.number ?? LinkTable.nextNumber(sql)
  const isSameSurface = former?.surface === surfaceHash
  noteChange(sql, file.path, { number, text, isNew: former === undefined, isSameSurface })
  if (!isSameSurface && Metadata.wasComplete(sql)) {
    const named = symbols.map(({ qualified, symbol }) => ({ ...symbol, qualified }))
    Declarations.noteChange(sql, declaredBefore, Declarations.declaredBy({ language, path: file.path }, named, surface))
  }
  sql(
    `insert into file (id, path, size, modified, changed, inode, hash, language, class, generated, note, cut, entry, number, links, surface,
       surface_hash, uses, identifiers, imports)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    id,
    file.path,
    file.stat.size,
    file.stat.modified,
    file.stat.changed ?? null,
    file.stat.inode ?? null,
    hash,
    language ?? null,
    fileClass,
    look,
    outline.note ?? null,
    outline.cut ?? null,
    facts === undefined ? null : FileEntry.encode(facts),
    number,
    former === undefined ? null : Links.encode(former.links),
    surface,
    surfaceHash,
    References.usesOf(outline.references),
    encodeIdentifiers(outline.identifiers),
    outline.imports.join("\n"),
  )
  RouteTable.write(sql, id, routes, text)
  return symbols.map(({ hashes, majorWhen, purpose, qualified, symbol }, ordinal) => {
    const usedBy = (isSameSurface ? former?.usedBy.get(ordinal) : undefined) ?? 0
    sql(
      `insert into symbol (file, ordinal, name, container, qualified, kind, start_line, end_line, signature, doc,
         exported, used_by, major_when, hash, tokens, purpose, origin, stale)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      id,
      ordinal,
      symbol.name,
      symbol.container ?? null,
      qualified,
      symbol.kind,
      symbol.startLine,
      symbol.endLine,
      symbol.signature,
      symbol.doc ?? null,
      Number(symbol.exported),
      usedBy,
      majorWhen,
      hashes?.source ?? "",
      hashes?.tokens ?? null,
      purpose?.text ?? null,
      purpose?.origin ?? null,
      purpose === undefined ? null : 0,
    )
    return qualified
  })
}

/** Classes all files again, by what attributes files declare now. Reads no file. */
export function* classifyAll(
  sql: Statements,
  postings: PostingLists.Writer,
  declaredOf: (path: string) => FileClass.Declarations,
): Steps<void> {
  yield* inSteps(sql("select id, path, class, generated from file").all(), 1_000, (row) => {
    const path = String(row.path)
    const fileClass = classOf(path, declaredOf(path), Number(row.generated))
    if (fileClass === row.class) return
    const id = Number(row.id)
    sql("update file set class = ? where id = ?").run(fileClass, id)
    if (id >= 0) postings.setAuxiliary(id, fileClass !== "code")
  })
}

/**
 * Classes examples as code if nearly all symbols of the project would be in examples, as in a collection of samples:
 * the examples are then what the project is about.
 */
export function* classifyExamples(
  sql: Statements,
  postings: PostingLists.Writer,
  declaredOf: (path: string) => FileClass.Declarations,
): Steps<void> {
  const wereCode = Metadata.get(sql, "examples") === "code"
  // Most projects have no examples, or few.
  if (!wereCode && sql("select 1 from file where class = 'example' limit 1").get() === undefined) return
  let ofCode = 0
  let ofExamples = 0
  const files = sql(
    `select path, generated, (select count(*) from symbol where symbol.file = file.id) as symbols from file
     where class in ('code', 'example', 'documentation')`,
  ).all()
  yield* inSteps(files, 1_000, (row) => {
    const path = String(row.path)
    const fileClass = classOf(path, declaredOf(path), Number(row.generated))
    if (fileClass === "code") ofCode += Number(row.symbols)
    else if (fileClass === "example") ofExamples += Number(row.symbols)
  })
  const areCode = ofExamples > ofCode * EXAMPLES_PER_CODE
  if (!areCode && !wereCode) return
  Metadata.set(sql, "examples", areCode ? "code" : "")
  yield* classifyAll(sql, postings, areCode ? (path) => ({ ...declaredOf(path), example: false }) : declaredOf)
}

/** If a project has more symbols in examples than this for each symbol in code, its examples are its code. */
const EXAMPLES_PER_CODE = 9

/** The most characters that are read of a configuration file. */
const MAX_CONFIGURATION_CHARS = 200_000

const noteChange = (sql: Statements, path: string, { isNew, isSameSurface, number, text }: ChangedFile): void => {
  const isConfiguration = Modules.isConfiguration(path)
  if (isConfiguration) {
    sql("insert or replace into configuration (path, text) values (?, ?)").run(
      path,
      text.slice(0, MAX_CONFIGURATION_CHARS),
    )
  }
  if (!Metadata.wasComplete(sql)) return
  LinkTable.noteChange(sql, number, isSameSurface)
  if (isNew || isConfiguration) LinkTable.notePath(sql, path)
}

interface ChangedFile {
  readonly number: number
  readonly text: string
  readonly isNew: boolean
  readonly isSameSurface: boolean
}

export const remove = (sql: Statements, postings: PostingLists.Writer, path: string): void => {
  const former = LinkTable.formerOf(sql, path)
  const declared = Declarations.formerlyBy(sql, path)
  deleteRows(sql, postings, path)
  sql("delete from configuration where path = ?").run(path)
  if (former === undefined || !Metadata.wasComplete(sql)) return
  LinkTable.noteRemoval(sql, path, former)
  Declarations.noteChange(sql, declared, Declarations.nothing)
}

const deleteRows = (sql: Statements, postings: PostingLists.Writer, path: string): void => {
  const file = sql("select id from file where path = ?").get(path)
  if (file === undefined) return
  const id = Number(file.id)
  if (id >= 0) postings.remove(id)
  sql("delete from symbol where file = ?").run(id)
  RouteTable.remove(sql, id)
  sql("delete from file where id = ?").run(id)
}

export const counts = (sql: Statements): { readonly files: number; readonly symbols: number } => ({
  files: Number(sql("select count(*) as n from file").get()?.n),
  symbols: Number(sql("select count(*) as n from symbol").get()?.n),
})

/**
 * Returns the column `file.identifiers`: the identifiers of a file and how often each occurs,
 * such as `\nappend 3\nnode 12`.
 */
const encodeIdentifiers = (identifiers: ReadonlyMap<string, number>): string =>
  Array.from(identifiers, ([name, count]) => `\n${name} ${count}`).join("")

/** The text that the column contains exactly if the name occurs. */
export const identifierMarker = (name: string): string => `\n${name} `

/** Returns how often a name occurs. */
export const countIdentifier = (identifiers: string, name: string): number => {
  const start = identifiers.indexOf(identifierMarker(name))
  return start < 0 ? 0 : Number.parseInt(identifiers.slice(start + identifierMarker(name).length), 10)
}
