/** Saves on this machine, as editors make them. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schedule, Stream } from "effect"
import * as Saves from "../../../src/conversation/document/Saves.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-saves-")))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
)

const ways: ReadonlyArray<readonly [how: string, save: (file: string) => void]> = [
  ["in place", (file) => fs.writeFileSync(file, "new")],
  [
    "by a new file in its place",
    (file) => {
      fs.writeFileSync(`${file}~`, "new")
      fs.renameSync(`${file}~`, file)
    },
  ],
  ["by taking it away", (file) => fs.rmSync(file)],
]

describe("Saves", () => {
  it.scopedLive.each(ways)("are noticed %s", ([, save]) =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "plan.md")
      fs.writeFileSync(file, "old")
      const saves = yield* Saves.Saves
      const noticed = yield* Deferred.make<void>()
      yield* Effect.forkScoped(Stream.runForEach(saves(file), () => Deferred.succeed(noticed, undefined)))
      // The watch begins some time after it was asked for: saved again until it is noticed.
      const again = Effect.sync(() => {
        fs.writeFileSync(file, "old")
        save(file)
      }).pipe(Effect.repeat(Schedule.spaced("20 millis")))
      const saving = yield* Effect.fork(again)
      yield* Deferred.await(noticed)
      yield* Fiber.interrupt(saving)
    }).pipe(Effect.provide(Saves.layer)),
  )

  it.scopedLive("emits nothing, and does not fail, where the folder does not exist", () =>
    Effect.gen(function* () {
      const saves = yield* Saves.Saves
      const fiber = yield* Effect.fork(Stream.runDrain(saves(path.join(yield* folder, "nowhere/plan.md"))))
      yield* Effect.yieldNow()
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "None")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(Saves.layer)),
  )
})
