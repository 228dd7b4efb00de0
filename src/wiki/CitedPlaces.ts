/** The places that a statement cites, as pages show them outside of the repository and in a terminal. Pure. */
import type { Citation, Statement } from "./Page.ts"
import type * as States from "./States.ts"

interface Place {
  /** The path of the file; undefined for a further symbol, which is found by its name. */
  readonly path: string | undefined
  /** The first line of the symbol; undefined for a whole file and for a further symbol. */
  readonly line: number | undefined
  /** The name of the symbol; undefined for a whole file and if the statement has it. */
  readonly name: string | undefined
}

/** The most places of a statement that are shown: the deciding one stands first. */
const MAX_PLACES = 3

/**
 * Returns the places of a statement: the file and line of the deciding symbol, and the names of all that its text does
 * not have. Paths of all of them would be more than a third of a page, and a line says less than a name.
 */
export const of = ({ citations, text }: Statement, states: States.States): ReadonlyArray<Place> => {
  const said = new Set(text.match(WORD))
  const places: Array<Place> = []
  for (const { path, line, symbol } of citations.slice(0, MAX_PLACES).map((citation) => now(citation, states))) {
    const isSaid = symbol === undefined ? text.includes(`\`${path}\``) : said.has(symbol.match(WORD)?.at(-1) ?? "")
    const name = isSaid ? undefined : symbol
    if (places.length === 0 && symbol !== undefined) {
      places.push({ path, line, name })
    } else if (
      !isSaid &&
      !places.some((place) => (symbol === undefined ? place.path === path : place.name === symbol))
    ) {
      places.push({ path: symbol === undefined ? path : undefined, line: undefined, name })
    }
  }
  return places
}

const WORD = /[\p{L}\p{N}_$]+/gu

const now = (citation: Citation, states: States.States) => {
  const { citation: now, entry } = states.of(citation)
  return { ...now, line: entry?.startLine }
}

/** Writes a place as `src/cart.ts:12 Cart.add`, or within a file that is known as `Cart.add` or else `:12`. */
export const toText = ({ line, name, path }: Place, displayPath: (path: string) => string = (path) => path): string => {
  const suffix = line === undefined ? "" : `:${line}`
  if (path === undefined) return name ?? suffix
  return `${displayPath(path)}${suffix}${name === undefined ? "" : ` ${name}`}`
}
