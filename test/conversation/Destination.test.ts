import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Destination from "../../src/conversation/Destination.ts"

/** Where the tests run, which is a folder of the file system in memory too. */
const here = path.resolve(".")

const opened = (folder: string) => Effect.provide(Destination.open(folder), Files.layerMemory(contents))

const contents = { [path.join(here, "a.ts")]: "", "/elsewhere/b.ts": "", "/secret/.git/config": "" }

describe("Destination", () => {
  it.effect("is a folder below the working folder, named by its relative path", () =>
    Effect.gen(function* () {
      const { displayPath: named, output } = yield* opened("./jobs/")
      const { path } = yield* output.write("jobs/search/jtbd.md", "#")
      assert.strictEqual(path, "jobs/search/jtbd.md")
      assert.strictEqual(named(path), path)
    }),
  )

  it.effect("is a folder elsewhere, shown to the user by its full path", () =>
    Effect.gen(function* () {
      const { displayPath: named, output } = yield* opened("/elsewhere/out")
      const { path } = yield* output.write("out/search/jtbd.md", "#")
      assert.strictEqual(named(path), "/elsewhere/out/search/jtbd.md")
    }),
  )

  it.effect("is never outside the folder", () =>
    Effect.gen(function* () {
      const { output } = yield* opened("/elsewhere/out")
      assert.strictEqual((yield* Effect.flip(output.write("b.ts", "#"))).reason._tag, "Refused")
      assert.strictEqual((yield* Effect.flip(opened("/secret/.git"))).reason._tag, "Refused")
      assert.strictEqual((yield* Effect.flip(opened("/nowhere/at/all"))).reason._tag, "NotFound")
    }),
  )
})
