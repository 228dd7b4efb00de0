/**
 * Edits a message in its place. The text that is sent becomes another version of the message; the existing one stays.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { readDraft, writeDraft } from "../Drafts.ts"
import { editing, id, type Message, say } from "./store.ts"

export const EditBox = ({ message }: { readonly message: Message }) => {
  const name = `draft:${id.value}:${message.id}`
  const [text, setText] = useState(() => readDraft(name) || message.text)
  const box = useRef<HTMLTextAreaElement>(null)
  /** The element that had the focus before, which gets it back. */
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    before.current = document.activeElement
    box.current?.focus()
    box.current?.setSelectionRange(text.length, text.length)
  }, [])
  const close = () => {
    writeDraft(name, "")
    if (before.current instanceof HTMLElement && before.current !== document.body) before.current.focus()
    editing.value = undefined
  }
  const send = async () => {
    const isBlank = text.trim() === "" && (message.pictures ?? []).length === 0
    if (!isBlank && (await say(text, [], message))) close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === "Escape") close()
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      void send()
    }
  }
  return (
    <div class="edit">
      <textarea
        ref={box}
        aria-label="Edit the message"
        value={text}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          writeDraft(name, currentTarget.value)
        }}
      />
      <footer>
        <button type="button" class="primary" onClick={send}>
          Send as a new version
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </footer>
    </div>
  )
}
