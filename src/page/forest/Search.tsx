/** Searches titles and messages while the user types. */
import { useRef } from "preact/hooks"
import { type Forest, query, request } from "../Client.ts"
import { formatTime, shortModel } from "../format.ts"
import { stepFocus } from "../keyboard.ts"
import { PAUSE, useLatestAnswer } from "../useLatestAnswer.ts"
import * as Browser from "./Browser.ts"
import { speakers } from "./names.ts"

interface Hit {
  readonly row: Forest.Row
  readonly title: string
  readonly excerpt?: string
}

const pathOf = (text: string) => (text.trim() === "" ? undefined : `/forest/search${query({ text })}`)

export const useSearch = (text: string): ReadonlyArray<Hit> | undefined =>
  useLatestAnswer(pathOf(text), { onError: Browser.showError, wait: PAUSE })

/** Returns the best result for the complete text, since the results on the screen may be for an earlier text. */
export const findFirst = async (text: string): Promise<string | undefined> => {
  const path = pathOf(text)
  if (path === undefined) return undefined
  try {
    return (await request<ReadonlyArray<Hit>>("GET", path))[0]?.row.id
  } catch (error) {
    Browser.showError(error)
    return undefined
  }
}

interface Props {
  readonly hits: ReadonlyArray<Hit>
  readonly onChoose: (id: string) => void
  readonly onLeave: () => void
}

export const Hits = ({ hits, onChoose, onLeave }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return onLeave()
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    stepFocus(list.current?.querySelectorAll("button") ?? [], by, onLeave)
  }
  return (
    <ol ref={list} class="hits list" aria-label="Found" onKeyDown={keyDown}>
      {hits.length === 0 && <li class="empty">Nothing is found.</li>}
      {hits.map(({ excerpt, row, title }) => (
        <li key={row.id}>
          <button type="button" class="quiet entry" onClick={() => onChoose(row.id)}>
            <span>{excerpt ?? row.text}</span>
            <span class="meta">
              {row.kind === "conversation"
                ? "conversation"
                : `${row.model === undefined ? speakers[row.kind] : shortModel(row.model)} in ${title || "a tree without a title"}`}
              {" · "}
              {formatTime(row.at, Date.now())}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
