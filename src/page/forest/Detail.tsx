/** Shows the active message in full, with the actions for it. */
import { type Forest, query } from "../Client.ts"
import { Markdown } from "../conversation/Markdown.tsx"
import { formatCount, formatTime, shortModel } from "../format.ts"
import { PAUSE, useLatestAnswer } from "../useLatestAnswer.ts"
import * as Browser from "./Browser.ts"
import { originOf, plainWords, speakers } from "./names.ts"
import type * as Outline from "./Outline.ts"
import { Picture } from "./Picture.tsx"

interface Props {
  readonly line: Outline.Line
  readonly actions: Actions
}

/** The actions of the view. Keys trigger them too. */
export interface Actions {
  readonly open: (line: Outline.Line) => void
  readonly compare: (line: Outline.Line) => void
  readonly bookmark: (line: Outline.Line) => void
  readonly hide: (line: Outline.Line) => void
  readonly remove: (line: Outline.Line) => void
}

export const Detail = ({ actions, line }: Props) => {
  const { row } = line
  const conversation = Browser.conversationOf(line)
  const text = useLatestAnswer<Forest.Text>(`/forest/text${query({ of: row.id })}`, {
    onError: Browser.showError,
    wait: PAUSE,
    again: row.text,
  })
  const shown = text?.row.id === row.id ? text : undefined
  const format = (name: Forest.Format) => `/api/forest/export${query({ of: row.id, format: name })}`
  return (
    <section class="detail" aria-label="Message">
      <p class="meta">
        {[
          row.kind === "conversation" ? "Conversation" : (row.model ?? speakers[row.kind]),
          ...(row.about === undefined ? [] : [originOf(row.about.kind)]),
          formatTime(row.at, Date.now()),
          // An import has no counts.
          ...(shown?.tokens === undefined || shown.tokens.input + shown.tokens.output === 0
            ? []
            : [
                `${shown.estimated === true ? "~" : ""}${formatCount(shown.tokens.input)} tokens in, ${formatCount(shown.tokens.output)} out`,
              ]),
          ...(row.about?.folder === undefined ? [] : [row.about.folder]),
        ].join(" · ")}
      </p>
      <div class="row">
        <button type="button" class="primary" onClick={() => actions.open(line)}>
          Open
        </button>
        {row.children > 1 && (
          <button type="button" onClick={() => actions.compare(line)}>
            Compare {row.children} branches
          </button>
        )}
        {row.kind !== "conversation" && (
          <button type="button" onClick={() => actions.bookmark(line)}>
            Bookmark
          </button>
        )}
        {line.isHead && (
          <button type="button" onClick={() => actions.hide(line)}>
            {line.isHidden ? "Show again" : "Hide"}
          </button>
        )}
        <button type="button" onClick={() => actions.remove(line)}>
          Remove
        </button>
        <span class="meta">
          Export{" "}
          <a href={format("markdown")} download="conversation.md">
            Markdown
          </a>{" "}
          <a href={format("html")} download="conversation.html">
            HTML
          </a>{" "}
          <a href={format("json")} download="conversation.json">
            JSON
          </a>
        </span>
      </div>
      {conversation !== undefined && <Picture conversation={conversation} active={row.id} />}
      {row.kind === "conversation" ? (
        <Beginning conversation={row} />
      ) : (
        <div class="scroll text" tabindex={0}>
          <Markdown text={shown?.text ?? row.text} />
        </div>
      )}
      {shown?.isCut === true && <p class="meta">The text is longer: open it, or export it.</p>}
    </section>
  )
}

/** The most messages that are shown of a conversation. */
const MAX_SHOWN = 8

/**
 * Shows the first messages of a conversation, each in a line, so that one need not open it to know what it is about.
 */
const Beginning = ({ conversation: { about, children, id } }: { readonly conversation: Forest.Row }) => {
  const found = useLatestAnswer<{ readonly rows: ReadonlyArray<Forest.Row> }>(
    `/forest/${children > 1 ? "children" : "run"}${query({ of: id, ...(children > 1 && { offset: 0 }) })}`,
    { onError: Browser.showError, wait: PAUSE, again: about?.messages },
  )
  const rows = found?.rows.slice(0, MAX_SHOWN) ?? []
  return rows.length === 0 ? null : (
    <ol class="beginning" aria-label="How it begins">
      {rows.map(({ id, kind, model, text }) => (
        <li key={id}>
          <span class={`speaker ${kind}`}>{model === undefined ? speakers[kind] : shortModel(model)}</span>
          <button type="button" class="quiet" onClick={() => void Browser.reveal(id)}>
            {plainWords(text)}
          </button>
        </li>
      ))}
    </ol>
  )
}
