/** Decides which parts of the view are shown: beside each other if there is room, otherwise one at a time. */
import { signal } from "@preact/signals"
import { readDraft, writeDraft } from "../Drafts.ts"

type Pane = "list" | "chat" | "document"

/** The pane that a narrow page shows. */
export const pane = signal<Pane>("chat")
/** The panes that a wide page hides. */
export const hidden = signal<ReadonlyArray<string>>(readDraft("hidden").split(" ").filter(Boolean))

export const showPane = (shown: Pane): void => {
  pane.value = shown
}

export const toggle = (name: "list" | "document"): void => {
  hidden.value = hidden.value.includes(name) ? hidden.value.filter((other) => other !== name) : [...hidden.value, name]
  writeDraft("hidden", hidden.value.join(" "))
}
