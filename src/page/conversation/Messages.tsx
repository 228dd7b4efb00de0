/**
 * Shows the path of messages. Messages far from the visible ones are not laid out, and earlier ones are read from the
 * server when the user scrolls up.
 */
import { computed } from "@preact/signals"
import { memo } from "preact/compat"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { formatPlural } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { Answers } from "./Answering.tsx"
import { atEnd, clip, growDown, growUp } from "./drawn.ts"
import { copyCode } from "./Markdown.tsx"
import { MessageView } from "./MessageView.tsx"
import { type Item, toItems } from "./reduce.ts"
import { answers, earlier, id, loadEarlier, messages, sent } from "./store.ts"
import { Welcome } from "./Welcome.tsx"

/** The number of messages that are compared as one when something changes, so that a long path costs little. */
const chunkSize = 40

const Chunk = memo(
  ({ items }: { readonly items: ReadonlyArray<Item> }) => (
    <>
      {items.map((item) => (
        <MessageView key={item.message.id} item={item} />
      ))}
    </>
  ),
  ({ items: a }, { items: b }) =>
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index]
      return (
        item.message === other?.message &&
        item.isFirst === other.isFirst &&
        item.isLast === other.isLast &&
        item.isUnanswered === other.isUnanswered &&
        item.results.length === other.results.length
      )
    }),
)

/**
 * Divides items by their places in the whole path, so that messages that are loaded above leave the chunks below as
 * they are.
 */
const toChunks = (
  items: ReadonlyArray<Item>,
  before: number,
): ReadonlyArray<readonly [number, ReadonlyArray<Item>]> => {
  const chunks = new Map<number, Array<Item>>()
  for (const item of items) {
    const key = Math.floor((before + item.place) / chunkSize)
    const chunk = chunks.get(key)
    if (chunk === undefined) chunks.set(key, [item])
    else chunk.push(item)
  }
  return [...chunks]
}

/** The distance from the end, in pixels, within which the end stays in sight. */
const near = 120
/** More messages are drawn while fewer pixels than these are above or below the visible part. */
const ahead = 2000

const isEmpty = computed(() => messages.value?.length === 0 && answers.value?.length === 0)

export const Messages = () => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  /** True while the end is visible; then it stays visible. */
  const isAtEnd = useRef(true)
  const lastTop = useRef(0)
  const [isAway, setIsAway] = useState(false)
  const anchor = useRef<{ readonly element: Element; readonly top: number } | undefined>(undefined)
  const shown = id.value
  const toEnd = () => {
    const element = scroller.current
    // A conversation without messages shows a page to read, which begins at its top.
    if (element !== null && !isEmpty.peek()) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    isAtEnd.current = true
    setIsAway(false)
    toEnd()
    if (content.current === null) return
    // The listener is for the copy buttons of code, which are not components.
    content.current.onclick = copyCode
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd())
    observer.observe(content.current)
    if (scroller.current !== null) observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [shown])
  const before = earlier.value ?? 0
  const total = before + (messages.value?.length ?? 0)
  const [wanted, setWanted] = useState({ of: shown, drawn: atEnd })
  const drawn = clip(wanted.of === shown ? wanted.drawn : atEnd, before, total)
  const { from, to } = drawn
  const isTail = to === total
  useLayoutEffect(() => {
    const { current: kept } = anchor
    const element = scroller.current
    anchor.current = undefined
    if (kept === undefined || element === null || !kept.element.isConnected) return
    element.scrollTop += kept.element.getBoundingClientRect().top - kept.top
    // Checks the position even without a scroll event: if the messages do not fill the view, nothing else would load
    // more.
    requestAnimationFrame(onScroll)
  }, [from, to, before])
  /** Keeps the first visible message in its position, whatever is drawn or removed around it. */
  const holdPlace = () => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0
    const all = [...(content.current?.querySelectorAll("[data-message]") ?? [])]
    const element = all.find((each) => each.getBoundingClientRect().bottom > top)
    if (element) anchor.current = { element, top: element.getBoundingClientRect().top }
  }
  const drawUp = async () => {
    if (from === before && !(await loadEarlier(holdPlace))) return
    holdPlace()
    setWanted({ of: shown, drawn: growUp(drawn, total) })
  }
  const onScroll = () => {
    const element = scroller.current
    if (element === null) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    // New content below does not leave the end; only the user does, by scrolling up.
    if (isTail && below < near) isAtEnd.current = true
    else if (!isTail || element.scrollTop < lastTop.current) isAtEnd.current = false
    lastTop.current = element.scrollTop
    setIsAway(!isAtEnd.current)
    if (element.scrollTop < ahead && from > 0) void drawUp()
    else if (below < ahead && !isTail) {
      holdPlace()
      setWanted({ of: shown, drawn: growDown(drawn, total) })
    }
  }
  const showEnd = () => {
    isAtEnd.current = true
    setWanted({ of: shown, drawn: atEnd })
    toEnd()
  }
  // A message that the user sends must be visible.
  const said = sent.value
  useLayoutEffect(showEnd, [said])
  const items = toItems((messages.value ?? []).slice(from - before, to - before))
  return (
    <div
      class="messages"
      ref={scroller}
      onScroll={onScroll}
      tabindex={0}
      role="log"
      aria-live="off"
      aria-label="Messages"
    >
      <div class="messages-content" ref={content}>
        {from > 0 && (
          <p class="earlier">
            <button type="button" onClick={drawUp}>
              {formatPlural(from, "earlier message")}
            </button>
          </p>
        )}
        {toChunks(items, from).map(([key, chunk]) => (
          <Chunk key={key} items={chunk} />
        ))}
        {isEmpty.value && <Welcome />}
        {isTail && <Answers />}
      </div>
      {isAway && (
        <button type="button" class="to-end" onClick={showEnd}>
          <Icon name="down" /> Newest
        </button>
      )}
    </div>
  )
}
