/** Takes the lock in a file, prints a line, and never frees the lock. */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Lock from "../../src/disk/Lock.ts"

const [file = ""] = process.argv.slice(2)

const holding = Effect.gen(function* () {
  yield* Lock.hold(file)
  fs.writeSync(1, "held\n")
  // A timer keeps the process; nothing else does.
  yield* Effect.async<never>(() => {
    setInterval(() => {}, 1_000_000)
  })
})

await Effect.runPromise(Effect.scoped(holding))
