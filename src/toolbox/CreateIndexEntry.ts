/** `create_index_entry`: records purposes of symbols in the index. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import * as Batch from "../indexing/Batch.ts"
import { type IndexEntry, isOpen } from "../indexing/IndexEntry.ts"
import type { Index, NewPurpose } from "../indexing/IndexStore.ts"
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
 * files of the entries. Ends the run once all of the batch is explained.
 */
export const make = (workspace: Workspace, index: Index, batch?: Batch.Batch): Tool.Tool => {
  /** Symbols of the batch that this tool has recorded. */
  const explained = new Set<IndexEntry>()
  return Tool.make({
    name: "create_index_entry",
    description:
      "Records what symbols are for. Call it whenever you have understood some, with many entries at once. An entry for a symbol that does not exist is refused with the nearest names; the others are kept. It answers with what is left.",
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
        const checked = yield* Effect.forEach(claims, (claim) => {
          const text = storable(claim.purpose)
          return text === ""
            ? Effect.succeed(Either.left(`${labelOf(claim)}: the purpose is empty`))
            : resolve(claim).pipe(
                Effect.map((entries) => entries.map((entry) => ({ entry, text }))),
                Effect.either,
              )
        })

        const valid = checked.flatMap((result) => (Either.isRight(result) ? [result.right] : []))
        const refused = [...unread, ...checked.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))]
        // Of several purposes of one symbol the last one counts.
        const purposes = new Map(
          valid
            .flat()
            .map(({ entry, text }): [string, NewPurpose] => [
              versionOf(entry),
              { entry, text, model: String(context.model), node: context.node },
            ]),
        )
        if (purposes.size > 0) yield* index.record(Array.from(purposes.values()))
        for (const entry of batch?.symbols ?? []) if (purposes.has(versionOf(entry))) explained.add(entry)
        const left =
          batch === undefined
            ? yield* leftInFiles(index, new Set(Array.from(purposes.values(), ({ entry }) => entry.path)))
            : leftInBatch(batch, explained)

        const all = valid.length + refused.length
        const result: ToolResult = {
          text: [
            `recorded ${valid.length} of ${all} ${all === 1 ? "entry" : "entries"}`,
            ...refused.map((reason) => `refused: ${sanitizeLine(reason)}`),
            ...left,
          ].join("\n"),
          isError: valid.length === 0 && all > 0,
          ...(batch !== undefined && { endsRun: left.length === 0 }),
          data: { recorded: valid.length, refused },
        }
        return result
      }).pipe(Tool.orFail),
  })
}

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

const leftInBatch = (batch: Batch.Batch, explained: ReadonlySet<IndexEntry>): ReadonlyArray<string> => {
  const left = batch.symbols.filter((entry) => !explained.has(entry))
  return left.length === 0
    ? []
    : [
        `not explained yet here: ${enumerate(
          left.map((entry) => numberedName(batch, entry)),
          MAX_OF_BATCH,
        )}`,
      ]
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

/** Without lone surrogates and NULs, which SQLite does not return as they were stored. */
const storable = (purpose: string): string => purpose.toWellFormed().replaceAll("\0", "").trim()
