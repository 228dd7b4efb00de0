/** Handles the keys of a conversation. */
import { isShortcut } from "../keyboard.ts"
import { stopAll } from "./Composer.tsx"
import { create } from "./List.tsx"
import { isPickingModels } from "./ModelPicker.tsx"
import { showPane, toggleDocument } from "./panes.ts"
import { isRunning } from "./store.ts"

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

/** Copies the code in focus, which a keyboard goes to in order to scroll it, or else the whole message. */
const copy = () => {
  const button = document.activeElement?.closest(".code")?.querySelector<HTMLButtonElement>("[data-copy]")
  if (button) button.click()
  else press("c")
}

const actions: Readonly<Record<string, () => unknown>> = {
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
  d: toggleDocument,
  j: () => step(1),
  k: () => step(-1),
  e: () => press("e"),
  r: () => press("r"),
  c: copy,
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
