/** Shows everything that the index has about one symbol. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { type Index, request } from "../Client.ts"
import { formatPlural, sharedNamespace, splitAtCode, splitName } from "../format.ts"
import { format } from "../Route.ts"
import { History } from "./History.tsx"
import { Picture } from "./Picture.tsx"
import { type At, linkTo, showError, status, symbolQuery } from "./Project.ts"
import { Folded } from "./Source.tsx"
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
  const { container, last } = splitName(symbol.name)
  const users = impact.find(({ distance }) => distance === 1)
  const total = impact.reduce((sum, { symbols }) => sum + symbols, 0)
  // A user who follows a link to a line within the symbol wants to read that line.
  const marked = line.current === symbol.line ? undefined : line.current
  const source = (
    <>
      <h3>Source</h3>
      <Folded
        key={`${symbol.path}:${symbol.line}`}
        path={symbol.path}
        first={symbol.line}
        lines={page.source}
        marked={marked}
        more={page.moreLines}
      />
    </>
  )
  return (
    <article ref={article}>
      <p class="kind">{symbol.kind}</p>
      <h2>
        <code>
          <span class="namespace">{container}</span>
          {last}
        </code>
      </h2>
      <p class="meta">
        <a href={linkTo(symbol.path)}>{symbol.path}</a>:{symbol.line}
        {users !== undefined &&
          ` · used by ${formatPlural(users.symbols, "symbol")} in ${formatPlural(users.files, "file")}`}
      </p>
      <Purpose symbol={symbol} at={at} hasComment={doc !== undefined} />
      {doc !== undefined && (
        <details class="comment" open={symbol.purpose?.origin !== "comment"}>
          <summary>Comment</summary>
          <pre class="doc">{doc}</pre>
        </details>
      )}
      {mayHaveHistory(symbol) && <History at={at} />}
      {page.source.length === 0 && <pre class="signature">{symbol.signature}</pre>}
      {source}
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
          <Symbols all={members} />
        </>
      )}
    </article>
  )
}

/** Only models write purposes whose history is kept, so a project that no model explained has none to show. */
const mayHaveHistory = ({ purpose }: Index.SymbolRow): boolean =>
  purpose?.origin === "model" || (status.value?.byModel ?? 0) > 0

interface PurposeProps {
  readonly at: At
  readonly symbol: Index.SymbolRow
  readonly hasComment: boolean
}

/** Shows a purpose, with the names that it has between backticks as code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{splitAtCode(text).map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
)

const Purpose = ({ at, hasComment, symbol: { purpose } }: PurposeProps) => {
  const [why, setWhy] = useState<Index.Why | undefined>(undefined)
  useEffect(() => setWhy(undefined), [at.path, at.line])
  // A comment says what the symbol is for in its own words, below.
  if (purpose === undefined) return hasComment ? null : <p class="meta">Nothing says yet what it is for.</p>
  const ask = () => request<Index.Why>("GET", `/index/why${symbolQuery(at)}`).then(setWhy, showError)
  const facts = [
    purpose.origin === "comment" ? "its comment" : (purpose.model ?? "a model"),
    ...(purpose.isStale ? ["stale: the source has changed since"] : []),
    ...(purpose.weak === undefined ? [] : [`weak: ${purpose.weak}`]),
  ]
  return (
    <div class="purpose">
      <p>
        <Prose text={purpose.text} />
      </p>
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

const Related = ({ all, areUsers = false, more, title }: RelatedProps) => {
  const shared = sharedNamespace(all.flatMap(({ name }) => name ?? []))
  return (
    <section>
      <h3>
        {title} <span class="meta">{all.length + more}</span>
      </h3>
      <ul class="related">
        {all.map(({ line, lines, name, path }) => (
          <li key={`${path}:${line}:${name ?? ""}`}>
            <a href={name === undefined ? linkTo(path) : linkTo(path, line)}>
              {name === undefined ? "(outside of symbols)" : <Name name={name} without={shared} />}
            </a>{" "}
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
}

/** Stands for a purpose that a symbol does not have: its declaration says the most about it then. */
export const Signature = ({ symbol: { kind, name, signature } }: { readonly symbol: Index.SymbolRow }) =>
  // `class Cart` says nothing that the row does not have.
  signature === `${kind} ${splitName(name).last}` ? null : (
    <span class="what meta">
      <code>{signature}</code>
    </span>
  )

/** Shows a name with what contains it in the background. `without` is a namespace that is left out. */
export const Name = ({ name, without }: { readonly name: string; readonly without: string }) => {
  const { container, last } = splitName(name.startsWith(without) ? name.slice(without.length) : name)
  return (
    <code>
      {container !== "" && <span class="namespace">{container}</span>}
      {last}
    </code>
  )
}

/**
 * Shows a row for each symbol, with its purpose or else its declaration, and its file if they are in several. A
 * namespace that all of them share is left out, and so is a type whose members follow it: they are indented below it.
 */
export const Symbols = ({ all }: { readonly all: ReadonlyArray<Index.SymbolRow> }) => {
  const shared = sharedNamespace(all.map(({ name }) => name))
  const isInOneFile = all.every(({ path }) => path === all[0]?.path)
  return (
    <ul class="symbols">
      {nest(all).map(({ above, depth, symbol }) => (
        <li key={`${symbol.path}:${symbol.line}:${symbol.name}`}>
          <span class="symbol" style={{ paddingLeft: `${depth * 1.25}rem` }}>
            <a href={linkTo(symbol.path, symbol.line)}>
              <Name name={symbol.name} without={above === undefined ? shared : splitName(symbol.name).container} />
            </a>{" "}
            <span class="meta">
              {symbol.kind}
              {!isInOneFile && ` · ${symbol.path.slice(symbol.path.lastIndexOf("/") + 1)}`}
            </span>
          </span>
          {symbol.purpose === undefined ? (
            <Signature symbol={symbol} />
          ) : (
            <span class={symbol.purpose.isStale ? "what stale" : "what"}>
              <Prose text={symbol.purpose.text} />
              {symbol.purpose.isStale && <span class="meta"> (stale)</span>}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface Nested {
  readonly symbol: Index.SymbolRow
  /** The symbol before it that it is a member of. */
  readonly above: Index.SymbolRow | undefined
  readonly depth: number
}

/** Finds for each symbol the one that it directly follows as a member. */
const nest = (all: ReadonlyArray<Index.SymbolRow>): ReadonlyArray<Nested> => {
  const open: Array<Index.SymbolRow> = []
  return all.map((symbol) => {
    const container = splitName(symbol.name).container.replace(/(?:::|[.\\])$/, "")
    while (open.length > 0 && (open.at(-1)?.name !== container || open.at(-1)?.path !== symbol.path)) open.pop()
    const above = open.at(-1)
    const depth = open.length
    open.push(symbol)
    return { symbol, above, depth }
  })
}
