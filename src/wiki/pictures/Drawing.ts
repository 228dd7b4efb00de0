/** Places the boxes and lines of a picture: layers from left to right, or lanes from top to bottom. Pure. */
import { type Arrow, type Box, type Graph, HUB_NOTE, type Picture, type Sequence } from "./Picture.ts"

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

export interface DrawnLine {
  /** The data of a path in SVG. */
  readonly path: string
  readonly width: number
  readonly hasHead: boolean
  /** Says what the line means, such as `loader uses git 12 times`; undefined for the line of a lane. */
  readonly title: string | undefined
}

export interface DrawnText {
  readonly x: number
  readonly y: number
  readonly text: string
}

const BOX = { width: 168, height: 30 } as const
const GAP = { x: 72, y: 14 } as const
const LANE = { width: 150, gap: 40, step: 34 } as const
const MARGIN = 12

/** The room of the line below a picture that says why a part has no arrows. */
const NOTE = { width: 360, height: 20 } as const

/** The most characters of a label, and of a message. */
const MAX_LABEL = 23
const MAX_MESSAGE = 28

export const draw = (picture: Picture): Drawing => (picture.kind === "graph" ? drawGraph(picture) : drawLanes(picture))

const drawGraph = ({ arrows, boxes }: Graph): Drawing => {
  const layers = order(layersOf(boxes.length, arrows), arrows)
  const tallest = layers.reduce((most, { length }) => Math.max(most, length), 0)
  const placed = new Map<number, DrawnBox>()
  for (const [layer, members] of layers.entries()) {
    const top = MARGIN + ((tallest - members.length) * (BOX.height + GAP.y)) / 2
    for (const [row, at] of members.entries()) {
      const box = boxes[at]
      if (box === undefined) continue
      placed.set(at, {
        ...box,
        ...BOX,
        x: MARGIN + layer * (BOX.width + GAP.x),
        y: Math.round(top + row * (BOX.height + GAP.y)),
        text: shorten(box.label, MAX_LABEL),
      })
    }
  }
  const width = 2 * MARGIN + layers.length * (BOX.width + GAP.x) - (layers.length === 0 ? 0 : GAP.x)
  const height = 2 * MARGIN + tallest * (BOX.height + GAP.y) - (tallest === 0 ? 0 : GAP.y)
  const hasHubs = boxes.some(({ isHub }) => isHub)
  return {
    width: hasHubs ? Math.max(width, NOTE.width) : width,
    height: hasHubs ? height + NOTE.height : height,
    boxes: boxes.flatMap((_, at) => placed.get(at) ?? []),
    lines: arrows.flatMap(({ count, from, to }) => {
      const [start, end] = [placed.get(from), placed.get(to)]
      if (start === undefined || end === undefined) return []
      return [
        {
          path: curve(start, end),
          width: Math.min(4, 1 + Math.log10(Math.max(1, count))),
          hasHead: true,
          title: `${start.label} uses ${end.label} ${count === 1 ? "once" : `${count} times`}`,
        },
      ]
    }),
    texts: hasHubs ? [{ x: MARGIN, y: height + 8, text: `Dashed: ${HUB_NOTE}` }] : [],
  }
}

/**
 * Returns the layer of each box: one behind all that use it. Arrows count from the largest on, and one that would close
 * a cycle does not, so that the many point to the right.
 */
export const layersOf = (count: number, arrows: ReadonlyArray<Arrow>): ReadonlyArray<number> => {
  const targets = Array.from({ length: count }, (): Array<number> => [])
  const reaches = (from: number, goal: number): boolean =>
    from === goal || (targets[from] ?? []).some((next) => reaches(next, goal))
  for (const { from, to } of arrows) if (!reaches(to, from)) targets[from]?.push(to)
  const layers = Array.from({ length: count }, () => 0)
  // A longest way has as many boxes at most, so this ends.
  for (let round = 0; round < count; round++) {
    for (const [from, all] of targets.entries()) {
      for (const to of all) layers[to] = Math.max(layers[to] ?? 0, (layers[from] ?? 0) + 1)
    }
  }
  return layers
}

/** Puts the boxes of each layer in an order with few crossings: by the middle of those that they are joined with. */
const order = (layers: ReadonlyArray<number>, arrows: ReadonlyArray<Arrow>): ReadonlyArray<ReadonlyArray<number>> => {
  const columns = Array.from({ length: layers.length === 0 ? 0 : Math.max(...layers) + 1 }, (_, layer) =>
    layers.flatMap((own, at) => (own === layer ? [at] : [])),
  )
  for (let round = 0; round < 4; round++) {
    const rows = new Map(columns.flatMap((members) => members.map((at, row) => [at, row - members.length / 2])))
    for (const members of columns) {
      const middle = new Map(
        members.map((at) => {
          const near = arrows.flatMap(({ from, to }) => (from === at ? [to] : to === at ? [from] : []))
          const sum = near.reduce((sum, other) => sum + (rows.get(other) ?? 0), 0)
          return [at, near.length === 0 ? (rows.get(at) ?? 0) : sum / near.length]
        }),
      )
      members.sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0) || one - other)
    }
  }
  return columns
}

const curve = (from: DrawnBox, to: DrawnBox): string => {
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2]
  if (from.x < to.x) {
    const [x1, x2] = [from.x + from.width, to.x]
    const middle = (x1 + x2) / 2
    return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`
  }
  // An arrow back, or within a layer, leaves and enters at the same side as far as it can.
  const [x1, x2] = [from.x, to.x + (from.x === to.x ? 0 : to.width)]
  const middle = from.x === to.x ? x1 - GAP.x / 2 : (x1 + x2) / 2
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`
}

const drawLanes = ({ lanes, messages }: Sequence): Drawing => {
  const width = LANE.width + LANE.gap
  const center = (lane: number) => MARGIN + lane * width + LANE.width / 2
  const top = MARGIN + BOX.height
  const bottom = top + (messages.length + 1) * LANE.step
  const rows = messages.map((message, at) => ({ ...message, y: top + (at + 1) * LANE.step }))
  return {
    // A call within the last lane stands beside it.
    width: 2 * MARGIN + lanes.length * width + (rows.some(isOwn(lanes.length - 1)) ? LANE.width / 2 : 0),
    height: bottom + MARGIN,
    boxes: lanes.map((box, lane) => ({
      ...box,
      x: MARGIN + lane * width,
      y: MARGIN,
      width: LANE.width,
      height: BOX.height,
      text: shorten(box.label, MAX_LABEL - 3),
    })),
    lines: [
      ...lanes.map((_, lane) => ({
        path: `M${center(lane)},${top}V${bottom}`,
        width: 1,
        hasHead: false,
        title: undefined,
      })),
      ...rows.map(({ from, text, to, y }) => ({
        path: from === to ? `M${center(from)},${y - 6}h22v12h-22` : `M${center(from)},${y}H${center(to)}`,
        width: 1.5,
        hasHead: true,
        title: `${lanes[from]?.label ?? ""} calls ${text}${from === to ? "" : ` of ${lanes[to]?.label ?? ""}`}`,
      })),
    ],
    texts: rows.map(({ from, text, to, y }, at) => ({
      x: from === to ? center(from) + 28 : Math.min(center(from), center(to)) + 8,
      y: from === to ? y + 4 : y - 5,
      text: `${at + 1}. ${shorten(text, MAX_MESSAGE)}`,
    })),
  }
}

const isOwn =
  (lane: number) =>
  ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    from === lane && to === lane

/** Keeps the end of a path or name, which says most. */
const shorten = (text: string, most: number): string => {
  const characters = Array.from(text)
  return characters.length <= most ? text : `…${characters.slice(characters.length - most + 1).join("")}`
}
