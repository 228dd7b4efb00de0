/** Holds the state of the forest view: the lines that were read, which of them are open, and the active line. */
import { batch, computed, signal } from "@preact/signals"
import { describeError, type Forest, query, Refused, request } from "../Client.ts"
import * as Outline from "./Outline.ts"
import * as Remembered from "./Remembered.ts"

const outline = signal(Outline.empty())
/** Counts the changes of the outline, which is changed in place. */
const version = signal(0)
const open = signal<ReadonlySet<string>>(new Set())
export const hidden = signal<ReadonlySet<string>>(Remembered.readSet("forest.hidden"))
export const showsHidden = signal(false)
const visited = signal<ReadonlyMap<string, string>>(Remembered.readMap("forest.visited"))
/** The node of the active line. */
export const active = signal<string | undefined>(undefined)
/** A message about the last action, or about its failure. */
export const said = signal("")
/** True if `said` is about something that can be undone. */
export const canUndo = signal(false)
/** Selects the conversations that are listed. */
export const only = signal<"this" | "all">("all")
export const withIndex = signal(false)

export const lines = computed(() => {
  version.value
  return Outline.lines(outline.value, { open: open.value, hidden: hidden.value, showsHidden: showsHidden.value })
})

export const activeLine = computed(() => {
  const id = active.value
  return lines.value.items.find((item): item is Outline.Line => item.type === "row" && item.row.id === id)
})

/** Returns the row of the conversation that a line is in. */
export const conversationOf = ({ conversation }: Outline.Line): Outline.Row | undefined => {
  version.value
  return outline.value.rows.get(conversation)
}

export const showError = (error: unknown): void => {
  canUndo.value = false
  said.value = describeError(error)
}

/**
 * Shows an error of reading. A node that is removed while it is read is no error: the event of its removal brings the
 * new state.
 */
const showErrorOfRead = (error: unknown): void => {
  if (!(error instanceof Refused && error.status === 404)) showError(error)
}

const filter = () => ({
  folder: only.value === "this" ? "this" : undefined,
  kinds: withIndex.value ? "all" : undefined,
})

const loadMore = async (into: Outline.Outline): Promise<void> => {
  const last = into.rows.get(into.top.at(-1) ?? "")
  const { more, rows } = await request<{ rows: ReadonlyArray<Outline.Row>; more: boolean }>(
    "GET",
    `/forest/conversations${query({ ...filter(), before: last?.id, changed: last?.at })}`,
  )
  for (const row of rows) into.rows.set(row.id, row)
  const known = new Set(into.top)
  into.top = [...into.top, ...rows.map(({ id }) => id).filter((id) => !known.has(id))]
  into.hasMore = more
}

/** Reads the lines of a gap, as many as one request returns. `line` is the wanted line of the gap, from 0. */
const fill = async (into: Outline.Outline, gap: Outline.Gap, line: number): Promise<void> => {
  switch (gap.what) {
    case "conversations":
      return loadMore(into)
    case "children": {
      // It reads around the wanted line, since the user may have jumped into the middle.
      const offset = Math.max(gap.from, gap.from + line - PAGE / 2)
      const part = await request<{ rows: ReadonlyArray<Outline.Row>; total: number }>(
        "GET",
        `/forest/children${query({ of: gap.of, offset })}`,
      )
      return Outline.addPart(into, gap.of, offset, part.rows, part.total)
    }
    case "run": {
      const { rows } = await request<{ rows: ReadonlyArray<Outline.Row> }>("GET", `/forest/run${query({ of: gap.of })}`)
      return Outline.addRun(into, gap.of, rows)
    }
    case "earlier": {
      const first = into.rows.get(gap.of)
      if (first === undefined) return
      const path = await pathTo(first.parent)
      const opened = Outline.addEarlier(into, first, path)
      open.value = new Set([...open.value, ...opened])
    }
  }
}

const PAGE = 100

const pathTo = (to: string) =>
  request<{ conversation?: Outline.Row; rows: ReadonlyArray<Forest.PlacedRow>; earlier: boolean }>(
    "GET",
    `/forest/path${query({ to })}`,
  )

/** The reads in progress of the outline that is shown. */
let underWay = new Map<string, Promise<void>>()

/** Reads a gap of the outline that is shown. Several calls for one gap share a request. */
export const read = (gap: Outline.Gap, line: number): Promise<void> => {
  const key = `${gap.what} ${gap.of} ${gap.what === "children" ? Math.floor((gap.from + line) / PAGE) : ""}`
  const begun = underWay.get(key)
  if (begun !== undefined) return begun
  const into = outline.value
  const ofInto = underWay
  const reading = fill(into, gap, line)
    .then(() => {
      if (into === outline.value) version.value++
    })
    .catch(showErrorOfRead)
    .finally(() => ofInto.delete(key))
  ofInto.set(key, reading)
  return reading
}

/**
 * Reads again everything that is shown, and shows it when it is complete. `screen` returns the lines on the screen. It
 * is called again and again, as the open and active lines are read again: all of them may change while this reads.
 */
export const reload = async (screen: () => { readonly from: number; readonly to: number }): Promise<void> => {
  const fresh = Outline.empty()
  const wanted = Math.min(outline.value.top.length, MAX_CONVERSATIONS)
  const gone = new Set<string>()
  try {
    do await loadMore(fresh)
    while (fresh.hasMore && fresh.top.length < wanted)
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const shown = active.value
      if (shown !== undefined && outline.value.rows.has(shown) && !fresh.rows.has(shown) && !gone.has(shown)) {
        const path = await pathTo(shown).catch(() => undefined)
        if (path === undefined) gone.add(shown)
        else Outline.addPath(fresh, path)
        continue
      }
      const all = Outline.lines(fresh, { open: open.value, hidden: hidden.value, showsHidden: showsHidden.value })
      const { from, to } = screen()
      const gaps = all.items.flatMap((item, at) => {
        const start = all.starts[at] ?? 0
        const isShown = item.type === "gap" && item.what !== "conversations" && start <= to && start + item.count > from
        return isShown ? [{ item, line: Math.max(0, from - start) }] : []
      })
      if (gaps.length === 0) break
      await Promise.all(gaps.map(({ item, line }) => fill(fresh, item, line)))
    }
  } catch (error) {
    return showErrorOfRead(error)
  }
  underWay = new Map()
  outline.value = fresh
}

const MAX_CONVERSATIONS = 1_000
const MAX_ROUNDS = 12

/** Makes a line the active one, and remembers it as the last visited of its parent. */
export const visit = (line: Outline.Line): void => {
  active.value = line.row.id
  if (!line.isHead || line.level === 1 || visited.value.get(line.row.parent) === line.row.id) return
  const next = new Map(visited.value)
  // Moves the entry to the end, since the oldest ones are forgotten first.
  next.delete(line.row.parent)
  next.set(line.row.parent, line.row.id)
  remember(next)
}

const remember = (next: ReadonlyMap<string, string>) => {
  visited.value = next
  Remembered.writeMap("forest.visited", next)
}

export const lastVisited = (): ReadonlyMap<string, string> => visited.value

export const setOpen = (id: string, isOpen: boolean): void => {
  const next = new Set(open.value)
  if (isOpen) next.add(id)
  else next.delete(id)
  open.value = next
}

/** Hides a branch or shows it again. The arrow to the branch that was visited last no longer goes to a hidden one. */
export const setHidden = (id: string, isHidden: boolean): void => {
  if (isHidden) remember(new Map([...visited.value].filter(([, child]) => child !== id)))
  const next = new Set(hidden.value)
  if (isHidden) next.add(id)
  else next.delete(id)
  hidden.value = next
  Remembered.writeSet("forest.hidden", next)
}

/** Opens the path to a node, and goes there. */
export const reveal = (id: string): Promise<void> => goTo(id).catch(showError)

/** Does the same as `reveal`, but fails if the node no longer exists. */
export const goTo = async (id: string): Promise<void> => {
  const path = await pathTo(id)
  batch(() => {
    const opened = Outline.addPath(outline.value, path)
    open.value = new Set([...open.value, ...opened])
    if ([...opened, id].some((each) => hidden.value.has(each))) showsHidden.value = true
    active.value = path.rows.at(-1)?.id ?? path.conversation?.id
    version.value++
  })
}

/** Changes the forest, and shows the message of the result. An event brings the new state. */
export const act = async (
  method: "POST" | "PUT" | "DELETE",
  path: string,
  payload?: unknown,
  undoable = false,
): Promise<void> => {
  try {
    const { message } = await request<Forest.Done>(method, path, payload)
    said.value = message
    canUndo.value = undoable
  } catch (error) {
    showError(error)
  }
}

export const undo = (operation?: number): Promise<void> =>
  act("POST", "/forest/undo", operation === undefined ? {} : { operation })

export const redo = (): Promise<void> => act("POST", "/forest/redo")
