/** The state of a run of `vibe index`, and its progress line. Pure. */
import * as Duration from "effect/Duration"
import { IndexEvent } from "../../indexing/IndexEvent.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Usage from "../../message/Usage.ts"

export interface Progress {
  readonly step: string
  readonly iteration: number
  /** 0 until the first request. */
  readonly limit: number
  readonly symbols: number
  /** Written in this run. */
  readonly purposes: number
  readonly toolCalls: number
  readonly usage: Usage.Usage
}

export const start: Progress = {
  step: "reading the code",
  iteration: 0,
  limit: 0,
  symbols: 0,
  purposes: 0,
  toolCalls: 0,
  usage: Usage.none,
}

export const next = (progress: Progress, event: IndexEvent): Progress =>
  IndexEvent.$match(event, {
    Waiting: () => ({ ...progress, step: "waiting for another vibe index" }),
    Started: () => ({ ...progress, step: start.step }),
    Structured: ({ symbols }) => ({ ...progress, symbols, step: "starting" }),
    Asked: ({ iteration, limit }) => ({ ...progress, iteration, limit, step: "waiting for the model" }),
    Answered: ({ total }) => ({ ...progress, usage: total }),
    ToolCalled: () => progress,
    ToolStarted: ({ name, parameters }) => ({ ...progress, step: call(name, parameters) }),
    ToolFinished: () => ({ ...progress, toolCalls: progress.toolCalls + 1 }),
    Recorded: ({ purposesWritten }) => ({ ...progress, purposes: purposesWritten }),
    ResultsSent: () => progress,
    Retrying: ({ attempt }) => ({ ...progress, step: `retry ${attempt}` }),
    Replaced: () => progress,
    Compacted: () => progress,
    Stopped: () => progress,
    Finished: () => progress,
  })

/**
 * At most `columns - 1` characters, so that no terminal wraps it. Where that is too little, the tool calls are omitted,
 * then the end of the step, then the purposes.
 */
export const line = (progress: Progress, elapsed: Duration.Duration, columns: number): string => {
  const { iteration, limit, purposes, step, symbols, toolCalls, usage } = progress
  const head = limit === 0 ? "" : `[${iteration}/${limit}] `
  const tail = (...counts: ReadonlyArray<readonly [count: number, noun: string]>): string =>
    [
      "",
      ...counts.flatMap(([count, noun]) => (count === 0 ? [] : [plural(count, noun)])),
      ...(usage.inputTokens + usage.outputTokens === 0 ? [] : [`${tokens(usage)} tokens`]),
      clock(elapsed),
    ].join(" · ")
  const room = (tail: string): number => columns - 1 - head.length - tail.length

  const all = tail([symbols, "symbol"], [purposes, "purpose"], [toolCalls, "tool call"])
  const some = tail([symbols, "symbol"], [purposes, "purpose"])
  const chosen = room(all) >= step.length ? all : room(some) >= MIN_STEP_CHARS ? some : tail([symbols, "symbol"])
  return cut(`${head}${cut(step, Math.max(MIN_STEP_CHARS, room(chosen)))}${chosen}`, columns - 1)
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
