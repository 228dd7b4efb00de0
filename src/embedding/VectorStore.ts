/**
 * The vectors of symbols, in a database beside the index: a cache that outlives the index when it is made again, since
 * vectors cost money. It holds the vectors of one embedder. A vector is kept under a key of the text that was embedded,
 * so that an unchanged text is never embedded again, even after a change of branches.
 *
 * The functions on `Statements` are synchronous and run in one transaction of the caller.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { DiskError, NotAFile } from "../disk/DiskError.ts"
import * as FileSystem from "../disk/FileSystem.ts"
import * as Sqlite from "../disk/Sqlite.ts"
import { inSteps, type Statements, type Steps } from "../disk/Sqlite.ts"
import { fileIn } from "./fileIn.ts"
import type { Quantized } from "./Int8Matrix.ts"
import * as Int8Matrix from "./Int8Matrix.ts"

export { fileIn }

/** A symbol with its present source, in any file. */
export interface Version {
  readonly qualifiedName: string
  /** `IndexEntry.hash`. */
  readonly hash: string
}

/** A symbol and the key of its text. */
interface Linked extends Version {
  readonly key: string
}

export interface NewVector {
  readonly key: string
  readonly vector: Quantized
  /** The symbols with that text. */
  readonly symbols: ReadonlyArray<Version>
}

const format: Sqlite.Format = {
  tables: ["block", "vector"],
  version: 1,
  isExact: true,
  upgrade: (database) => {
    for (const table of ["setting", "block", "vector", "linked"]) database.exec(`drop table if exists ${table}`)
    database.exec(`
      create table setting (key text primary key, value text not null) strict, without rowid;
      -- the vectors of one request, in bytes, one after the other; and their scales, as 32-bit numbers
      create table block (id integer primary key, vectors blob not null, scales blob not null) strict;
      -- place: see placeOf
      create table vector (key text primary key, place integer not null) strict, without rowid;
      create table linked (
        qualified text not null,
        hash text not null,
        place integer not null,
        primary key (qualified, hash)
      ) strict, without rowid;
      create index linked_place on linked (place);
    `)
  },
}

/** The most vectors of a block. */
export const MAX_BLOCK = 1_024

const placeOf = (block: number, row: number): number => block * MAX_BLOCK + row

/**
 * Opens the file for writing. Fails if there is no folder `.vibe`; makes a file again that is damaged or altered. A
 * file of a later format is refused and left as it is, since its vectors have cost money.
 */
export const open = (root: string): Effect.Effect<Sqlite.Database, DiskError, Scope.Scope> => {
  const file = fileIn(root)
  const keepAside = Sqlite.attempt(file, () => {
    for (const side of ["-journal", "-wal", "-shm"]) fs.rmSync(file + side, { force: true })
    FileSystem.replace(file, `${file}.corrupt`)
  })
  const warn = Effect.annotateLogs(
    Effect.logWarning("the vectors of the index were damaged and are made again, the old file is kept as .corrupt"),
    { path: file },
  )
  const opened = Effect.zipRight(
    Sqlite.attempt(file, () => refuseLinks(root)),
    Sqlite.open(file, format),
  )
  return Effect.catchIf(opened, needsRebuild, () => Effect.zipRight(Effect.zipRight(keepAside, warn), opened))
}

/** Opens the file for reading only. Fails if there is none, or if it is damaged. */
export const openToRead = (root: string): Effect.Effect<Sqlite.Database, DiskError, Scope.Scope> =>
  Effect.zipRight(
    Sqlite.attempt(fileIn(root), () => refuseLinks(root)),
    Sqlite.openToRead(fileIn(root), format),
  )

/** Refuses links: a foreign repository could point one at any file of the user. */
const refuseLinks = (root: string): void => {
  const file = fileIn(root)
  const isFolder = fs.lstatSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory() === true
  const isFile = fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== false
  if (!isFolder || !isFile) throw new DiskError({ path: file, reason: new NotAFile() })
}

const needsRebuild = ({ reason }: DiskError): boolean =>
  reason._tag === "Damaged" || reason._tag === "Emptied" || reason._tag === "Altered" || reason._tag === "Foreign"

/** The embedder that made the vectors, and their dimensions. */
interface Owner {
  /** `Embedder.id`. */
  readonly embedder: string
  readonly dimensions: number
}

/** Returns the owner; undefined while there are no vectors. */
export const owner = (sql: Statements): Owner | undefined => {
  const settings = new Map(
    sql("select key, value from setting")
      .all()
      .map(({ key, value }) => [String(key), String(value)]),
  )
  const embedder = settings.get("embedder")
  const dimensions = Number(settings.get("dimensions"))
  const isUsable = Number.isSafeInteger(dimensions) && dimensions > 0 && dimensions <= MAX_DIMENSIONS
  return embedder === undefined || !isUsable ? undefined : { embedder, dimensions }
}

/**
 * The most dimensions that are accepted: twice those of the longest vectors of today. The file may have come with
 * foreign code.
 */
const MAX_DIMENSIONS = 8_192

/** Finds the keys that have a vector. */
export const findKeys = (sql: Statements, keys: Iterable<string>): ReadonlySet<string> => {
  const find = sql("select 1 from vector where key = ?")
  return new Set(Array.from(keys).filter((key) => find.get(key) !== undefined))
}

/** The number of vectors. */
export const count = (sql: Statements): number => Number(sql("select count(*) as count from vector").get()?.count)

/** Replaces the symbols that a search can find by these, if their keys have vectors. */
export function* link(sql: Statements, symbols: Iterable<Linked>): Steps<void> {
  sql("delete from linked").run()
  yield* inSteps(symbols, 1_000, ({ hash, key, qualifiedName }) => {
    sql("insert or replace into linked select ?, ?, place from vector where key = ?").run(qualifiedName, hash, key)
  })
}

/**
 * Adds at most `MAX_BLOCK` vectors, which must have the dimensions of the others. Vectors of another owner are dropped.
 */
export function* add(sql: Statements, of: Owner, added: ReadonlyArray<NewVector>): Steps<void> {
  const before = owner(sql)
  if (before?.embedder !== of.embedder || before.dimensions !== of.dimensions) {
    clear(sql)
    const set = sql("insert into setting (key, value) values (?, ?)")
    set.run("embedder", of.embedder)
    set.run("dimensions", String(of.dimensions))
  }
  const block = Number(sql("select coalesce(max(id), 0) + 1 as next from block").get()?.next)
  writeBlock(
    sql,
    block,
    added.map(({ vector }) => vector),
    of.dimensions,
  )
  added.forEach(({ key, symbols }, row) => {
    sql("insert or replace into vector (key, place) values (?, ?)").run(key, placeOf(block, row))
    for (const { hash, qualifiedName } of symbols) {
      sql("insert or replace into linked (qualified, hash, place) values (?, ?, ?)").run(
        qualifiedName,
        hash,
        placeOf(block, row),
      )
    }
  })
}

export const clear = (sql: Statements): void => {
  for (const table of ["setting", "block", "vector", "linked"]) sql(`delete from ${table}`).run()
}

const writeBlock = (sql: Statements, id: number, vectors: ReadonlyArray<Quantized>, dimensions: number): void => {
  const values = new Uint8Array(vectors.length * dimensions)
  vectors.forEach((vector, row) => {
    values.set(new Uint8Array(vector.values.buffer, vector.values.byteOffset, dimensions), row * dimensions)
  })
  const scales = Float32Array.from(vectors, ({ scale }) => scale)
  sql("insert into block (id, vectors, scales) values (?, ?, ?)").run(id, values, new Uint8Array(scales.buffer))
}

/** The least number of vectors without a symbol that are kept for other branches. */
const MIN_UNUSED = 1_000

/** Removes the vectors without a symbol if they are more than the others. Returns how many. */
export function* prune(sql: Statements): Steps<number> {
  const used = Number(sql("select count(distinct place) as count from linked").get()?.count)
  const unused = count(sql) - used
  const dimensions = owner(sql)?.dimensions
  if (dimensions === undefined || unused <= Math.max(used, MIN_UNUSED)) return 0
  const blocks = readBlocks(sql, dimensions)
  const places = sql("select distinct place from linked order by place")
    .all()
    .map(({ place }) => Number(place))
  const moved = new Map<number, number>()
  const last = Number(sql("select max(id) as id from block").get()?.id)
  for (let from = 0, block = last + 1; from < places.length; from += MAX_BLOCK, block++) {
    const part = places.slice(from, from + MAX_BLOCK)
    writeBlock(
      sql,
      block,
      part.flatMap((place) => blocks.at(place) ?? []),
      dimensions,
    )
    for (const [row, place] of part.entries()) moved.set(place, placeOf(block, row))
    yield
  }
  sql("delete from block where id <= ?").run(last)
  sql("delete from vector where place not in (select place from linked)").run()
  const keys = sql("select key, place from vector").all()
  yield* inSteps(keys, 1_000, ({ key, place }) => {
    sql("update vector set place = ? where key = ?").run(moved.get(Number(place)) ?? 0, String(key))
  })
  yield* inSteps(moved, 1_000, ([place, to]) => {
    sql("update linked set place = ? where place = ?").run(to, place)
  })
  return unused
}

const readBlocks = (sql: Statements, dimensions: number) => {
  const blocks = new Map(
    sql("select id, vectors, scales from block")
      .all()
      .map(({ id, scales, vectors }) => [Number(id), { values: toBytes(vectors), scales: toFloats(scales) }]),
  )
  return {
    at: (place: number): Quantized | undefined => {
      const block = blocks.get(Math.floor(place / MAX_BLOCK))
      const row = place % MAX_BLOCK
      const scale = block?.scales[row]
      return block === undefined || scale === undefined
        ? undefined
        : { values: block.values.subarray(row * dimensions, (row + 1) * dimensions), scale }
    },
  }
}

const toBytes = (blob: unknown): Int8Array =>
  blob instanceof Uint8Array ? new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength) : new Int8Array()

/** Copies the bytes, since those of a blob need not begin at a multiple of four. */
const toFloats = (blob: unknown): Float32Array =>
  blob instanceof Uint8Array
    ? new Float32Array(blob.slice().buffer, 0, Math.floor(blob.byteLength / 4))
    : new Float32Array()

/** All vectors, in memory. */
export interface Vectors extends Owner {
  /**
   * Finds the places of the `limit` vectors nearest to one of the same embedder, with the cosine, the nearest first.
   */
  readonly nearest: (vector: Quantized, limit: number) => ReadonlyArray<Near>
}

interface Near {
  readonly place: number
  /** The cosine, from -1 to 1. */
  readonly similarity: number
}

/** Reads all vectors; undefined if there are none, or if the file is incomplete. O(size of the file). */
export const read = (sql: Statements): Vectors | undefined => {
  const of = owner(sql)
  if (of === undefined) return undefined
  const size = sql("select total(length(scales)) / 4 as rows, total(length(vectors)) as bytes from block").get()
  const rows = Number(size?.rows)
  if (Number(size?.bytes) !== rows * of.dimensions) return undefined
  const matrix = Int8Matrix.make(rows, of.dimensions)
  const scales = new Float32Array(rows)
  const places = new Float64Array(rows)
  let row = 0
  // One block is read at a time: all of them would be in memory twice.
  for (const block of sql("select id, vectors, scales from block order by id").iterate()) {
    const ofBlock = toFloats(block.scales)
    matrix.set(row, toBytes(block.vectors).subarray(0, ofBlock.length * of.dimensions))
    scales.set(ofBlock, row)
    for (let at = 0; at < ofBlock.length; at++) places[row++] = placeOf(Number(block.id), at)
  }
  return {
    ...of,
    nearest: (vector, limit) => {
      const dots = matrix.dots(vector.values)
      const top = makeTop(limit)
      for (let row = 0; row < scales.length; row++) {
        const similarity = (dots[row] ?? 0) * (scales[row] ?? 0) * vector.scale
        if (similarity > top.least()) top.add(row, similarity)
      }
      return top.sorted().map(({ row, similarity }) => ({ place: places[row] ?? 0, similarity }))
    },
  }
}

/** Finds the `limit` largest of many values; only a few values are ever among them. */
const makeTop = (limit: number) => {
  let kept: Array<{ readonly row: number; readonly similarity: number }> = []
  let least = Number.NEGATIVE_INFINITY
  const cut = () => {
    kept = kept.sort((one, other) => other.similarity - one.similarity || one.row - other.row).slice(0, limit)
    if (kept.length === limit) least = kept.at(-1)?.similarity ?? least
  }
  return {
    least: () => least,
    add: (row: number, similarity: number) => {
      kept.push({ row, similarity })
      if (kept.length >= 4 * limit) cut()
    },
    sorted: () => {
      cut()
      return kept
    },
  }
}

/** Returns the symbols of the vectors at these places. */
export const symbolsAt = (sql: Statements, near: ReadonlyArray<Near>): ReadonlyArray<Version & Near> =>
  near.flatMap((each) =>
    sql("select qualified, hash from linked where place = ?")
      .all(each.place)
      .map(({ hash, qualified }) => ({ ...each, qualifiedName: String(qualified), hash: String(hash) })),
  )
