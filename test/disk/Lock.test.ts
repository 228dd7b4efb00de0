import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Lock from "../../src/disk/Lock.ts"
import { fsyncSpy } from "./fsyncSpy.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const newLock = Effect.map(temporaryFolder, (folder) => path.join(folder, "lock"))

/** Why the lock is not free, and which process holds it. */
const refusal = (attempt: ReturnType<typeof Lock.assertFree>) =>
  Effect.map(Effect.flip(attempt), ({ reason }) => ({
    reason: reason._tag,
    process: reason._tag === "Busy" ? reason.process : undefined,
  }))

const taken = { reason: "Busy" as const, process: process.pid }

/** Another process that holds the lock, once it does. */
const heldByAnother = (file: string) =>
  Effect.acquireRelease(
    Effect.async<ChildProcess>((resume) => {
      const child = spawn(process.execPath, [path.join(import.meta.dirname, "Lock.holder.ts"), file], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )

const killed = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

describe("Lock.hold", () => {
  it.scoped("does not wait for the disk, since no lock outlives the machine", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      const fsync = yield* fsyncSpy
      yield* Lock.hold(file)
      assert.deepStrictEqual(yield* refusal(Lock.assertFree(file)), taken)
      assert.strictEqual(fsync.mock.calls.length, 0)
    }),
  )

  it.scoped("has one holder at a time, in one process too, until its scope closes", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Lock.hold(file)
          assert.deepStrictEqual(yield* refusal(Effect.scoped(Lock.hold(file))), taken)
          assert.deepStrictEqual(yield* refusal(Effect.scoped(Lock.hold(file))), taken)
        }),
      )
      yield* Effect.scoped(Lock.hold(file))
    }),
  )

  it.scopedLive("names the process that holds it, and is free when that process is killed", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      const other = yield* heldByAnother(file)
      assert.deepStrictEqual(yield* refusal(Effect.scoped(Lock.hold(file))), { reason: "Busy", process: other.pid })
      yield* killed(other)
      yield* Lock.hold(file)
      assert.deepStrictEqual(yield* refusal(Lock.assertFree(file)), taken)
    }),
  )

  it.scoped("leaves an empty file behind", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      yield* Effect.scoped(Lock.hold(file))
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["lock"])
      assert.strictEqual(fs.statSync(file).size, 0)
    }),
  )

  it.scoped("holds where the process id cannot be written", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      fs.mkdirSync(`${file}.pid`)
      yield* Lock.hold(file)
      assert.deepStrictEqual(yield* refusal(Lock.assertFree(file)), { reason: "Busy", process: undefined })
    }),
  )

  it.scoped("follows no link, and does not wait at a pipe", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      const elsewhere = path.join(path.dirname(file), "elsewhere")
      fs.symlinkSync(elsewhere, file)
      assert.strictEqual((yield* refusal(Effect.scoped(Lock.hold(file)))).reason, "Unwritable")
      assert.isFalse(fs.existsSync(elsewhere))
      fs.rmSync(file)
      execFileSync("mkfifo", [file])
      assert.strictEqual((yield* refusal(Effect.scoped(Lock.hold(file)))).reason, "Unwritable")
    }),
  )
})

describe("Lock.assertFree", () => {
  it.scoped("finds a lock free that is not held, and makes no file", () =>
    Effect.gen(function* () {
      const file = yield* newLock
      yield* Lock.assertFree(file)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), [])
      yield* Effect.scoped(Lock.hold(file))
      yield* Lock.assertFree(file)
      yield* Lock.hold(file)
    }),
  )
})
