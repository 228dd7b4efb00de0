/** `create_index_entry`: records purposes of symbols in the index. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject } from "../base/Json.ts"
import { cachedByKey } from "../base/mutex.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Workspace } from "../code/Workspace.ts"
import type * as Batch from "../explore/Batch.ts"
import type { OnRefused, RefusedPurpose } from "../explore/ExplorationTools.ts"
import * as PurposeCheck from "../explore/PurposeCheck.ts"
import * as SilentAnswer from "../explore/SilentAnswer.ts"
import { type IndexEntry, versionOf } from "../index/IndexEntry.ts"
import type { Index, NewPurpose } from "../index/IndexStore.ts"
import { NOTHING } from "../index/Purposes.ts"
import * as Tool from "../tool/Tool.ts"
import type { ToolResult } from "../tool/ToolResult.ts"
import * as ClaimedSymbols from "./internal/claimedSymbols.ts"
import * as EntriesLeft from "./internal/entriesLeft.ts"
import * as PurposeClaims from "./internal/purposeClaims.ts"
import * as ShiftedNumbers from "./internal/shiftedNumbers.ts"
import * as Together from "./internal/together.ts"

/**
 * The entries that models send. Several texts are a list and not an object with free keys, since providers that decode
 * by the schema return such an object empty. A text with its number takes 20 tokens, of which the purpose takes 18; the
 * form with a path and a symbol for each takes 37. `PurposeClaims.read` decodes it.
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
          description:
            "At most 12 words: what it is for and why it is there, not how it is written; then a question of at most 10 words that it answers",
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
 * Records valid entries, and reports the others with their reasons and what is left to explain, in the batch or in the
 * files of the entries. If a purpose fails a check, it is recorded as weak, and the model is asked for it once more.
 * The run ends when every symbol of the batch is explained, or is weak and the model was asked again. `onRefused`
 * receives what is not recorded although its symbol exists.
 */
export const make = (
  workspace: Workspace,
  index: Index,
  batch?: Batch.Batch,
  onRefused: OnRefused = () => Effect.void,
): Tool.Tool => {
  /**
   * Symbols by version: those that were recorded, and those whose weak purpose was sent back, with the call that did
   * so.
   */
  const recorded = new Set<string>()
  const sentBack = new Map<string, unknown>()
  /** Symbols with numbers that seemed to be wrong. If the model sends them again, it means them. */
  const recounted = new Set<IndexEntry>()
  /** The earlier texts, by version of the symbol. */
  const earlier = new Map<string, PurposeCheck.Candidate>()
  const together = Together.make()

  /** Records what can be recorded. */
  const record = (entries: unknown, context: Tool.ToolContext) =>
    Effect.gen(function* () {
      const read = yield* readCandidates(workspace, index, batch, entries)
      const { all, candidates, refused: invalid, silent, sourceOf, valid } = read
      const repetition = PurposeCheck.findRepetition(candidates)
      if (repetition !== undefined) {
        return {
          all,
          recorded: 0,
          refused: [repetition],
          notRecorded: [...notRecorded(candidates, "one sentence was written for many symbols"), ...read.notSilent],
          purposes: [],
          again: [],
        }
      }
      const unsure = candidates.filter(({ entry }) => !recounted.has(entry))
      const shifted =
        batch === undefined ? ShiftedNumbers.none : yield* ShiftedNumbers.find(index, batch, unsure, sourceOf)
      for (const entry of shifted.entries) recounted.add(entry)

      const accepted = candidates.filter(({ entry }) => !shifted.entries.has(entry))
      const results = yield* PurposeCheck.check(index, accepted, Array.from(earlier.values()).slice(-MAX_EARLIER))
      for (const candidate of accepted) earlier.set(versionOf(candidate.entry), candidate)
      const purposes = Arr.zip(accepted, results).map(
        ([{ entry, text }, { lines, weak }]): NewPurpose => ({
          entry,
          text,
          model: String(context.model),
          node: context.node,
          weak,
          lines,
        }),
      )
      const answered = [
        ...purposes,
        ...silent.map(
          ({ entry }): NewPurpose => ({
            entry,
            text: NOTHING,
            model: String(context.model),
            node: context.node,
          }),
        ),
      ]
      const kept = yield* Effect.filter(answered, ({ entry, text, weak }) =>
        weak === undefined && text !== NOTHING ? Effect.succeed(true) : Effect.negate(hasGood(index, entry)),
      )
      if (kept.length > 0) yield* index.record(kept)
      const again = purposes.filter(({ entry, weak }) => weak !== undefined && !sentBack.has(versionOf(entry)))
      for (const { entry } of answered) recorded.add(versionOf(entry))
      for (const { entry } of again) sentBack.set(versionOf(entry), context.node)
      return {
        all,
        recorded: valid - shifted.entries.size,
        refused: [...invalid, ...shifted.reasons],
        notRecorded: [
          ...notRecorded(
            candidates.filter(({ entry }) => shifted.entries.has(entry)),
            "fits the symbol before or after it better",
          ),
          ...read.notSilent,
        ],
        purposes,
        again,
      }
    })

  return Tool.make({
    name: "create_index_entry",
    description:
      "Records what symbols are for. Call it whenever you have understood some, with many entries at once. An entry for a symbol that does not exist is refused with the nearest names; the others are kept. It answers with what is left, and with purposes that are weak: write those once more.",
    parameters: Schema.Struct({ entries: Entries }),
    run: ({ entries }, context) =>
      Effect.gen(function* () {
        const done = yield* together(record(entries, context))
        yield* onRefused(done.notRecorded)
        const left =
          batch === undefined
            ? yield* EntriesLeft.inFiles(index, new Set(done.purposes.map(({ entry }) => entry.path)))
            : EntriesLeft.inBatch(batch, (entry) => recorded.has(versionOf(entry)))
        const isExplained = (entry: IndexEntry) =>
          recorded.has(versionOf(entry)) && sentBack.get(versionOf(entry)) !== context.node
        const result: ToolResult = {
          text: [
            `recorded ${done.recorded} of ${done.all} ${done.all === 1 ? "entry" : "entries"}`,
            ...done.refused.map((reason) => `refused: ${sanitizeLine(reason)}`),
            ...(done.again.length === 0 ? [] : ["weak, to be written once more, better:"]),
            ...done.again.map(({ entry, weak = "" }) => `- ${ClaimedSymbols.nameIn(batch, entry)}: ${weak}`),
            ...left,
          ].join("\n"),
          isError: done.recorded === 0 && done.all > 0,
          ...(batch !== undefined && { endsRun: batch.symbols.every(isExplained) }),
          data: {
            recorded: done.recorded,
            refused: done.refused,
            notRecorded: done.notRecorded,
            weak: done.purposes.flatMap(({ entry, weak }) =>
              weak === undefined ? [] : [{ path: entry.path, symbol: entry.qualifiedName, reason: weak }],
            ),
          },
        }
        return result
      }).pipe(Tool.orFail),
  })
}

/** The most purposes of earlier calls that new ones are compared with. */
const MAX_EARLIER = 100

/** Returns the sentences that were refused although their symbols exist. */
const notRecorded = (
  candidates: ReadonlyArray<PurposeCheck.Candidate>,
  reason: string,
): ReadonlyArray<RefusedPurpose> =>
  candidates.map(({ entry, text }) => ({ path: entry.path, symbol: entry.qualifiedName, purpose: text, reason }))

/**
 * Reads the symbols and texts of the entries, and the reasons why entries are refused. `valid`: how many are not
 * refused.
 */
const readCandidates = (workspace: Workspace, index: Index, batch: Batch.Batch | undefined, entries: unknown) =>
  Effect.gen(function* () {
    const { claims, refused } = PurposeClaims.read(entries)
    const read = cachedByKey((path: string) => workspace.read(path))
    const fileOf = ({ path }: IndexEntry) =>
      read(path).pipe(
        Effect.map(({ text }) => text),
        Effect.orElseSucceed(() => ""),
      )
    const linesOf = ({ endLine, startLine }: IndexEntry, file: string) =>
      file === "" ? [] : file.split(/\r?\n/).slice(startLine - 1, endLine)
    const resolved = yield* Effect.forEach(claims, (claim) => {
      const text = PurposeCheck.toStored(claim.purpose)
      return text === ""
        ? Effect.succeed(Either.left(`${labelOf(claim)}: the purpose is empty`))
        : ClaimedSymbols.resolve(index, batch, read, claim).pipe(
            Effect.flatMap((entries) =>
              Effect.forEach(entries, (entry) =>
                Effect.map(
                  fileOf(entry),
                  (file): PurposeCheck.Candidate => ({ entry, text, source: linesOf(entry, file), file }),
                ),
              ),
            ),
            Effect.either,
          )
    })
    const valid = resolved.flatMap((result) => (Either.isRight(result) ? [result.right] : []))
    // If a symbol has several purposes, the last one counts.
    const answers = Array.from(
      new Map(valid.flat().map((candidate) => [versionOf(candidate.entry), candidate])).values(),
    )
    const [candidates, nothing] = Arr.partition(answers, ({ text }) => SilentAnswer.isSilent(text))
    const excess = SilentAnswer.findExcess(nothing.length, answers.length)
    const judged = nothing.map((candidate) => ({
      candidate,
      objection: excess ?? SilentAnswer.findObjection(candidate.entry),
    }))
    const objected = judged.flatMap(({ candidate: { entry, text }, objection }) =>
      objection === undefined ? [] : [{ entry, text, objection }],
    )
    return {
      candidates,
      /** The symbols of which the model says that they need no purpose. */
      silent: judged.flatMap(({ candidate, objection }) => (objection === undefined ? [candidate] : [])),
      notSilent: objected.map(
        ({ entry, objection, text }): RefusedPurpose => ({
          path: entry.path,
          symbol: entry.qualifiedName,
          purpose: text,
          reason: objection,
        }),
      ),
      all: resolved.length + refused.length,
      valid: valid.length - objected.length,
      refused: [
        ...refused,
        ...resolved.flatMap((result) => (Either.isLeft(result) ? [result.left] : [])),
        ...(excess !== undefined
          ? [excess]
          : objected.map(({ entry, objection }) => `${ClaimedSymbols.nameIn(batch, entry)}: ${objection}`)),
      ],
      sourceOf: (entry: IndexEntry) => Effect.map(fileOf(entry), (file) => linesOf(entry, file)),
    }
  })

/** Reads the claims of a stored call of the tool. `parameters`: its arguments, as the model sent them. */
export const readClaims = (parameters: unknown): ReadonlyArray<PurposeClaims.Claim> =>
  isObject(parameters) ? PurposeClaims.read(parameters.entries).claims : []

/** Returns whether a model has already explained the present source of a symbol well. */
const hasGood = (index: Index, { hash, path, qualifiedName }: IndexEntry) =>
  Effect.map(index.find(qualifiedName, path), (entries) =>
    entries.some(
      ({ hash: found, purpose }) =>
        found === hash && purpose?.origin === "model" && !purpose.stale && purpose.weak === undefined,
    ),
  )

const labelOf = ({ path, symbol }: PurposeClaims.Claim): string => (path === undefined ? symbol : `${path} ${symbol}`)
