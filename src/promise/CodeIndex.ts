/** Provides the index of a folder without Effect: `explore` makes it, `open` opens it for queries. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { GenerationAbortedError } from "../agent/GenerateError.ts"
import * as Indexing from "../app/Indexing.ts"
import type { FileError } from "../code/FileError.ts"
import * as NodeWatcher from "../code/Watcher/Node.ts"
import * as Workspace from "../code/Workspace.ts"
import type { IndexEvent } from "../explore/IndexEvent.ts"
import * as Orchestrator from "../explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../explore/IndexObserver.ts"
import type { Report } from "../explore/Report.ts"
import * as Freshness from "../index/Freshness.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Callee, Reference, Status as StoredStatus } from "../index/IndexStore.ts"
import type * as AnswerText from "../lookup/AnswerText.ts"
import * as FreshProject from "../lookup/FreshProject.ts"
import { findPath } from "../lookup/findPath.ts"
import { findSymbols } from "../lookup/findSymbols.ts"
import { NoSuchSymbol } from "../lookup/NoSuchSymbol.ts"
import type { Project } from "../lookup/Project.ts"
import * as Query from "../lookup/Query.ts"
import * as Show from "../lookup/Show.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as Offline from "../provider/offline/Offline.ts"
import { run } from "./internal/run.ts"

/** The errors that `explore` rejects with. */
export type ExploreError = Orchestrator.IndexingError | GenerationAbortedError

/** The errors that `open` and the methods of a `CodeIndex` reject with; `NoSuchSymbol` if an argument names nothing. */
export type LookupError = FileError | IndexError | NoSuchSymbol

export interface ExploreOptions extends Orchestrator.Options {
  /** Receives the progress of the run, each event in order. Exceptions that it throws are ignored. */
  readonly onEvent?: ((event: IndexEvent) => void) | undefined
  /**
   * Aborting it stops the run, which rejects with a `GenerationAbortedError`. Everything that was learned so far is
   * stored.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * Has a model explore a folder, and stores the findings in the `.vibe` of the folder. `options.model` is by default the
 * offline guide, which needs no key and no network, and writes no purposes.
 */
export const explore = (folder: string, { onEvent, signal, ...options }: ExploreOptions = {}): Promise<Report> => {
  const watch: IndexObserver.Watch = (event) => Effect.ignore(Effect.try(() => onEvent?.(event)))
  const observer = Layer.succeed(IndexObserver.IndexObserver, { watch: () => Effect.succeed(watch) })
  const vibe = Indexing.layer.pipe(
    Layer.provide(Layer.succeed(LanguageModel.LanguageModel, options.model ?? Offline.make)),
    Layer.provide(observer),
  )
  const exploration = Orchestrator.runGuidedExploration(folder, false, options)
  return run(Effect.runFork, Effect.provide(exploration, vibe), signal)
}

export interface OpenOptions {
  /** True makes a missing index, with the structure alone. By default `open` rejects with `NotIndexed`. */
  readonly create?: boolean | undefined
}

export interface QueryOptions {
  /** The most answers; by default as many as are worth showing. */
  readonly limit?: number | undefined
  /** Guesses of identifiers that the code may use; their words count half. */
  readonly also?: ReadonlyArray<string> | undefined
  /** The file or folder that answers are restricted to, relative to the current folder or to the root. */
  readonly within?: string | undefined
}

export interface Answer {
  readonly entry: IndexEntry
  /** Higher is better. Scores are comparable only within the answers to one question. */
  readonly score: number
  /** The lines that answer best, at most 12; undefined if the file cannot be read. */
  readonly excerpt: Excerpt | undefined
}

export interface Excerpt {
  /** The number of the first line, from 1. */
  readonly firstLine: number
  readonly text: string
}

export interface SymbolDetails {
  readonly entry: IndexEntry
  /** Its resolved uses, by path and line. */
  readonly references: ReadonlyArray<Reference>
  /** The symbols that it uses, in the order of their first use. */
  readonly callees: ReadonlyArray<Callee>
}

export interface Status extends StoredStatus {
  /** The absolute path of the root. */
  readonly root: string
  /** A line that says in what the index is out of date; undefined if it is up to date. */
  readonly outdated: string | undefined
}

/** The services that open an index of this machine's files, and watch the files. */
const services = Layer.provideMerge(Indexing.layerWords, NodeWatcher.layer)

/** Opens the index of a folder, and brings it up to date with the files, without a model. */
export const open = async (folder: string, { create = false }: OpenOptions = {}): Promise<CodeIndex> => {
  const scope = Effect.runSync(Scope.make())
  const opening = Effect.gen(function* () {
    const opened = yield* FreshProject.open(yield* Workspace.open(folder), {
      displayPath: () => (path) => path,
      isMade: create,
    })
    yield* opened.freshness.refresh
    return opened
  }).pipe(
    (effect) => Effect.flatMap(Layer.build(services), (context) => Effect.provide(effect, context)),
    Scope.extend(scope),
  )
  try {
    return CodeIndex.of(await run(Effect.runFork, opening), scope)
  } catch (error) {
    await run(Effect.runFork, Scope.close(scope, Exit.void))
    throw error
  }
}

/** An index that stays open until `close`. Its promises reject with a `LookupError`. */
export class CodeIndex implements AsyncDisposable {
  readonly #freshness: Freshness.Freshness
  readonly #pending = new Set<Promise<unknown>>()
  readonly #project: Project
  readonly #scope: Scope.CloseableScope
  #isClosed = false

  private constructor({ freshness, project }: FreshProject.FreshProject, scope: Scope.CloseableScope) {
    this.#freshness = freshness
    this.#project = project
    this.#scope = scope
  }

  /** @internal */
  static of(opened: FreshProject.FreshProject, scope: Scope.CloseableScope): CodeIndex {
    return new CodeIndex(opened, scope)
  }

  /**
   * Returns the symbols that answer a question, best first; empty if no word of it is in the index. Waits at most 300
   * ms for files that have changed.
   */
  query(question: string, { also, limit, within }: QueryOptions = {}): Promise<ReadonlyArray<Answer>> {
    const project = this.#project
    return this.#look(
      Effect.gen(function* () {
        const path = within === undefined ? undefined : yield* findPath(project, within)
        const answers = yield* Query.answer(project, question, { also, limit, path })
        return answers.map(toAnswer)
      }),
    )
  }

  /**
   * Returns the symbols of a name, with the symbols that use them and those that they use: `append`, `Forest.append`,
   * `src/Forest.ts:append`, `src/Forest.ts:10`. The name of a file gives all its symbols. `describe` takes folders too.
   */
  show(name: string): Promise<ReadonlyArray<SymbolDetails>> {
    const project = this.#project
    const { index } = project
    return this.#look(
      Effect.gen(function* () {
        const { folder, named, outline } = yield* findSymbols(project, name)
        if (folder !== undefined) {
          return yield* new NoSuchSymbol({ symbol: name, problem: `${name} is a folder, not a symbol`, nearest: [] })
        }
        return yield* Effect.forEach([...named, ...outline], (entry) =>
          Effect.zipWith(index.references(entry), index.callees(entry), (references, callees) => ({
            entry,
            references,
            callees,
          })),
        )
      }),
    )
  }

  /**
   * Describes the same as text for a model, with source, in at most `maxTokens`. It also takes a folder, or lines
   * (`a.ts:10-20`).
   */
  describe(target: string, { maxTokens = 1000 }: { readonly maxTokens?: number | undefined } = {}): Promise<string> {
    return this.#look(Show.describe(this.#project, target, maxTokens))
  }

  /** Returns the contents of the index in figures, and in what it is out of date. */
  status(): Promise<Status> {
    const { index, workspace } = this.#project
    const freshness = this.#freshness
    return this.#once(
      Effect.gen(function* () {
        const outdated = Freshness.describe(yield* freshness.ensure())
        return { ...(yield* index.status), root: workspace.root, outdated }
      }),
    )
  }

  /** Waits until the index agrees with the files as they are now. */
  refresh(): Promise<void> {
    return this.#once(
      Effect.flatMap(this.#freshness.refresh, (state) =>
        state._tag === "Outdated" ? Effect.fail(state.error) : Effect.void,
      ),
    )
  }

  /** Waits for the calls in progress, then closes the index. No method can be called after it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#pending)
    await run(Effect.runFork, Scope.close(this.#scope, Exit.void))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #look<A, E>(effect: Effect.Effect<A, E>): Promise<A> {
    return this.#once(Effect.zipRight(this.#freshness.ensure(), effect))
  }

  async #once<A, E>(effect: Effect.Effect<A, E>): Promise<A> {
    if (this.#isClosed) throw new Error("The index is closed.")
    const answer = run(Effect.runFork, effect)
    this.#pending.add(answer)
    try {
      return await answer
    } finally {
      this.#pending.delete(answer)
    }
  }
}

const toAnswer = ({ excerpt, hit }: AnswerText.Answer): Answer => {
  const lines = Either.getOrUndefined(excerpt)?.(MAX_LINES)
  return {
    entry: hit.entry,
    score: hit.score,
    excerpt: lines && { firstLine: lines.firstLine, text: lines.lines.join("\n") },
  }
}

const MAX_LINES = 12
