/**
 * Decides which parts of the view are shown: beside each other if there is room, otherwise one at a time. The document
 * is beside a conversation once it has a text, or when the user asks for it.
 */
import { computed, effect, signal } from "@preact/signals"
import { readDraft, writeDraft } from "../Drafts.ts"
import { document as document_, id } from "./store.ts"

type Pane = "list" | "chat" | "document"

/** The pane that a narrow page shows. */
export const pane = signal<Pane>("chat")

/** True if a wide page hides the list. */
export const isListHidden = signal(readDraft("hidden").split(" ").includes("list"))

/** The user's choice in this browser, by conversation: `open`, `closed`, or empty for none. */
const nameOf = (conversation: string | undefined) => `pane:${conversation}`

/**
 * The conversations whose document has been shown on this page; its editor stays, with words that are not saved yet.
 */
const shown = signal<ReadonlySet<string>>(new Set())
const closed = signal<ReadonlySet<string>>(new Set())

const withId = (set: ReadonlySet<string>, conversation: string) => new Set([...set, conversation])
const withoutId = (set: ReadonlySet<string>, conversation: string) =>
  new Set([...set].filter((other) => other !== conversation))

effect(() => {
  const conversation = id.value
  if (conversation === undefined) return
  const choice = readDraft(nameOf(conversation))
  if (choice === "closed") closed.value = withId(closed.peek(), conversation)
  const hasText = document_.value !== undefined && (document_.value.text !== "" || document_.value.file !== undefined)
  // Words that the server does not have yet are saved by the editor alone.
  const hasUnsaved = readDraft(`document:${conversation}`) !== ""
  if (hasText || hasUnsaved || choice === "open") shown.value = withId(shown.peek(), conversation)
})

/** True if the editor of the document exists, which may be hidden. */
export const hasDocument = computed(() => shown.value.has(id.value ?? ""))

/** True if a wide page shows the document. */
export const isDocumentShown = computed(() => shown.value.has(id.value ?? "") && !closed.value.has(id.value ?? ""))

export const showPane = (to: Pane): void => {
  pane.value = to
  const conversation = id.peek()
  if (to === "document" && conversation !== undefined) shown.value = withId(shown.peek(), conversation)
}

export const toggleList = (): void => {
  isListHidden.value = !isListHidden.value
  writeDraft("hidden", isListHidden.value ? "list" : "")
}

export const toggleDocument = (): void => {
  const conversation = id.peek()
  if (conversation === undefined) return
  const isShown = isDocumentShown.peek()
  writeDraft(nameOf(conversation), isShown ? "closed" : "open")
  closed.value = isShown ? withId(closed.peek(), conversation) : withoutId(closed.peek(), conversation)
  if (!isShown) shown.value = withId(shown.peek(), conversation)
}
