/** Pictures of a wiki, as data: which parts use which, the neighbours of a part, and a flow through parts. Pure. */
import { countUses, type FileGraph } from "../FileGraph.ts"
import type { Page } from "../Page.ts"
import type { Part } from "../Plan.ts"

/** Boxes with arrows between them. */
export interface Graph {
  readonly kind: "graph"
  readonly boxes: ReadonlyArray<Box>
  /** The arrows, by the positions of their boxes, those with the largest counts first. */
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
}

export interface Arrow {
  readonly from: number
  readonly to: number
  /** How often the one uses the other. */
  readonly count: number
}

/** Messages between lanes, in order. */
export interface Sequence {
  readonly kind: "sequence"
  readonly lanes: ReadonlyArray<Box>
  readonly messages: ReadonlyArray<Message>
}

export interface Message {
  /** Positions of lanes. They are the same for a call within a part. */
  readonly from: number
  readonly to: number
  readonly text: string
}

export type Picture = Graph | Sequence

/** More arrows than this cannot be told apart. */
export const MAX_ARROWS = 25

/** The most arrows into a part, and the most out of it. */
const MAX_NEIGHBOURS = 8

type PartFiles = Pick<Part, "name" | "title" | "files">

/** Counts how often parts use each other, the largest counts first. Hubs are left out: everything uses them. */
const arrowsOf = (parts: ReadonlyArray<PartFiles>, graph: FileGraph): ReadonlyArray<Arrow> => {
  const files = parts.map((part) => part.files.filter((path) => !graph.hubs.has(path)))
  const sets = files.map((paths) => new Set(paths))
  return files
    .flatMap((paths, from) =>
      sets.flatMap((set, to) => {
        const count = from === to ? 0 : countUses(graph, paths, set)
        return count === 0 ? [] : [{ from, to, count }]
      }),
    )
    .sort((one, other) => other.count - one.count || one.from - other.from || one.to - other.to)
}

const boxOf = ({ name, title }: PartFiles, isMain = false): Box => ({ label: title, page: name, isMain })

/** Keeps the boxes that have arrows, and those that `keep` names, in their order. */
const withBoxes = (
  parts: ReadonlyArray<PartFiles>,
  arrows: ReadonlyArray<Arrow>,
  all: number,
  keep: (position: number) => boolean,
  isMain: (position: number) => boolean = () => false,
): Graph => {
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]))
  const positions = parts.flatMap((_, at) => (used.has(at) || keep(at) ? [at] : []))
  const numbers = new Map(positions.map((at, number) => [at, number]))
  const numberOf = (at: number) => numbers.get(at) ?? 0
  return {
    kind: "graph",
    boxes: positions.flatMap((at) => {
      const part = parts[at]
      return part === undefined ? [] : [boxOf(part, isMain(at))]
    }),
    arrows: arrows.map(({ count, from, to }) => ({ from: numberOf(from), to: numberOf(to), count })),
    more: all - arrows.length,
  }
}

/** Shows all parts that are not only hubs, with at most `MAX_ARROWS` arrows. */
export const ofParts = (parts: ReadonlyArray<PartFiles>, graph: FileGraph): Graph => {
  const arrows = arrowsOf(parts, graph)
  const isKept = (at: number) => parts[at]?.files.some((path) => !graph.hubs.has(path)) === true
  return withBoxes(parts, arrows.slice(0, MAX_ARROWS), arrows.length, isKept)
}

/** Shows one part with the parts that use it most, and those that it uses most; undefined if there is no such part. */
export const ofPart = (name: string, parts: ReadonlyArray<PartFiles>, graph: FileGraph): Graph | undefined => {
  const main = parts.findIndex((part) => part.name === name)
  if (main === -1) return undefined
  const near = arrowsOf(parts, graph).filter(({ from, to }) => from === main || to === main)
  const shown = [
    ...near.filter(({ to }) => to === main).slice(0, MAX_NEIGHBOURS),
    ...near.filter(({ from }) => from === main).slice(0, MAX_NEIGHBOURS),
  ]
  const isMain = (at: number) => at === main
  return withBoxes(parts, shown, near.length, isMain, isMain)
}

/**
 * Shows the steps of a flow as messages between parts. A step cites what is called first, and then its caller; one that
 * cites a single symbol stays within its part. Files without a part are a lane of their own.
 */
export const ofFlow = (page: Page, parts: ReadonlyArray<PartFiles>): Sequence | undefined => {
  const partOf = new Map(parts.flatMap((part) => part.files.map((path) => [path, part])))
  const steps = page.sections
    .filter(({ form }) => form === "steps")
    .flatMap(({ blocks }) => blocks.map(([step]) => step.citations))
  const lanes = new Map<string, Box>()
  const laneOf = (path: string): number => {
    const part = partOf.get(path)
    const key = part?.name ?? ` ${path}`
    if (!lanes.has(key)) {
      lanes.set(key, part === undefined ? { label: path, page: undefined, isMain: false } : boxOf(part))
    }
    return Array.from(lanes.keys()).indexOf(key)
  }
  const messages = steps.flatMap(([callee, caller]): ReadonlyArray<Message> => {
    if (callee === undefined) return []
    const from = laneOf((caller ?? callee).path)
    return [{ from, to: laneOf(callee.path), text: callee.symbol ?? callee.path }]
  })
  return messages.length === 0 ? undefined : { kind: "sequence", lanes: Array.from(lanes.values()), messages }
}

/** Returns the picture of a page: all parts, the neighbours of one, or a flow; undefined if it would show nothing. */
export const ofPage = (page: Page, parts: ReadonlyArray<PartFiles>, graph: FileGraph): Picture | undefined => {
  if (page.kind === "flow") return ofFlow(page, parts)
  const picture = page.kind === "start" ? ofParts(parts, graph) : ofPart(page.name, parts, graph)
  return picture === undefined || picture.arrows.length === 0 ? undefined : picture
}
