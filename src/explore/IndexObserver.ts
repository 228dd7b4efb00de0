/** Receives the events of a run of `vibe index`: a port, with adapters for the console and for tests. */
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { isObject } from "../base/Json.ts"
import { plural } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import { RECORDING } from "./ExplorationTools.ts"
import { IndexEvent } from "./IndexEvent.ts"
import { describeFailures } from "./Report.ts"

/**
 * Receives the events of an exploration while it runs.
 *
 * When to use it: to show progress in a way of your own, or to log it. `layerConsole` prints when a run begins and
 * ends, and the whole conversation of a verbose run; `layerSilent` prints nothing, and `layerTest` collects the events
 * for a test. What a run has done stands in the `Report` that it returns.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Indexing, IndexingOrchestrator, IndexObserver } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const observer = Layer.succeed(IndexObserver.IndexObserver, {
 *   // A resource of the run, such as a progress bar, is acquired in `watch` and released with its scope.
 *   watch: () =>
 *     Effect.succeed((event) => {
 *       if (event._tag === "ToolCalled") return Console.log(`the model calls ${event.name}`)
 *       return event._tag === "Recorded" ? Console.log(`${event.purposesWritten} written`) : Effect.void
 *     }),
 * })
 *
 * const purpose = { path: "add.ts", symbol: "add", purpose: "Adds two numbers." }
 * const model = Scripted.layer([Scripted.calls(["create_index_entry", { entries: [purpose] }]), "That is all."])
 * const vibe = Indexing.layerMemory({ "/repo/add.ts": "export const add = (a: number, b: number) => a + b" }).pipe(
 *   Layer.provide([model, observer]),
 * )
 * await Effect.runPromise(Effect.provide(IndexingOrchestrator.runGuidedExploration("/repo"), vibe))
 * // prints: the model calls create_index_entry
 * // prints: 1 written
 * ```
 */
export class IndexObserver extends Context.Tag("vibe/explore/IndexObserver")<IndexObserver, Service>() {}

export interface Service {
  /** Called once per run. Resources such as a progress line are released with the scope. */
  readonly watch: (run: { readonly verbose: boolean }) => Effect.Effect<Watch, never, Scope.Scope>
}

export type Watch = (event: IndexEvent) => Effect.Effect<void>

export const layerSilent: Layer.Layer<IndexObserver> = Layer.succeed(IndexObserver, {
  watch: () => Effect.succeed(() => Effect.void),
})

/** Prints the specified lines to stdout: two by default, and the whole conversation if `verbose` is set. */
export const layerConsole: Layer.Layer<IndexObserver> = Layer.succeed(IndexObserver, {
  watch: ({ verbose }) =>
    Effect.succeed((event) => Effect.forEach(lines(event, verbose), (line) => Console.log(line), { discard: true })),
})

/** Records every event. */
export const layerTest = (events: Ref.Ref<ReadonlyArray<IndexEvent>>): Layer.Layer<IndexObserver> =>
  Layer.succeed(IndexObserver, {
    watch: () => Effect.succeed((event) => Ref.update(events, (events) => [...events, event])),
  })

/** Returns the specified lines for an event, safe to print. */
export const lines = (event: IndexEvent, verbose: boolean): ReadonlyArray<string> =>
  IndexEvent.$match(event, {
    Waiting: () => [],
    Started: () => ["Starting indexing..."],
    Refreshing: () => [],
    Structured: () => [],
    Mapped: () => [],
    Distributed: () => [],
    Stalled: () => [],
    Planned: () => [],
    Expected: () => [],
    BatchSent: ({ area, isAgain, model, number, symbols }) =>
      verbose
        ? [
            sanitizeLine(
              `📦 Batch ${number}${isAgain ? ", once more" : ""}: ${plural(symbols, "symbol")} of ${area} to ${model}`,
            ),
          ]
        : [],
    BatchEnded: ({ area, explained, number, reason, symbols }) =>
      verbose && reason !== undefined
        ? [
            sanitizeLine(
              `📦 Batch ${number}: ${explained} of ${plural(symbols, "symbol")} of ${area} explained: ${reason}`,
            ),
          ]
        : [],
    Asked: () => [],
    Answered: ({ text }) => (verbose && text !== "" ? [`🤖 LLM => ${truncate(sanitize(text))}`] : []),
    ToolCalled: ({ batch, name, parameters }) =>
      verbose
        ? [
            `🤖 LLM => Tool Call: ${name === RECORDING ? describeEntries(parameters, batch) : `${sanitizeLine(name)}(${formatArguments(parameters)})`}`,
          ]
        : [],
    ToolStarted: ({ batch, name, parameters }) =>
      verbose
        ? [
            `🛠️ Tool <= Executing: ${name === RECORDING ? describeEntries(parameters, batch) : `${sanitizeLine(name)} with args: ${formatArguments(parameters)}`}`,
          ]
        : [],
    ToolFinished: ({ batch, isError, name, text }) =>
      verbose
        ? [
            `🛠️ Tool <= ${isError ? "Error" : "Result"} of ${sanitizeLine(name)}: ${name === RECORDING ? describeResult(text, batch) : truncate(sanitizeLine(text))}`,
          ]
        : [],
    Recorded: () => [],
    ResultsSent: () => (verbose ? ["📤 Sending results back to LLM..."] : []),
    Retrying: () => [],
    Replaced: () => [],
    Compacted: () => [],
    PagesPlanned: () => [],
    PageWritten: ({ page, title, words }) =>
      verbose ? [sanitizeLine(`📖 Page ${page}: ${title}, ${plural(words, "word")}`)] : [],
    PageFailed: () => [],
    Stopped: () => [],
    Finished: ({ report }) =>
      report.outcome === "unexplained" || report.outcome === "partial"
        ? [sanitizeLine(`Indexing ended: ${describeFailures(report)}`)]
        : ["Indexing complete."],
  })

/**
 * Describes the arguments of the recording tool: `create_index_entry: 167 entries in 6 files`, `… of batch 3`. Entries
 * that give numbers name no file. The arguments themselves are as long as all that a model writes: up to 25 kB in a
 * line.
 */
const describeEntries = ({ entries }: Readonly<Record<string, unknown>>, batch: number | undefined): string => {
  const all = (Array.isArray(entries) ? entries : [entries]).filter(isObject)
  const count = all.reduce((sum, { purpose, purposes }) => sum + countOf(purposes) + (purpose === undefined ? 0 : 1), 0)
  const files = new Set(all.flatMap(({ path }) => (typeof path === "string" ? [path] : [])))
  return `${RECORDING}: ${count === 1 ? "1 entry" : `${count} entries`}${files.size === 0 ? "" : ` in ${plural(files.size, "file")}`}${batch === undefined ? "" : ` of batch ${batch}`}`
}

/**
 * Writes `batch 3: recorded 45 of 46 entries`: the first line, for users. The other lines tell the model what to mend.
 */
const describeResult = (text: string, batch: number | undefined): string => {
  const [first = ""] = text.split("\n")
  return `${batch === undefined ? "" : `batch ${batch}: `}${cutAtWord(sanitizeLine(first))}`
}

const cutAtWord = (text: string): string => {
  const short = truncate(text)
  const end = short === text ? -1 : short.lastIndexOf(" ")
  return end > MAX_CHARS / 2 ? `${short.slice(0, end)} …` : short
}

const countOf = (purposes: unknown): number =>
  Array.isArray(purposes) ? purposes.length : isObject(purposes) ? Object.keys(purposes).length : 0

/** JSON escapes control characters below U+0020 only; the others are unsafe for a terminal, too. */
const formatArguments = (value: unknown): string => sanitizeLine(JSON.stringify(value))

const truncate = (text: string): string =>
  text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}…`

const MAX_CHARS = 200
