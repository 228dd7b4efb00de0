/** Shows the forest as an outline. */
import { signal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Event } from "../Events.ts"
import { Icon, type IconName } from "../Icon.tsx"
import { areKeysShown } from "../Keys.tsx"
import { isShortcut } from "../keyboard.ts"
import { go, route } from "../Route.ts"
import { SearchBox } from "../SearchBox.tsx"
import * as Browser from "./Browser.ts"
import { type Actions, Detail } from "./Detail.tsx"
import type * as Outline from "./Outline.ts"
import { Bookmarks, Compare, History, NewBookmark } from "./Panels.tsx"
import { findFirst, Hits, useSearch } from "./Search.tsx"
import { onScreen, Tree } from "./Tree.tsx"

/** True while the view is on the page. */
let isShown = false
/** True if the lines that were read may have changed since. */
let isOld = false
let timer: ReturnType<typeof setTimeout> | undefined

const readAnew = () => {
  clearTimeout(timer)
  timer = undefined
  isOld = false
  return Browser.reload(() => onScreen.value)
}

/**
 * The milliseconds before the outline is read again: an answer in progress stores many messages, which are shown
 * together.
 */
const WAIT = 400

export const onEvent = ({ type }: Event): void => {
  if (type === "message" || type === "conversation" || type === "forest") refresh()
}
/** Reads the outline again, since it may be out of date, for example when the connection is open again. */
export const refresh = (): void => {
  isOld = true
  if (isShown) timer ??= setTimeout(readAnew, WAIT)
}

type Panel = { readonly type: "compare" | "bookmark"; readonly id: string } | { readonly type: "bookmarks" | "history" }

const panel = signal<Panel | undefined>(undefined)

const actions: Actions = {
  open: ({ conversation, row }) =>
    go({ view: "conversation", id: conversation, leaf: row.kind === "conversation" ? undefined : row.id }),
  compare: ({ row }) => {
    panel.value = { type: "compare", id: row.id }
  },
  bookmark: ({ row }) => {
    panel.value = { type: "bookmark", id: row.id }
  },
  hide: ({ isHidden, row }) => {
    Browser.setHidden(row.id, !isHidden)
    Browser.said.value = isHidden ? "Shown again." : "Hidden in this browser. “Show hidden” shows it."
    Browser.canUndo.value = false
  },
  remove: ({ row }) => void Browser.act("DELETE", `/forest/nodes/${encodeURIComponent(row.id)}`, undefined, true),
}

const focusTree = () => document.querySelector<HTMLElement>("[role=tree]")?.focus()

export const ForestView = () => {
  const search = useRef<HTMLInputElement>(null)
  const [text, setText] = useState("")
  const hits = useSearch(text)
  useEffect(() => {
    isShown = true
    if (isOld) void readAnew()
    return () => {
      isShown = false
    }
  }, [])
  // The arrows enter the tree from any place in which they have no meaning: after the user has followed a link, nothing
  // here has the focus. This starts as soon as the lines are visible.
  useLayoutEffect(() => {
    const enter = (event: KeyboardEvent) => {
      const isInside = event.target instanceof Element && event.target.closest(".panes") !== null
      if (isInside || !/^Arrow(?:Up|Down|Left|Right)$/.test(event.key) || !isShortcut(event)) return
      event.preventDefault()
      focusTree()
    }
    addEventListener("keydown", enter)
    return () => removeEventListener("keydown", enter)
  }, [])
  const { value: at } = route
  const wanted = at.view === "forest" ? at.id : undefined
  useEffect(() => {
    if (wanted !== undefined) void Browser.reveal(wanted)
  }, [wanted])

  const choose = (id: string) => {
    panel.value = undefined
    setText("")
    void Browser.reveal(id).then(focusTree)
  }
  const chooseFirst = async () => {
    const first = await findFirst(text)
    if (first !== undefined) choose(first)
  }
  const onKey = (event: KeyboardEvent, line: Outline.Line | undefined) => {
    const isControl = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    const done = isControl
      ? key === "z"
        ? () => void (event.shiftKey ? Browser.redo() : Browser.undo())
        : key === "y"
          ? () => void Browser.redo()
          : undefined
      : line && keyAction(key, line)
    if (done === undefined) return
    event.preventDefault()
    done()
  }
  const line = Browser.activeLine.value
  const close = () => {
    panel.value = undefined
  }
  return (
    <main class="forest" aria-label="Forest" tabindex={-1}>
      <div class="tools">
        <SearchBox
          box={search}
          label="Search titles and messages"
          placeholder="Search titles and messages"
          text={text}
          onText={setText}
          onEnter={() => void chooseFirst()}
          onDown={() => {
            if (hits === undefined) focusTree()
            else document.querySelector<HTMLElement>(".hits button")?.focus()
          }}
        />
        <select
          aria-label="Which conversations"
          value={Browser.only.value}
          onChange={({ currentTarget }) => {
            Browser.only.value = currentTarget.value === "this" ? "this" : "all"
            void readAnew()
          }}
        >
          <option value="all">All folders</option>
          <option value="this">This folder</option>
        </select>
        <label>
          <input
            type="checkbox"
            checked={Browser.withIndex.value}
            onChange={({ currentTarget }) => {
              Browser.withIndex.value = currentTarget.checked
              void readAnew()
            }}
          />{" "}
          Index runs
        </label>
        {Browser.hidden.value.size > 0 && (
          <label>
            <input
              type="checkbox"
              checked={Browser.showsHidden.value}
              onChange={({ currentTarget }) => {
                Browser.showsHidden.value = currentTarget.checked
              }}
            />{" "}
            Show hidden ({Browser.hidden.value.size})
          </label>
        )}
        <span class="space" />
        <Tool icon="bookmark" name="Bookmarks" onClick={() => (panel.value = { type: "bookmarks" })} />
        <Tool icon="history" name="History" onClick={() => (panel.value = { type: "history" })} />
        <Tool icon="undo" name="Undo" onClick={() => void Browser.undo()} />
        <Tool icon="redo" name="Redo" onClick={() => void Browser.redo()} />
        <Tool icon="keyboard" name="Keys" onClick={() => (areKeysShown.value = true)} />
      </div>
      <p class="said" role="status">
        {Browser.said.value}
        {Browser.canUndo.value && (
          <button type="button" class="quiet" onClick={() => void Browser.undo()}>
            Undo
          </button>
        )}
      </p>
      <div class="panes">
        {hits !== undefined ? (
          <Hits
            hits={hits}
            onChoose={choose}
            onLeave={() => {
              search.current?.focus()
            }}
          />
        ) : Browser.lines.value.count === 0 ? (
          <div class="nothing">
            <p>
              There are no conversations {Browser.only.value === "this" ? "of this folder " : ""}yet. The first message
              makes one, and <code>vibe loom import</code> in a terminal adds those of other programs.
            </p>
          </div>
        ) : (
          <Tree onKey={onKey} onOpen={actions.open} />
        )}
        {line !== undefined && hits === undefined && <Detail line={line} actions={actions} />}
      </div>
      <Opened onChoose={choose} onClose={close} />
    </main>
  )
}

const Tool = (props: { readonly icon: IconName; readonly name: string; readonly onClick: () => void }) => (
  <button type="button" class="quiet only-icon" aria-label={props.name} title={props.name} onClick={props.onClick}>
    <Icon name={props.icon} />
  </button>
)

const Opened = ({ onChoose, onClose }: { readonly onChoose: (id: string) => void; readonly onClose: () => void }) => {
  const { value: opened } = panel
  switch (opened?.type) {
    case "compare":
      return <Compare of={opened.id} onChoose={onChoose} onClose={onClose} />
    case "bookmark":
      return <NewBookmark node={opened.id} onClose={onClose} />
    case "bookmarks":
      return <Bookmarks onChoose={onChoose} onClose={onClose} />
    case "history":
      return <History onClose={onClose} />
    default:
      return null
  }
}

const keyAction = (key: string, line: Outline.Line): (() => void) | undefined => {
  switch (key) {
    case "c":
      return line.row.children > 1 ? () => actions.compare(line) : undefined
    case "b":
      return line.row.kind === "conversation" ? undefined : () => actions.bookmark(line)
    case "h":
      return line.isHead ? () => actions.hide(line) : undefined
    case "delete":
      return () => actions.remove(line)
    default:
      return undefined
  }
}
