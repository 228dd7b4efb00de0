/** Places the symbols of a graph: a column for each layer, in an order with few crossings. Pure. */
import type { Index } from "../Client.ts"

export interface Placed {
  readonly node: Index.GraphNode
  /** The position of its box, in pixels. */
  readonly x: number
  readonly y: number
}

interface More {
  readonly layer: number
  readonly count: number
  readonly x: number
  readonly y: number
}

export interface Layout {
  readonly placed: ReadonlyArray<Placed>
  readonly edges: ReadonlyArray<{ readonly from: Placed; readonly to: Placed }>
  readonly more: ReadonlyArray<More>
  readonly width: number
  readonly height: number
}

export const BOX = { width: 184, height: 42 } as const
const GAP = { x: 36, y: 10 } as const
const MARGIN = 8

export const layout = ({ edges, more, nodes }: Index.Graph): Layout => {
  const layers = Array.from(new Set([...nodes.map(({ layer }) => layer), ...more.map(({ layer }) => layer)])).sort(
    (one, other) => one - other,
  )
  const columns = new Map(layers.map((layer) => [layer, nodes.filter((node) => node.layer === layer)]))
  const neighbours = Map.groupBy(
    edges.flatMap(({ from, to }) => [
      { of: from, other: to },
      { of: to, other: from },
    ]),
    ({ of }) => of,
  )
  // Orders the columns from the middle outwards. Each symbol is placed as near to its neighbours as possible.
  const order = new Map<string, number>()
  for (const layer of layers.toSorted((one, other) => Math.abs(one) - Math.abs(other))) {
    const column = columns.get(layer) ?? []
    const weight = (node: Index.GraphNode) => {
      const known = (neighbours.get(node.id) ?? []).flatMap(({ other }) => order.get(other) ?? [])
      return known.length === 0 ? Number.POSITIVE_INFINITY : known.reduce((a, b) => a + b, 0) / known.length
    }
    const weights = new Map(column.map((node) => [node.id, weight(node)]))
    const sorted = column.toSorted((one, other) => compare(weights.get(one.id) ?? 0, weights.get(other.id) ?? 0))
    columns.set(layer, sorted)
    for (const [at, node] of sorted.entries()) order.set(node.id, at / Math.max(1, sorted.length - 1))
  }
  const rows = Math.max(
    ...layers.map((layer) => (columns.get(layer)?.length ?? 0) + (more.some((each) => each.layer === layer) ? 1 : 0)),
    1,
  )
  const height = 2 * MARGIN + rows * (BOX.height + GAP.y) - GAP.y
  const placed = new Map<string, Placed>()
  const left: Array<More> = []
  for (const [at, layer] of layers.entries()) {
    const column = columns.get(layer) ?? []
    const rest = more.find((each) => each.layer === layer)
    const count = column.length + (rest === undefined ? 0 : 1)
    const top = (height - count * (BOX.height + GAP.y) + GAP.y) / 2
    const x = MARGIN + at * (BOX.width + GAP.x)
    for (const [row, node] of column.entries()) {
      placed.set(node.id, { node, x, y: top + row * (BOX.height + GAP.y) })
    }
    if (rest !== undefined) left.push({ ...rest, x, y: top + column.length * (BOX.height + GAP.y) })
  }
  return {
    placed: [...placed.values()],
    edges: edges.flatMap((edge) => {
      const [from, to] = [placed.get(edge.from), placed.get(edge.to)]
      return from === undefined || to === undefined ? [] : [{ from, to }]
    }),
    more: left,
    width: 2 * MARGIN + layers.length * (BOX.width + GAP.x) - GAP.x,
    height,
  }
}

/** Compares numbers, including infinite ones, whose difference is not a number. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0)

/** Returns the node that an arrow key leads to: the nearest one in the same column, or in the next one. */
export const next = ({ placed }: Layout, id: string, key: string): string | undefined => {
  const own = placed.find(({ node }) => node.id === id)
  if (own === undefined) return undefined
  const isAcross = key === "ArrowLeft" || key === "ArrowRight"
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : key === "ArrowRight" || key === "ArrowDown" ? 1 : 0
  if (sign === 0) return undefined
  const ahead = placed.filter(({ node, x, y }) =>
    isAcross ? sign * (x - own.x) > 0 : node.layer === own.node.layer && sign * (y - own.y) > 0,
  )
  const distance = (one: Placed) => Math.abs(one.x - own.x) * (isAcross ? 10 : 1) + Math.abs(one.y - own.y)
  return ahead.toSorted((one, other) => distance(one) - distance(other))[0]?.node.id
}
