import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import { step } from "../../../src/page/forest/keys.ts"
import * as Outline from "../../../src/page/forest/Outline.ts"
import { cases } from "../../thoroughness.ts"

/** Rows of an answer, and of a path: few, so that small forests have gaps. */
const PAGE = 3

/** Nodes by their number; the parent of each is smaller, and -1 of a conversation. */
interface Trees {
  readonly parents: ReadonlyArray<number>
  readonly children: ReadonlyArray<ReadonlyArray<number>>
}

const treesOf = (back: ReadonlyArray<number>): Trees => {
  // Of a node most often the one before: runs without a branch.
  const parents = back.map((steps, id) => (steps < 0 ? -1 : Math.max(-1, id - 1 - steps)))
  const children = parents.map((_, id) => parents.flatMap((parent, child) => (parent === id ? [child] : [])))
  return { parents, children }
}

const trees = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 5 })), { minLength: 1, maxLength: 40, size: "max" })
  .map(treesOf)

const conversations = ({ parents }: Trees) => parents.flatMap((parent, id) => (parent === -1 ? [id] : []))
const childrenOf = ({ children }: Trees, id: number) => children[id] ?? []
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

const setOpen = (state: State, ids: ReadonlyArray<string>) => {
  state.looks = { ...state.looks, open: new Set([...state.looks.open, ...ids]) }
}

const fill = (all: Trees, state: State, gap: Outline.Gap, line: number) => {
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

const reveal = (all: Trees, state: State, id: number) => {
  const opened = Outline.addPath(state.outline, pathOf(all, id))
  setOpen(state, opened)
  state.looks = { ...state.looks, showsHidden: true }
}

/** The lines of a conversation of which everything was read, as `id at level`. */
const expected = (all: Trees, { hidden, open, showsHidden }: Outline.Looks, conversation: number) => {
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

const shown = (item: Outline.Item) => (item.type === "row" ? `${item.row.id} at ${item.level}` : "gap")

/** What holds at any time. */
const check = (all: Trees, { looks, outline }: State) => {
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

const at = fc.nat({ max: 39 })
const changes = fc.array(
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

const gapsOf = ({ looks, outline }: State) =>
  Outline.lines(outline, looks).items.filter((item): item is Outline.Gap => item.type === "gap")

const apply = (all: Trees, state: State, change: Change) => {
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

const begin = (all: Trees): State => {
  const state = {
    outline: Outline.empty(),
    looks: { open: new Set<string>(), hidden: new Set<string>(), showsHidden: false },
  }
  loadMore(all, state)
  return state
}

describe("the lines of the forest", () => {
  it("are neither lost nor doubled, whatever is opened, closed, hidden, read or searched for", () => {
    fc.assert(
      fc.property(trees, changes, (all, made) => {
        const state = begin(all)
        check(all, state)
        for (const change of made) {
          apply(all, state, change)
          check(all, state)
        }
      }),
      { numRuns: cases(300) },
    )
  })

  it("are all there once every gap was read, in whatever order", () => {
    fc.assert(
      fc.property(trees, changes, fc.infiniteStream(at), (all, made, choices) => {
        const state = begin(all)
        for (const change of made) apply(all, state, change)
        for (let rounds = 0; ; rounds++) {
          const gaps = gapsOf(state)
          const choice = Number(choices.next().value)
          const gap = gaps[choice % Math.max(1, gaps.length)]
          if (gap === undefined) break
          // Each answer has at least one row of 40 that was not there.
          assert.isAtMost(rounds, 100, "gaps stay")
          fill(all, state, gap, choice % gap.count)
        }
        const lines = Outline.lines(state.outline, state.looks)
        const wanted = state.outline.top.flatMap((id) => expected(all, state.looks, Number(id)))
        assert.deepStrictEqual(lines.items.map(shown), wanted)
        assert.sameMembers([...state.outline.top], conversations(all).map(String))
      }),
      { numRuns: cases(300) },
    )
  })

  it("keep what was found in place when what comes before it is read, also below a branch", () => {
    // A conversation, a run of two, a branch of three, of which the last goes on.
    const all = treesOf([-1, 0, 0, 0, 1, 2, 0, 0])
    assert.deepStrictEqual(childrenOf(all, 2), [3, 4, 5])
    const state = begin(all)
    reveal(all, state, 7)
    assert.deepStrictEqual(Outline.lines(state.outline, state.looks).items.map(shown), [
      "0 at 1",
      "gap",
      "5 at 2",
      "6 at 2",
      "7 at 2",
    ])
    const [earlier] = gapsOf(state)
    fill(all, state, earlier ?? assert.fail("nothing to read"), 0)
    const lines = Outline.lines(state.outline, state.looks)
    assert.isAtLeast(Outline.indexOf(lines, "7"), 0)
    const line = lines.items.find((item) => item.type === "row" && item.row.id === "5")
    assert.strictEqual(line?.type === "row" ? line.position : 0, 3)
  })
})

describe("a key", () => {
  // Two conversations; the first has a question with two answers, of which the first goes on.
  const all = treesOf([-1, 0, 0, 0, 2, -1])
  const state = begin(all)
  for (const id of [4, 3]) reveal(all, state, id)
  setOpen(state, ["2"])
  for (const gap of gapsOf(state)) fill(all, state, gap, 0)
  const lines = Outline.lines(state.outline, state.looks)
  const visited = new Map([["1", "4"]])
  const press = (id: string, key: string) => step(lines, Outline.indexOf(lines, id), key, { page: 2, visited })

  it("moves within the lines, and never beyond them", () => {
    assert.deepStrictEqual(lines.items.map(shown), ["0 at 1", "1 at 2", "2 at 3", "3 at 3", "4 at 3", "5 at 1"])
    for (const [from, key, to] of [
      ["0", "ArrowUp", 0],
      ["0", "ArrowDown", 1],
      ["1", "PageDown", 3],
      ["4", "PageDown", 5],
      ["1", "PageUp", 0],
      ["3", "Home", 0],
      ["3", "End", 5],
      ["5", "ArrowDown", 5],
    ] as const) {
      assert.deepStrictEqual(press(from, key), { type: "move", to })
    }
  })

  it("goes right to the branch that was visited last, and left to where the branch begins, then above it", () => {
    assert.deepStrictEqual(press("1", "ArrowRight"), { type: "move", to: 4 })
    assert.deepStrictEqual(press("3", "ArrowLeft"), { type: "move", to: 2 })
    assert.deepStrictEqual(press("2", "ArrowLeft"), { type: "close", id: "2" })
    assert.deepStrictEqual(press("4", "ArrowLeft"), { type: "move", to: 1 })
  })

  it("does nothing where there is nothing to open, and by other keys", () => {
    assert.isUndefined(press("4", "ArrowRight"))
    assert.isUndefined(press("5", "ArrowLeft"))
    assert.isUndefined(press("0", "x"))
  })
})
