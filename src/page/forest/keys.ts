/** Decides what the keys of a tree do at one of its lines. Pure. */
import { indexOf, itemAt, type Lines } from "./Outline.ts"

/**
 * The effect of a key at a line: it moves to another line, goes to a node that was not read (or to another line if the
 * node is gone), or opens or closes the line.
 */
type Step =
  | { readonly type: "move"; readonly to: number }
  | { readonly type: "go"; readonly id: string; readonly otherwise: number }
  | { readonly type: "open" | "close"; readonly id: string }
  | undefined

/**
 * Returns the effect of a key. `visited` has the child that was visited last, by its parent. `page` is the number of
 * lines that fit on the screen.
 */
export const step = (
  all: Lines,
  index: number,
  key: string,
  { page, visited }: { readonly page: number; readonly visited: ReadonlyMap<string, string> },
): Step => {
  const last = all.count - 1
  const move = (to: number): Step => ({ type: "move", to: Math.max(0, Math.min(last, to)) })
  const found = itemAt(all, index)
  switch (key) {
    case "ArrowDown":
      return move(index + 1)
    case "ArrowUp":
      return move(index - 1)
    case "Home":
      return move(0)
    case "End":
      return move(last)
    case "PageDown":
      return move(index + page)
    case "PageUp":
      return move(index - page)
    case "ArrowRight": {
      if (found?.item.type !== "row") return undefined
      const { isOpen, row } = found.item
      if (isOpen === false) return { type: "open", id: row.id }
      if (row.children === 0) return undefined
      const child = row.children > 1 ? visited.get(row.id) : undefined
      if (child === undefined) return move(index + 1)
      const to = indexOf(all, child)
      return to === -1 ? { type: "go", id: child, otherwise: index + 1 } : move(to)
    }
    case "ArrowLeft": {
      if (found === undefined) return undefined
      const { at, item } = found
      if (item.type === "row" && item.isOpen === true) return { type: "close", id: item.row.id }
      const above = item.type === "row" && item.isHead ? parentOf(all, at) : headOf(all, at)
      return above === undefined ? undefined : move(all.starts[above] ?? index)
    }
    default:
      return undefined
  }
}

/** Returns the line of a branch's parent: the nearest line above with the parent's id. */
const parentOf = ({ items }: Lines, at: number): number | undefined => {
  const own = items[at]
  if (own?.type !== "row" || own.level === 1) return undefined
  for (let above = at - 1; above >= 0; above--) {
    const item = items[above]
    if (item?.type === "row" && item.row.id === own.row.parent) return above
  }
  return undefined
}

/** Returns the line at which the branch of another line begins. */
const headOf = ({ items }: Lines, at: number): number | undefined => {
  const level = items[at]?.level ?? 1
  for (let above = at - 1; above >= 0; above--) {
    const item = items[above]
    if (item?.type === "row" && item.isHead && item.level <= level) return above
  }
  return undefined
}
