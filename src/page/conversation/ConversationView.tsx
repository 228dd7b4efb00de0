/** Shows a conversation, with all others on one side and the text that is edited together on the other. */
import { effect, signal } from "@preact/signals"
import { useLayoutEffect, useState } from "preact/hooks"
import { Dialog } from "../Dialog.tsx"
import type { Event } from "../Events.ts"
import { route } from "../Route.ts"
import { Compare } from "./Compare.tsx"
import { Composer } from "./Composer.tsx"
import { onCompareEvent } from "./compare.ts"
import { DocumentPane } from "./document/DocumentPane.tsx"
import { isHelpOpen, onKeyDown, shortcuts } from "./keys.ts"
import { List, onListEvent, refreshList } from "./List.tsx"
import { Messages } from "./Messages.tsx"
import { isPickingModels, ModelPicker } from "./ModelPicker.tsx"
import { hidden, pane, showPane, toggle } from "./panes.ts"
import {
  announcement,
  id,
  missing,
  onEvent as onStateEvent,
  open,
  refresh as refreshState,
  rename,
  title,
} from "./store.ts"

export const onEvent = (event: Event): void => {
  onListEvent(event)
  onCompareEvent(event)
  onStateEvent(event)
}

/** Reads everything again when the connection is open again, since the shown state may be out of date. */
export const refresh = (): void => {
  void refreshList()
  void refreshState()
}

effect(() => {
  const { value } = route
  if (value.view !== "conversation") return
  if (value.id === undefined || value.id !== id.peek() || value.leaf !== undefined) void open(value.id, value.leaf)
})

export const ConversationView = () => {
  useLayoutEffect(() => {
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])
  const isHidden = (name: string) => (hidden.value.includes(name) ? " hidden" : "")
  return (
    <main class="conversation" data-pane={pane.value} aria-label="Conversation">
      <div class={`pane pane-list${isHidden("list")}`}>
        <List />
      </div>
      <section class="pane pane-chat" aria-label={title.value || "Conversation"}>
        <Head />
        {missing.value === "" ? (
          <>
            <Messages />
            <Composer />
          </>
        ) : (
          <p class="empty" role="status">
            {missing.value}
          </p>
        )}
      </section>
      <aside class={`pane pane-document${isHidden("document")}`} aria-label="Document">
        {missing.value === "" && <DocumentPane />}
      </aside>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      <Compare />
      {isPickingModels.value && <ModelPicker />}
      {isHelpOpen.value && <Help />}
    </main>
  )
}

const isRenaming = signal(false)

const Head = () => (
  <header class="head">
    <button
      type="button"
      class="quiet wide-only"
      aria-pressed={!hidden.value.includes("list")}
      onClick={() => toggle("list")}
    >
      List
    </button>
    <button type="button" class="quiet narrow-only" onClick={() => showPane("list")}>
      ‹ List
    </button>
    {isRenaming.value ? <Rename /> : <Title />}
    <button type="button" class="quiet" aria-label="Keys" title="Keys (?)" onClick={() => (isHelpOpen.value = true)}>
      ?
    </button>
    <button
      type="button"
      class="quiet wide-only"
      aria-pressed={!hidden.value.includes("document")}
      onClick={() => toggle("document")}
    >
      Document
    </button>
    <button type="button" class="quiet narrow-only" onClick={() => showPane("document")}>
      Document ›
    </button>
  </header>
)

const Title = () =>
  missing.value === "" ? (
    <h2>
      <button type="button" class="quiet" title="Rename" onClick={() => (isRenaming.value = true)}>
        {title.value || "New conversation"}
      </button>
    </h2>
  ) : (
    <h2>Conversation</h2>
  )

const Rename = () => {
  const [text, setText] = useState(title.value ?? "")
  const close = () => (isRenaming.value = false)
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() === "" || (await rename(text.trim()))) close()
  }
  return (
    <form class="rename" onSubmit={send}>
      <input
        aria-label="Title"
        value={text}
        ref={(input) => input?.focus()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={close}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.preventDefault()
          close()
        }}
      />
    </form>
  )
}

const Help = () => (
  <Dialog title="Keys" onClose={() => (isHelpOpen.value = false)}>
    <dl class="keys">
      {shortcuts.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <p class="meta">Single letters work outside of texts.</p>
  </Dialog>
)
