/** Searches titles and messages as one types. */
import { useEffect, useRef, useState } from "preact/hooks"
import { type Forest, query, request } from "../Client.ts"
import { formatTime, shortModel } from "../format.ts"
import * as Browser from "./Browser.ts"

interface Hit {
  readonly row: Forest.Row
  readonly title: string
  readonly excerpt?: string
}

/** Pauses of typing, in milliseconds. */
const WAIT = 120

export const useSearch = (text: string): ReadonlyArray<Hit> | undefined => {
  const [hits, setHits] = useState<ReadonlyArray<Hit> | undefined>(undefined)
  useEffect(() => {
    if (text.trim() === "") return setHits(undefined)
    let isWanted = true
    const timer = setTimeout(() => {
      request<ReadonlyArray<Hit>>("GET", `/forest/search${query({ text })}`).then(
        (found) => {
          if (isWanted) setHits(found)
        },
        (error: unknown) => {
          if (isWanted) Browser.failed(error)
        },
      )
    }, WAIT)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])
  return hits
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
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])]
    const at = buttons.findIndex((button) => button.matches(":focus"))
    if (at + by < 0) return onLeave()
    buttons[at + by]?.focus()
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
                : `${row.model === undefined ? row.kind : shortModel(row.model)} in ${title || "a tree without a title"}`}
              {" · "}
              {formatTime(row.at, Date.now())}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
