/** Lists the conversations, newest first, with a search over them. */
import { effect, signal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Conversations, query, request } from "../Client.ts"
import type { Event } from "../Events.ts"
import { formatPlural, formatTime } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { stepFocus } from "../keyboard.ts"
import { format, go } from "../Route.ts"
import { showPane } from "./panes.ts"
import { attempt, attemptRead, id, type Summary } from "./store.ts"

const list = signal<ReadonlyArray<Summary>>([])
/** True once the server has listed the conversations; before that, an empty list says nothing. */
const isRead = signal(false)
const search = signal("")
const isAll = signal(false)
/** True if there may be older conversations. */
const hasMore = signal(false)
const page = 50

const read = (before?: number) =>
  request<ReadonlyArray<Summary>>(
    "GET",
    `/conversations${query({ search: search.peek() || undefined, all: isAll.peek() ? "true" : undefined, before })}`,
  )

let latest = 0
/** Shows the newest conversations that are found, and returns them. Returns none if the server cannot be reached. */
export const refreshList = async (): Promise<ReadonlyArray<Summary>> => {
  const mine = ++latest
  let found: ReadonlyArray<Summary> = []
  await attemptRead(async () => {
    found = await read()
    if (mine !== latest) return
    list.value = found
    isRead.value = true
    hasMore.value = found.length >= page
  })
  return found
}

const readMore = () =>
  attemptRead(async () => {
    const older = await read(list.peek().at(-1)?.changed)
    const known = new Set(list.peek().map(({ id }) => id))
    const added = older.filter(({ id }) => !known.has(id))
    list.value = [...list.peek(), ...added]
    hasMore.value = added.length >= page
  })

export const onListEvent = (event: Event): void => {
  if (event.type === "forest") return void refreshList()
  if (event.type !== "conversation" || search.peek() !== "") return
  const others = list.peek().filter((summary) => summary.id !== event.summary.id)
  list.value = [...others, event.summary].toSorted((a, b) => b.changed - a.changed)
}

let typing: ReturnType<typeof setTimeout> | undefined
effect(() => {
  void search.value
  clearTimeout(typing)
  typing = setTimeout(() => void refreshList(), 150)
})

export const create = () =>
  attempt(async () => {
    const { id } = await request<Conversations.Summary>("POST", "/conversations", {})
    go({ view: "conversation", id, leaf: undefined })
    showPane("chat")
  })

/**
 * Opens the first conversation that is found for the complete text, since the list may be for an earlier text. `box`
 * loses the focus, so that the conversation gets it.
 */
const openFirst = async (box: HTMLInputElement) => {
  const typed = search.peek()
  clearTimeout(typing)
  // Does not take it from the list, which an event may have read again meanwhile.
  const [first] = await refreshList()
  if (first === undefined || search.peek() !== typed) return
  if (first.id !== id.peek()) box.blur()
  go({ view: "conversation", id: first.id, leaf: undefined })
  showPane("chat")
}

export const List = () => {
  const now = Date.now()
  const box = useRef<HTMLInputElement>(null)
  const links = useRef<HTMLUListElement>(null)
  /** Moves the focus by lines of the list; the search is above the first one. */
  const step = (event: KeyboardEvent, by: number) => {
    event.preventDefault()
    stepFocus(links.current?.querySelectorAll("a") ?? [], by, () => box.current?.focus())
  }
  return (
    <nav class="list" aria-label="Conversations">
      <div class="list-head">
        <button
          type="button"
          class="quiet only-icon narrow-only"
          aria-label="Back to the conversation"
          onClick={() => showPane("chat")}
        >
          <Icon name="back" />
        </button>
        <input
          type="search"
          placeholder="Search"
          aria-label="Search conversations"
          ref={box}
          value={search.value}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") step(event, 1)
            if (event.key === "Enter" && !event.isComposing && search.value.trim() !== "")
              void openFirst(event.currentTarget)
          }}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
          }}
        />
        <button type="button" class="primary" title="A new conversation (n)" onClick={create}>
          <Icon name="plus" /> New
        </button>
      </div>
      <ul
        ref={links}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") step(event, 1)
          if (event.key === "ArrowUp") step(event, -1)
        }}
      >
        {list.value.map(({ changed, folder, id: each, messages, running, title }) => (
          <li key={each}>
            <a
              href={format({ view: "conversation", id: each, leaf: undefined })}
              aria-current={each === id.value ? "true" : undefined}
              onClick={() => showPane("chat")}
            >
              <span class="list-title">{title || "New conversation"}</span>
              <span class="meta">
                {running ? <span class="running">answering</span> : formatTime(changed, now)} ·{" "}
                {formatPlural(messages, "message")}
                {isAll.value && folder !== undefined && ` · ${folder}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {isRead.value && list.value.length === 0 && (
        <p class="empty">{search.value === "" ? "No conversations yet." : `Nothing is found for “${search.value}”.`}</p>
      )}
      {hasMore.value && (
        <button type="button" class="quiet" onClick={readMore}>
          Older
        </button>
      )}
      <label class="list-foot">
        <input
          type="checkbox"
          checked={isAll.value}
          onChange={({ currentTarget }) => {
            isAll.value = currentTarget.checked
            void refreshList()
          }}
        />
        Conversations of all folders
      </label>
    </nav>
  )
}
