/** Shows everything that the index has about one symbol. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { type Index, request } from "../Client.ts"
import { formatPlural } from "../format.ts"
import { format } from "../Route.ts"
import { Picture } from "./Picture.tsx"
import { type At, linkTo, showError, symbolQuery } from "./Project.ts"
import { useAnswer } from "./useAnswer.ts"

export const SymbolView = ({ at }: { readonly at: At }) => {
  const wanted = `/index/symbol${symbolQuery(at)}`
  const { body: page, missing, of } = useAnswer<Index.SymbolPage>(wanted)
  // The line that the response is for: that of the previous place until there is a response for this one.
  const line = useRef(at.line)
  if (of === wanted) line.current = at.line
  const article = useRef<HTMLElement>(null)
  // Does not scroll when the index has changed, since the user may be reading another part by then.
  useLayoutEffect(() => {
    article.current?.querySelector(".marked")?.scrollIntoView({ block: "nearest" })
  }, [of])
  if (page === undefined) return <p class="empty">{missing ?? "…"}</p>
  const { callees, callers, doc, impact, isImpactComplete, members, moreCallees, moreCallers, symbol } = page
  const users = impact.find(({ distance }) => distance === 1)
  const total = impact.reduce((sum, { symbols }) => sum + symbols, 0)
  // A user who follows a link to a line within the symbol wants to read that line.
  const marked = line.current === symbol.line ? undefined : line.current
  const source = (
    <>
      <h3>Source</h3>
      <Source first={symbol.line} lines={page.source} marked={marked} />
      {page.moreLines > 0 && <p class="meta">{formatPlural(page.moreLines, "more line")}</p>}
    </>
  )
  return (
    <article ref={article}>
      <h2>
        <code>{symbol.name}</code> <span class="meta">{symbol.kind}</span>
      </h2>
      <p class="meta">
        <a href={linkTo(symbol.path)}>{symbol.path}</a>:{symbol.line}
        {users !== undefined &&
          ` · used by ${formatPlural(users.symbols, "symbol")} in ${formatPlural(users.files, "file")}`}
      </p>
      <pre class="signature">{symbol.signature}</pre>
      <Purpose symbol={symbol} at={at} />
      {doc !== undefined && (
        <details open={symbol.purpose?.origin !== "comment"}>
          <summary>Comment</summary>
          <pre class="doc">{doc}</pre>
        </details>
      )}
      {marked !== undefined && source}
      <h3>Callers and callees</h3>
      <Picture at={at} />
      <p class="meta">
        {total === 0
          ? "Nothing in the index depends on it."
          : `A change may reach ${isImpactComplete ? "" : "more than "}${formatPlural(total, "symbol")}: ${impact
              .map(
                ({ distance, files, symbols }) =>
                  `${symbols} in ${formatPlural(files, "file")} at ${formatPlural(distance, "step")}`,
              )
              .join(", ")}.`}
      </p>
      <div class="pairs">
        <Related title="Used by" all={callers} more={moreCallers} areUsers />
        <Related title="Uses" all={callees} more={moreCallees} from={symbol.path} />
      </div>
      {members.length > 0 && (
        <>
          <h3>Members</h3>
          <Symbols all={members} isShort />
        </>
      )}
      {marked === undefined && source}
    </article>
  )
}

const Purpose = ({ at, symbol: { purpose } }: { readonly at: At; readonly symbol: Index.SymbolRow }) => {
  const [why, setWhy] = useState<Index.Why | undefined>(undefined)
  useEffect(() => setWhy(undefined), [at.path, at.line])
  if (purpose === undefined) return <p class="meta">No purpose is known yet.</p>
  const ask = () => request<Index.Why>("GET", `/index/why${symbolQuery(at)}`).then(setWhy, showError)
  const facts = [
    purpose.origin === "comment" ? "its comment" : (purpose.model ?? "a model"),
    ...(purpose.isStale ? ["stale: the source has changed since"] : []),
    ...(purpose.weak === undefined ? [] : [`weak: ${purpose.weak}`]),
  ]
  return (
    <div class="purpose">
      <p>{purpose.text}</p>
      <p class="meta">
        By {facts.join(" · ")}{" "}
        {why === undefined ? (
          <button type="button" class="quiet" onClick={() => void ask()}>
            Why?
          </button>
        ) : (
          <>
            {why.summary}{" "}
            {why.request !== undefined && <a href={format({ view: "forest", id: why.request })}>The request</a>}{" "}
            {why.answer !== undefined && <a href={format({ view: "forest", id: why.answer })}>The answer</a>}
          </>
        )}
      </p>
    </div>
  )
}

interface RelatedProps {
  readonly title: string
  readonly all: ReadonlyArray<Index.Related>
  readonly more: number
  /** True if the lines are in the listed symbols; otherwise they are in `from`. */
  readonly areUsers?: boolean
  readonly from?: string
}

const Related = ({ all, areUsers = false, more, title }: RelatedProps) => (
  <section>
    <h3>
      {title} <span class="meta">{all.length + more}</span>
    </h3>
    <ul class="related">
      {all.map(({ line, lines, name, path }) => (
        <li key={`${path}:${line}:${name ?? ""}`}>
          <a href={name === undefined ? linkTo(path) : linkTo(path, line)}>{name ?? "(outside of symbols)"}</a>{" "}
          <span class="meta">
            {path} · {areUsers ? "" : "here at "}
            {lines.length === 1 ? "line" : "lines"} {lines.slice(0, 6).join(", ")}
            {lines.length > 6 && "…"}
          </span>
        </li>
      ))}
      {all.length === 0 && <li class="meta">Nothing in the index</li>}
    </ul>
    {more > 0 && <p class="meta">{more} more</p>}
  </section>
)

/** Shows a row for each symbol, with its purpose. */
export const Symbols = ({
  all,
  isShort = false,
}: {
  readonly all: ReadonlyArray<Index.SymbolRow>
  readonly isShort?: boolean
}) => (
  <ul class="symbols">
    {all.map((symbol) => (
      <li key={`${symbol.path}:${symbol.line}:${symbol.name}`}>
        <a href={linkTo(symbol.path, symbol.line)}>
          <code>{isShort ? symbol.name.slice(symbol.name.lastIndexOf(".") + 1) : symbol.name}</code>
        </a>{" "}
        <span class="meta">{symbol.kind}</span>
        {symbol.purpose !== undefined && (
          <span class={symbol.purpose.isStale ? "what stale" : "what"}>
            {symbol.purpose.text}
            {symbol.purpose.isStale && <span class="meta"> (stale)</span>}
          </span>
        )}
      </li>
    ))}
  </ul>
)

interface SourceProps {
  readonly first: number
  readonly lines: ReadonlyArray<string>
  /** The number of the line to highlight. */
  readonly marked?: number | undefined
}

/** Shows lines with their numbers. */
export const Source = ({ first, lines, marked }: SourceProps) => (
  <pre class="source" tabindex={0}>
    {lines.map((line, n) => (
      // The index is a stable key: a line does not move within its text.
      <span key={n} data-line={first + n} class={first + n === marked ? "marked" : undefined}>
        {line}
        {"\n"}
      </span>
    ))}
  </pre>
)
