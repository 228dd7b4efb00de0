/** Pictures of a wiki, as data: which parts use which, the neighbours of a part, and a flow through parts. Pure. */
import { countUses, type FileGraph } from "../FileGraph.ts"
import type { StepCalls } from "../flows/StepCalls.ts"
import type { Page } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import * as Sequence from "./Sequence.ts"

/** Boxes with arrows between them. */
export interface Graph {
  readonly kind: "graph"
  readonly boxes: ReadonlyArray<Box>
  /** The arrows, by the positions of their boxes, those with the largest counts first, by powers of two (`sizeOf`). */
  readonly arrows: ReadonlyArray<Arrow>
  /** How many arrows are left out, since they have the smallest counts. */
  readonly more: number
}

export interface Box {
  readonly label: string
  /** The name of the page that it leads to; undefined if there is none. */
  readonly page: string | undefined
  /** True for the part that the picture is about. */
  readonly isMain: boolean
  /** True for a part of hubs alone (`FileGraph`), whose arrows are left out. */
  readonly isHub: boolean
}

export interface Arrow {
  readonly from: number
  readonly to: number
  /** How often the one uses the other. */
  readonly count: number
}

export type Picture = Graph | Sequence.Sequence

/** More arrows than this cannot be told apart. */
export const MAX_ARROWS = 25

/** The most arrows into a part, and the most out of it. */
const MAX_NEIGHBOURS = 8

type PartFiles = Pick<Part, "name" | "title" | "files" | "symbols">

/** Stands in a picture beside each part whose arrows it leaves out. */
export const HUB_NOTE = "most parts use it, so its arrows are left out"

/** Arrows with counts between the same powers of two are alike, so that few commits change which ones are shown. */
export const sizeOf = ({ count }: Arrow): number => Math.floor(Math.log2(Math.max(1, count)))

/**
 * Counts how often parts use each other, the largest counts first. Parts of hubs alone are left out, since everything
 * uses them. If the position `main` is given, only the uses of that part and those by it are counted.
 */
const arrowsOf = (parts: ReadonlyArray<PartFiles>, graph: FileGraph, main?: number): ReadonlyArray<Arrow> => {
  const places = parts.map((part, at) =>
    at !== main && isHubOnly(part, graph) ? [] : Places.keysOf(part, graph.heads),
  )
  const sets = places.map((keys) => new Set(keys))
  const isCounted = (from: number, to: number) => from !== to && (main === undefined || from === main || to === main)
  return places
    .flatMap((keys, from) =>
      sets.flatMap((set, to) => {
        const count = isCounted(from, to) ? countUses(graph, keys, set) : 0
        return count === 0 ? [] : [{ from, to, count }]
      }),
    )
    .sort((one, other) => sizeOf(other) - sizeOf(one) || one.from - other.from || one.to - other.to)
}

const isHubOnly = ({ files }: PartFiles, { hubs }: FileGraph): boolean =>
  files.length > 0 && files.every((path) => hubs.has(path))

const boxOf = ({ name, title }: PartFiles, { isHub = false, isMain = false } = {}): Box => ({
  label: title,
  page: name,
  isMain,
  isHub,
})

/** Keeps the boxes that have arrows, and those that `keep` names, in their order. */
const withBoxes = (
  parts: ReadonlyArray<PartFiles>,
  arrows: ReadonlyArray<Arrow>,
  all: number,
  keep: (position: number) => boolean,
  kindOf: (position: number) => { readonly isMain?: boolean; readonly isHub?: boolean },
): Graph => {
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]))
  const positions = parts.flatMap((_, at) => (used.has(at) || keep(at) ? [at] : []))
  const numbers = new Map(positions.map((at, number) => [at, number]))
  const numberOf = (at: number) => numbers.get(at) ?? 0
  return {
    kind: "graph",
    boxes: positions.flatMap((at) => {
      const part = parts[at]
      return part === undefined ? [] : [boxOf(part, kindOf(at))]
    }),
    arrows: arrows.map(({ count, from, to }) => ({ from: numberOf(from), to: numberOf(to), count })),
    more: all - arrows.length,
  }
}

/** Shows all parts, with at most `MAX_ARROWS` arrows. */
export const ofParts = (parts: ReadonlyArray<PartFiles>, graph: FileGraph): Graph => {
  const arrows = arrowsOf(parts, graph)
  const hubs = hubsOf(parts, graph)
  return withBoxes(
    parts,
    arrows.slice(0, MAX_ARROWS),
    arrows.length,
    () => true,
    (at) => ({ isHub: hubs.has(at) }),
  )
}

/** Returns the positions of the parts of hubs alone. */
const hubsOf = (parts: ReadonlyArray<PartFiles>, graph: FileGraph): ReadonlySet<number> =>
  new Set(parts.flatMap((part, at) => (isHubOnly(part, graph) ? [at] : [])))

/**
 * Shows one part with the parts that use it most, and those that it uses most, and the hubs that it uses without
 * arrows. Undefined if there is no such part.
 */
export const ofPart = (name: string, parts: ReadonlyArray<PartFiles>, graph: FileGraph): Graph | undefined => {
  const main = parts.findIndex((part) => part.name === name)
  if (main === -1) return undefined
  const near = arrowsOf(parts, graph, main)
  const shown = [
    ...near.filter(({ to }) => to === main).slice(0, MAX_NEIGHBOURS),
    ...near.filter(({ from }) => from === main).slice(0, MAX_NEIGHBOURS),
  ]
  const placesOf = (part: PartFiles | undefined) => (part === undefined ? [] : Places.keysOf(part, graph.heads))
  const own = placesOf(parts[main])
  const hubs = new Set(
    Array.from(hubsOf(parts, graph)).filter(
      (at) => at !== main && countUses(graph, own, new Set(placesOf(parts[at]))) > 0,
    ),
  )
  return withBoxes(
    parts,
    shown,
    near.length,
    (at) => at === main || hubs.has(at),
    (at) => ({ isMain: at === main, isHub: hubs.has(at) }),
  )
}

/**
 * Returns the picture of a page: all parts, the neighbours of one, or a flow by `calls`; undefined if it would show
 * nothing.
 */
export const ofPage = (
  page: Page,
  parts: ReadonlyArray<PartFiles>,
  graph: FileGraph,
  calls: StepCalls,
): Picture | undefined => {
  if (page.kind === "flow") return Sequence.ofFlow(page, parts, calls)
  const picture = page.kind === "start" ? ofParts(parts, graph) : ofPart(page.name, parts, graph)
  return picture === undefined || picture.arrows.length === 0 ? undefined : picture
}
