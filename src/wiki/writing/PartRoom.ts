/**
 * Says how much room a part gets, in its request and on its page. A part with most of the code has more to tell than
 * one with two small files, and a reader asks more about it.
 */
import * as Effect from "effect/Effect"
import type * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import type { Project } from "./Project.ts"

/** The least and the most room, where 1 is that of a part of mean size. */
const LEAST = 0.75
const MOST = 1.8

/**
 * Returns the room of a part in proportion to the lines of its code, where 1 is that of a part of mean size. Symbols
 * would count a class of ten fields like a compiler of ten functions. All parts together have no more than if they were
 * of one size, so that the cost of a wiki does not depend on how its code is divided.
 */
export const of: <E>(project: Sizes<E>, part: Part, parts: ReadonlyArray<Part>) => Effect.Effect<number, E> =
  Effect.fnUntraced(function* (project, part, parts) {
    const sizes = yield* Effect.forEach(parts, (each) => sizeOf(project, each))
    const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, parts.length)
    if (mean === 0) return 1
    const roomOf = (size: number) => Math.max(LEAST, Math.min(MOST, size / mean))
    const all = sizes.reduce((sum, size) => sum + roomOf(size), 0)
    return roomOf(yield* sizeOf(project, part)) * Math.min(1, parts.length / all)
  })

/** The facts of a project that give the sizes of its parts. */
export type Sizes<E> = Pick<Project<E>, "linesOf" | "heads">

/** Counts the lines of a part. A file that is divided counts in proportion to what its symbols have in them. */
const sizeOf = <E>({ heads, linesOf }: Sizes<E>, { files, symbols = [] }: Part): Effect.Effect<number, E> => {
  const weightOf = (some: ReadonlyArray<Places.Head>) => some.reduce((sum, { weight }) => sum + Math.max(1, weight), 0)
  const shareOf = (path: string) => {
    const names = symbols.find((each) => each.path === path)?.names
    const all = heads.get(path) ?? []
    return names === undefined
      ? 1
      : weightOf(all.filter(({ name }) => names.includes(name))) / Math.max(1, weightOf(all))
  }
  return Effect.map(
    Effect.forEach(files, (path) => Effect.map(linesOf(path), (lines) => lines * shareOf(path))),
    (sizes) => sizes.reduce((sum, size) => sum + size, 0),
  )
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
