/** The part of `vibe index` that embeds symbols, if the user has set a model for it. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type * as Selection from "../../code/Selection.ts"
import * as Workspace from "../../code/Workspace.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import { awaitClaim } from "../../explore/RunClaim.ts"
import * as Embedding from "../../index/Embedding.ts"
import { AtWork } from "../../index/IndexError.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import * as Usage from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import * as Embedder from "../../model/Embedder.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as Screen from "../terminal/Screen.ts"

/** Opens the model, which sends nothing yet. Fails if its key is missing. */
export const open = ({ dimensions, model }: AppConfig.Embedding) =>
  Effect.flatMap(Embedder.EmbedderRegistry, (registry) => registry.open(model, dimensions))

export interface Options {
  readonly embedder: Embedder.Service
  readonly path: string
  readonly selection: Selection.Selection
  /** The number of requests that are sent at the same time. */
  readonly parallel: number | undefined
}

const DEFAULT_PARALLEL = 3

/** Embeds the symbols that lack a vector, and prints that on stderr. Vectors from before a failure are kept. */
export const run = Effect.fn("cli.index.embed")(function* ({ embedder, parallel, path, selection }: Options) {
  const { err } = yield* Screen.Screen
  const store = yield* IndexStore.IndexStore
  const workspace = yield* Workspace.open(path, selection)
  // Another run may have begun since the exploration ended, and two runs that embed would pay twice.
  yield* awaitClaim(store.claim(workspace), (process) =>
    Screen.line(err, `${new AtWork({ process }).message}; waiting`),
  )
  const texts = yield* Embedding.textsOf(yield* store.open(workspace))
  const outcome = yield* Embedding.run({
    root: workspace.root,
    texts,
    embedder,
    parallel: parallel ?? (embedder.isLocal === true ? 1 : DEFAULT_PARALLEL),
    onProgress: ({ done, total }) => {
      const text = `embedding ${total.toLocaleString("en")} texts with ${sanitizeLine(String(embedder.model))}`
      if (err.canRedraw) return err.write(`\r${text}: ${done.toLocaleString("en")}${done === total ? "\n" : ""}`)
      return done === 0 ? Screen.line(err, text) : Effect.void
    },
  })
  if (err.canRedraw && outcome.failure !== undefined) yield* err.write("\n")
  const cost = Cost.of({ ...Usage.none, inputTokens: outcome.tokens }, embedder.price)
  yield* Screen.line(err, sanitizeLine(line(embedder, outcome, cost)))
  return { outcome, object: toJson(embedder, outcome, cost) }
}, Effect.scoped)

const line = ({ id }: Embedder.Service, outcome: Embedding.Outcome, cost: number | undefined): string => {
  const { embedded, failure, left, symbols, tokens } = outcome
  const spent = embedded === 0 ? "" : ` (${tokens.toLocaleString("en")} tokens, ${Cost.describe(cost)})`
  const missing = left === 0 ? "" : `; ${left.toLocaleString("en")} have none`
  const next = failure === undefined ? "" : ": vibe index again goes on"
  return `${symbols.toLocaleString("en")} symbols have vectors of ${id}${spent}${missing}${next}`
}

const toJson = (
  { id }: Embedder.Service,
  { embedded, failure, left, symbols, tokens }: Embedding.Outcome,
  cost: number | undefined,
): object => ({ embedder: id, symbols, left, embedded, tokens, cost: cost ?? null, failure: failure?.message ?? null })

/** The part of `--estimate` about embedding: the symbols to embed, their tokens and cost. */
export const estimate = Effect.fn("cli.index.estimateEmbedding")(function* (
  workspace: Workspace.Workspace,
  index: IndexStore.Index,
  settings: AppConfig.Embedding,
) {
  const embedder = yield* Effect.catchIf(
    open(settings),
    (error) => error._tag === "ModelError" && error.reason._tag === "Unauthorized",
    () => describe(settings),
  )
  const estimate = yield* Embedding.estimate(yield* Embedding.textsOf(index), workspace.root, embedder)
  const cost = Cost.of({ ...Usage.none, inputTokens: estimate.tokens }, embedder.price)
  return { embedder: embedder.id, ...estimate, cost: cost ?? null }
})

/** Describes a model even without a key, since an estimate needs none. */
const describe = Effect.fnUntraced(function* ({ dimensions, model }: AppConfig.Embedding) {
  const { price } = yield* (yield* ModelCatalog.ModelCatalog).find(model)
  return { id: Embedder.idOf(model, dimensions ?? Embedder.defaultDimensions(model)), price }
})

/** Formats the estimate as a line. */
export const estimateLine = ({
  cost,
  embedder,
  known,
  symbols,
  tokens,
}: Effect.Effect.Success<ReturnType<typeof estimate>>): string => {
  const missing = (symbols - known).toLocaleString("en")
  return symbols === known
    ? `Nothing to embed: all ${symbols.toLocaleString("en")} symbols have vectors of ${sanitizeLine(embedder)}`
    : `${missing} symbols to embed with ${sanitizeLine(embedder)}: about ${tokens.toLocaleString("en")} tokens, ${Cost.describe(cost ?? undefined)}`
}
