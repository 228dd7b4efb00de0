/** The state of a run of `vibe index`, and its progress line. Pure. */
import * as Duration from "effect/Duration"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { IndexEvent } from "../../explore/IndexEvent.ts"
import type { RefreshProgress } from "../../index/RunProgress.ts"
import * as Usage from "../../message/Usage.ts"

export interface Progress {
  readonly step: string
  /** The progress of parsing; undefined outside of this phase. */
  readonly parsing: Parsing | undefined
  /** The number of requests of the run. */
  readonly requests: number
  /**
   * The expected number of requests: at first the most there will be, and once the batches are planned an estimate. 0
   * until the first.
   */
  readonly expected: number
  readonly symbols: number
  /** The purposes that this run has written. */
  readonly purposes: number
  readonly toolCalls: number
  readonly usage: Usage.Usage
  /** The progress of the batches; undefined before they begin. */
  readonly batches: Batches | undefined
}

interface Batches {
  /** The number of open symbols when the batches began. */
  readonly symbols: number
  /** The number of purposes that had been written when the batches began. */
  readonly before: number
  /** The batches under way: their subjects by their numbers. */
  readonly underWay: ReadonlyMap<number, string>
}

interface Parsing extends Pick<RefreshProgress, "done" | "total" | "share"> {
  /** The time of the run at which the phase began. */
  readonly since: Duration.Duration
}

export const start: Progress = {
  step: "listing files",
  parsing: undefined,
  requests: 0,
  expected: 0,
  symbols: 0,
  purposes: 0,
  toolCalls: 0,
  usage: Usage.none,
  batches: undefined,
}

/** `elapsed` is the time of the run. */
export const next = (progress: Progress, event: IndexEvent, elapsed: Duration.Duration): Progress =>
  IndexEvent.$match(event, {
    Waiting: () => ({ ...progress, step: "waiting for another vibe index" }),
    Started: () => ({ ...progress, step: start.step }),
    Refreshing: ({ done, phase, share, total }) => ({
      ...progress,
      step: phase === "resolving" ? "resolving uses" : start.step,
      parsing:
        phase === "parsing" && total > 0
          ? { done, total, share, since: progress.parsing?.since ?? elapsed }
          : undefined,
    }),
    Structured: ({ symbols }) => ({ ...progress, symbols, step: "exploring", parsing: undefined }),
    Mapped: () => progress,
    Distributed: () => ({ ...progress, step: "waiting for workers" }),
    Stalled: () => progress,
    Planned: ({ symbols }) => ({
      ...progress,
      batches: { symbols, before: progress.purposes, underWay: new Map() },
    }),
    Expected: ({ requests }) => ({ ...progress, expected: requests }),
    BatchSent: ({ area, number }) => withUnderWay(progress, (underWay) => underWay.set(number, area)),
    BatchEnded: ({ number }) => withUnderWay(progress, (underWay) => underWay.delete(number)),
    Asked: ({ iteration, limit }) => ({
      ...progress,
      // The count of a further exploration begins anew, so its requests are added one by one.
      requests: progress.batches === undefined ? iteration : progress.requests + 1,
      expected: progress.batches === undefined ? limit : progress.expected,
      // The batches that are under way say more.
      step: progress.batches === undefined ? "waiting for the model" : progress.step,
    }),
    Answered: ({ total }) => ({ ...progress, usage: total }),
    ToolCalled: () => progress,
    ToolStarted: ({ name, parameters }) => ({
      ...progress,
      step: progress.batches === undefined ? call(name, parameters) : progress.step,
    }),
    ToolFinished: () => ({ ...progress, toolCalls: progress.toolCalls + 1 }),
    Recorded: ({ purposesWritten }) => ({ ...progress, purposes: purposesWritten }),
    ResultsSent: () => progress,
    Retrying: ({ attempt }) => ({ ...progress, step: `retry ${attempt}` }),
    Replaced: () => progress,
    Compacted: () => progress,
    PagesPlanned: ({ pages, statements }) => ({
      ...progress,
      step: pages === 0 && statements === 0 ? progress.step : "writing the wiki",
    }),
    PageWritten: ({ title }) => ({ ...progress, step: sanitizeLine(`writing the wiki: ${title}`) }),
    PageFailed: () => progress,
    Stopped: () => progress,
    Finished: () => progress,
  })

const withUnderWay = (progress: Progress, edit: (underWay: Map<number, string>) => void): Progress => {
  const { batches } = progress
  if (batches === undefined) return progress
  const underWay = new Map(batches.underWay)
  edit(underWay)
  const step = underWay.size === 0 ? progress.step : describe(underWay)
  return { ...progress, step, batches: { ...batches, underWay } }
}

/** `batch 3: src`, `batches 3–5: src, src/jsx`, `batches 3, 5: src`. */
const describe = (underWay: ReadonlyMap<number, string>): string => {
  const numbers = Array.from(underWay.keys()).sort((one, other) => one - other)
  const [first = 0] = numbers
  const last = numbers.at(-1) ?? first
  const isRow = numbers.length > 2 && last - first === numbers.length - 1
  const names = isRow ? `${first}–${last}` : numbers.join(", ")
  return sanitizeLine(
    `${numbers.length === 1 ? "batch" : "batches"} ${names}: ${Array.from(new Set(underWay.values())).join(", ")}`,
  )
}

/**
 * The line has at most `columns - 1` characters, so that no terminal wraps it. If that is too little, it omits the tool
 * calls, then the end of the step, then the purposes.
 */
export const line = (progress: Progress, elapsed: Duration.Duration, columns: number): string => {
  if (progress.parsing !== undefined) return parsingLine(progress.parsing, elapsed, columns)
  const { batches, expected, purposes, requests, step, symbols, toolCalls, usage } = progress
  const head = expected === 0 || requests === 0 ? "" : `[${requests}/${Math.max(requests, expected)}] `
  const tail = (...counts: ReadonlyArray<string>): string =>
    [
      "",
      ...counts.filter((count) => count !== ""),
      ...(usage.inputTokens + usage.outputTokens === 0 ? [] : [`${tokens(usage)} tokens`]),
      clock(elapsed),
    ].join(" · ")
  const countText = (count: number, noun: string): string => (count === 0 ? "" : plural(count, noun))
  const room = (tail: string): number => columns - 1 - head.length - tail.length

  // While batches are under way, the explained share of the open symbols says more than the number of all symbols.
  const size = batches === undefined ? countText(symbols, "symbol") : shareOf(batches, purposes)
  const calls = batches === undefined ? countText(toolCalls, "tool call") : ""
  const all = tail(size, countText(purposes, "purpose"), calls)
  const some = tail(size, countText(purposes, "purpose"))
  const chosen = room(all) >= step.length ? all : room(some) >= MIN_STEP_CHARS ? some : tail(size)
  return cut(`${head}${cut(step, Math.max(MIN_STEP_CHARS, room(chosen)))}${chosen}`, columns - 1)
}

/** `62% of 340 open symbols`. */
const shareOf = ({ before, symbols }: Batches, purposes: number): string =>
  `${symbols === 0 ? 100 : Math.min(100, Math.floor((100 * (purposes - before)) / symbols))}% of ${plural(symbols, "open symbol")}`

/** `parsing 1,138/5,260 ███████░░░░░░░░░ about 20 s left · 0:07` */
const parsingLine = ({ done, share, since, total }: Parsing, elapsed: Duration.Duration, columns: number): string => {
  const [of, all] = [done, total].map((count) => count.toLocaleString("en"))
  const head = `parsing ${of}/${all}`
  const left = timeLeft(share, Duration.subtract(elapsed, since))
  const tail = left === undefined ? clock(elapsed) : `about ${roughly(left)} left · ${clock(elapsed)}`
  const width = Math.min(MAX_BAR, columns - head.length - tail.length - 3)
  const middle = width < MIN_BAR ? " · " : ` ${bar(share, width)} `
  return cut(`${head}${middle}${tail}`, columns - 1)
}

const MAX_BAR = 24
const MIN_BAR = 6

const bar = (share: number, width: number): string => {
  const full = Math.round(share * width)
  return "█".repeat(full) + "░".repeat(width - full)
}

/**
 * Assumes that the rest takes as long as what is done. Undefined at first and at the end: a guess after a few files
 * jumps, and one about the last seconds is over before it is read.
 */
const timeLeft = (share: number, taken: Duration.Duration): Duration.Duration | undefined => {
  if (share < 0.1 || Duration.lessThan(taken, Duration.seconds(3))) return undefined
  const left = Duration.millis((Duration.toMillis(taken) * (1 - share)) / share)
  return Duration.lessThan(left, Duration.seconds(5)) ? undefined : left
}

/** Rounds up to tens of seconds, or to minutes: a number that changes with every file cannot be believed. */
const roughly = (left: Duration.Duration): string => {
  const seconds = Duration.toSeconds(left)
  return seconds <= 60 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.ceil(seconds / 60)} min`
}

/** The shortest useful prefix of a step: `list_symbols_in…`. */
const MIN_STEP_CHARS = 16

const cut = (text: string, length: number): string =>
  text.length <= length ? text : length < 1 ? "" : `${text.slice(0, length - 1).toWellFormed()}…`

/** `12.3k`. */
export const tokens = ({ inputTokens, outputTokens }: Usage.Usage): string => {
  const count = inputTokens + outputTokens
  return count < 1000 ? String(count) : count < 1e6 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(2)}M`
}

/** `0:42`. */
export const clock = (elapsed: Duration.Duration): string => {
  const seconds = Math.floor(Duration.toSeconds(elapsed))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const call = (name: string, { path, symbol }: { readonly path?: unknown; readonly symbol?: unknown }): string =>
  sanitizeLine([name, path, symbol].filter((word) => typeof word === "string").join(" "))
