/**
 * Holds the part of the forest that the page has, and makes its lines. Messages that follow each other without a branch
 * stay at one level; only branches are indented. Pure except for the outline that the functions are given.
 */
import type { Forest } from "../Client.ts"

export type Row = Forest.Row

/** The nodes that the page has read so far. */
export interface Outline {
  readonly rows: Map<string, Row>
  /** The children of each node by their position. */
  readonly children: Map<string, Map<number, string>>
  /** The conversations, in order. */
  top: ReadonlyArray<string>
  /** True if there are older conversations. */
  hasMore: boolean
  /** The first shown message of each conversation whose earlier messages were not read. */
  readonly start: Map<string, string>
}

export const empty = (): Outline => ({
  rows: new Map(),
  children: new Map(),
  top: [],
  hasMore: true,
  start: new Map(),
})

/** The user's choices about which lines are open, hidden or shown. */
export interface Looks {
  readonly open: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  readonly showsHidden: boolean
}

export interface Line {
  readonly type: "row"
  readonly row: Row
  readonly conversation: string
  /** The depth of the line, from 1 for a conversation. */
  readonly level: number
  /** The position among the children of its parent, from 1. */
  readonly position: number
  /** The number of children of its parent; -1 if it is unknown. */
  readonly siblings: number
  /** True if the line begins a branch or a conversation, which can be closed. */
  readonly isHead: boolean
  /** Undefined if the line has nothing to open. */
  readonly isOpen: boolean | undefined
  readonly isHidden: boolean
}

/** Lines that were not read yet. */
export interface Gap {
  readonly type: "gap"
  readonly what: "conversations" | "children" | "run" | "earlier"
  /** The node whose lines are missing; for `earlier`, the first shown message of a conversation. */
  readonly of: string
  readonly conversation: string
  /** The position of the first missing line among the children. */
  readonly from: number
  /** The number of missing lines; one if it is unknown. */
  readonly count: number
  readonly level: number
}

export type Item = Line | Gap

/** The lines as items, in which a gap counts all of its lines, and the index of the first line of each item. */
export interface Lines {
  readonly items: ReadonlyArray<Item>
  readonly starts: ReadonlyArray<number>
  readonly count: number
}

const sizeOf = (item: Item): number => (item.type === "gap" ? item.count : 1)

export const lines = (outline: Outline, looks: Looks): Lines => {
  const items: Array<Item> = []
  for (const [at, id] of outline.top.entries()) {
    const row = outline.rows.get(id)
    if (row === undefined || isSkipped(looks, id)) continue
    const siblings = outline.hasMore ? -1 : outline.top.length
    items.push(lineOf(looks, row, { conversation: id, level: 1, position: at + 1, siblings, isHead: true }))
    if (looks.open.has(id)) addBelowConversation(outline, looks, id, items)
  }
  if (outline.hasMore) {
    items.push({ type: "gap", what: "conversations", of: "", conversation: "", from: 0, count: 1, level: 1 })
  }
  let count = 0
  const starts = items.map((item) => {
    const start = count
    count += sizeOf(item)
    return start
  })
  return { items, starts, count }
}

const isSkipped = ({ hidden, showsHidden }: Looks, id: string): boolean => !showsHidden && hidden.has(id)

const lineOf = (
  { hidden, open }: Looks,
  row: Row,
  place: Pick<Line, "conversation" | "level" | "position" | "siblings" | "isHead">,
): Line => ({
  type: "row",
  row,
  ...place,
  isOpen: row.children > 1 || (place.isHead && row.children > 0) ? open.has(row.id) : undefined,
  isHidden: hidden.has(row.id),
})

const addBelowConversation = (outline: Outline, looks: Looks, id: string, items: Array<Item>): void => {
  const start = outline.start.get(id)
  const first = start === undefined ? undefined : outline.rows.get(start)
  if (first === undefined) {
    addBelow(outline, looks, { id, conversation: id, level: 1, isTop: true }, items)
    return
  }
  items.push({ type: "gap", what: "earlier", of: first.id, conversation: id, from: 0, count: 1, level: 2 })
  items.push(lineOf(looks, first, { conversation: id, level: 2, position: 1, siblings: 1, isHead: false }))
  if (first.children === 1 || looks.open.has(first.id)) {
    addBelow(outline, looks, { id: first.id, conversation: id, level: 2, isTop: false }, items)
  }
}

interface Above {
  readonly id: string
  readonly conversation: string
  readonly level: number
  readonly isTop: boolean
}

/** Adds the items that follow a node. Uses a loop for the messages of a run, since there may be 100,000 of them. */
const addBelow = (outline: Outline, looks: Looks, above: Above, items: Array<Item>): void => {
  const { conversation, isTop } = above
  const level = isTop ? above.level + 1 : above.level
  for (let id = above.id; ; ) {
    const count = outline.rows.get(id)?.children ?? 0
    const known = outline.children.get(id)
    if (count === 0) return
    if (count > 1) {
      const indented = isTop && id === above.id ? level : level + 1
      addChildren(outline, looks, { id, conversation, level: indented, isTop: false }, count, items)
      return
    }
    const next = outline.rows.get(known?.get(0) ?? "")
    if (next === undefined) {
      items.push({ type: "gap", what: "run", of: id, conversation, from: 0, count: 1, level })
      return
    }
    items.push(lineOf(looks, next, { conversation, level, position: 1, siblings: 1, isHead: false }))
    if (next.children > 1 && !looks.open.has(next.id)) return
    id = next.id
  }
}

const addChildren = (outline: Outline, looks: Looks, above: Above, siblings: number, items: Array<Item>): void => {
  const { conversation, id, level } = above
  const known = outline.children.get(id) ?? new Map<number, string>()
  let from = 0
  const addGap = (to: number) => {
    if (to > from) items.push({ type: "gap", what: "children", of: id, conversation, from, count: to - from, level })
  }
  for (const position of [...known.keys()].sort((one, other) => one - other)) {
    const row = outline.rows.get(known.get(position) ?? "")
    if (row === undefined) continue
    addGap(position)
    from = position + 1
    if (isSkipped(looks, row.id)) continue
    items.push(lineOf(looks, row, { conversation, level, position: position + 1, siblings, isHead: true }))
    if (looks.open.has(row.id)) addBelow(outline, looks, { id: row.id, conversation, level, isTop: false }, items)
  }
  addGap(siblings)
}

/** Finds the item that has the line with this index, by a binary search. */
export const itemAt = (
  { items, starts }: Lines,
  index: number,
): { readonly item: Item; readonly at: number } | undefined => {
  let low = 0
  let high = items.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  const item = items[low]
  return item === undefined ? undefined : { item, at: low }
}

/** Returns the index of a node's line, or -1 if the node is not shown. */
export const indexOf = ({ items, starts }: Lines, id: string): number => {
  const at = items.findIndex((item) => item.type === "row" && item.row.id === id)
  return at === -1 ? -1 : (starts[at] ?? -1)
}

/** Adds the nodes of a run, each the only child of the one before. */
export const addRun = (outline: Outline, above: string, rows: ReadonlyArray<Row>): void => {
  let parent = above
  for (const row of rows) {
    outline.rows.set(row.id, row)
    outline.children.set(parent, new Map([[0, row.id]]))
    parent = row.id
  }
}

/** Adds some children of a node, and the number of all its children. */
export const addPart = (
  outline: Outline,
  of: string,
  offset: number,
  rows: ReadonlyArray<Row>,
  total: number,
): void => {
  const children = outline.children.get(of) ?? new Map<number, string>()
  for (const [n, row] of rows.entries()) {
    outline.rows.set(row.id, row)
    children.set(offset + n, row.id)
  }
  outline.children.set(of, children)
  const parent = outline.rows.get(of)
  if (parent !== undefined && parent.children !== total) outline.rows.set(of, { ...parent, children: total })
}

/**
 * Adds the path to a node, and returns the nodes that must be open for it to be shown. `earlier` is true if the path
 * has more nodes before the rows.
 */
export const addPath = (
  outline: Outline,
  path: {
    readonly conversation?: Row | undefined
    readonly rows: ReadonlyArray<Forest.PlacedRow>
    readonly earlier: boolean
  },
): ReadonlyArray<string> => {
  const { conversation, earlier } = path
  if (conversation !== undefined) {
    outline.rows.set(conversation.id, conversation)
    if (!outline.top.includes(conversation.id)) outline.top = [conversation.id, ...outline.top]
  }
  const own = path.rows.filter(({ id }) => id !== conversation?.id)
  const [first] = own
  for (const { position, siblings: _, ...row } of own) {
    outline.rows.set(row.id, row)
    const children = outline.children.get(row.parent) ?? new Map<number, string>()
    children.set(position, row.id)
    outline.children.set(row.parent, children)
  }
  if (conversation !== undefined && first !== undefined) {
    if (earlier) outline.start.set(conversation.id, first.id)
    else outline.start.delete(conversation.id)
  }
  const opened = own.slice(0, -1).filter(({ children, siblings }) => children > 1 || siblings > 1)
  return [...(conversation === undefined || own.length === 0 ? [] : [conversation.id]), ...opened.map(({ id }) => id)]
}

/**
 * Adds the path to the parent of a conversation's first shown message, and returns the nodes that must be open for that
 * message to stay.
 */
export const addEarlier = (
  outline: Outline,
  first: Row,
  path: Parameters<typeof addPath>[1],
): ReadonlyArray<string> => {
  const opened = addPath(outline, path)
  const above = outline.rows.get(first.parent)
  return above === undefined ? opened : [...opened, above.id]
}
