/** Shows the text beside a conversation. Its editor is loaded after the page. */
import { effect, signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Conversations } from "../../Client.ts"
import { Icon } from "../../Icon.tsx"
import { showPane, toggleDocument } from "../panes.ts"
import { attemptRead, document as document_, documentListeners, id } from "../store.ts"
import type { Editor } from "./Editor.ts"
import { readVersions } from "./history.ts"
import { Versions } from "./Versions.tsx"

type Document = Conversations.Document

const status = signal("")
const isShowingVersions = signal(false)
let editor: Editor | undefined

/** Reads the text that the model had last, against which edits are marked. */
const readModelText = async (document: Document): Promise<string> => {
  if (!document.edited) return document.text
  const [newest] = await readVersions()
  return newest?.text ?? ""
}

const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""

/** Makes the editor of a conversation in an element, and returns a function that removes it. */
const mount = (place: HTMLElement, conversation: string) => {
  let isGone = false
  let wasEdited: boolean | undefined
  const mark = (document: Document) => {
    if (document.edited === wasEdited && document.edited) return
    wasEdited = document.edited
    void readModelText(document).then(
      (text) => !isGone && editor?.setModelText(text),
      () => {},
    )
  }
  const listener = (document: Document, isState: boolean) => {
    editor?.saver.receive(document, isState)
    if (isState) wasEdited = undefined
    mark(document)
  }
  void attemptRead(async () => {
    const { make } = await import("./Editor.ts")
    const first = document_.peek()
    if (isGone || first === undefined || id.peek() !== conversation) return
    place.replaceChildren()
    editor = make(place, conversation, first, nonce, (text) => (status.value = text))
    documentListeners.add(listener)
    mark(first)
  })
  return () => {
    isGone = true
    documentListeners.delete(listener)
    editor?.destroy()
    editor = undefined
    status.value = ""
  }
}

export const DocumentPane = () => {
  const place = useRef<HTMLDivElement>(null)
  const conversation = id.value
  useEffect(() => {
    if (place.current !== null && conversation !== undefined) return mount(place.current, conversation)
    return undefined
  }, [conversation])
  const { conflicts = 0, edited = false, file } = document_.value ?? {}
  return (
    <>
      <header class="head">
        <button type="button" class="quiet narrow-only" onClick={() => showPane("chat")}>
          <Icon name="back" /> Chat
        </button>
        <h2 title={file}>{file ?? "Document"}</h2>
        {edited && (
          <span class="badge" title="Lines with a mark were changed by you since the model last had the text">
            edited: the model is told before its next request
          </span>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            // A window that becomes narrow would otherwise hide this pane with the dialog in it.
            showPane("document")
            isShowingVersions.value = true
          }}
        >
          <Icon name="history" /> Versions
        </button>
        <button
          type="button"
          class="quiet only-icon wide-only"
          aria-label="Close the document"
          title="Close the document (d)"
          onClick={toggleDocument}
        >
          <Icon name="close" />
        </button>
      </header>
      {conflicts > 0 && (
        <p class="failure">
          {conflicts === 1 ? "One place was" : `${conflicts} places were`} changed differently by you and the model at
          the same time. Your lines are here; the model's are under Versions.
        </p>
      )}
      <p class="failure" role="status">
        {status.value}
      </p>
      <div class="editor" ref={place} />
      {isShowingVersions.value && (
        <Versions
          nonce={nonce}
          now={() => editor?.view.state.doc.toString() ?? ""}
          restore={(text) => editor?.replace(text)}
          onClose={() => (isShowingVersions.value = false)}
        />
      )}
    </>
  )
}

effect(() => {
  // Another conversation has other versions.
  void id.value
  isShowingVersions.value = false
})
