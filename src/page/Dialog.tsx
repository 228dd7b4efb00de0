/** Shows a dialog over the page. The browser keeps the focus in it, closes it on Escape, and gives the focus back. */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Makes the dialog as wide as the page allows. */
  readonly isWide?: boolean
  /** A class of its own, for a dialog that looks different. */
  readonly name?: string
}

/** Fields that one types in. The focus begins in the first of them, else at what the dialog is for. */
const fields = "input:not([type=checkbox], [type=radio]), textarea"

export const Dialog = ({ children, isWide = false, name = "", onClose, title }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The dialog has the focus before the next key is read, so that what one types at once goes into it.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    const first = element?.querySelector<HTMLElement>(fields) ?? element?.querySelector<HTMLElement>("button.primary")
    first?.focus()
    return () => element?.close()
  }, [])
  // The browser says that a dialog was closed in a task of its own. It may say so of one that is gone already, and it
  // would then close the next one.
  const closed = () => {
    if (dialog.current !== null) onClose()
  }
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a modal dialog on Escape by itself
    <dialog
      ref={dialog}
      class={[isWide ? "wide" : "", name].filter(Boolean).join(" ")}
      aria-labelledby={id}
      onClose={closed}
      onClick={closeOutside}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet only-icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
