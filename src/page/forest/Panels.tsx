/** Shows the dialogs of the forest: branches side by side, bookmarks, a new bookmark, and the history of operations. */
import { useState } from "preact/hooks"
import { type Forest, query } from "../Client.ts"
import { Dialog } from "../Dialog.tsx"
import { formatTime, shortModel } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { useLatestAnswer } from "../useLatestAnswer.ts"
import * as Browser from "./Browser.ts"
import { speakers } from "./names.ts"

interface Closing {
  readonly onClose: () => void
}

const useAnswer = <A,>(path: string, again?: number): A | undefined =>
  useLatestAnswer<A>(path, { onError: Browser.showError, again })

/** Shows the children of a node in columns; arrow keys go from one to the next. */
export const Compare = ({
  of,
  onChoose,
  onClose,
}: Closing & { readonly of: string; readonly onChoose: (id: string) => void }) => {
  const [offset, setOffset] = useState(0)
  const answer = useAnswer<{ texts: ReadonlyArray<Forest.Text>; total: number }>(
    `/forest/compare${query({ of, offset })}`,
  )
  const keyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (by === 0 || !(event.currentTarget instanceof HTMLElement)) return
    const columns = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-column]")]
    const at = columns.findIndex((column) => column.contains(document.activeElement))
    const next = columns[at + by]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    next.scrollIntoView({ block: "nearest", inline: "nearest" })
  }
  const { texts = [], total = 0 } = answer ?? {}
  return (
    <Dialog title={`${total} branches side by side`} onClose={onClose} isWide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows go between the columns, each of which takes the focus */}
      <div class="columns" onKeyDown={keyDown}>
        {texts.map(({ row, text }, n) => (
          <section key={row.id} data-column tabindex={0} aria-label={`Branch ${offset + n + 1} of ${total}`}>
            <header>
              <strong>{row.model === undefined ? speakers[row.kind] : shortModel(row.model)}</strong>
              <span class="meta">{formatTime(row.at, Date.now())}</span>
              <button type="button" onClick={() => onChoose(row.id)}>
                Go there
              </button>
            </header>
            <pre>{text}</pre>
          </section>
        ))}
      </div>
      {total > texts.length && (
        <footer class="row">
          <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - 8))}>
            Older
          </button>
          <button type="button" disabled={offset + 8 >= total} onClick={() => setOffset(offset + 8)}>
            Newer
          </button>
          <span class="meta">
            {offset + 1} to {offset + texts.length} of {total}
          </span>
        </footer>
      )}
    </Dialog>
  )
}

export const Bookmarks = ({ onChoose, onClose }: Closing & { readonly onChoose: (id: string) => void }) => {
  const [again, setAgain] = useState(0)
  const bookmarks = useAnswer<ReadonlyArray<Forest.Bookmark>>("/forest/bookmarks", again)
  const remove = async (title: string) => {
    await Browser.act("DELETE", `/forest/bookmarks${query({ title })}`, undefined, true)
    setAgain(again + 1)
  }
  return (
    <Dialog title="Bookmarks" onClose={onClose}>
      {bookmarks?.length === 0 && <p class="empty">There are none. Press b at a message to set one.</p>}
      <ul class="list scroll">
        {(bookmarks ?? []).map(({ row, title }) => (
          <li key={title}>
            <button type="button" class="quiet entry" onClick={() => onChoose(row.id)}>
              <strong>★ {title}</strong> <span class="meta">{row.text}</span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove the bookmark ${title}`}
              onClick={() => remove(title)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

export const NewBookmark = ({ node, onClose }: Closing & { readonly node: string }) => {
  const [title, setTitle] = useState("")
  const save = async (event: Event) => {
    event.preventDefault()
    if (title.trim() === "") return
    await Browser.act("PUT", "/forest/bookmarks", { title, node }, true)
    onClose()
  }
  return (
    <Dialog title="Bookmark this message" onClose={onClose}>
      <form class="row" onSubmit={save}>
        <label class="field">
          Name
          <input
            type="text"
            maxLength={200}
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={title.trim() === ""}>
          Save
        </button>
      </form>
    </Dialog>
  )
}

export const History = ({ onClose }: Closing) => {
  const [again, setAgain] = useState(0)
  const operations = useAnswer<ReadonlyArray<Forest.Operation>>("/forest/history", again)
  const undo = async (id: number) => {
    await Browser.undo(id)
    setAgain(again + 1)
  }
  return (
    <Dialog title="What was done" onClose={onClose}>
      <p class="failure" role="status">
        {Browser.said.value}
      </p>
      <ol class="list scroll">
        {(operations ?? []).map(({ at, author, id, isUnderWay, isUndone, what }) => (
          <li key={id}>
            <span class="entry">
              {author === "serve forest" ? "This view" : `vibe ${author}`} <span class="meta">{what}</span>
            </span>
            <time class="meta">{formatTime(at, Date.now())}</time>
            {isUndone || isUnderWay ? (
              <span class="meta">{isUndone ? "undone" : "under way"}</span>
            ) : (
              <button type="button" class="quiet" aria-label={`Undo ${what} by ${author}`} onClick={() => undo(id)}>
                Undo
              </button>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
