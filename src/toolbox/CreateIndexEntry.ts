/** `create_index_entry`: records purposes of symbols in the index. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import * as Batch from "../indexing/Batch.ts"
import { type IndexEntry, isOpen } from "../indexing/IndexEntry.ts"
import type { Index, NewPurpose } from "../indexing/IndexStore.ts"
import * as PurposeCheck from "../indexing/PurposeCheck.ts"
import * as WorkLeft from "../indexing/WorkLeft.ts"
import { sanitizeLine } from "../message/Sanitize.ts"
import * as Tool from "../tool/Tool.ts"
import type { ToolResult } from "../tool/ToolResult.ts"
import { locate } from "./internal/locate.ts"
import * as PurposeClaims from "./internal/purposeClaims.ts"

/**
 * What models are asked for. Several texts are a list and not an object with free keys: providers that decode by the
 * schema return such an object empty. A text with its number takes 20 tokens, of which the purpose takes 18; the form
 * with a path and a symbol for each takes 37. `PurposeClaims.read` decodes it.
 */
const Entries = Schema.Unknown.annotations({
  jsonSchema: {
    type: "array",
    items: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the root; not needed with numbers" },
        symbol: { type: "string", description: "Its name or qualified name (Container.name), or its number" },
        purpose: {
          type: "string",
          description: "A sentence of 12 to 15 words: what it is for and why it is there, not how it is written",
        },
        purposes: {
          type: "array",
          items: { type: "string" },
          description:
            "In place of symbol and purpose, many of one file or batch: `12: purpose` or `Container.name: purpose`",
        },
      },
    },
  },
})

/**
 * Records valid entries and reports the others, each with its reason, and what is left to explain: of the batch, or of the
 * files of the entries. A purpose that fails a check is recorded as weak, and asked for once more. Ends the run once all of
 * the batch is explained, or weak and was asked for once more.
 */
export const make = (workspace: Workspace, index: Index, batch?: Batch.Batch): Tool.Tool => {
  /** Symbols of the batch that need no further answer. */
  const explained = new Set<string>()
  /** Symbols whose weak purpose the model has been told of. */
  const sentBack = new Set<string>()
  return Tool.make({
    name: "create_index_entry",
    description:
      "Records what symbols are for. Call it whenever you have understood some, with many entries at once. An entry for a symbol that does not exist is refused with the nearest names; the others are kept. It answers with what is left, and with purposes that are weak: write those once more.",
    parameters: Schema.Struct({ entries: Entries }),
    run: ({ entries }, context) =>
      Effect.gen(function* () {
        const { claims, refused: unread } = PurposeClaims.read(entries)
        const read = yield* Effect.cachedFunction((path: string) => workspace.read(path))
        const resolve = (claim: PurposeClaims.Claim) =>
          Effect.flatMap(findInBatch(batch, claim), (entry) => {
            if (entry !== undefined) return Effect.succeed([entry])
            const { path, symbol } = claim
            return path === undefined
              ? Effect.fail(`${symbol}: the path is missing`)
              : read(path).pipe(
                  Effect.flatMap((file) => locate(index, file.path, symbol)),
                  Effect.mapError(({ message }) => message),
                )
          })
        const sourceOf = ({ endLine, path, startLine }: IndexEntry) =>
          read(path).pipe(
            Effect.map(({ text }) => text.split(/\r?\n/).slice(startLine - 1, endLine)),
            Effect.orElseSucceed(() => []),
          )
        const resolved = yield* Effect.forEach(claims, (claim) => {
          const text = PurposeCheck.toStored(claim.purpose)
          return text === ""
            ? Effect.succeed(Either.left(`${labelOf(claim)}: the purpose is empty`))
            : resolve(claim).pipe(
                Effect.flatMap((entries) =>
                  Effect.forEach(entries, (entry) =>
                    Effect.map(sourceOf(entry), (source): PurposeCheck.Candidate => ({ entry, text, source })),
                  ),
                ),
                Effect.either,
              )
        })
        const valid = resolved.flatMap((result) => (Either.isRight(result) ? [result.right] : []))
        const refused = [...unread, ...resolved.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))]
        // Of several purposes of one symbol the last one counts.
        const candidates = Array.from(
          new Map(valid.flat().map((candidate) => [versionOf(candidate.entry), candidate])).values(),
        )
        const repetition = PurposeCheck.findRepetition(candidates)
        if (repetition !== undefined) {
          const text = `recorded 0 of ${counted(valid.length + refused.length)}\nrefused: ${repetition}`
          return { text, isError: true, data: { recorded: 0, refused: [repetition] } }
        }

        const results = yield* PurposeCheck.check(index, candidates)
        const purposes = Array.from(
          Arr.zip(candidates, results),
          ([{ entry, text }, { lines, weak }]): NewPurpose => ({
            entry,
            text,
            model: String(context.model),
            node: context.node,
            weak,
            lines,
          }),
        )
        const kept = yield* Effect.filter(purposes, (purpose) =>
          purpose.weak === undefined ? Effect.succeed(true) : Effect.map(hasGood(index, purpose.entry), (has) => !has),
        )
        if (kept.length > 0) yield* index.record(kept)

        const weak = purposes.filter((purpose) => purpose.weak !== undefined)
        const again = weak.filter(({ entry }) => !sentBack.has(versionOf(entry)))
        for (const { entry } of purposes) explained.add(versionOf(entry))
        for (const version of sentBack) explained.add(version)
        for (const { entry } of again) {
          explained.delete(versionOf(entry))
          sentBack.add(versionOf(entry))
        }
        const left =
          batch === undefined
            ? yield* leftInFiles(index, new Set(purposes.map(({ entry }) => entry.path)))
            : leftInBatch(batch, (entry) => explained.has(versionOf(entry)) || sentBack.has(versionOf(entry)))
        const isDone = batch?.symbols.every((entry) => explained.has(versionOf(entry)))

        const all = valid.length + refused.length
        const result: ToolResult = {
          text: [
            `recorded ${valid.length} of ${counted(all)}`,
            ...refused.map((reason) => `refused: ${sanitizeLine(reason)}`),
            ...(again.length === 0 ? [] : ["weak, to be written once more, better:"]),
            ...again.map(({ entry, weak = "" }) => `- ${nameIn(batch, entry)}: ${weak}`),
            ...left,
          ].join("\n"),
          isError: valid.length === 0 && all > 0,
          ...(isDone !== undefined && { endsRun: isDone }),
          data: {
            recorded: valid.length,
            refused,
            weak: weak.map(({ entry, weak }) => ({ path: entry.path, symbol: entry.qualifiedName, reason: weak })),
          },
        }
        return result
      }).pipe(Tool.orFail),
  })
}

const counted = (entries: number): string => `${entries} ${entries === 1 ? "entry" : "entries"}`

/** Whether a model has explained the present source of a symbol already, and well. */
const hasGood = (index: Index, { hash, path, qualifiedName }: IndexEntry) =>
  Effect.map(index.find(qualifiedName, path), (entries) =>
    entries.some(
      ({ hash: found, purpose }) =>
        found === hash && purpose?.origin === "model" && !purpose.stale && purpose.weak === undefined,
    ),
  )

const nameIn = (batch: Batch.Batch | undefined, entry: IndexEntry): string =>
  batch?.symbols.includes(entry) === true ? numberedName(batch, entry) : `${entry.path} ${entry.qualifiedName}`

const labelOf = ({ path, symbol }: PurposeClaims.Claim): string => (path === undefined ? symbol : `${path} ${symbol}`)

const versionOf = ({ hash, path, qualifiedName }: IndexEntry): string => `${path}\0${qualifiedName}\0${hash}`

/** The symbol of the batch that is meant; undefined for a name with a path that need not be in the batch. */
const findInBatch = (
  batch: Batch.Batch | undefined,
  { path, symbol }: PurposeClaims.Claim,
): Either.Either<IndexEntry | undefined, string> => {
  const [, number, name] = /^(§?\s*\d+)(?:[\s:.)]+(.*))?$/.exec(symbol) ?? []
  if (number !== undefined) {
    if (batch === undefined) return Either.left(`${symbol}: symbols have no numbers here; write path and name`)
    const entry = Batch.symbolOf(batch, number)
    if (entry === undefined) return Either.left(`${symbol}: the numbers are 1 to ${batch.symbols.length}`)
    // A model that counts anew in each file would have its purposes recorded for other symbols.
    const isMeant =
      (path === undefined || isSamePath(entry.path, path)) &&
      (name === undefined || name === "" || name === entry.name || name === entry.qualifiedName)
    return isMeant
      ? Either.right(entry)
      : Either.left(`${path ?? ""} ${symbol}: ${number} is ${entry.qualifiedName} of ${entry.path}`.trimStart())
  }
  if (batch === undefined || path !== undefined) return Either.right(undefined)
  const exact = batch.symbols.filter(({ qualifiedName }) => qualifiedName === symbol)
  const [found, ...others] = exact.length > 0 ? exact : batch.symbols.filter((entry) => entry.name === symbol)
  if (found === undefined) return Either.left(`${symbol}: no symbol of the batch; write its number, or its path too`)
  return others.length === 0
    ? Either.right(found)
    : Either.left(`${symbol}: it is one of ${[found, ...others].map((entry) => numberedName(batch, entry)).join(", ")}`)
}

/** `actual`: normalised, relative to the root. */
const isSamePath = (actual: string, written: string): boolean => {
  const path = written.replace(/^(?:\.?\/)+/, "")
  return actual === path || actual.endsWith(`/${path}`) || path.endsWith(`/${actual}`)
}

const numberedName = ({ symbols }: Batch.Batch, entry: IndexEntry): string =>
  `${Batch.mark(symbols.indexOf(entry) + 1)} ${entry.qualifiedName}`

const leftInBatch = (batch: Batch.Batch, isAnswered: (entry: IndexEntry) => boolean): ReadonlyArray<string> => {
  const left = batch.symbols.filter((entry) => !isAnswered(entry)).map((entry) => numberedName(batch, entry))
  return left.length === 0 ? [] : [`not explained yet here: ${enumerate(left, MAX_OF_BATCH)}`]
}

const MAX_OF_BATCH = 50

/** The open symbols of some files, and the first other file with open symbols. */
const leftInFiles = (index: Index, paths: ReadonlySet<string>) =>
  Effect.gen(function* () {
    const here = yield* Effect.forEach(paths, (path) =>
      Effect.map(index.symbolsIn(path), (entries) => {
        const names = new Set(entries.filter(isOpen).map(({ qualifiedName }) => qualifiedName))
        return names.size === 0 ? [] : [`not explained yet in ${path}: ${enumerate(Array.from(names), MAX_OF_FILE)}`]
      }),
    )
    const { files } = WorkLeft.of(yield* index.files)
    const next = files.find(({ path }) => !paths.has(path))
    return [
      ...here.flat().slice(0, MAX_FILES),
      ...(here.flat().length > MAX_FILES ? [`and in ${here.flat().length - MAX_FILES} more of these files`] : []),
      ...(next !== undefined
        ? [`next: ${next.path} (${next.open})`]
        : here.flat().length === 0
          ? ["nothing is left to explain"]
          : []),
    ]
  })

const MAX_OF_FILE = 10

const MAX_FILES = 10

const enumerate = (names: ReadonlyArray<string>, limit: number): string =>
  `${names.slice(0, limit).join(", ")}${names.length > limit ? ` and ${names.length - limit} more` : ""}`
