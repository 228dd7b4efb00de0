/** Fits the sources of some symbols into the room that a request has for them. */
import * as Effect from "effect/Effect"
import * as Material from "./Material.ts"
import type * as Project from "./Project.ts"
import * as SourceText from "./SourceText.ts"

/** The most lines of a source, so that one long function does not take the room of the others. */
const MAX_LINES = 220

/** A source that does not fit is cut if there is room for this share of it, and for so many tokens. */
const CUT_SHARE = 0.45
const MOST_SHARE = 0.6
const MIN_SOURCE = 220

/** Tokens of the quotation marks around a source. */
const FRAME = 12

/**
 * Writes the sources of some symbols with their numbers, the first ones first. They are whole if they fit, since half of
 * a function often lacks what it decides, or cut if there is room for most of them, and else left out. What is left of
 * the room goes to their comments.
 */
export const write = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  material: Material.Material,
  items: ReadonlyArray<Material.Item>,
  maxTokens: number,
  { maxLines = MAX_LINES, titleOf = Material.sourceTitle } = {},
) {
  const sources = (yield* Effect.forEach(items, (item) =>
    Effect.map(project.sourceOf(item), (text) => ({ item, title: titleOf(material, item), text })),
  )).flatMap(({ item, text, title }) => {
    if (text === undefined) return []
    const frame = Material.sizeOf(title) + FRAME
    return [{ item, text, title, frame, code: SourceText.sizeOfCode(text) + frame }]
  })
  const rooms = new Map<string, number>()
  let left = maxTokens
  // Two that decide most are both shown if most of each fits.
  const [first, second] = sources.map(({ code }) => code)
  const kept = first === undefined || second === undefined ? 0 : MOST_SHARE * second
  const isShared = first !== undefined && first + kept <= maxTokens + (1 - MOST_SHARE) * first
  for (const [at, { code, title }] of sources.entries()) {
    const room = Math.floor(at === 0 && isShared ? Math.min(code, left - kept) : Math.min(code, left))
    if (room < code && at > 0 && (room < MIN_SOURCE || room < CUT_SHARE * code)) continue
    rooms.set(title, room)
    left -= room
  }
  const shown = new Map<string, string>()
  const lines = sources.flatMap(({ frame, item, text, title }) => {
    const room = rooms.get(title)
    if (room === undefined) return []
    shown.set(Material.keyOf(item), text)
    const source = SourceText.write(text, { maxLines, maxTokens: room + left - frame })
    const written = [title, ...source]
    left -= Math.max(0, sizeOf(written) - room)
    return written
  })
  return { lines, shown }
})

export const sizeOf = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + Material.sizeOf(line), 0)
