/** Pictures as text: as Mermaid, for Markdown, and as an outline, for a terminal. Pure. */
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Picture } from "./Picture.ts"

/** Returns the source of a Mermaid diagram, without the fence. Its lines are in a fixed order, so that diffs are quiet. */
export const toMermaid = (picture: Picture): string =>
  (picture.kind === "graph"
    ? [
        "flowchart LR",
        ...picture.boxes.map(
          ({ isMain, label }, at) => `  n${at}${isMain ? "([" : "["}"${escapeLabel(label)}"${isMain ? "])" : "]"}`,
        ),
        ...picture.arrows
          .toSorted((one, other) => one.from - other.from || one.to - other.to)
          .map(({ count, from, to }) => `  n${from} -->|${count}| n${to}`),
      ]
    : [
        "sequenceDiagram",
        ...picture.lanes.map(({ label }, at) => `  participant p${at} as ${escapeLabel(label)}`),
        ...picture.messages.map(({ from, text, to }) => `  p${from}->>p${to}: ${escapeLabel(text)}`),
      ]
  ).join("\n")

/**
 * Makes a text safe in a label: everything but letters, digits and a few signs becomes an entity of Mermaid, so that no
 * name of a symbol is read as syntax or HTML. The word `end` would end a block.
 */
const escapeLabel = (text: string): string =>
  sanitizeLine(text)
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N} _./-]/gu, (sign) => `#${sign.codePointAt(0)};`)
    .replaceAll(/\bend\b/gi, (word) => `${word.slice(0, 1)}#${word.codePointAt(1)};${word.slice(2)}`)

/** Returns the lines of an outline: what each box uses with counts, or the messages with numbers. */
export const toOutline = (picture: Picture): ReadonlyArray<string> => {
  if (picture.kind === "sequence") {
    const label = (lane: number) => sanitizeLine(picture.lanes[lane]?.label ?? "")
    return picture.messages.map(({ from, text, to }, at) => {
      const way = from === to ? label(from) : `${label(from)} → ${label(to)}`
      return `${String(at + 1).padStart(String(picture.messages.length).length)}. ${way}: ${sanitizeLine(text)}`
    })
  }
  const label = (box: number) => sanitizeLine(picture.boxes[box]?.label ?? "")
  const lines = picture.boxes.flatMap((_, at) => {
    const targets = picture.arrows.filter(({ from }) => from === at).map(({ count, to }) => `${label(to)} (${count})`)
    return targets.length === 0 ? [] : [`${label(at)} → ${targets.join(", ")}`]
  })
  return picture.more === 0 ? lines : [...lines, `and ${picture.more} more with fewer uses`]
}
