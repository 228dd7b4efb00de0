/** Shows the outline as a tree. Only the lines on the screen exist as elements. */
import { signal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { formatPlural, formatTime, shortModel } from "../format.ts"
import { Icon } from "../Icon.tsx"
import * as Browser from "./Browser.ts"
import { step } from "./keys.ts"
import { originOf, plainWords, speakers } from "./names.ts"
import * as Outline from "./Outline.ts"

/** The height of a line in pixels. */
const ROW = 32
/**
 * The most pixels of the tree. Browsers cut off an element somewhere above 16 million pixels, so with more lines each
 * pixel of the scroll bar stands for several.
 */
const MAX_HEIGHT = 8_000_000
/** The number of lines that are drawn above and below the screen. */
const BEYOND = 6

/** The lines on the screen. */
export const onScreen = signal({ from: 0, to: 40 })

interface Props {
  readonly onKey: (event: KeyboardEvent, line: Outline.Line | undefined) => void
  readonly onOpen: (line: Outline.Line) => void
}

export const Tree = ({ onKey, onOpen }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const [scroll, setScroll] = useState(0)
  const [height, setHeight] = useState(600)
  const all = Browser.lines.value
  const total = all.count * ROW
  const drawn = Math.min(total, MAX_HEIGHT)
  const scale = drawn > height ? (total - height) / (drawn - height) : 1
  const top = scroll * scale
  const from = Math.max(0, Math.floor(top / ROW) - BEYOND)
  const to = Math.min(all.count, Math.ceil((top + height) / ROW) + BEYOND)
  onScreen.value = { from, to }

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const show = (index: number) => {
    const element = box.current
    if (element === null) return
    const y = index * ROW
    const shownTop = element.scrollTop * scale
    if (y < shownTop) element.scrollTop = y / scale
    else if (y + ROW > shownTop + element.clientHeight) element.scrollTop = (y + ROW - element.clientHeight) / scale
  }

  const active = Browser.active.value
  const index = active === undefined ? -1 : Outline.indexOf(all, active)
  // Scrolls to the active line after a path was opened, or after the forest was read again.
  useLayoutEffect(() => {
    if (index >= 0) show(index)
  }, [active, index === -1])

  const move = async (to: number, isEnd: boolean) => {
    let wanted = to
    let found = Outline.itemAt(Browser.lines.value, wanted)
    show(wanted)
    for (let tries = 0; found?.item.type === "gap" && tries < 3; tries++) {
      const gap = found.item
      await Browser.read(gap, wanted - (Browser.lines.value.starts[found.at] ?? 0))
      // The lines above a gap at the beginning of a path are there now, so this goes to the line next to it.
      const now = Browser.lines.value
      if (gap.what === "earlier") wanted = Outline.indexOf(now, gap.of) - 1
      wanted = isEnd ? now.count - 1 : Math.min(wanted, now.count - 1)
      found = Outline.itemAt(now, wanted)
    }
    if (found?.item.type === "row") Browser.visit(found.item)
  }

  const keyDown = (event: KeyboardEvent) => {
    // Reads the current state and not the drawn one, since two keys may be pressed before the first one is drawn.
    const { value: active } = Browser.active
    const index = active === undefined ? -1 : Outline.indexOf(Browser.lines.value, active)
    const found = index < 0 ? undefined : Outline.itemAt(Browser.lines.value, index)
    const line = found?.item.type === "row" ? found.item : undefined
    if (event.altKey || event.ctrlKey || event.metaKey) return onKey(event, line)
    if (event.key === "Enter" && line !== undefined) {
      event.preventDefault()
      return onOpen(line)
    }
    const page = Math.max(1, Math.floor(height / ROW) - 1)
    const action = step(Browser.lines.value, Math.max(0, index), event.key, {
      page,
      visited: Browser.lastVisited(),
    })
    if (action === undefined) return onKey(event, line)
    event.preventDefault()
    if (action.type === "move") void move(action.to, event.key === "End")
    else if (action.type === "go") void Browser.goTo(action.id).catch(() => move(action.otherwise, false))
    else Browser.setOpen(action.id, action.type === "open")
  }

  const items: Array<{ readonly item: Outline.Item; readonly index: number }> = []
  for (let at = Outline.itemAt(all, from)?.at ?? 0; at < all.items.length; at++) {
    const [item, start = 0] = [all.items[at], all.starts[at]]
    if (item === undefined || start >= to) break
    if (item.type === "row") items.push({ item, index: start })
    else {
      for (let line = Math.max(start, from); line < Math.min(start + item.count, to); line++) {
        items.push({ item, index: line })
      }
    }
  }

  // Reads the gaps that become visible. Lines before a path are read only when the user goes there, since they would
  // move the other lines away.
  useEffect(() => {
    for (const { index, item } of items) {
      if (item.type !== "gap" || item.what === "earlier") continue
      const at = all.items.indexOf(item)
      void Browser.read(item, index - (all.starts[at] ?? 0))
      if (item.what !== "children") break
    }
  }, [from, to, all])

  return (
    <div
      ref={box}
      class="tree"
      role="tree"
      aria-label="Conversations"
      tabIndex={0}
      aria-activedescendant={index >= from && index < to ? lineId(active) : undefined}
      onScroll={({ currentTarget }) => setScroll(currentTarget.scrollTop)}
      onKeyDown={keyDown}
      onFocus={() => {
        const first = Browser.lines.value.items[0]
        if (index < 0 && first?.type === "row") Browser.visit(first)
      }}
    >
      <div role="none" style={{ height: `${drawn}px`, position: "relative" }}>
        {items.map(({ index, item }) => {
          const y = scroll + (index * ROW - top)
          const place = { top: `${y}px`, height: `${ROW}px`, paddingLeft: `${0.5 + (item.level - 1) * 1.1}rem` }
          return item.type === "gap" ? (
            <GapRow key={`${item.what} ${index}`} gap={item} place={place} />
          ) : (
            <Row key={item.row.id} line={item} place={place} onOpen={onOpen} />
          )
        })}
      </div>
    </div>
  )
}

const lineId = (id: string | undefined) => (id === undefined ? undefined : `line-${id}`)

type Place = Record<"top" | "height" | "paddingLeft", string>

const GapRow = ({ gap, place }: { readonly gap: Outline.Gap; readonly place: Place }) =>
  gap.what === "earlier" ? (
    <div class="line gap" role="none" style={place}>
      <button type="button" class="quiet" tabindex={-1} onClick={() => void Browser.read(gap, 0)}>
        ⋯ earlier messages
      </button>
    </div>
  ) : (
    <div class="line gap" role="none" style={place}>
      …
    </div>
  )

interface RowProps {
  readonly line: Outline.Line
  readonly place: Place
  readonly onOpen: (line: Outline.Line) => void
}

const Row = ({ line, onOpen, place }: RowProps) => {
  const { isHead, isHidden, isOpen, level, position, row, siblings } = line
  const isActive = Browser.active.value === row.id
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    Browser.visit(line)
    Browser.setOpen(row.id, isOpen !== true)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree, which has the focus, handles the keys of its lines
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the tree, which names its active line
    <div
      id={lineId(row.id)}
      class={`line ${row.kind}${isActive ? " active" : ""}${isHidden ? " hidden-branch" : ""}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isActive}
      aria-expanded={isOpen}
      style={place}
      onClick={() => Browser.visit(line)}
      onDblClick={() => onOpen(line)}
    >
      {isOpen === undefined ? (
        <span class="twisty" aria-hidden="true">
          {isHead ? "·" : ""}
        </span>
      ) : (
        <span class="twisty" aria-hidden="true" onClick={toggle}>
          <Icon name={isOpen ? "down" : "forward"} />
        </span>
      )}
      {row.kind !== "conversation" && (
        <span class={`speaker ${row.kind}`}>
          {row.model === undefined ? speakers[row.kind] : shortModel(row.model)}
        </span>
      )}
      <span class="words">{plainWords(row.text)}</span>
      {isHidden && <span class="unseen">hidden</span>}
      {row.bookmarks.map((title) => (
        <span key={title} class="mark" title={title}>
          ★ {title}
        </span>
      ))}
      {row.kind !== "conversation" && row.children > 1 && (
        <span class="branches" title={`${row.children} branches`}>
          {row.children} branches
        </span>
      )}
      {row.about !== undefined && (
        <span class="facts">
          {row.about.kind !== "chat" && row.about.kind !== "session" && <span>{originOf(row.about.kind)}</span>}
          <span>{formatPlural(row.about.messages, "message")}</span>
          <time>{formatTime(row.at, Date.now())}</time>
        </span>
      )}
    </div>
  )
}
