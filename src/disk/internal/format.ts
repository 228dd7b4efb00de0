/** The formats of databases: what tells one of this program from another's, and from one that was altered. */
import type { DatabaseSync } from "node:sqlite"
import { Altered, DiskError, Foreign, TooNew } from "../DiskError.ts"
import * as Connection from "./connection.ts"

/** The schema of a database, with the number that SQLite stores as `user_version`. */
export interface Format {
  /** A database without any of these tables is another program's, whatever its number. */
  readonly tables: ReadonlyArray<string>
  readonly version: number
  /**
   * True if tables and indices must also be exactly those that `upgrade` makes, for a database that can be rebuilt.
   * Views and triggers must always be.
   */
  readonly isExact?: boolean | undefined
  /** Makes indices that a database of this format may lack at first. */
  readonly addIndices?: ((database: DatabaseSync) => void) | undefined
  /** Upgrades a database of an earlier format, in one transaction with the number. `from` is 0 for a new database. */
  readonly upgrade: (database: DatabaseSync, from: number) => void
}

/** Returns the version of a database. Throws if it is another program's, or was altered by one. Changes nothing. */
export const inspect = (database: DatabaseSync, file: string, format: Format): number => {
  if (isForeign(database, format)) throw new DiskError({ path: file, reason: new Foreign() })
  const version = versionOf(database)
  if (version > format.version) throw new DiskError({ path: file, reason: new TooNew({ version }) })
  const object = version === 0 ? undefined : findAlteration(objectsIn(database), version, format)
  if (object !== undefined) throw new DiskError({ path: file, reason: new Altered({ object }) })
  return version
}

/** A row of `sqlite_schema`. */
interface SchemaObject {
  readonly type: unknown
  readonly name: unknown
  readonly sql: unknown
}

const objectsIn = (database: DatabaseSync): ReadonlyArray<SchemaObject> =>
  database
    .prepare("select type, name, sql from sqlite_schema")
    .all()
    .map(({ name, sql, type }) => ({ type, name, sql }))

/** Returns an unexpected or missing object, or undefined if all are as `upgrade` makes them. */
const findAlteration = (found: ReadonlyArray<SchemaObject>, version: number, format: Format): string | undefined => {
  const isExact = format.isExact === true && version === format.version
  const inQuestion = isExact ? found : found.filter(({ type }) => type === "view" || type === "trigger")
  if (!isExact && inQuestion.length === 0) return undefined
  const { allowed, required } = schemaOf(format)
  const there = new Set(inQuestion.map(keyOf))
  const wrong =
    inQuestion.find((object) => !allowed.has(keyOf(object))) ??
    (isExact ? required.find((object) => !there.has(keyOf(object))) : undefined)
  return wrong && `the ${wrong.type} ${wrong.name}`
}

const keyOf = ({ name, sql, type }: SchemaObject): string => JSON.stringify([type, name, sql])

interface Expected {
  readonly required: ReadonlyArray<SchemaObject>
  /** The keys of the allowed objects, as `keyOf` makes them. */
  readonly allowed: ReadonlySet<string>
}

const knownSchemas = new WeakMap<Format, Expected>()

/** Returns the schema of a new database of this format. */
const schemaOf = (format: Format): Expected => {
  const known = knownSchemas.get(format)
  if (known !== undefined) return known
  const database = Connection.connect(":memory:")
  try {
    format.upgrade(database, 0)
    const required = objectsIn(database)
    format.addIndices?.(database)
    const expected = { required, allowed: new Set(objectsIn(database).map(keyOf)) }
    knownSchemas.set(format, expected)
    return expected
  } finally {
    database.close()
  }
}

/** Upgrades a database, unless another process has upgraded it meanwhile. */
export const upgrade = (database: DatabaseSync, format: Format): void => {
  const version = versionOf(database)
  if (version >= format.version) return
  format.upgrade(database, version)
  database.exec(`pragma user_version = ${format.version}`)
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare("pragma user_version").get()?.user_version)

/**
 * Returns whether the database is another program's. The schema is read before the version, since another process that
 * makes the database commits tables and version together.
 */
const isForeign = (database: DatabaseSync, { tables }: Format): boolean => {
  const isEmpty = database.prepare("select 1 from sqlite_schema limit 1").get() === undefined
  return !isEmpty && (versionOf(database) <= 0 || !hasAny(database, tables))
}

const hasAny = (database: DatabaseSync, tables: ReadonlyArray<string>): boolean =>
  database
    .prepare("select 1 from sqlite_schema where name in (select value from json_each(?)) limit 1")
    .get(JSON.stringify(tables)) !== undefined
