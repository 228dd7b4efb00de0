/**
 * The vectors of an index: chooses the symbols and texts that are embedded, and runs the requests for missing ones.
 * Each answer is stored as it comes, so a run that ends early, for any reason, is continued by the next one.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { inParallel } from "../base/concurrency.ts"
import { sha256 } from "../base/Text.ts"
import type { DiskError } from "../disk/DiskError.ts"
import * as Sqlite from "../disk/Sqlite.ts"
import { quantize } from "../embedding/Int8Matrix.ts"
import * as VectorStore from "../embedding/VectorStore.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Embedder from "../model/Embedder.ts"
import { Misconfigured, ModelError } from "../model/ModelError.ts"
import { type IndexEntry, statementOf } from "./IndexEntry.ts"
import { Full, IndexError, NotAFile, TooNew, Unreadable, Unwritable } from "./IndexError.ts"
import { callerKey, type Index } from "./IndexStore.ts"

/** The most symbols that are embedded: with 256 dimensions their vectors take 51 MB, and a search 20 ms more. */
export const MAX_SYMBOLS = 200_000

/** The most characters of a text, about 200 tokens: the first sentences of a comment say what a symbol is for. */
const MAX_TEXT = 660

/** The most characters that the names and the signature may take of the text. */
const MAX_SIGNATURE = 200
const MAX_CALLERS = 120

/**
 * Writes the text that is embedded for a symbol: kind and qualified name, signature, purpose or comment, and callers.
 */
export const textOf = (entry: IndexEntry, callers: ReadonlyArray<string>): string => {
  const { doc = "", kind, purpose, qualifiedName, signature } = entry
  const isWritten = purpose !== undefined && purpose.origin === "model" && !purpose.stale
  const head = [`${kind} ${qualifiedName}`, signature].map((line) => cut(line, MAX_SIGNATURE))
  const usedBy = callers.length === 0 ? [] : [cut(`used by ${callers.join(", ")}`, MAX_CALLERS)]
  const room = MAX_TEXT - [...head, ...usedBy].reduce((sum, line) => sum + line.length + 1, 0)
  const about = isWritten ? statementOf(purpose) : doc
  return [...head, cut(about.replaceAll(/\s+/g, " ").trim(), room), ...usedBy].filter((line) => line !== "").join("\n")
}

/** Returns the beginning of a text. Characters of a script with many tokens count as more. */
const cut = (text: string, most: number): string => {
  const short = text.slice(0, Math.max(0, most))
  const length = Tokens.lengthOf(short)
  return (length <= most ? short : short.slice(0, Math.floor((short.length * most) / length))).toWellFormed()
}

/** A symbol with its present source, in any file. */
export type Version = Pick<IndexEntry, "hash" | "qualifiedName">

/** A text with the symbols that have it. */
export interface Text {
  readonly key: string
  readonly text: string
  readonly symbols: ReadonlyArray<Version>
}

/** The texts of an index, in the order in which they are embedded. */
export interface Texts {
  readonly texts: ReadonlyArray<Text>
  /** The number of symbols with one of them, and of those of the code beyond `MAX_SYMBOLS`. */
  readonly symbols: number
  readonly beyond: number
}

/** Returns the texts of the symbols of the code, without tests: major ones first, then all others. */
export const textsOf = Effect.fn("Embedding.textsOf")(function* (
  index: Pick<Index, "callersIn" | "files" | "symbolsIn">,
) {
  const parts: Record<"major" | "minor", Array<{ readonly text: string; readonly symbol: Version }>> = {
    major: [],
    minor: [],
  }
  for (const { class: ofFile, path } of yield* index.files) {
    if (ofFile !== "code") continue
    const callers = yield* index.callersIn(path, "all")
    for (const entry of yield* index.symbolsIn(path)) {
      const { hash, isMajor, qualifiedName } = entry
      const text = textOf(entry, callers.get(callerKey(entry)) ?? [])
      parts[isMajor ? "major" : "minor"].push({ text, symbol: { qualifiedName, hash } })
    }
  }
  const all = [...parts.major, ...parts.minor]
  const chosen = all.slice(0, MAX_SYMBOLS)
  const byText = Map.groupBy(chosen, ({ text }) => text)
  const texts: Texts = {
    texts: Array.from(byText, ([text, same]) => ({
      key: sha256(text).slice(0, 32),
      text,
      symbols: same.map(({ symbol }) => symbol),
    })),
    symbols: chosen.length,
    beyond: all.length - chosen.length,
  }
  return texts
})

/** The work that a run would do. */
export interface Estimate {
  /** The number of symbols that will have a vector, and of those that have one now. */
  readonly symbols: number
  readonly known: number
  /** Texts to embed, and their estimated tokens. */
  readonly texts: number
  readonly tokens: number
}

/** Estimates the work of a run. Sends nothing, and writes nothing. */
export const estimate = (
  { symbols, texts }: Texts,
  root: string,
  embedder: Pick<Embedder.Service, "id">,
): Effect.Effect<Estimate> =>
  Effect.scoped(
    Effect.flatMap(VectorStore.openToRead(root), (database) =>
      Sqlite.attempt(VectorStore.fileIn(root), () => keysOf(Sqlite.statements(database), embedder.id, texts)),
    ),
  ).pipe(
    Effect.orElseSucceed((): ReadonlySet<string> => new Set()),
    Effect.map((known) => {
      const missing = texts.filter(({ key }) => !known.has(key))
      const open = missing.reduce((sum, text) => sum + text.symbols.length, 0)
      const tokens = Embedder.estimateTokens(missing.map(({ text }) => text))
      return { symbols, known: symbols - open, texts: missing.length, tokens }
    }),
  )

const keysOf = (sql: Sqlite.Statements, embedder: string, texts: ReadonlyArray<Text>): ReadonlySet<string> =>
  VectorStore.owner(sql)?.embedder === embedder
    ? VectorStore.findKeys(
        sql,
        texts.map(({ key }) => key),
      )
    : new Set()

export interface Settings {
  /** The root of the workspace. */
  readonly root: string
  readonly texts: Texts
  readonly embedder: Embedder.Service
  /** How many requests are under way at a time; halved when the provider limits the rate. */
  readonly parallel: number
  /** Called before the first request, and after each. */
  readonly onProgress: (progress: Progress) => Effect.Effect<void>
}

export interface Progress {
  /** Counts texts of this run. */
  readonly done: number
  readonly total: number
}

export interface Outcome {
  /** The number of symbols with a vector now, and of the others. */
  readonly symbols: number
  readonly left: number
  /** Texts that were embedded. */
  readonly embedded: number
  /** Tokens as the provider has counted them, or as they are estimated. */
  readonly tokens: number
  /** Why some are left: the provider failed, or the budget was used. Undefined if the run came to its end. */
  readonly failure: ModelError | undefined
}

/** The run ends after so many texts that the provider refuses even alone. */
const MAX_REFUSED = 3

type End = { readonly _tag: "Failed"; readonly failure: ModelError | DiskError } | { readonly _tag: "OtherDimensions" }

/** Embeds the texts that have no vector. Drops the vectors of another embedder with the first answer. */
export const run = (settings: Settings): Effect.Effect<Outcome, IndexError> =>
  runOnce(settings, false).pipe(Effect.mapError(toIndexError), Effect.withSpan("Embedding.run"))

/** `isAgain` is true if vectors of other dimensions were dropped before. */
const runOnce = (settings: Settings, isAgain: boolean): Effect.Effect<Outcome, DiskError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { embedder, root, texts } = settings
      const vectors = yield* openVectors(root)
      const { file, sql, write } = vectors
      const known = yield* Sqlite.attempt(file, () => keysOf(sql, embedder.id, texts.texts))
      // The vectors of another embedder serve until they are dropped.
      if (known.size > 0) {
        yield* write(() =>
          VectorStore.link(
            sql,
            texts.texts.flatMap(({ key, symbols }) => symbols.map((symbol) => ({ ...symbol, key }))),
          ),
        )
      }
      const missing = texts.texts.filter(({ key }) => !known.has(key))
      const { done, ended } = yield* embedAll(missing, vectors, settings, isAgain)
      if (ended?._tag === "OtherDimensions") {
        yield* Effect.logWarning(
          `${embedder.id}: the server returns vectors of other dimensions than before; all symbols are embedded again`,
        )
        yield* write(function* () {
          yield VectorStore.clear(sql)
        })
        return "again" as const
      }
      if (ended?._tag === "Failed" && ended.failure._tag === "DiskError") return yield* ended.failure
      if (ended === undefined) yield* write(() => VectorStore.prune(sql))
      const open = missing.reduce((sum, text) => sum + text.symbols.length, 0)
      const failure = ended?.failure
      return {
        symbols: texts.symbols - open + done.symbols,
        left: open - done.symbols + texts.beyond,
        embedded: done.texts,
        tokens: done.tokens,
        failure: failure?._tag === "ModelError" ? failure : undefined,
      }
    }),
  ).pipe(Effect.flatMap((outcome) => (outcome === "again" ? runOnce(settings, true) : Effect.succeed(outcome))))

/** The file of the vectors, open for writing. */
interface OpenVectors {
  readonly file: string
  readonly sql: Sqlite.Statements
  readonly write: <A>(body: () => Sqlite.Steps<A>) => Effect.Effect<A, DiskError>
}

const openVectors = (root: string) =>
  Effect.map(VectorStore.open(root), (database): OpenVectors => {
    const file = VectorStore.fileIn(root)
    return {
      file,
      sql: Sqlite.statements(database),
      write: (body) =>
        Sqlite.retryWhileBusy(Sqlite.exclusively(database)(Sqlite.transactionInSteps(file, database, body))),
    }
  })

/** Embeds texts in batches, several at a time, until all are done or an end is reported. */
const embedAll = Effect.fnUntraced(function* (
  missing: ReadonlyArray<Text>,
  { file, sql, write }: OpenVectors,
  { embedder, onProgress, parallel }: Settings,
  isAgain: boolean,
) {
  const queue = batchesOf(missing, embedder.maxTexts)
  const end = yield* Ref.make<End | undefined>(undefined)
  const allowed = yield* Ref.make(Math.max(1, parallel))
  const done = yield* Ref.make({ texts: 0, symbols: 0, tokens: 0, refused: 0 })
  const stop = (reason: End) => Ref.update(end, (before) => before ?? reason)
  const progress = Effect.flatMap(Ref.get(done), (done) => onProgress({ done: done.texts, total: missing.length }))
  if (missing.length > 0) yield* progress

  const store = Effect.fnUntraced(function* (batch: ReadonlyArray<Text>, { usage, vectors }: Embedder.Embedded) {
    const dimensions = vectors[0]?.length ?? 0
    const owner = yield* Sqlite.attempt(file, () => VectorStore.owner(sql))
    if (owner?.embedder === embedder.id && owner.dimensions !== dimensions) {
      const isFirst = !isAgain && (yield* Ref.get(done)).texts === 0
      return yield* stop(
        isFirst ? { _tag: "OtherDimensions" } : changedDimensions(embedder, owner.dimensions, dimensions),
      )
    }
    const added = batch.flatMap(({ key, symbols }, at) => {
      const vector = vectors[at]
      return vector === undefined ? [] : [{ key, symbols, vector: quantize(vector) }]
    })
    yield* write(() => VectorStore.add(sql, { embedder: embedder.id, dimensions }, added))
    yield* Ref.update(done, (done) => ({
      ...done,
      texts: done.texts + batch.length,
      symbols: done.symbols + batch.reduce((sum, { symbols }) => sum + symbols.length, 0),
      tokens: done.tokens + usage.inputTokens,
    }))
    yield* progress
  })

  const refuse = Effect.fnUntraced(function* (batch: ReadonlyArray<Text>, failure: ModelError) {
    yield* Ref.update(done, (done) => ({ ...done, tokens: done.tokens + failure.usage.inputTokens }))
    if (!isOfText.has(failure.reason._tag)) return yield* stop({ _tag: "Failed", failure })
    if (batch.length > 1) {
      queue.unshift(...batchesOf(batch, Math.ceil(batch.length / 2)))
      return
    }
    const { refused } = yield* Ref.updateAndGet(done, (done) => ({ ...done, refused: done.refused + 1 }))
    if (refused >= MAX_REFUSED) yield* stop({ _tag: "Failed", failure })
  })

  const ask = (batch: ReadonlyArray<Text>) =>
    embedder
      .embedDocuments(
        batch.map(({ text }) => text),
        {
          retry: ({ error }) =>
            error.reason._tag === "RateLimited"
              ? Ref.update(allowed, (count) => Math.max(1, Math.floor(count / 2)))
              : Effect.void,
        },
      )
      .pipe(
        Effect.matchEffect({
          onFailure: (error) => refuse(batch, error),
          onSuccess: (answer) => store(batch, answer),
        }),
      )

  /** Runs one worker. It ends itself if there are more workers than allowed. */
  const work = (worker: number): Effect.Effect<void> =>
    Effect.gen(function* () {
      while ((yield* Ref.get(end)) === undefined && worker < (yield* Ref.get(allowed))) {
        const batch = queue.shift()
        if (batch === undefined) return
        yield* ask(batch)
      }
    }).pipe(Effect.catchAll((failure) => stop({ _tag: "Failed", failure })))

  // A worker that finds the queue empty may end before another one puts the halves of a batch back.
  while (queue.length > 0 && (yield* Ref.get(end)) === undefined) {
    yield* inParallel(Array.from({ length: Math.max(1, parallel) }, (_, worker) => work(worker)))
  }
  return { done: yield* Ref.get(done), ended: yield* Ref.get(end) }
})

const changedDimensions = (embedder: Embedder.Service, before: number, now: number): End => {
  const message = `the server changes the dimensions of its vectors, from ${before} to ${now}`
  const reason = new Misconfigured({ message })
  return { _tag: "Failed", failure: new ModelError({ model: String(embedder.model), reason }) }
}

/** The reasons that concern one text: the provider may accept others. */
const isOfText: ReadonlySet<ModelError["reason"]["_tag"]> = new Set(["ContextOverflow", "Blocked"])

const batchesOf = (texts: ReadonlyArray<Text>, size: number): Array<ReadonlyArray<Text>> => {
  const most = Math.min(size, VectorStore.MAX_BLOCK)
  return Array.from({ length: Math.ceil(texts.length / most) }, (_, at) => texts.slice(at * most, (at + 1) * most))
}

const toIndexError = (error: DiskError): IndexError => {
  const { path, reason } = error
  switch (reason._tag) {
    case "Busy":
    case "Unwritable":
      return new IndexError({ path, reason: new Unwritable({ cause: error }) })
    case "Full":
      return new IndexError({ path, reason: new Full({ cause: error }) })
    case "NotAFile":
      return new IndexError({ path, reason: new NotAFile() })
    case "TooNew":
      return new IndexError({ path, reason: new TooNew({ version: reason.version }) })
    default:
      return new IndexError({ path, reason: new Unreadable({ cause: error }) })
  }
}
