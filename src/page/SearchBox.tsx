/** Shows the input of a search: `/` focuses it, Escape empties it, and the arrows go to or through the results. */
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { isShortcut } from "./keyboard.ts"

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onDown: () => void
  readonly onUp?: () => void
  readonly onEnter?: () => void
  /** The id of the result that Enter opens. */
  readonly marked?: string | undefined
  readonly box?: RefObject<HTMLInputElement | null>
}

export const SearchBox = ({ box, label, marked, onDown, onEnter, onText, onUp, placeholder, text }: Props) => {
  const own = useRef<HTMLInputElement>(null)
  const input = box ?? own
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || !isShortcut(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [input])
  return (
    <input
      ref={input}
      type="search"
      placeholder={placeholder}
      aria-label={label}
      aria-activedescendant={marked}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onText("")
        if (event.key === "Enter" && !event.isComposing) onEnter?.()
        const step = event.key === "ArrowDown" ? onDown : event.key === "ArrowUp" ? onUp : undefined
        if (step === undefined) return
        event.preventDefault()
        step()
      }}
    />
  )
}
