/** Places the boxes and lines of a picture: layers or lanes from top to bottom. Pure. */
import * as Dagre from "@dagrejs/dagre"
import { type Arrow, type Box, type Graph, HUB_NOTE, type Picture } from "./Picture.ts"
import * as Sequence from "./Sequence.ts"

/** A picture with its positions, in pixels. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyArray<DrawnBox>
  readonly lines: ReadonlyArray<DrawnLine>
  readonly texts: ReadonlyArray<DrawnText>
}

export interface DrawnBox extends Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The label, shortened to fit. */
  readonly text: string
}

interface DrawnLine {
  /** The data of a path in SVG. */
  readonly path: string
  readonly width: number
  /**
   * `indirect` is an arrow between parts that other arrows join as well; it is drawn faintly. `dashed` is a call that
   * is not made by name or not at once. A `lane` has no head.
   */
  readonly kind: "arrow" | "indirect" | "dashed" | "lane"
  /** Says what the line means, such as `loader uses git 12 times`; undefined for the line of a lane. */
  readonly title: string | undefined
}

interface DrawnText {
  readonly x: number
  readonly y: number
  readonly text: string
}

const BOX = { least: 72, height: 30 } as const
/**
 * The direction, the distances of boxes beside and below each other and of lines, in pixels, and how rows are found: in
 * so many steps as there are boxes, where the default improves them in a loop without a bound.
 */
const LAYOUT = {
  rankdir: "TB",
  nodesep: 18,
  edgesep: 12,
  ranksep: 40,
  acyclicer: "greedy",
  ranker: "tight-tree",
} as const
const LANE = { least: 150, gap: 40, step: 34 } as const
const MARGIN = 12

/** The room of a line below a picture that says what a mark in it means. */
const NOTE = { width: 360, height: 20 } as const

/** The most characters of a label, and of a message. */
const MAX_LABEL = 32
const MAX_MESSAGE = 28

export const draw = (picture: Picture): Drawing => (picture.kind === "graph" ? drawGraph(picture) : drawLanes(picture))

const drawGraph = ({ arrows, boxes }: Graph): Drawing => {
  const texts = withoutFolder(boxes.map(({ label }) => label)).map((label) => shorten(label, MAX_LABEL))
  const graph = new Dagre.Graph()
  graph.setGraph({ ...LAYOUT, marginx: MARGIN, marginy: MARGIN })
  for (const [at, text] of texts.entries()) {
    graph.setNode(String(at), { width: boxWidth(text), height: BOX.height })
  }
  // A line with a high weight is kept short and straight. Dagre compares sums of weights in loops, which may not end if
  // they are no whole numbers.
  for (const { count, from, to } of arrows)
    graph.setEdge(String(from), String(to), { weight: Math.round(thickness(count)) })
  Dagre.layout(graph)
  const { height = 0, width: widthOfBoxes = 0 } = graph.graph()
  const ways: ReadonlyArray<ReadonlyArray<Point>> = arrows.map(
    ({ from, to }) => graph.edge(String(from), String(to)).points,
  )
  // Lines may go around the outermost boxes.
  const left = Math.min(MARGIN, ...ways.flat().map(({ x }) => x))
  const right = Math.max(widthOfBoxes - MARGIN, ...ways.flat().map(({ x }) => x))
  const shift = (x: number) => x - left + MARGIN
  const width = shift(right) + MARGIN
  const hasHubs = boxes.some(({ isHub }) => isHub)
  const indirect = indirectOf(arrows)
  return {
    width: Math.ceil(hasHubs ? Math.max(width, NOTE.width) : width),
    height: Math.ceil(hasHubs ? height + NOTE.height : height),
    boxes: boxes.map((box, at) => {
      const { height, width, x, y } = graph.node(String(at))
      return {
        ...box,
        width,
        height,
        x: Math.round(shift(x - width / 2)),
        y: Math.round(y - height / 2),
        text: texts[at] ?? box.label,
      }
    }),
    lines: arrows.map((arrow, at) => {
      const { count, from, to } = arrow
      return {
        path: curve((ways[at] ?? []).map(({ x, y }) => ({ x: shift(x), y }))),
        width: thickness(count),
        kind: indirect.has(arrow) ? ("indirect" as const) : ("arrow" as const),
        title: `${boxes[from]?.label} uses ${boxes[to]?.label} ${count === 1 ? "once" : `${count} times`}`,
      }
    }),
    texts: hasHubs ? [{ x: MARGIN, y: Math.ceil(height) + 8, text: `Dashed: ${HUB_NOTE}` }] : [],
  }
}

/** Labels are set in 12 pixels, whose letters are a little under 7 wide in the usual faces. */
const boxWidth = (label: string): number => Math.max(BOX.least, 18 + 6.8 * Array.from(label).length)

const thickness = (count: number): number => Math.min(4, 1 + Math.log10(Math.max(1, count)))

/** Returns the arrows between parts that other arrows join as well, on a longer way. */
const indirectOf = (arrows: ReadonlyArray<Arrow>): ReadonlySet<Arrow> => {
  const reaches = (from: number, goal: number, without: Arrow, seen: Set<number>): boolean =>
    arrows.some((arrow) => {
      if (arrow === without || arrow.from !== from || seen.has(arrow.to)) return false
      if (arrow.to === goal) return true
      seen.add(arrow.to)
      return reaches(arrow.to, goal, without, seen)
    })
  return new Set(arrows.filter((arrow) => reaches(arrow.from, arrow.to, arrow, new Set([arrow.from]))))
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Returns a line through points that is rounded at each of them. */
const curve = (points: ReadonlyArray<Point>): string => {
  const at = ({ x, y }: Point) => `${round(x)},${round(y)}`
  const [first, ...rest] = points
  const last = rest.pop()
  if (first === undefined || last === undefined) return ""
  const bends = rest.map((point, index) => {
    const next = rest[index + 1]
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `Q${at(point)} ${at(end)}`
  })
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join("")}`
}

const round = (value: number): number => Math.round(value * 10) / 10

const drawLanes = ({ lanes, messages }: Sequence.Sequence): Drawing => {
  const texts = withoutFolder(lanes.map(({ label }) => label)).map((label) => shorten(label, MAX_LABEL))
  // A lane is as wide as its label. The last entry is where the lanes end.
  const widths = texts.map((text) => Math.round(Math.max(LANE.least, boxWidth(text))))
  const lefts = [MARGIN]
  for (const width of widths) lefts.push((lefts.at(-1) ?? MARGIN) + width + LANE.gap)
  const leftOf = (lane: number) => lefts[lane] ?? MARGIN
  const widthOf = (lane: number) => widths[lane] ?? LANE.least
  const center = (lane: number) => leftOf(lane) + Math.round(widthOf(lane) / 2)
  const top = MARGIN + BOX.height
  const bottom = top + (messages.length + 1) * LANE.step
  const rows = messages.map((message, at) => ({ ...message, number: at + 1, y: top + (at + 1) * LANE.step }))
  const legend = [
    ...(rows.some(isDashed) ? ["Dashed: called through what the code is given, or later"] : []),
    ...(rows.some(({ kind }) => kind === "apart") ? [`${APART}: ${Sequence.notes.apart}`] : []),
  ]
  // A call within the last lane stands beside it.
  const widthOfLanes = leftOf(lanes.length) + MARGIN + (rows.some(isIn(lanes.length - 1)) ? LANE.least / 2 : 0)
  return {
    width: legend.length === 0 ? widthOfLanes : Math.max(widthOfLanes, NOTE.width),
    height: bottom + MARGIN + legend.length * NOTE.height,
    boxes: lanes.map((lane, at) => ({
      ...lane,
      isMain: false,
      isHub: false,
      x: leftOf(at),
      y: MARGIN,
      width: widthOf(at),
      height: BOX.height,
      text: texts[at] ?? lane.label,
    })),
    lines: [
      ...lanes.map((_, lane) => ({
        path: `M${center(lane)},${top}V${bottom}`,
        width: 1,
        kind: "lane" as const,
        title: undefined,
      })),
      ...rows.filter(Sequence.isArrow).map((row) => {
        const { from, text, to, y } = row
        return {
          path: from === to ? `M${center(from)},${y - 6}h22v12h-22` : `M${center(from)},${y}H${center(to)}`,
          width: 1.5,
          kind: isDashed(row) ? ("dashed" as const) : ("arrow" as const),
          title: `${lanes[from]?.label ?? ""} ${row.kind === "use" ? "uses" : "calls"} ${text}${from === to ? "" : ` of ${lanes[to]?.label ?? ""}`}${isDashed(row) ? `, ${Sequence.notes[row.kind]}` : ""}`,
        }
      }),
    ],
    texts: [
      ...rows.map((row) => {
        const { from, kind, number, text, to, y } = row
        const isBeside = from === to
        return {
          x: isBeside ? center(from) + (Sequence.isArrow(row) ? 28 : 8) : Math.min(center(from), center(to)) + 8,
          y: isBeside ? y + 4 : y - 5,
          text: `${number}. ${kind === "apart" ? `${APART} ` : ""}${shorten(text, MAX_MESSAGE)}`,
        }
      }),
      ...legend.map((text, at) => ({ x: MARGIN, y: bottom + MARGIN + at * NOTE.height + 8, text })),
    ],
  }
}

/** Stands before a step to which no call leads. */
const APART = "○"

const isDashed = ({ kind }: Sequence.Message): boolean => kind === "given" || kind === "later"

const isIn =
  (lane: number) =>
  ({ from, to }: Sequence.Message): boolean =>
    from === lane && to === lane

/** Leaves out the folder that all paths in the labels begin with: what differs would be cut off behind it. */
const withoutFolder = (labels: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = "", ...rest] = labels.flatMap((label) => label.match(PATH) ?? [])
  const folder = /^[^/]+\//.exec(first)?.[0]
  if (folder === undefined || rest.length === 0 || !rest.every((path) => path.startsWith(folder))) return labels
  return labels.map((label) => label.replace(PATH, (path) => path.slice(folder.length)))
}

const PATH = /[\w.@-]+(?:\/[\w.@-]+)+/g

/** A title that lists some names and counts the others: `git, shell and 3 more`. */
const LISTED = /^(.+) and (\d+) more$/

/** Keeps as many names of a list as fit, and always how many others there are. A first name that is too long is cut. */
const shortenList = ([, names = "", others]: ReadonlyArray<string>, most: number): string => {
  const all = names.split(", ")
  const tail = (named: number) => ` and ${Number(others) + all.length - named} more`
  for (let named = all.length; named > 0; named--) {
    const text = `${all.slice(0, named).join(", ")}${tail(named)}`
    if (Array.from(text).length <= most) return text
  }
  return `${shorten(all[0] ?? "", Math.max(2, most - tail(1).length))}${tail(1)}`
}

/** Keeps the beginning of words, and the end of a path or name, which says most: the last names of one, if they fit. */
const shorten = (text: string, most: number): string => {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const listed = LISTED.exec(text)
  if (listed !== null) return shortenList(listed, most)
  if (/[^,] /.test(text))
    return `${characters
      .slice(0, most - 1)
      .join("")
      .trimEnd()}…`
  const names = text.split(".")
  const last = names.findIndex((_, at) => at > 0 && Array.from(names.slice(at).join(".")).length < most)
  return last > 0 ? `…${names.slice(last).join(".")}` : `…${characters.slice(characters.length - most + 1).join("")}`
}
