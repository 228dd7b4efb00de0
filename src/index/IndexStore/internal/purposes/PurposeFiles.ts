/**
 * The journal and the files of purposes. A purpose goes to the journal first, and from there to the text and the
 * tables.
 */

import * as Text from "../../../../base/Text.ts"
import { inSteps, type Statements, type Steps } from "../../../../disk/Sqlite.ts"
import type { NewPurpose } from "../../../IndexStore.ts"
import * as PurposeShards from "../../../PurposeShards.ts"
import * as Purposes from "../../../Purposes.ts"
import type { IndexLocation } from "../IndexLocation.ts"
import * as Metadata from "../Metadata.ts"
import * as PurposeTable from "./PurposeTable.ts"

// `record` and `sync` run in a transaction. The write lock of the database is the lock of both files too, so that no
// process appends to a journal that another removes.

/** Writes purposes. When it returns, they are in the journal, on disk. */
export function* record(location: IndexLocation, sql: Statements, purposes: ReadonlyArray<NewPurpose>): Steps<void> {
  const lines = purposes.map((purpose) => PurposeTable.confirm(sql, toLine(purpose)))
  if (lines.length > 0) location.journal.append(lines.map((line) => `${Purposes.encode(line).text}\n`).join(""))
  yield* inSteps(lines, 10, (line) => PurposeTable.record(sql, line))
}

/**
 * Returns whether the journal is empty, the tables agree with the files, and no line is to be moved. An index that
 * stays open asks before each answer: files with the same times and sizes as before are not read again.
 */
export const isSynced = (location: IndexLocation, sql: Statements, options: Options): boolean => {
  if (location.journal.read() !== "") return false
  const { isDue, state } = readState(location, options)
  return !isDue && Metadata.get(sql, "purposes") === state
}

interface State {
  readonly stamp: string | undefined
  readonly state: string
  readonly isDue: boolean
}

const readState = (location: IndexLocation, options: Options): State => {
  const stamp = location.purposes.stamp(options.now)
  const known = states.get(location)
  if (known !== undefined && stamp !== undefined && known.stamp === stamp) return known
  const files = location.purposes.read()
  const state: State = { stamp, state: stateOf(files), isDue: isToBeMoved(files, options) }
  states.set(location, state)
  return state
}

const states = new WeakMap<IndexLocation, State>()

/** Returns whether `purposes.jsonl` is too large, or a merge has left lines in it beside shards. */
const isToBeMoved = (files: ReadonlyArray<PurposeShards.PurposeFile>, { limits, moves }: Options): boolean => {
  const length = files[0]?.text.length ?? 0
  return moves && (files.length === 1 ? length > limits.single : length > 0)
}

/**
 * Returns the state of the files as `Metadata` stores it: the text of one file, or a digest of shards, which may be
 * very large.
 */
const stateOf = (files: ReadonlyArray<PurposeShards.PurposeFile>): string =>
  files.length === 1
    ? (files[0]?.text ?? "")
    : Text.sha256(files.map(({ name, text }) => `${name}\0${text}\0`).join(""))

/** Merges the journal into the files, moves lines between them if that is due, and makes the tables agree with them. */
export function* sync(location: IndexLocation, sql: Statements, options: Options): Steps<Synced> {
  const files = location.purposes.read()
  const { invalid, lines } = PurposeShards.toSingle(files)
  // A line of the journal that does not parse was torn by a crash before `record` had returned.
  const added = Purposes.parse(location.journal.read()).lines
  const merged = added.length === 0 ? lines : prune(sql, Purposes.merge(lines, added))
  const isWritten = added.length > 0 || isToBeMoved(files, options)
  if (isWritten) {
    for (const file of PurposeShards.plan(files, merged, options.limits)) location.purposes.replace(file)
  }
  location.journal.clear()
  yield* PurposeTable.replaceAll(
    sql,
    merged.map(({ line }) => line),
  )
  const present = isWritten ? location.purposes.read() : files
  Metadata.set(sql, "purposes", stateOf(present))
  return { invalid, divided: files.length === 1 && present.length > 1 }
}

interface Synced {
  /** The lines of the files that are no purposes. */
  readonly invalid: ReadonlyArray<string>
  /** True if one file was divided into shards. */
  readonly divided: boolean
}

interface Options {
  readonly limits: PurposeShards.Limits
  /** True if lines are moved even when the journal is empty. Commands that only read an index set it to false. */
  readonly moves: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Removes nothing while the structure is incomplete: any version may be the one of the present source. */
const prune = (sql: Statements, lines: ReadonlyArray<Purposes.StoredLine>): ReadonlyArray<Purposes.StoredLine> => {
  if (!Metadata.isComplete(sql)) return lines
  const present = sql("select 1 from symbol where qualified = ? and (hash = ? or tokens = ?)")
  const file = sql("select 1 from file where path = ?")
  // A file that is not there may be one that this checkout leaves out.
  return Purposes.prune(
    lines,
    ({ hash, path, symbol, tokens }) =>
      file.get(path) === undefined || present.get(symbol, hash, tokens ?? null) !== undefined,
  )
}

const toLine = ({ entry, lines, model, node, text, weak }: NewPurpose): Purposes.Line => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  kind: entry.kind,
  hash: entry.hash,
  ...(entry.tokens !== undefined && { tokens: entry.tokens }),
  purpose: text,
  model,
  node,
  ...(weak !== undefined && { weak }),
  ...(lines !== undefined && lines.length > 0 && { lines }),
})
