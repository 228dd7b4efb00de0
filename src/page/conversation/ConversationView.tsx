/** Shows a conversation, with all others on one side and the text that is edited together on the other. */
import { effect, signal } from "@preact/signals"
import { useLayoutEffect, useState } from "preact/hooks"
import type { Event } from "../Events.ts"
import { Icon } from "../Icon.tsx"
import { areKeysShown } from "../Keys.tsx"
import { route } from "../Route.ts"
import { attach } from "./Attachments.tsx"
import { Compare } from "./Compare.tsx"
import { Composer } from "./Composer.tsx"
import { onCompareEvent } from "./compare.ts"
import { DocumentPane } from "./document/DocumentPane.tsx"
import { onKeyDown } from "./keys.ts"
import { create, List, onListEvent, refreshList } from "./List.tsx"
import { Messages } from "./Messages.tsx"
import { isPickingModels, ModelPicker } from "./ModelPicker.tsx"
import { hasDocument, isDocumentShown, isListHidden, pane, showPane, toggleDocument, toggleList } from "./panes.ts"
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
  const [isDropping, setIsDropping] = useState(false)
  useLayoutEffect(() => {
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])
  return (
    <main class="conversation" data-pane={pane.value} aria-label="Conversation" tabindex={-1}>
      <div class={`pane pane-list${isListHidden.value ? " hidden" : ""}`}>
        <List />
      </div>
      <section
        class={`pane pane-chat${isDropping ? " dropping" : ""}`}
        aria-label={title.value || "Conversation"}
        onDragOver={(event) => {
          if (!(event.dataTransfer?.types.includes("Files") ?? false)) return
          event.preventDefault()
          setIsDropping(true)
        }}
        onDragLeave={() => setIsDropping(false)}
        onDrop={(event) => {
          setIsDropping(false)
          const files = event.dataTransfer?.files ?? []
          if (files.length === 0) return
          event.preventDefault()
          void attach(files)
        }}
      >
        <Head />
        {missing.value === "" ? (
          <>
            <Messages />
            <Composer />
          </>
        ) : (
          <div class="nothing">
            <p role="status">{missing.value}</p>
            <button type="button" class="primary" onClick={create}>
              New conversation
            </button>
          </div>
        )}
      </section>
      {hasDocument.value && (
        <aside class={`pane pane-document${isDocumentShown.value ? "" : " hidden"}`} aria-label="Document">
          {missing.value === "" && <DocumentPane />}
        </aside>
      )}
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      <Compare />
      {isPickingModels.value && <ModelPicker />}
    </main>
  )
}

const isRenaming = signal(false)

const Head = () => (
  <header class="head">
    <button
      type="button"
      class="quiet only-icon wide-only"
      aria-label="List"
      title="Show or hide the list of conversations"
      aria-pressed={!isListHidden.value}
      onClick={toggleList}
    >
      <Icon name="list" />
    </button>
    <button type="button" class="quiet only-icon narrow-only" aria-label="List" onClick={() => showPane("list")}>
      <Icon name="list" />
    </button>
    {isRenaming.value ? <Rename /> : <Title />}
    <button
      type="button"
      class="quiet only-icon"
      aria-label="Keys"
      title="Keys (?)"
      onClick={() => (areKeysShown.value = true)}
    >
      <Icon name="keyboard" />
    </button>
    <button
      type="button"
      class="quiet only-icon wide-only"
      aria-label="Document"
      title="Show or hide the text that you and the model write together (d)"
      aria-pressed={isDocumentShown.value}
      onClick={toggleDocument}
    >
      <Icon name="document" />
    </button>
    <button
      type="button"
      class="quiet only-icon narrow-only"
      aria-label="Document"
      onClick={() => showPane("document")}
    >
      <Icon name="document" />
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
  // The title takes the focus back from its field, unless the user has gone elsewhere.
  const closeHere = () => {
    close()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".head h2 button")?.focus())
  }
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() === "" || (await rename(text.trim()))) closeHere()
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
          closeHere()
        }}
      />
    </form>
  )
}
