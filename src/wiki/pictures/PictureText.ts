/** Pictures as text: as Mermaid, for Markdown, and as an outline, for a terminal. Pure. */
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { PageKind } from "../Page.ts"
import { type Arrow, HUB_NOTE, type Picture, sizeOf } from "./Picture.ts"
import * as Sequence from "./Sequence.ts"

/** The headings of pictures, by the kinds of pages. */
export const titles: Readonly<Record<PageKind, string>> = {
  start: "Uses between the parts",
  part: "Neighbours",
  flow: "Calls between the parts",
}

/**
 * Returns the source of a Mermaid diagram, without the fence. Its lines are in a fixed order and have no counts, so
 * that diffs are quiet; the arrows of many uses are thick.
 */
export const toMermaid = (picture: Picture): string =>
  (picture.kind === "graph"
    ? [
        "flowchart LR",
        ...picture.boxes.map(
          ({ isHub, isMain, label }, at) =>
            `  n${at}${isMain ? "([" : "["}"${escapeLabel(label)}${isHub ? `<br/>${HUB_NOTE}` : ""}"${isMain ? "])" : "]"}`,
        ),
        ...picture.boxes.flatMap(({ isHub }, at) => (isHub ? [`  style n${at} stroke-dasharray: 4`] : [])),
        ...picture.arrows
          .toSorted((one, other) => one.from - other.from || one.to - other.to)
          .map((arrow) => `  n${arrow.from} ${isThick(arrow) ? "==>" : "-->"} n${arrow.to}`),
      ]
    : [
        "sequenceDiagram",
        ...picture.lanes.map(({ label }, at) => `  participant p${at} as ${escapeLabel(label)}`),
        ...picture.messages.map(({ from, kind, text, to }) =>
          heads[kind] === undefined
            ? `  Note over p${to}: ${escapeLabel(withNote(text, kind))}`
            : `  p${from}${heads[kind]}p${to}: ${escapeLabel(text)}`,
        ),
      ]
  ).join("\n")

/** The arrows of messages in Mermaid: a dashed line for what is given, an open head for what happens later. */
const heads: Readonly<Record<Sequence.Message["kind"], string | undefined>> = {
  call: "->>",
  use: "->>",
  given: "-->>",
  later: "-)",
  own: undefined,
  apart: undefined,
}

const withNote = (text: string, kind: Sequence.Message["kind"]): string =>
  Sequence.notes[kind] === undefined ? text : `${text} (${Sequence.notes[kind]})`

/** True for the arrow of eight uses or more. */
const isThick = (arrow: Arrow): boolean => sizeOf(arrow) >= 3

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
    return picture.messages.map(({ from, kind, text, to }, at) => {
      const isCall = heads[kind] !== undefined
      const way = from !== to ? `${label(from)} → ${label(to)}` : `${isCall ? "within " : ""}${label(from)}`
      const number = String(at + 1).padStart(String(picture.messages.length).length)
      return `${number}. ${way}: ${withNote(sanitizeLine(text), kind)}`
    })
  }
  const label = (box: number) => sanitizeLine(picture.boxes[box]?.label ?? "")
  const lines = picture.boxes.flatMap((_, at) => {
    const targets = picture.arrows.filter(({ from }) => from === at).map(({ count, to }) => `${label(to)} (${count})`)
    return targets.length === 0 ? [] : [`${label(at)} → ${targets.join(", ")}`]
  })
  return [
    ...lines,
    ...picture.boxes.flatMap(({ isHub }, at) => (isHub ? [`${label(at)}: ${HUB_NOTE}`] : [])),
    ...(picture.more === 0 ? [] : [`and ${picture.more} more with fewer uses`]),
  ]
}
