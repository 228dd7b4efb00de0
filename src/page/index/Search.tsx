/** Searches the index while one types, and keeps the results until the user closes them. */
import { signal } from "@preact/signals"
import { type Index, query, request } from "../Client.ts"
import { PAUSE } from "../useLatestAnswer.ts"
import { at, linkToSymbol, showError } from "./Project.ts"
import { Source } from "./Source.tsx"
import { Name, Prose, Signature } from "./SymbolView.tsx"

interface Hit {
  readonly symbol: Index.SymbolRow
  readonly pieces: ReadonlyArray<{ readonly firstLine: number; readonly lines: ReadonlyArray<string> }>
}

/** The text that is typed; empty for no search. */
export const text = signal("")
/** The results, with the text that they are for. */
const found = signal<{ readonly text: string; readonly hits: ReadonlyArray<Hit> } | undefined>(undefined)
/** The index of the result that Enter opens, or -1. */
export const marked = signal(-1)
/** True while the results are in the place of the page; a result that was opened has taken it. */
export const isListing = signal(false)

let timer: ReturnType<typeof setTimeout> | undefined
let latest = 0

/** Returns the results that are known, which may be for the text a moment ago. Undefined if there is no search. */
export const hits = (): ReadonlyArray<Hit> | undefined => (text.value.trim() === "" ? undefined : found.value?.hits)

const find = async (): Promise<void> => {
  clearTimeout(timer)
  const mine = ++latest
  const wanted = text.peek()
  if (wanted.trim() === "") return
  try {
    const all = await request<ReadonlyArray<Hit>>("GET", `/index/search${query({ text: wanted })}`)
    if (mine === latest) found.value = { text: wanted, hits: all }
  } catch (error) {
    if (mine === latest) showError(error)
  }
}

export const type = (to: string): void => {
  text.value = to
  marked.value = -1
  isListing.value = to.trim() !== ""
  clearTimeout(timer)
  if (to.trim() === "") found.value = undefined
  else timer = setTimeout(() => void find(), PAUSE)
}

/** Moves the mark by lines. Above the first result nothing is marked. */
export const step = (by: number): void => {
  const all = hits() ?? []
  marked.value = Math.max(-1, Math.min(all.length - 1, marked.peek() + by))
  document.getElementById(idOf(marked.peek()))?.scrollIntoView({ block: "nearest" })
}

/** Opens the marked result. If none is marked, marks the first one for the complete text, so that the user sees it. */
export const enter = async (): Promise<void> => {
  const hit = hits()?.[marked.peek()]
  if (hit !== undefined) return open(hit)
  if (found.peek()?.text !== text.peek()) await find()
  if ((found.peek()?.hits.length ?? 0) > 0) marked.value = 0
}

const open = ({ symbol }: Hit): void => {
  isListing.value = false
  location.hash = linkToSymbol(symbol)
}

export const idOf = (index: number): string => `hit-${index}`

/** Shows the results in full, with the lines that decide. */
export const Answers = ({ all }: { readonly all: ReadonlyArray<Hit> }) => (
  <ol class="answers">
    {all.length === 0 && <li class="empty">Nothing in the index answers that.</li>}
    {all.map(({ pieces, symbol }, index) => (
      <li
        key={`${symbol.path}:${symbol.line}:${symbol.name}`}
        id={idOf(index)}
        aria-current={index === marked.value ? "true" : undefined}
      >
        <a
          href={linkToSymbol(symbol)}
          onClick={() => {
            marked.value = index
            isListing.value = false
          }}
        >
          <Name name={symbol.name} without="" />
        </a>{" "}
        <span class="meta">
          {symbol.path}:{symbol.line}
        </span>
        <p class="what">
          {symbol.purpose === undefined ? <Signature symbol={symbol} /> : <Prose text={symbol.purpose.text} />}
        </p>
        {pieces.map(({ firstLine, lines }) => (
          <Source key={firstLine} path={symbol.path} first={firstLine} lines={lines} />
        ))}
      </li>
    ))}
  </ol>
)

/** Shows the results beside one that was opened. */
export const Results = ({ all }: { readonly all: ReadonlyArray<Hit> }) => (
  <nav class="results" aria-label="Results">
    <button type="button" class="quiet" onClick={() => (isListing.value = true)}>
      All {all.length} results
    </button>
    <ul>
      {all.map(({ symbol }, index) => (
        <li key={`${symbol.path}:${symbol.line}:${symbol.name}`} class={index === marked.value ? "marked" : ""}>
          <a
            href={linkToSymbol(symbol)}
            aria-current={at.value.path === symbol.path && at.value.line === symbol.line ? "page" : undefined}
            onClick={() => (marked.value = index)}
          >
            <Name name={symbol.name} without="" />
            <small>
              {symbol.path}:{symbol.line}
            </small>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
