/** Finds the symbols of the index that the claims of a model are about. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileError } from "../../code/FileError.ts"
import * as Batch from "../../explore/Batch.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { Index } from "../../index/IndexStore.ts"
import { locate } from "./locate.ts"
import type { Claim } from "./purposeClaims.ts"

/**
 * Finds the symbol of a number of the batch, or the symbol of a name, or several with the same qualified name
 * (overloads). Without a path, a name is looked up in the batch. `read`: reads a file, whose path may be written in
 * other ways. Fails with the reason.
 */
export const resolve = (
  index: Index,
  batch: Batch.Batch | undefined,
  read: (path: string) => Effect.Effect<{ readonly path: string }, FileError>,
  claim: Claim,
): Effect.Effect<ReadonlyArray<IndexEntry>, string> =>
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

/** Finds the symbol of the batch that is meant; undefined for a name with a path, which need not be in the batch. */
const findInBatch = (
  batch: Batch.Batch | undefined,
  { path, symbol }: Claim,
): Either.Either<IndexEntry | undefined, string> => {
  const [, number, name] = /^(§?\s*\d+)(?:[\s:.)]+(.*))?$/.exec(symbol) ?? []
  if (number !== undefined) {
    if (batch === undefined) return Either.left(`${symbol}: symbols have no numbers here; write path and name`)
    const entry = Batch.symbolOf(batch, number)
    if (entry === undefined) return Either.left(`${symbol}: the numbers are 1 to ${batch.symbols.length}`)
    // A model that counts anew in each file would otherwise have its purposes recorded for other symbols.
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

/** `actual` is normalised and relative to the root. */
const isSamePath = (actual: string, written: string): boolean => {
  const path = written.replace(/^(?:\.?\/)+/, "")
  return actual === path || actual.endsWith(`/${path}`) || path.endsWith(`/${actual}`)
}

/** `§3 Forest.append`. */
export const numberedName = ({ symbols }: Batch.Batch, entry: IndexEntry): string =>
  `${Batch.mark(symbols.indexOf(entry) + 1)} ${entry.qualifiedName}`

/** Names a symbol with its number if it is in the batch, else with its path. */
export const nameIn = (batch: Batch.Batch | undefined, entry: IndexEntry): string =>
  batch?.symbols.includes(entry) === true ? numberedName(batch, entry) : `${entry.path} ${entry.qualifiedName}`
