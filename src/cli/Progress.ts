/** Where a run of `vibe index` stands, and the one line that says so. Pure. */
import * as Duration from "effect/Duration"
import { IndexEvent } from "../indexing/IndexEvent.ts"
import { printableLine } from "../message/Printable.ts"
import * as Usage from "../message/Usage.ts"

export interface Progress {
  readonly step: string
  readonly iteration: number
  /** 0 until the first request. */
  readonly limit: number
  readonly symbols: number
  readonly toolCalls: number
  readonly usage: Usage.Usage
}

export const start: Progress = {
  step: "reading the code",
  iteration: 0,
  limit: 0,
  symbols: 0,
  toolCalls: 0,
  usage: Usage.none,
}

export const next = (progress: Progress, event: IndexEvent): Progress =>
  IndexEvent.$match(event, {
    Started: () => progress,
    Structured: ({ symbols }) => ({ ...progress, symbols, step: "starting" }),
    Asked: ({ iteration, limit }) => ({ ...progress, iteration, limit, step: "waiting for the model" }),
    Answered: ({ total }) => ({ ...progress, usage: total }),
    ToolCalled: () => progress,
    ToolStarted: ({ name, parameters }) => ({ ...progress, step: call(name, parameters) }),
    ToolFinished: () => ({ ...progress, toolCalls: progress.toolCalls + 1 }),
    ResultsSent: () => progress,
    Retrying: ({ attempt }) => ({ ...progress, step: `retry ${attempt}` }),
    Replaced: () => progress,
    Stopped: () => progress,
    Finished: () => progress,
  })

/** At most `columns - 1` characters, so that no terminal wraps it. */
export const line = (progress: Progress, elapsed: Duration.Duration, columns: number): string => {
  const { iteration, limit, step, symbols, toolCalls, usage } = progress
  const parts = [
    limit === 0 ? step : `[${iteration}/${limit}] ${step}`,
    ...(symbols === 0 ? [] : [plural(symbols, "symbol")]),
    ...(toolCalls === 0 ? [] : [plural(toolCalls, "tool call")]),
    ...(usage.inputTokens + usage.outputTokens === 0 ? [] : [`${tokens(usage)} tokens`]),
    clock(elapsed),
  ]
  const text = parts.join(" · ")
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2)).toWellFormed()}…`
}

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

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const call = (name: string, { path, symbol }: { readonly path?: unknown; readonly symbol?: unknown }): string =>
  printableLine([name, path, symbol].filter((word) => typeof word === "string").join(" "))
