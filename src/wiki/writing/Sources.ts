/** Sources of symbols that a request shows, and how they are fitted into its room. */
import * as Effect from "effect/Effect"
import * as Material from "./Material.ts"
import * as SourceText from "./SourceText.ts"

/** Sources of symbols by their keys. */
export type Sources = ReadonlyMap<string, Source>

export interface Source {
  readonly item: Material.Item
  /** All of its text. */
  readonly text: string
  /** The lines that are shown, as a quotation. */
  readonly lines: ReadonlyArray<string>
}

/** Returns the tokens of sources as they are shown. */
export const sizeOf = (sources: Sources): number =>
  Array.from(sources.values()).reduce((sum, { lines }) => sum + sizeOfLines(lines), 0)

const sizeOfLines = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + Material.sizeOf(line), 0)

/** The most lines of a source, so that one long function does not take the room of the others. */
const MAX_LINES = 220

/** A source that does not fit is cut if there is room for this share of it, and for so many tokens. */
const CUT_SHARE = 0.45
const MOST_SHARE = 0.6
const MIN_SOURCE = 220

/** Tokens of the quotation marks around a source. */
const FRAME = 12

/**
 * Writes the sources of some symbols, the first ones first. They are whole if they fit, since half of a function often
 * lacks what it decides, or cut if there is room for most of them, and else left out. What is left of the room goes to
 * their comments.
 */
export const within = Effect.fnUntraced(function* <E>(
  { sourceOf }: { readonly sourceOf: (item: Material.Item) => Effect.Effect<string | undefined, E> },
  items: ReadonlyArray<Material.Item>,
  maxTokens: number,
  maxLines = MAX_LINES,
) {
  const known = (yield* Effect.forEach(items, (item) =>
    Effect.map(sourceOf(item), (text) => ({ item, text })),
  )).flatMap(({ item, text }) =>
    text === undefined ? [] : [{ item, text, code: SourceText.sizeOfCode(text) + FRAME, key: Material.keyOf(item) }],
  )
  const rooms = new Map<string, number>()
  let left = maxTokens
  // Two that decide most are both shown if most of each fits.
  const [first, second] = known.map(({ code }) => code)
  const kept = first === undefined || second === undefined ? 0 : MOST_SHARE * second
  const isShared = first !== undefined && first + kept <= maxTokens + (1 - MOST_SHARE) * first
  for (const [at, { code, key }] of known.entries()) {
    const room = Math.floor(at === 0 && isShared ? Math.min(code, left - kept) : Math.min(code, left))
    if (room < code && at > 0 && (room < MIN_SOURCE || room < CUT_SHARE * code)) continue
    rooms.set(key, room)
    left -= room
  }
  const sources = new Map<string, Source>()
  for (const { item, key, text } of known) {
    const room = rooms.get(key)
    if (room === undefined) continue
    const lines = SourceText.write(text, { maxLines, maxTokens: room + left - FRAME })
    const source = { item, text, lines }
    left -= Math.max(0, sizeOf(new Map([[key, source]])) - room)
    sources.set(key, source)
  }
  return sources
})
