/**
 * Finds the line of a TOML file that sets a key. The parser has no positions, so the lines are read for headers and
 * keys.
 */
import * as Either from "effect/Either"
import { parse } from "smol-toml"

/**
 * Returns the first line, from 1, with the longest part of the path: the line that sets the key or a key in it, or else
 * the header of the table around it; `undefined` if no line has any part of it.
 */
export const lineOf = (text: string, path: ReadonlyArray<string>): number | undefined => {
  let table: ReadonlyArray<string> = []
  let best: { readonly line: number; readonly length: number } | undefined
  for (const [index, line] of text.split("\n").entries()) {
    const header = /^\s*(\[[^\]].*\])/.exec(line)?.[1]
    const key = /^([^=#[\]]+)=/.exec(line)?.[1]?.trim()
    if (header !== undefined) table = pathIn(header)
    else if (key === undefined) continue
    const here = key === undefined || header !== undefined ? table : [...table, ...pathIn(`${key}=0`)]
    const length = Math.min(here.length, path.length)
    const isPrefix = path.slice(0, length).every((part, depth) => part === here[depth])
    if (isPrefix && length > (best?.length ?? 0)) best = { line: index + 1, length }
  }
  return best?.line
}

/** Returns the keys of a document that sets one, from the outermost inwards. */
const pathIn = (document: string): ReadonlyArray<string> => {
  const keys: Array<string> = []
  let value: unknown = Either.getOrElse(
    Either.try(() => parse(document)),
    () => ({}),
  )
  while (typeof value === "object" && value !== null) {
    const [inner] = Object.entries(value)
    if (inner === undefined) break
    keys.push(inner[0])
    value = inner[1]
  }
  return keys
}
