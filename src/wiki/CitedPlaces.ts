/** The places that a statement cites, as pages show them outside of the repository and in a terminal. Pure. */
import type { Statement } from "./Page.ts"
import type * as States from "./States.ts"

interface Place {
  /** The path of the file; undefined if the place before it is in the same one. */
  readonly path: string | undefined
  /** The first line of the symbol; undefined for a whole file. */
  readonly line: number | undefined
}

/** The most places of a statement that are shown: the deciding one stands first. */
const MAX_PLACES = 3

/**
 * Returns the places of a statement. A further one in the same file has no path, and a whole file that the text names
 * by its path is left out: paths are more than a third of a page else, and say nothing twice.
 */
export const of = ({ citations, text }: Statement, states: States.States): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  const known = new Set<string>()
  let last: string | undefined
  for (const citation of citations) {
    const { citation: now, entry } = states.of(citation)
    const line = entry?.startLine
    const key = `${now.path}\0${line ?? ""}`
    const isNamed = citation.symbol === undefined && text.includes(`\`${now.path}\``)
    if (isNamed || known.has(key)) continue
    known.add(key)
    places.push({ path: now.path === last && line !== undefined ? undefined : now.path, line })
    last = now.path
    if (places.length === MAX_PLACES) break
  }
  return places
}

/** Writes a place as `src/cart.ts:12`, or as `:12` in the file of the one before it. */
export const toText = ({ line, path }: Place, displayPath: (path: string) => string = (path) => path): string =>
  `${path === undefined ? "" : displayPath(path)}${line === undefined ? "" : `:${line}`}`
