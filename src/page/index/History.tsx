/** Shows the purposes that a symbol has had, with the commits that they came with. They are read once it is opened. */
import { useState } from "preact/hooks"
import type { Index } from "../Client.ts"
import { formatPlural, formatTime } from "../format.ts"
import { type At, symbolQuery } from "./Project.ts"
import { useAnswer } from "./useAnswer.ts"

export const History = ({ at }: { readonly at: At }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="history" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>History of its purpose</summary>
      {isOpen && <Versions at={at} />}
    </details>
  )
}

const Versions = ({ at }: { readonly at: At }) => {
  const wanted = `/index/history${symbolQuery(at)}`
  const { body, missing, of } = useAnswer<Index.History>(wanted)
  if (of !== wanted) return <p class="meta">…</p>
  if (body === undefined) return <p class="meta">{missing}</p>
  const { more, notice, versions } = body
  return (
    <>
      {versions.length > 0 && (
        <ol>
          {versions.map((version) => (
            <li key={`${version.commit?.id ?? ""} ${version.text}`}>
              <p>{version.text}</p>
              <p class="meta">
                <Facts version={version} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {more > 0 && <p class="meta">{formatPlural(more, "earlier sentence")}</p>}
      {notice !== undefined && <p class="meta">{notice}</p>}
    </>
  )
}

const Facts = ({
  version: { commit, isCurrent, model, weak },
}: {
  readonly version: Index.History["versions"][number]
}) => {
  const facts = [model, ...(weak === undefined ? [] : [`weak: ${weak}`])].join(" · ")
  const now = isCurrent && <b>now</b>
  if (commit === undefined) {
    return (
      <>
        {now} not committed yet · {facts}
      </>
    )
  }
  const { author, id, title, writtenAt } = commit
  return (
    <>
      {now} {formatTime(writtenAt, Date.now())} · <code title={title}>{id.slice(0, 7)}</code> by {author} · {facts}
    </>
  )
}
