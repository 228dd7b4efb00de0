/** Shows a dialog over the page. The browser keeps the focus in it, closes it on Escape, and gives the focus back. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Makes the dialog as wide as the page allows. */
  readonly isWide?: boolean
}

export const Dialog = ({ children, isWide = false, onClose, title }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a modal dialog on Escape by itself
    <dialog ref={dialog} class={isWide ? "wide" : ""} aria-labelledby={id} onClose={onClose} onClick={closeOutside}>
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
