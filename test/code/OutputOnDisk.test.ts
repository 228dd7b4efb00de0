import { chmodSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Output from "../../src/code/Output.ts"
import { plant, planted, plantFifos } from "./FilesOnDisk.ts"

const contents = { "root/jobs/auth/jtbd.md": "before", "outside/known.md": "secret" }

const opened = (folder: string, files = NodeFiles.make({ descriptors: process.platform === "linux" })) =>
  Effect.provideService(Output.open(`${folder}/root`, "jobs"), Files.Files, files)

describe("Output on disk", () => {
  it.scoped("writes a file whole, and leaves nothing beside it", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      const { write } = yield* opened(folder)
      assert.strictEqual((yield* write("jobs/auth/jtbd.md", "after 🌱")).before, "before")
      assert.strictEqual(readFileSync(`${folder}/root/jobs/auth/jtbd.md`, "utf8"), "after 🌱")
      assert.deepStrictEqual(readdirSync(`${folder}/root/jobs/auth`), ["jtbd.md"])
    }),
  )

  it.scoped("does not wait at a FIFO, and leaves it where it is", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      plantFifos(`${folder}/root/jobs/fifo`)
      const { write } = yield* opened(folder)
      assert.strictEqual((yield* Effect.flip(write("jobs/fifo", "x"))).reason._tag, "Refused")
    }),
  )

  it.scoped.each([
    ["the folder of the file", "jobs/auth/known.md"],
    ["a folder above that", "jobs/auth/specs/known.md"],
  ] as const)("writes nothing outside when %s becomes a link out just before", ([, path]) =>
    Effect.gen(function* () {
      const folder = yield* planted({
        ...contents,
        "root/jobs/auth/specs/a.md": "",
        "outside/specs/known.md": "secret",
      })
      const files = NodeFiles.make({ descriptors: process.platform === "linux" })
      const swapped = Effect.sync(() => {
        renameSync(`${folder}/root/jobs/auth`, `${folder}/root/jobs/was`)
        plant(`${folder}/root/jobs/auth`, { link: "../../outside" })
      })
      const { write } = yield* opened(folder, {
        ...files,
        write: (path, text) => Effect.zipRight(swapped, files.write(path, text)),
      })
      assert.strictEqual((yield* Effect.flip(write(path, "x"))).reason._tag, "NotAFolder")
      for (const known of ["known.md", "specs/known.md"]) {
        assert.strictEqual(readFileSync(`${folder}/outside/${known}`, "utf8"), "secret")
      }
      assert.deepStrictEqual(readdirSync(`${folder}/outside`), ["known.md", "specs"])
    }),
  )

  it.scoped.skipIf(process.getuid?.() === 0)("says that a folder cannot be written", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      chmodSync(`${folder}/root/jobs/auth`, 0o500)
      const { write } = yield* opened(folder)
      const { message } = yield* Effect.flip(write("jobs/auth/new.md", "x"))
      assert.strictEqual(message, "jobs/auth/new.md: cannot be written")
    }),
  )
})
