/** Random trees, an outline that is changed as the page changes it, and what must hold of it. */
import * as fc from "effect/FastCheck"
import { assert } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Outline from "../../../src/page/forest/Outline.ts"

/** Rows of an answer, and of a path: few, so that small forests have gaps. */
const PAGE = 3

/** Nodes by their number; the parent of each is smaller, and -1 of a conversation. */
interface Trees {
  readonly parents: ReadonlyArray<number>
  readonly children: ReadonlyArray<ReadonlyArray<number>>
}

export const treesOf = (back: ReadonlyArray<number>): Trees => {
  // Of a node most often the one before: runs without a branch.
  const parents = back.map((steps, id) => (steps < 0 ? -1 : Math.max(-1, id - 1 - steps)))
  const children = parents.map((_, id) => parents.flatMap((parent, child) => (parent === id ? [child] : [])))
  return { parents, children }
}

export const trees = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 5 })), { minLength: 1, maxLength: 40, size: "max" })
  .map(treesOf)

export const conversations = ({ parents }: Trees) => parents.flatMap((parent, id) => (parent === -1 ? [id] : []))

export const childrenOf = ({ children }: Trees, id: number) => children[id] ?? []

const pathTo = ({ parents }: Trees, id: number): ReadonlyArray<number> => {
  const parent = parents[id] ?? -1
  return parent === -1 ? [id] : [...pathTo({ parents, children: [] }, parent), id]
}

const isHead = (all: Trees, id: number) => {
  const parent = all.parents[id] ?? -1
  return parent === -1 || childrenOf(all, parent).length > 1
}

const rowOf = (all: Trees, id: number): Outline.Row => {
  const parent = all.parents[id] ?? -1
  return {
    id: NodeId.make(`${id}`),
    parent: NodeId.make(`${parent === -1 ? id : parent}`),
    kind: parent === -1 ? "conversation" : "user",
    text: `Text ${id}`,
    at: id,
    children: childrenOf(all, id).length,
    bookmarks: [],
  }
}

/** What the server answers to a question for a path. */
const pathOf = (all: Trees, id: number) => {
  const path = pathTo(all, id)
  const below = path.slice(1)
  const rows = below.slice(-PAGE).map((each) => {
    const siblings = childrenOf(all, all.parents[each] ?? -1)
    return { ...rowOf(all, each), position: siblings.indexOf(each), siblings: siblings.length }
  })
  return { conversation: rowOf(all, path[0] ?? id), rows, earlier: below.length > rows.length }
}

interface State {
  readonly outline: Outline.Outline
  looks: Outline.Looks
}

const loadMore = (all: Trees, { outline }: State) => {
  const known = new Set(outline.top)
  const rest = conversations(all).filter((id) => !known.has(`${id}`))
  for (const id of rest.slice(0, PAGE)) outline.rows.set(`${id}`, rowOf(all, id))
  outline.top = [...outline.top, ...rest.slice(0, PAGE).map(String)]
  outline.hasMore = rest.length > PAGE
}

export const setOpen = (state: State, ids: ReadonlyArray<string>) => {
  state.looks = { ...state.looks, open: new Set([...state.looks.open, ...ids]) }
}

export const fill = (all: Trees, state: State, gap: Outline.Gap, line: number) => {
  const { outline } = state
  const of = Number(gap.of)
  switch (gap.what) {
    case "conversations":
      return loadMore(all, state)
    case "children": {
      const offset = Math.max(gap.from, gap.from + line - 1)
      const rows = childrenOf(all, of).slice(offset, offset + PAGE)
      return Outline.addPart(
        outline,
        gap.of,
        offset,
        rows.map((id) => rowOf(all, id)),
        childrenOf(all, of).length,
      )
    }
    case "run": {
      const rows: Array<Outline.Row> = []
      let next = childrenOf(all, of)
      for (const [id] = next; next.length === 1 && rows.length < PAGE && id !== undefined; ) {
        const only = next[0] ?? id
        rows.push(rowOf(all, only))
        next = childrenOf(all, only)
      }
      return Outline.addRun(outline, gap.of, rows)
    }
    case "earlier": {
      const first = outline.rows.get(gap.of) ?? assert.fail("a gap of a message that was not read")
      return setOpen(state, Outline.addEarlier(outline, first, pathOf(all, Number(first.parent))))
    }
  }
}

export const reveal = (all: Trees, state: State, id: number) => {
  const opened = Outline.addPath(state.outline, pathOf(all, id))
  setOpen(state, opened)
  state.looks = { ...state.looks, showsHidden: true }
}

/** The lines of a conversation of which everything was read, as `id at level`. */
export const expected = (all: Trees, { hidden, open, showsHidden }: Outline.Looks, conversation: number) => {
  const found: Array<string> = []
  const below = (id: number, level: number): void => {
    const children = childrenOf(all, id)
    for (const child of children) {
      const key = `${child}`
      const inner = children.length > 1 || id === conversation ? level + 1 : level
      if (children.length > 1 && hidden.has(key) && !showsHidden) continue
      found.push(`${key} at ${inner}`)
      const opens = children.length > 1 || childrenOf(all, child).length > 1
      if (!opens || open.has(key)) below(child, inner)
    }
  }
  if (showsHidden || !hidden.has(`${conversation}`)) {
    found.push(`${conversation} at 1`)
    if (open.has(`${conversation}`)) below(conversation, 1)
  }
  return found
}

export const shown = (item: Outline.Item) => (item.type === "row" ? `${item.row.id} at ${item.level}` : "gap")

/** What holds at any time. */
export const check = (all: Trees, { looks, outline }: State) => {
  const lines = Outline.lines(outline, looks)
  const ids = lines.items.flatMap((item) => (item.type === "row" ? [item.row.id] : []))
  assert.deepStrictEqual(ids, [...new Set(ids)], "a line is there twice")

  // Each line belongs to the item that begins at or above it, and no line to none.
  let count = 0
  for (const [at, item] of lines.items.entries()) {
    const size = item.type === "gap" ? item.count : 1
    assert.isAtLeast(size, 1)
    assert.strictEqual(lines.starts[at], count)
    for (let line = count; line < count + size; line++) assert.strictEqual(Outline.itemAt(lines, line)?.at, at)
    if (item.type === "row") assert.strictEqual(Outline.indexOf(lines, item.row.id), count)
    count += size
  }
  assert.strictEqual(lines.count, count)

  for (const conversation of outline.top) {
    const items = lines.items.filter((item) => item.conversation === conversation)
    // What comes before a message that a search has found is read with the gap above it.
    if (items.some((item) => item.type === "gap" && item.what === "earlier")) continue
    const wanted = expected(all, looks, Number(conversation))
    let at = 0
    let isMissing = false
    for (const item of items) {
      if (item.type === "gap") isMissing = true
      else {
        const found = wanted.indexOf(shown(item), at)
        assert.isAtLeast(found, at, `${shown(item)} is out of place`)
        if (!isMissing) assert.strictEqual(found, at, `lines above ${shown(item)} are lost`)
        at = found + 1
        isMissing = false
      }
    }
    if (!isMissing) assert.strictEqual(at, wanted.length, "lines at the end are lost")
    checkBranches(all, { looks, outline }, items)
  }
}

/** The children of a node are lines, hidden, or in a gap: each once. */
const checkBranches = (all: Trees, { looks, outline }: State, items: ReadonlyArray<Outline.Item>) => {
  const counts = new Map<string, number>()
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count)
  for (const item of items) {
    if (item.type === "gap" && item.what === "children") add(item.of, item.count)
    if (item.type === "row" && item.isHead && item.level > 1) add(item.row.parent, 1)
  }
  for (const [id, count] of counts) {
    const known = [...(outline.children.get(id)?.values() ?? [])]
    const left = looks.showsHidden ? [] : known.filter((child) => looks.hidden.has(child))
    assert.strictEqual(count + left.length, childrenOf(all, Number(id)).length)
  }
}

type Change =
  | { readonly type: "read"; readonly gap: number; readonly line: number }
  | { readonly type: "reveal" | "open" | "hide"; readonly at: number }
  | { readonly type: "showHidden" }

export const at = fc.nat({ max: 39 })

export const changes = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("read" as const), gap: at, line: at }),
    fc.record({ type: fc.constantFrom("reveal" as const, "open" as const, "hide" as const), at }),
    fc.record({ type: fc.constant("showHidden" as const) }),
  ),
  { maxLength: 30, size: "max" },
)

const toggled = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

export const gapsOf = ({ looks, outline }: State) =>
  Outline.lines(outline, looks).items.filter((item): item is Outline.Gap => item.type === "gap")

export const apply = (all: Trees, state: State, change: Change) => {
  const { looks } = state
  if (change.type === "showHidden") {
    state.looks = { ...looks, showsHidden: !looks.showsHidden }
    return
  }
  if (change.type === "read") {
    const gaps = gapsOf(state)
    const gap = gaps[change.gap % Math.max(1, gaps.length)]
    if (gap !== undefined) fill(all, state, gap, change.line % gap.count)
    return
  }
  const id = change.at % all.parents.length
  if (change.type === "reveal") {
    reveal(all, state, id)
    assert.isAtLeast(
      Outline.indexOf(Outline.lines(state.outline, state.looks), `${id}`),
      0,
      "what was chosen is not shown",
    )
  } else if (change.type === "open") state.looks = { ...looks, open: toggled(looks.open, `${id}`) }
  else if (isHead(all, id)) state.looks = { ...looks, hidden: toggled(looks.hidden, `${id}`) }
}

export const begin = (all: Trees): State => {
  const state = {
    outline: Outline.empty(),
    looks: { open: new Set<string>(), hidden: new Set<string>(), showsHidden: false },
  }
  loadMore(all, state)
  return state
}
