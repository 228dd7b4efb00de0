/**
 * The files by their numbers: how many symbols each has, and whether it is aside. One 16-bit number each, so that a
 * search has all of them at once.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import * as Blob from "./Blob.ts"
import * as Posting from "./Posting.ts"

export interface Roster {
  /** By number, up to the end of the last block. */
  readonly entries: Uint16Array
  /** How many files there are, and how many symbols they have. */
  readonly files: number
  readonly symbols: number
}

// An entry: 0 where the number is free, LEFT where postings are left of a file that is gone, else one more than there
// are symbols, and ASIDE.
const LEFT = 0xffff
const ASIDE = 0x8000

export const entry = ({ entries }: Roster, file: number): number => entries[file] ?? 0

export const isThere = (entry: number): boolean => entry !== 0 && entry !== LEFT

/** About the code rather than the code itself: see `Search.isAside`. */
export const isAside = (entry: number): boolean => entry >= ASIDE && entry !== LEFT

/** How many symbols postings can tell apart; 0 of a file that is gone. */
export const symbols = (entry: number): number => (isThere(entry) ? (entry & ~ASIDE) - 1 : 0)

export const read = (sql: Statements): Roster => {
  const entries = readEntries(sql)
  let [files, all] = [0, 0]
  for (let file = 0; file < entries.length; file++) {
    const entry = entries[file] ?? 0
    if (!isThere(entry)) continue
    files += 1
    all += symbols(entry)
  }
  return { entries, files, symbols: all }
}

/** Whether more than a quarter of what was posted is of files that are gone. */
export const isWorn = ({ entries, files }: Roster): boolean => entries.filter(isLeft).length * 3 > files

/** A roster to be changed. */
export interface Open {
  /** Gives a file a number. */
  readonly take: (symbols: number, isAside: boolean) => number
  /** Takes it away again. */
  readonly leave: (file: number) => void
  readonly save: () => void
}

export const open = (sql: Statements): Open => {
  let entries = readEntries(sql)
  let free = 0
  const changed = new Set<number>()
  const set = (file: number, entry: number) => {
    if (file >= entries.length) {
      const longer = new Uint16Array((Posting.block(file) + 1) * Posting.BLOCK)
      longer.set(entries)
      entries = longer
    }
    entries[file] = entry
    changed.add(Posting.block(file))
  }
  return {
    take: (symbols, isAside) => {
      while (free < entries.length && entries[free] !== 0) free += 1
      set(free, (isAside ? ASIDE : 0) + 1 + Math.min(symbols, Posting.MAX_SYMBOLS))
      return free
    },
    leave: (file) => set(file, LEFT),
    save: () => {
      for (const block of changed) write(sql, entries, block)
      changed.clear()
    },
  }
}

/** Makes the numbers free of which nothing is left. */
export const clear = (sql: Statements): void => {
  const entries = readEntries(sql).map((entry) => (isLeft(entry) ? 0 : entry))
  for (let block = 0; block < Posting.block(entries.length); block++) write(sql, entries, block)
}

const isLeft = (entry: number): boolean => entry === LEFT

const readEntries = (sql: Statements): Uint16Array => {
  const blocks = sql("select files from block order by id").all()
  const entries = new Uint16Array(blocks.length * Posting.BLOCK)
  blocks.forEach(({ files }, block) => {
    entries.set(Blob.numbers16(files), block * Posting.BLOCK)
  })
  return entries
}

const write = (sql: Statements, entries: Uint16Array, block: number): void => {
  const files = entries.subarray(block * Posting.BLOCK, (block + 1) * Posting.BLOCK)
  sql("insert or replace into block (id, files) values (?, ?)").run(block, Blob.of(files))
}
