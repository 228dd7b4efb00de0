/** Shows the index: the project, its folders and symbols. */
import { signal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Index } from "../Client.ts"
import type { Event } from "../Events.ts"
import { formatNumber, formatPlural } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { SearchBox } from "../SearchBox.tsx"
import { pageAt, StartPage, StartTitle, WikiAnswers, WikiPage } from "../wiki/WikiPage.tsx"
import { Begin, Watched } from "./Exploration.tsx"
import { Folders } from "./Folders.tsx"
import { Place } from "./Place.tsx"
import { at, linkTo, makeStructure, readStatus, said, status, version } from "./Project.ts"
import * as Search from "./Search.tsx"
import { SymbolView } from "./SymbolView.tsx"

let isShown = false
let isOld = true

export const onEvent = ({ type }: Event): void => {
  if (type === "index") refresh()
}
/** Reads the index again, since it may be out of date, for example when the connection is open again. */
export const refresh = (): void => {
  isOld = true
  if (isShown) void readAnew()
}

const readAnew = async () => {
  isOld = false
  const before = status.value
  await readStatus()
  // While a run is in progress, or files are read, the page that the user reads stays as it is.
  if (!isChanging(status.value) || !isChanging(before)) version.value++
}

const isChanging = (status: Index.Status | undefined): boolean =>
  status?.run?.state === "running" || status?.isRefreshing === true

/**
 * The milliseconds between two requests for what sends no events: a run of another process, and files that are read.
 */
const POLL = 3_000
const POLL_REFRESH = 1_000

const isBeginning = signal(false)

export const IndexView = () => {
  useEffect(() => {
    isShown = true
    if (isOld) void readAnew()
    const timers = [
      setInterval(() => {
        if (status.value?.isElsewhere === true || status.value?.notice !== undefined) void readAnew()
      }, POLL),
      setInterval(() => {
        if (status.value?.isRefreshing === true) void readAnew()
      }, POLL_REFRESH),
    ]
    return () => {
      isShown = false
      for (const timer of timers) clearInterval(timer)
    }
  }, [])
  const { value: now } = status
  return (
    <main class="index" aria-label="Index" tabindex={-1}>
      {said.value !== "" && (
        <p class="said" role="status">
          {said.value}
        </p>
      )}
      {now === undefined ? null : now.indexed ? <Indexed status={now} /> : <Without status={now} />}
      {isBeginning.value && (
        <Begin
          onClose={() => {
            isBeginning.value = false
          }}
        />
      )}
    </main>
  )
}

const Without = ({ status: { root, run } }: { readonly status: Index.Status }) => (
  <article class="without">
    <h2>This folder has no index yet</h2>
    <p class="meta place">{root}</p>
    <p>An index knows every symbol of a project, what uses it, and what it is for.</p>
    <ol>
      <li>
        <b>The structure</b> takes seconds, needs no model and costs nothing. Comments that say what a symbol is for
        count at once.
      </li>
      <li>
        <b>The rest</b> is explained by a model of your choice, whenever you like. Its price is shown before it begins.
      </li>
    </ol>
    {run !== undefined && <Watched run={run} />}
    <p class="row">
      <button type="button" class="primary" onClick={() => void makeStructure()}>
        Make the structure
      </button>
      <span class="meta">
        or in a terminal: <code>vibe index .</code>
      </span>
    </p>
  </article>
)

const Indexed = ({ status: now }: { readonly status: Index.Status }) => {
  const [isSideShown, setIsSideShown] = useState(false)
  const { value: where } = at
  const found = Search.hits()
  const wikiPage = pageAt(where.path)
  const shown = useRef(where)
  useEffect(() => {
    // Does nothing the first time: text that the user typed before the effect runs would be lost.
    if (shown.current.path === where.path && shown.current.line === where.line) return
    shown.current = where
    Search.isListing.value = false
    setIsSideShown(false)
    document.querySelector(".index .content")?.scrollTo(0, 0)
  }, [where.path, where.line])
  return (
    <>
      <div class="tools">
        <button
          type="button"
          class="quiet only-icon side-toggle"
          aria-label="Folders"
          aria-pressed={isSideShown}
          onClick={() => setIsSideShown(!isSideShown)}
        >
          <Icon name="list" />
        </button>
        <SearchBox
          label="Search the index"
          placeholder="Ask, or name a symbol"
          text={Search.text.value}
          onText={Search.type}
          onEnter={() => void Search.enter()}
          onDown={() => Search.step(1)}
          onUp={() => Search.step(-1)}
          marked={Search.isListing.value && Search.marked.value >= 0 ? Search.idOf(Search.marked.value) : undefined}
        />
        <Coverage status={now} />
        {now.run?.state !== "running" && !now.isElsewhere && !isEmpty(now) && (
          <button
            type="button"
            class={now.covered < now.major ? "primary" : ""}
            onClick={() => {
              isBeginning.value = true
            }}
          >
            Explain…
          </button>
        )}
      </div>
      {now.run !== undefined && !now.isElsewhere && <Watched run={now.run} />}
      {now.isElsewhere && (
        <p class="said" role="status">
          Another process explores this folder: what it finds appears here.
        </p>
      )}
      {now.elsewhere !== undefined && <Watched run={now.elsewhere} isElsewhere />}
      {now.notice !== undefined && !isEmpty(now) && (
        <p class="said" role="status">
          {now.notice}
        </p>
      )}
      <div class={`panes${isSideShown ? " with-side" : ""}`}>
        <div class="side">
          {found !== undefined && !Search.isListing.value ? <Search.Results all={found} /> : <Folders />}
        </div>
        <div class="content" tabindex={-1} data-focus>
          {found !== undefined && Search.isListing.value ? (
            <>
              <WikiAnswers text={Search.text.value} />
              <Search.Answers all={found} />
            </>
          ) : (
            <>
              <Crumbs path={wikiPage === undefined ? where.path : ""} line={where.line} />
              {wikiPage !== undefined ? (
                <WikiPage name={wikiPage} />
              ) : where.line !== undefined ? (
                <SymbolView at={where} />
              ) : where.path === "" ? (
                <Start status={now} />
              ) : (
                <Place path={where.path} />
              )}
            </>
          )}
        </div>
      </div>
    </>
  )
}

/** Returns whether an index has no files yet, since they are read for the first time. */
const isEmpty = ({ files, isRefreshing }: Index.Status): boolean => files === 0 && isRefreshing

const Coverage = ({ status: now }: { readonly status: Index.Status }) => {
  if (isEmpty(now)) return null
  const share = now.major === 0 ? 0 : Math.floor((100 * now.covered) / now.major)
  const facts = [
    `${formatPlural(now.files, "file")} with ${formatPlural(now.symbols, "symbol")}.`,
    "Major symbols are those that other code can use. Tests and the like count apart.",
    `Of all symbols, a model explains ${formatNumber(now.byModel)}, and a comment ${formatNumber(now.byComment)}.`,
    ...(now.stale > 0 ? [`Stale, since the source has changed: ${formatNumber(now.stale)}.`] : []),
    ...(now.weak > 0 ? [`Weak, for a reason that the symbol shows: ${formatNumber(now.weak)}.`] : []),
    ...now.classes.map(
      ({ covered, files, major, name }) =>
        `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${formatPlural(files, "file")}${major === 0 ? "" : `, ${formatNumber(covered)} of ${formatNumber(major)} major symbols explained`}.`,
    ),
  ]
  return (
    <details
      class="coverage"
      onKeyDown={({ currentTarget, key }) => {
        if (key === "Escape") currentTarget.open = false
      }}
    >
      <summary>
        <meter aria-label="Explained symbols" value={now.covered} max={Math.max(1, now.major)} />{" "}
        {formatNumber(now.covered)} of {formatNumber(now.major)}
        <span class="unit"> major symbols</span> explained ({share} %)
        {now.stale > 0 && `, ${formatNumber(now.stale)} stale`}
      </summary>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </details>
  )
}

const Crumbs = ({ line, path }: { readonly path: string; readonly line: number | undefined }) => {
  const parts = path === "" ? [] : path.split("/")
  if (parts.length === 0) return null
  return (
    <nav class="crumbs" aria-label="Path">
      <a href={linkTo("")}>Overview</a>
      {parts.map((part, n) => {
        const isLast = n === parts.length - 1 && line === undefined
        return (
          <span key={parts.slice(0, n + 1).join("/")}>
            {" / "}
            <a href={linkTo(parts.slice(0, n + 1).join("/"))} aria-current={isLast ? "page" : undefined}>
              {part}
            </a>
          </span>
        )
      })}
    </nav>
  )
}

/** Shows what the view opens with: the project as a whole. */
const Start = ({ status: now }: { readonly status: Index.Status }) => (
  <>
    <p class="kind">project</p>
    <StartTitle folder={now.root.slice(now.root.lastIndexOf("/") + 1)} />
    {isEmpty(now) ? (
      <p class="meta" role="status">
        Reading the files…
      </p>
    ) : (
      <>
        <p class="meta">
          {formatPlural(now.files, "file")} · {formatPlural(now.symbols, "symbol")}
          {now.byComment + now.byModel > 0 && `, ${formatNumber(now.byComment + now.byModel)} of them with a purpose`}
        </p>
        <StartPage map={now.map}>
          <Place path="" />
        </StartPage>
      </>
    )}
  </>
)
