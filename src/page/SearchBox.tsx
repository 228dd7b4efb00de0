/** The input of a search: Escape empties it, and the arrow down goes to the results. */
import type { RefObject } from "preact"

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onDown: () => void
  readonly box?: RefObject<HTMLInputElement | null>
}

export const SearchBox = ({ box, label, onDown, onText, placeholder, text }: Props) => (
  <input
    {...(box !== undefined && { ref: box })}
    type="search"
    placeholder={placeholder}
    aria-label={label}
    value={text}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === "Escape") onText("")
      if (event.key !== "ArrowDown") return
      event.preventDefault()
      onDown()
    }}
  />
)
