/** Where in a TOML file a key is set. The parser does not say, so its lines are read for their headers and keys alone. */
import * as Either from "effect/Either"
import { parse } from "smol-toml"

/**
 * The first line, from 1, that says the most of the path: the one that sets the key or something in it, else the one
 * that opens the table around it. None where no line says any of it.
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
    const isOnTheWay = path.slice(0, length).every((part, depth) => part === here[depth])
    if (isOnTheWay && length > (best?.length ?? 0)) best = { line: index + 1, length }
  }
  return best?.line
}

/** The keys from the outermost inwards of a document that sets one. */
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
