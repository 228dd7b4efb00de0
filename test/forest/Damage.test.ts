/** A forest of which a byte is not what was written: nothing in it is read as if it were. */
import * as fs from "node:fs"
import * as path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Node } from "../../src/forest/Node.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { isThorough } from "../thoroughness.ts"
import { grown, numbers, opened, type Reading, readings } from "./randomForests.ts"

const allRead = (all: ReadonlyArray<Reading>) =>
  Effect.forEach(all, ({ name, read }) => Effect.map(Effect.exit(read), (exit) => ({ name, exit })))

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "message" in value

/** Only unreadable nodes may replace others. */
const isTrue = (truth: unknown, read: unknown): boolean => {
  if (Array.isArray(truth) && Array.isArray(read)) {
    return truth.length === read.length && truth.every((one, at) => isTrue(one, read[at]))
  }
  if (isNode(truth) && isNode(read) && read.source.type === "unreadable") {
    return read.id === truth.id && read.parent === truth.parent
  }
  if (typeof truth === "object" && truth !== null && "nodes" in truth && "root" in truth) {
    return (
      typeof read === "object" &&
      read !== null &&
      "nodes" in read &&
      "root" in read &&
      isDeepStrictEqual(truth.root, read.root) &&
      isTrue(truth.nodes, read.nodes)
    )
  }
  return isDeepStrictEqual(truth, read)
}

/** Lets vitest hear from its worker, which it gives up after a minute of silence, on a machine that is busy. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** So many bytes are changed, one at a time: of five, one alone is seen. */
const FLIPS = isThorough ? 100 : 5

describe("A forest in a file, of which one byte is another", () => {
  it.scoped(
    `fails to be opened or read, or says which node cannot be read, or is read as it was written: ${FLIPS} times`,
    () =>
      Effect.gen(function* () {
        const next = numbers(14)
        const folder = yield* temporaryFolder
        const [file, copy] = [path.join(folder, "forest.db"), path.join(folder, "copy.db")]
        const forest = yield* Effect.provide(grown(next, isThorough ? 8 : 2), opened(file))
        const all = readings(forest)
        const truths = yield* Effect.provide(allRead(all), opened(file))
        const bytes = fs.readFileSync(file)
        const counts = { refused: 0, failed: 0, unreadable: 0, equal: 0 }
        for (let flip = 0; flip < FLIPS; flip++) {
          yield* turn
          const [at, by] = [next(bytes.length), 1 + next(255)]
          const flipped = Buffer.from(bytes)
          flipped[at] = (flipped[at] ?? 0) ^ by
          fs.writeFileSync(copy, flipped)
          for (const end of ["-wal", "-shm"]) fs.rmSync(`${copy}${end}`, { force: true })
          const read = yield* Effect.either(Effect.provide(allRead(all), opened(copy)))
          if (read._tag === "Left") {
            counts.refused++
            continue
          }
          let isFailed = false
          for (const [place, { exit, name }] of read.right.entries()) {
            const truth = truths[place]?.exit
            if (truth === undefined || Exit.isFailure(truth)) assert.fail(`${name} could not be read before`)
            if (Exit.isFailure(exit)) {
              assert.strictEqual(exit.cause._tag, "Fail", `${name}, with byte ${at} changed by ${by}: ${exit.cause}`)
              isFailed = true
            } else assert.isTrue(isTrue(truth.value, exit.value), `${name}, with byte ${at} changed by ${by}`)
          }
          const isShown = JSON.stringify(read.right).includes('"type":"unreadable"')
          if (isFailed) counts.failed++
          else if (isShown) counts.unreadable++
          else counts.equal++
        }
        // Not the free space of the file alone was hit.
        assert.isAbove(counts.unreadable + counts.failed + counts.refused, FLIPS * 0.2, JSON.stringify(counts))
      }),
    300_000,
  )
})
