/**
 * The document table says of each file, by its number, how many symbols it has and whether it is auxiliary. It takes
 * sixteen bits a file and one row a block, so that a search reads all of it at once.
 *
 * A file that changes gets a new number. The old one stays a tombstone until compaction has removed its postings.
 */
import type { Statements } from "../disk/Sqlite.ts"
import { toBlob, toUint16Array } from "./internal/blob.ts"
import * as Posting from "./Posting.ts"

export interface DocumentTable {
  /** The entries by number of the file, up to the end of the last block. */
  readonly entries: Uint16Array
  /** The number of live files, and of the symbols of all of them. */
  readonly files: number
  readonly symbols: number
  /** True if there are tombstones, so that posting lists may have postings of files that are gone. */
  readonly hasTombstones: boolean
}

// An entry is 0 if the number is free, or TOMBSTONE, or the number of symbols plus one, with the bit AUXILIARY.
const TOMBSTONE = 0xffff
const AUXILIARY = 0x8000

export const entry = ({ entries }: DocumentTable, file: number): number => entries[file] ?? 0

export const isLive = (entry: number): boolean => entry !== 0 && entry !== TOMBSTONE

/**
 * Returns whether a file is about the code rather than the code itself: a test, documentation, a copy of another
 * project.
 */
export const isAuxiliary = (entry: number): boolean => entry >= AUXILIARY && entry !== TOMBSTONE

/** Returns how many symbols of a file have postings; 0 if the file is not live. */
export const symbolCount = (entry: number): number => (isLive(entry) ? (entry & ~AUXILIARY) - 1 : 0)

export const read = (sql: Statements): DocumentTable => {
  const entries = readEntries(sql)
  let [files, symbols] = [0, 0]
  for (let file = 0; file < entries.length; file++) {
    const entry = entries[file] ?? 0
    if (!isLive(entry)) continue
    files += 1
    symbols += symbolCount(entry)
  }
  return { entries, files, symbols, hasTombstones: entries.includes(TOMBSTONE) }
}

/** Returns whether more than a quarter of the files with postings are tombstones. */
export const needsCompaction = ({ entries, files }: DocumentTable): boolean =>
  entries.filter(isTombstone).length * 3 > files

export interface Writer {
  /** Returns the number of the file. */
  readonly add: (symbols: number, isAuxiliary: boolean) => number
  readonly setAuxiliary: (file: number, isAuxiliary: boolean) => void
  /** Leaves a tombstone. */
  readonly remove: (file: number) => void
  readonly save: () => void
}

export const writer = (sql: Statements): Writer => {
  let entries = readEntries(sql)
  let free = 0
  const changedBlocks = new Set<number>()
  const set = (file: number, entry: number) => {
    if (file >= entries.length) {
      const longer = new Uint16Array((Posting.blockOf(file) + 1) * Posting.FILES_PER_BLOCK)
      longer.set(entries)
      entries = longer
    }
    entries[file] = entry
    changedBlocks.add(Posting.blockOf(file))
  }
  return {
    add: (symbols, isAuxiliary) => {
      while (free < entries.length && entries[free] !== 0) free += 1
      set(free, (isAuxiliary ? AUXILIARY : 0) + 1 + Math.min(symbols, Posting.MAX_SYMBOLS))
      return free
    },
    setAuxiliary: (file, isAuxiliary) => {
      const entry = entries[file] ?? 0
      if (isLive(entry)) set(file, (isAuxiliary ? AUXILIARY : 0) + (entry & ~AUXILIARY))
    },
    remove: (file) => set(file, TOMBSTONE),
    save: () => {
      for (const block of changedBlocks) writeBlock(sql, entries, block)
      changedBlocks.clear()
    },
  }
}

/** Frees the numbers of all tombstones. Their postings must be gone. */
export const freeTombstones = (sql: Statements): void => {
  const entries = readEntries(sql).map((entry) => (isTombstone(entry) ? 0 : entry))
  for (let block = 0; block < Posting.blockOf(entries.length); block++) writeBlock(sql, entries, block)
}

const isTombstone = (entry: number): boolean => entry === TOMBSTONE

const readEntries = (sql: Statements): Uint16Array => {
  const blocks = sql("select entries from document_block order by id").all()
  const all = new Uint16Array(blocks.length * Posting.FILES_PER_BLOCK)
  blocks.forEach(({ entries }, block) => {
    all.set(toUint16Array(entries), block * Posting.FILES_PER_BLOCK)
  })
  return all
}

const writeBlock = (sql: Statements, entries: Uint16Array, block: number): void => {
  const ofBlock = entries.subarray(block * Posting.FILES_PER_BLOCK, (block + 1) * Posting.FILES_PER_BLOCK)
  sql("insert or replace into document_block (id, entries) values (?, ?)").run(block, toBlob(ofBlock))
}
