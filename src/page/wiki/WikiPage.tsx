/** Shows a page of the wiki: statements with their states, citations that open the symbol, pictures, other pages. */
import type { ComponentChildren } from "preact"
import { type Index, query, type Wiki } from "../Client.ts"
import { Markdown } from "../conversation/Markdown.tsx"
import { formatPlural } from "../format.ts"
import { linkTo, showError, status } from "../index/Project.ts"
import { useAnswer } from "../index/useAnswer.ts"
import { PAUSE, useLatestAnswer } from "../useLatestAnswer.ts"
import { linkNames } from "./citations.ts"
import { Drawing } from "./Drawing.tsx"
import { linkToPage } from "./links.ts"

export { pageAt } from "./links.ts"

/** The name of the start page. */
const START = "index"

/** Shows the title of the start page above it; without one, the name of the folder. */
export const StartTitle = ({ folder }: { readonly folder: string }) => {
  const { body: overview } = useAnswer<Wiki.Overview>("/wiki")
  return <h2>{overview?.pages.find(({ name }) => name === START)?.title ?? folder}</h2>
}

interface StartPageProps {
  readonly map: Index.Status["map"]
  /** Shown below the page once that is there, so that nothing one reads is pushed down. */
  readonly children: ComponentChildren
}

/** Shows the start page above the folders of a project; without one, the map of the project and how to get a wiki. */
export const StartPage = ({ children, map }: StartPageProps) => {
  const { body: overview, hasFailed = false } = useAnswer<Wiki.Overview>("/wiki")
  if (overview === undefined) return <Pending hasFailed={hasFailed}>{children}</Pending>
  const hasStart = overview.pages.some(({ name }) => name === START)
  return (
    <>
      {overview.flaws.map(({ flaw, path }) => (
        <p key={path} class="said" role="status">
          {path} {flaw}.
        </p>
      ))}
      {hasStart ? (
        <WikiPage name={START} isTitled={false}>
          {children}
        </WikiPage>
      ) : (
        <>
          {map !== undefined && <Markdown text={map} />}
          <p class="wiki-none">
            There is no wiki of this project yet. <code>vibe index .</code> in a terminal writes one to{" "}
            <code>.vibe/wiki</code>, also without a model.
          </p>
          {children}
        </>
      )}
    </>
  )
}

interface PendingProps {
  readonly hasFailed: boolean
  readonly children?: ComponentChildren
}

/** Stands for a page that is not there: it is read, or cannot be. */
const Pending = ({ children, hasFailed }: PendingProps) => {
  if (hasFailed) return children
  return (
    <p class="meta" role="status">
      Reading the wiki…
    </p>
  )
}

interface WikiPageProps {
  readonly name: string
  /** False if the title stands above the page already. */
  readonly isTitled?: boolean
  /** Shown below the page once that is there. */
  readonly children?: ComponentChildren
}

export const WikiPage = ({ children, isTitled = true, name }: WikiPageProps) => {
  const { body: overview, hasFailed: isWithoutOverview = false } = useAnswer<Wiki.Overview>("/wiki")
  const { body: page, hasFailed = false, missing } = useAnswer<Wiki.Page>(`/wiki/page${query({ name })}`)
  if (missing !== undefined) {
    return (
      <>
        <p class="empty">{missing}</p>
        {children}
      </>
    )
  }
  // Both at once: the contents stand above the page, and would push down what one reads already.
  if (page === undefined || (overview === undefined && !isWithoutOverview)) {
    return <Pending hasFailed={hasFailed}>{children}</Pending>
  }
  // The picture stands below what the page says first.
  const picture = page.sections[0]?.title === undefined ? 1 : 0
  return (
    <>
      <article class="wiki">
        {overview !== undefined && <Contents overview={overview} current={name} />}
        {isTitled && <h2>{page.title}</h2>}
        <Sections sections={page.sections.slice(0, picture)} />
        {page.drawing !== undefined && (
          <Drawing
            drawing={page.drawing}
            label={page.kind === "flow" ? "The flow through the parts" : "Which parts use which"}
          />
        )}
        <Sections sections={page.sections.slice(picture)} />
      </article>
      {children}
    </>
  )
}

const Sections = ({ sections }: { readonly sections: Wiki.Page["sections"] }) =>
  sections.map((section, at) => (
    <section key={at}>
      {section.title !== undefined && <h3>{section.title}</h3>}
      <Blocks section={section} />
    </section>
  ))

const kinds = [
  ["part", "Parts"],
  ["flow", "Flows"],
] as const

/**
 * Leads to the other pages. It is closed at first, since the start page has the same links with what they are about.
 */
const Contents = ({ current, overview: { pages } }: { readonly overview: Wiki.Overview; readonly current: string }) => (
  <nav class="wiki-contents" aria-label="Pages of the wiki">
    {current !== START && <a href={linkTo("")}>Overview</a>}
    <details key={current}>
      <summary>{formatPlural(pages.length, "page")} of the wiki</summary>
      {kinds.map(([kind, title]) => {
        const own = pages.filter((page) => page.kind === kind)
        return own.length === 0 ? null : (
          <section key={kind} aria-label={title}>
            {/* No heading: it would stand above the title of the page. */}
            <p aria-hidden="true">{title}</p>
            <ul>
              {own.map(({ name, title }) => (
                <li key={name}>
                  <a href={linkToPage(name)} aria-current={name === current ? "page" : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </details>
  </nav>
)

const Blocks = ({ section: { blocks, form } }: { readonly section: Wiki.Page["sections"][number] }) => {
  const shown = blocks.map((block) => block.map((statement, at) => <Statement key={at} statement={statement} />))
  if (form === "text") return shown.map((block, at) => <div key={at}>{block}</div>)
  const items = shown.map((block, at) => <li key={at}>{block}</li>)
  return form === "steps" ? <ol>{items}</ol> : <ul>{items}</ul>
}

const Statement = ({ statement: { citations, note, state, text } }: { readonly statement: Wiki.Statement }) => {
  const linked = linkNames(text, citations, ({ line, path }) => linkTo(path, line))
  return (
    <div class={`wiki-statement ${state}`}>
      <Markdown text={linked.text} />
      {linked.others.length > 0 && (
        <span class="wiki-citations">
          {linked.others.map((citation) => (
            <Citation key={`${citation.path} ${citation.symbol} ${citation.line}`} citation={citation} />
          ))}
        </span>
      )}
      {note !== undefined && <span class="wiki-note">{note}</span>}
    </div>
  )
}

const Citation = ({ citation: { isGone, label, line, path, symbol } }: { readonly citation: Wiki.Citation }) => {
  const place = line === undefined ? path : `${path}:${line}`
  return isGone ? (
    <s title={`${path} does not have it any more`}>{label}</s>
  ) : (
    <a href={linkTo(path, line)} title={symbol === undefined ? place : `${symbol} in ${place}`}>
      {label}
    </a>
  )
}

/** Lists what the wiki says about a search, above the symbols that answer it. */
export const WikiAnswers = ({ text }: { readonly text: string }) => {
  const isAsked = text.trim() !== "" && status.value?.indexed === true
  const found = useLatestAnswer<ReadonlyArray<Wiki.Found>>(isAsked ? `/wiki/search${query({ text })}` : undefined, {
    onError: showError,
    wait: PAUSE,
  })
  return found === undefined || found.length === 0 ? null : (
    <ul class="wiki-answers" aria-label="Pages of the wiki">
      {found.map(({ page, text }) => (
        <li key={`${page.name} ${text}`}>
          <a href={linkToPage(page.name)}>{page.title}</a> <Markdown text={text} />
        </li>
      ))}
    </ul>
  )
}
