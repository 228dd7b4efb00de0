/** Handles the keys of a conversation. */
import { signal } from "@preact/signals"
import { isShortcut } from "../isShortcut.ts"
import { stopAll } from "./Composer.tsx"
import { create } from "./List.tsx"
import { isPickingModels } from "./ModelPicker.tsx"
import { showPane, toggle } from "./panes.ts"
import { isRunning } from "./store.ts"

export const isHelpOpen = signal(false)

/** Describes each key, as the help lists it. */
export const shortcuts: ReadonlyArray<readonly [keys: string, does: string]> = [
  ["Enter", "send the message"],
  ["Shift Enter", "a new line"],
  ["↑", "edit your last message, where nothing is written yet"],
  ["Esc", "stop the answers that are running"],
  ["?", "this list"],
  ["/", "write a message"],
  ["n", "a new conversation"],
  ["s", "search conversations"],
  ["m", "choose models"],
  ["d", "show or hide the document"],
  ["j, k", "the next message, the one before"],
  ["e", "edit the message in focus"],
  ["r", "answer the message in focus again"],
  ["c", "copy the message in focus"],
  ["[, ]", "its version before, its next version"],
]

const focus = (selector: string) => {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  return element !== null
}

/** Moves the focus to the message beside the focused one, or to the last message if none has it. */
const step = (by: number) => {
  const all = [...document.querySelectorAll<HTMLElement>("[data-message]")]
  const now = all.indexOf(document.activeElement?.closest<HTMLElement>("[data-message]") ?? document.body)
  const next = now === -1 ? all.at(-1) : all[Math.min(all.length - 1, Math.max(0, now + by))]
  next?.focus()
  next?.scrollIntoView({ block: "nearest" })
}

/** Presses the button for this key on the focused message. */
const press = (key: string) =>
  document.activeElement
    ?.closest("[data-message]")
    ?.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key)}"]:not(:disabled)`)
    ?.click()

const actions: Readonly<Record<string, () => unknown>> = {
  "?": () => (isHelpOpen.value = true),
  "/": () => {
    showPane("chat")
    focus("#message")
  },
  n: create,
  s: () => {
    showPane("list")
    focus(".list input[type=search]")
  },
  m: () => (isPickingModels.value = true),
  d: () => toggle("document"),
  j: () => step(1),
  k: () => step(-1),
  e: () => press("e"),
  r: () => press("r"),
  c: () => press("c"),
  "[": () => press("["),
  "]": () => press("]"),
}

export const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return
  if (event.key === "Escape" && isRunning.value) {
    event.preventDefault()
    void stopAll()
    return
  }
  if (!isShortcut(event)) return
  const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
  if (action === undefined) return
  event.preventDefault()
  action()
}
