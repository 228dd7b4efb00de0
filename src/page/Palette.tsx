/** The palette: everything that one can do or go to, found by its name. */
import { signal } from "@preact/signals"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { type Conversations, type Index, query, request } from "./Client.ts"
import { create } from "./conversation/List.tsx"
import { isPickingModels } from "./conversation/ModelPicker.tsx"
import { showPane, toggleDocument, toggleList } from "./conversation/panes.ts"
import { Dialog } from "./Dialog.tsx"
import { byName, formatTime } from "./format.ts"
import { linkToSymbol } from "./index/Project.ts"
import { areKeysShown } from "./Keys.tsx"
import { go, type Route, route } from "./Route.ts"
import { PAUSE } from "./useLatestAnswer.ts"

export const isPaletteOpen = signal(false)

interface Entry {
  readonly name: string
  /** A few words beside the name: a place, a time, or a key. */
  readonly about: string
  readonly run: () => unknown
}

/** A kind of things that the palette finds. */
interface Source {
  readonly title: string
  readonly find: (text: string) => Promise<ReadonlyArray<Entry>> | ReadonlyArray<Entry>
}

/** The most entries of one kind: as many as there are commands. */
const most = 8

const goTo = (to: Route) => () => go(to)
const conversations: Route = { view: "conversation", id: undefined, leaf: undefined }

/** Returns a command that acts in the view of conversations, which it opens first. */
const inConversation = (act: () => unknown) => () => {
  if (route.peek().view !== "conversation") go(conversations)
  act()
}

const commands: ReadonlyArray<Entry> = [
  { name: "New conversation", about: "n", run: create },
  { name: "Go to conversations", about: "", run: goTo(conversations) },
  {
    name: "Go to the forest",
    about: "all conversations with their branches",
    run: goTo({ view: "forest", id: undefined }),
  },
  { name: "Go to the index", about: "what the project is made of", run: goTo({ view: "index", at: "" }) },
  { name: "Choose models", about: "m", run: inConversation(() => (isPickingModels.value = true)) },
  { name: "Show or hide the document", about: "d", run: inConversation(toggleDocument) },
  { name: "Show or hide the list of conversations", about: "", run: inConversation(toggleList) },
  { name: "Show the keys", about: "?", run: () => (areKeysShown.value = true) },
]

const findCommands = (text: string): ReadonlyArray<Entry> => {
  const words = text.toLowerCase().split(/\s+/)
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

const findConversations = async (text: string): Promise<ReadonlyArray<Entry>> => {
  const found = await request<ReadonlyArray<Conversations.Summary>>(
    "GET",
    `/conversations${query({ search: text || undefined })}`,
  )
  return found
    .filter(({ messages }) => messages > 0)
    .map(({ changed, id, title }) => ({
      name: title || "New conversation",
      about: formatTime(changed, Date.now()),
      run: () => {
        go({ view: "conversation", id, leaf: undefined })
        showPane("chat")
      },
    }))
}

const findSymbols = async (text: string): Promise<ReadonlyArray<Entry>> => {
  if (text === "") return []
  const found = await request<ReadonlyArray<{ readonly symbol: Index.SymbolRow }>>(
    "GET",
    `/index/search${query({ text })}`,
  )
  return byName(found, text, ({ symbol }) => symbol).map(({ symbol }) => ({
    name: symbol.name,
    about: symbol.kind === "file" ? symbol.path : `${symbol.path}:${symbol.line}`,
    run: () => {
      location.hash = linkToSymbol(symbol)
    },
  }))
}

/** Everything that the palette finds, kind by kind. A view adds a kind of its own here. */
const sources: Array<Source> = [
  { title: "Commands", find: findCommands },
  { title: "Conversations", find: findConversations },
  { title: "Symbols", find: findSymbols },
]

/** The entries of the sources by their titles, and the text that they were found for. */
interface Found {
  readonly text: string
  readonly entries: ReadonlyMap<string, ReadonlyArray<Entry>>
}

/** Returns what is found without a request. */
const findNow = (text: string): Found["entries"] => new Map([["Commands", findCommands(text)]])

export const Palette = () => {
  const [text, setText] = useState("")
  const [found, setFound] = useState<Found>(() => ({ text: "", entries: findNow("") }))
  const [marked, setMarked] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const type = (to: string) => {
    setText(to)
    setMarked(0)
    // Nothing that was found for an earlier text can be chosen for this one.
    setFound({ text: to, entries: findNow(to.trim()) })
  }
  useEffect(() => {
    const ask = async ({ find, title }: Source) => {
      // A source that cannot answer, such as an index that does not exist, has no entries.
      const entries = await Promise.resolve(find(text.trim())).catch(() => [])
      setFound((now) => (now.text === text ? { text, entries: new Map([...now.entries, [title, entries]]) } : now))
    }
    const timer = setTimeout(() => void Promise.all(sources.map(ask)), text === "" ? 0 : PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [marked])
  const groups = sources.flatMap(({ title }) => {
    const entries = (found.entries.get(title) ?? []).slice(0, most)
    return entries.length === 0 ? [] : [{ title, entries }]
  })
  const close = () => (isPaletteOpen.value = false)
  const all = groups.flatMap(({ entries }) => entries)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    close()
    // The dialog gives the focus back when it closes, and the entry may move it elsewhere.
    setTimeout(entry.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (by !== 0) {
      event.preventDefault()
      setMarked(Math.max(0, Math.min(all.length - 1, marked + by)))
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault()
      choose(all[marked])
    } else if (event.key === "Escape") {
      // The browser would only empty the search.
      event.preventDefault()
      close()
    }
  }
  let at = -1
  return (
    <Dialog title="Palette" name="palette" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Find a command, a conversation or a symbol"
        aria-expanded={all.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={all.length > 0 ? `${id}-${marked}` : undefined}
        placeholder="Find a command, a conversation or a symbol"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found" tabIndex={-1}>
        {groups.map(({ entries, title }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no options
          <div key={title} role="group" aria-label={title}>
            <span aria-hidden="true">{title}</span>
            {entries.map((entry) => {
              at++
              const own = at
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the search, which has the focus, handles the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the search keeps the focus and names the marked entry
                <div
                  key={`${entry.name} ${entry.about}`}
                  id={`${id}-${own}`}
                  role="option"
                  aria-selected={own === marked}
                  onMouseMove={() => setMarked(own)}
                  onClick={() => choose(entry)}
                >
                  <span>{entry.name}</span>
                  <span class="meta">{entry.about}</span>
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {all.length === 0 && text.trim() !== "" && <p class="empty">Nothing has that name.</p>}
    </Dialog>
  )
}
