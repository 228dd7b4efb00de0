/**
 * Says how much room a part gets, in its request and on its page. A part with most of the code has more to tell than one
 * with two small files, and a reader asks more about it. Pure.
 */
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import type { Project } from "./Project.ts"

/** The least and the most room, where 1 is that of a part of mean size. */
const LEAST = 0.6
const MOST = 2

/** Returns the room of a part in proportion to its symbols, where 1 is that of a part of mean size. */
export const of = (
  project: Pick<Project<never>, "units" | "heads">,
  part: Part,
  parts: ReadonlyArray<Part>,
): number => {
  const sizes = parts.map((each) => sizeOf(project, each))
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, parts.length)
  return mean === 0 ? 1 : Math.max(LEAST, Math.min(MOST, sizeOf(project, part) / mean))
}

/** Counts the symbols of a part. A unit that belongs to it in parts counts in proportion to its files or sections. */
const sizeOf = ({ heads, units }: Pick<Project<never>, "units" | "heads">, part: Part): number => {
  const isOwn = Places.membershipOf(part)
  return units.reduce((sum, unit) => {
    const places = Places.keysOf(unit, heads)
    const own = places.filter((key) => isOwn({ path: Places.pathOf(key), symbol: Places.headIn(key) }))
    return places.length === 0 ? sum : sum + (unit.size * own.length) / places.length
  }, 0)
}

/** The words that the page of a part should have, and those beyond which the rest is left out. */
export interface Words {
  readonly least: number
  readonly most: number
  readonly limit: number
}

/** The words of a page of mean size, and the most of any, which still fit on a screen or little more. */
const WORDS = { least: 80, most: 250, limit: 450 }

/** Returns the words of a page, rounded since a model does not count them. */
export const wordsOf = (room: number): Words => {
  const most = Math.min(WORDS.limit, 10 * Math.round((WORDS.most * room) / 10))
  return { least: WORDS.least, most, limit: Math.round(1.6 * most) }
}

/** The most entries that say where to change what. */
const CHANGES = 4

export const changesOf = (room: number): number => Math.max(2, Math.round(CHANGES * Math.min(1.75, room)))
