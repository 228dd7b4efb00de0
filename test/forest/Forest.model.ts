/** The simplest forest: a list of nodes, copied before each change. */

export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** `place`: a node by its number among all, nearest to the root first; 0 is the root. */
export type Step =
  | { readonly type: "append"; readonly place: number; readonly said: ReadonlyArray<Said>; readonly distinct: boolean }
  | { readonly type: "edit"; readonly place: number; readonly text: string }
  | { readonly type: "split"; readonly place: number; readonly position: number }
  | {
      readonly type: "remove"
      readonly place: number
      readonly strategy: "cascade" | "reparent"
      readonly bookmarks: boolean
    }
  | { readonly type: "bookmark"; readonly place: number; readonly title: string }
  | { readonly type: "join"; readonly place: number }
  | { readonly type: "move"; readonly place: number; readonly to: number }
  | { readonly type: "copy"; readonly place: number; readonly to: number; readonly what: "branch" | "path" }

/** `several`: what can be done of the steps, as one. */
export type Operation =
  | Step
  | { readonly type: "several"; readonly steps: ReadonlyArray<Step> }
  | { readonly type: "undo" }
  | { readonly type: "redo" }

interface Drawn {
  readonly id: string
  readonly parent: string
  readonly role: string
  readonly text: string
}

/** Nested: each node with its bookmarks, its words, and in brackets what is below. `nodes`: oldest first, by parent. */
export const draw = (
  nodes: ReadonlyArray<Drawn>,
  bookmarks: ReadonlyArray<readonly [title: string, node: string]>,
  root: string,
): string => {
  const below = (id: string): string =>
    nodes
      .filter(({ parent }) => parent === id)
      .map((node) => {
        const titles = bookmarks.flatMap(([title, marked]) => (marked === node.id ? [`#${title}`] : [])).join("")
        return `${titles}${node.role[0]}"${node.text}"[${below(node.id)}]`
      })
      .join(" ")
  return below(root)
}

export const isThere = (nodes: ReadonlyArray<{ readonly id: string }>, id: string, root: string): boolean =>
  id === root || nodes.some((node) => node.id === id)

interface State {
  readonly nodes: ReadonlyArray<Drawn>
  readonly bookmarks: ReadonlyArray<readonly [title: string, node: string]>
}

export const make = () => {
  let count = 0
  let state: State = { nodes: [], bookmarks: [] }
  const past: Array<State> = []
  /** What was undone, latest last, since the last change. */
  const future: Array<State> = []
  const root = "0"

  const ordered = (): ReadonlyArray<string> => {
    const found: Array<string> = []
    for (let level = [root]; level.length > 0; ) {
      level = level.flatMap((id) => state.nodes.filter(({ parent }) => parent === id).map(({ id }) => id))
      found.push(...level)
    }
    return found
  }

  const add = (parent: string, { role, text }: Said): string => {
    const id = String(++count)
    state = { ...state, nodes: [...state.nodes, { id, parent, role, text }] }
    return id
  }

  const change = (id: string, fields: Partial<Drawn>) => {
    state = { ...state, nodes: state.nodes.map((node) => (node.id === id ? { ...node, ...fields } : node)) }
  }

  const append = (parent: string, said: ReadonlyArray<Said>, distinct: boolean): string => {
    const spoken = said.filter(({ text }) => text.trim() !== "")
    return spoken.reduce((cursor, each, at) => {
      const known =
        distinct && at === spoken.length - 1
          ? undefined
          : state.nodes.find((node) => node.parent === cursor && node.role === each.role && node.text === each.text)
      return known?.id ?? add(cursor, each)
    }, parent)
  }

  const split = (node: Drawn, position: number): string => {
    const left = add(node.parent, { role: roleOf(node), text: node.text.slice(0, position) })
    change(node.id, { parent: left, text: node.text.slice(position) })
    return left
  }

  const edit = (node: Drawn, text: string) => {
    if (text === node.text) return
    const marks = state.bookmarks.filter(([, marked]) => marked === node.id)
    if (marks.length === 0 && !state.nodes.some(({ parent }) => parent === node.id)) return change(node.id, { text })
    const said = { role: roleOf(node), text }
    const characters = Array.from(node.text)
    let common = ""
    for (const character of characters) {
      if (!text.startsWith(common + character)) break
      common += character
    }
    const [restBefore, restAfter] = [node.text.slice(common.length), text.slice(common.length)]
    const blank = (text: string) => text.trim() === ""
    const target =
      restBefore === "" && !blank(restAfter)
        ? append(node.id, [{ ...said, text: restAfter }], false)
        : blank(common) || blank(restBefore) || (restAfter !== "" && blank(restAfter))
          ? append(node.parent, [said], false)
          : restAfter === ""
            ? split(node, common.length)
            : append(split(node, common.length), [{ ...said, text: restAfter }], false)
    state = { ...state, bookmarks: state.bookmarks.map(([title, at]) => [title, at === node.id ? target : at]) }
  }

  const remove = (node: Drawn, strategy: "cascade" | "reparent", meant: boolean): boolean => {
    const gone = new Set([node.id])
    if (strategy === "cascade") {
      for (const id of ordered()) if (gone.has(state.nodes.find((node) => node.id === id)?.parent ?? "")) gone.add(id)
    }
    if (!meant && state.bookmarks.some(([, marked]) => gone.has(marked))) return false
    state = {
      nodes: state.nodes
        .filter(({ id }) => !gone.has(id))
        .map((child) => (child.parent === node.id ? { ...child, parent: node.parent } : child)),
      bookmarks: state.bookmarks.filter(([, marked]) => !gone.has(marked)),
    }
    return true
  }

  const below = (id: string): ReadonlyArray<Drawn> =>
    state.nodes.filter(({ parent }) => parent === id).toSorted((one, other) => Number(one.id) - Number(other.id))

  const pathTo = (id: string): ReadonlyArray<Drawn> => {
    const node = state.nodes.find((node) => node.id === id)
    return node === undefined ? [] : [...pathTo(node.parent), node]
  }

  const join = (node: Drawn): boolean => {
    const [child, ...others] = below(node.id)
    if (child === undefined || others.length > 0 || child.role !== node.role) return false
    change(child.id, { parent: node.parent, text: node.text + child.text })
    state = {
      nodes: state.nodes.filter(({ id }) => id !== node.id),
      bookmarks: state.bookmarks.map(([title, at]) => [title, at === node.id ? child.id : at]),
    }
    return true
  }

  const copy = (id: string, to: string, what: "branch" | "path") => {
    const branch = new Set([id])
    for (const each of ordered())
      if (branch.has(state.nodes.find((node) => node.id === each)?.parent ?? "")) branch.add(each)
    const nodes =
      what === "path"
        ? pathTo(id)
        : [id, ...ordered()].flatMap((each, at, all) =>
            branch.has(each) && all.indexOf(each) === at ? state.nodes.filter((node) => node.id === each) : [],
          )
    const copies = new Map<string, string>()
    const used = new Set<string>()
    for (const node of nodes) {
      const parent = copies.get(node.parent) ?? to
      const equal = below(parent).find(
        (child) => !used.has(child.id) && child.role === node.role && child.text === node.text,
      )
      const copied = equal?.id ?? add(parent, { role: roleOf(node), text: node.text })
      used.add(copied)
      copies.set(node.id, copied)
    }
  }

  const stepped = (operation: Step): boolean => {
    const ids = [root, ...ordered()]
    const to = "to" in operation ? (ids[operation.to % ids.length] ?? root) : root
    const id = ids[operation.place % ids.length] ?? root
    const node = state.nodes.find((node) => node.id === id)
    switch (operation.type) {
      case "append":
        append(id, operation.said, operation.distinct)
        return true
      case "edit":
        if (node === undefined || operation.text.trim() === "") return false
        edit(node, operation.text)
        return true
      case "split": {
        if (node === undefined) return false
        const [left, right] = [node.text.slice(0, operation.position), node.text.slice(operation.position)]
        if (left.trim() === "" || right.trim() === "" || !left.isWellFormed()) return false
        split(node, operation.position)
        return true
      }
      case "remove":
        return node !== undefined && remove(node, operation.strategy, operation.bookmarks)
      case "join":
        return node !== undefined && join(node)
      case "move":
        if (node === undefined) return false
        if (node.parent === to) return true
        if (pathTo(to).includes(node)) return false
        change(node.id, { parent: to })
        return true
      case "copy":
        copy(id, to, operation.what)
        return true
      case "bookmark":
        if (node === undefined) return false
        if (state.bookmarks.some(([title, at]) => title === operation.title && at === id)) return true
        state = {
          ...state,
          bookmarks: [...state.bookmarks.filter(([title]) => title !== operation.title), [operation.title, id]],
        }
        return true
    }
  }

  /** Whether each could be done. */
  const changed = (steps: ReadonlyArray<Step>): boolean => {
    const first = state
    let isChanged = false
    let isDone = true
    for (const step of steps) {
      const before = JSON.stringify(state)
      isDone = stepped(step) && isDone
      isChanged ||= JSON.stringify(state) !== before
    }
    if (isChanged) {
      past.push(first)
      future.length = 0
    }
    return isDone
  }

  const moved = (from: Array<State>, to: Array<State>): boolean => {
    const next = from.pop()
    if (next === undefined) return false
    to.push(state)
    state = next
    return true
  }

  const drawing = () => {
    const places = new Map(state.nodes.map(({ id }) => [id, Number(id)]))
    const byAge = state.nodes.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
    const byTitle = state.bookmarks.toSorted(([one], [other]) => (one < other ? -1 : 1))
    return draw(byAge, byTitle, root)
  }

  return {
    /** Whether it could be done; of several whether all of them could. */
    perform: (operation: Operation): boolean => {
      switch (operation.type) {
        case "undo":
          return moved(past, future)
        case "redo":
          return moved(future, past)
        case "several":
          return changed(operation.steps)
        default:
          return changed([operation])
      }
    },
    drawing,
  }
}

const roleOf = ({ role }: Drawn): Said["role"] => (role === "user" ? "user" : "assistant")
