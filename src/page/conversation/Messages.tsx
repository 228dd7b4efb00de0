/** The path of messages. What is far from what one sees is not laid out, and is read from the server as one scrolls up. */
import { computed } from "@preact/signals"
import { memo } from "preact/compat"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Answers } from "./Answering.tsx"
import { copyCode } from "./Markdown.tsx"
import { MessageView } from "./MessageView.tsx"
import { type Item, toItems } from "./reduce.ts"
import { answers, earlier, id, loadEarlier, messages } from "./store.ts"

/** Messages that are compared as one when something changes, so that a long path costs little. */
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
        item.results.length === other.results.length
      )
    }),
)

/** By places in the whole path: messages that are loaded above leave the chunks below as they are. */
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

/** Of the end, in pixels: then it stays in sight. */
const near = 120
/** More messages are drawn while these pixels are above what one sees. */
const ahead = 2000
/** How many are drawn at a time: more would take longer than a frame or two. */
const step = 40

const isEmpty = computed(() => messages.value?.length === 0 && answers.value?.length === 0)

export const Messages = () => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  /** Whether the end is seen: then it stays seen. */
  const isAtEnd = useRef(true)
  const [isAway, setIsAway] = useState(false)
  const anchor = useRef<{ readonly element: Element; readonly top: number } | undefined>(undefined)
  const shown = id.value
  const toEnd = () => {
    const element = scroller.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    isAtEnd.current = true
    setIsAway(false)
    toEnd()
    if (content.current === null) return
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd())
    observer.observe(content.current)
    if (scroller.current !== null) observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [shown])
  const before = earlier.value ?? 0
  const total = before + (messages.value?.length ?? 0)
  // The place in the whole path of the first message that is drawn: few at first, more as one scrolls up.
  const [drawn, setDrawn] = useState({ of: shown, from: Number.POSITIVE_INFINITY })
  const from = Math.max(before, Math.min(drawn.of === shown ? drawn.from : total, total - step))
  useLayoutEffect(() => {
    const { current: kept } = anchor
    const element = scroller.current
    anchor.current = undefined
    if (kept === undefined || element === null || !kept.element.isConnected) return
    element.scrollTop += kept.element.getBoundingClientRect().top - kept.top
    // Where it is at the top still, nothing scrolls, and nothing else would ask for more.
    requestAnimationFrame(onScroll)
  }, [from, before])
  const holdPlace = () => {
    const element = content.current?.querySelector("[data-message], .note")
    if (element) anchor.current = { element, top: element.getBoundingClientRect().top }
  }
  const drawMore = async () => {
    if (from === before && !(await loadEarlier(holdPlace))) return
    holdPlace()
    setDrawn({ of: shown, from: from - step })
  }
  const onScroll = () => {
    const element = scroller.current
    if (element === null) return
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < near
    setIsAway(!isAtEnd.current)
    if (element.scrollTop < ahead && from > 0) void drawMore()
  }
  const items = toItems((messages.value ?? []).slice(from - before))
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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click on a button in it, which has a keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div class="messages-content" ref={content} onClick={copyCode}>
        {from > 0 && (
          <p class="earlier">
            <button type="button" onClick={drawMore}>
              {from} earlier messages
            </button>
          </p>
        )}
        {toChunks(items, from).map(([key, chunk]) => (
          <Chunk key={key} items={chunk} />
        ))}
        {isEmpty.value && <Welcome />}
        <Answers />
      </div>
      {isAway && (
        <button
          type="button"
          class="to-end"
          onClick={() => {
            isAtEnd.current = true
            toEnd()
          }}
        >
          ↓ Newest
        </button>
      )}
    </div>
  )
}

const Welcome = () => (
  <div class="welcome">
    <h2>A new conversation</h2>
    <p>
      Write a message below. The model can read the project that is served here, and the document beside this
      conversation, which both of you edit.
    </p>
    <ul>
      <li>Edit any message of yours, or have it answered again: what was there stays as another branch.</li>
      <li>Choose several models to compare their answers.</li>
      <li>
        Press <kbd>?</kbd> outside of a text for all keys.
      </li>
    </ul>
  </div>
)
