/** A workspace that keeps the texts that were read last, over one that counts what it reads. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CachedWorkspace from "../../src/code/CachedWorkspace.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const opened = Effect.fnUntraced(function* (contents: Readonly<Record<string, string>>) {
  const workspace = yield* Effect.provideService(Workspace.open("/project"), Files.Files, Files.makeMemory(contents))
  const asked: Array<string> = []
  const cached = CachedWorkspace.make({
    ...workspace,
    read: (file) =>
      Effect.suspend(() => {
        asked.push(typeof file === "string" ? file : file.path)
        return workspace.read(file)
      }),
  })
  return { asked, cached, workspace }
})

describe("CachedWorkspace", () => {
  it.effect("reads a file once, and returns what the workspace below returns", () =>
    Effect.gen(function* () {
      const { asked, cached, workspace } = yield* opened({ "/project/a": "one", "/project/b": "two" })
      for (const path of ["a", "b", "a", "b"])
        assert.deepStrictEqual(yield* cached.read(path), yield* workspace.read(path))
      assert.deepStrictEqual(asked, ["a", "b"])
    }),
  )

  it.effect("reads a file again after a failure", () =>
    Effect.gen(function* () {
      const { asked, cached } = yield* opened({ "/project/a": "one" })
      for (const path of ["b", "b"]) assert.strictEqual((yield* Effect.flip(cached.read(path))).reason._tag, "NotFound")
      assert.deepStrictEqual(asked, ["b", "b"])
    }),
  )

  it.effect("forgets the texts that were asked for longest ago once they are too long together", () =>
    Effect.gen(function* () {
      const long = "x".repeat(1_500_000)
      const { asked, cached } = yield* opened({ "/project/a": long, "/project/b": long, "/project/c": long })
      for (const path of ["a", "b", "a", "c", "a", "b"]) yield* cached.read(path)
      assert.deepStrictEqual(asked, ["a", "b", "c", "b"])
    }),
  )

  it.effect("reads a file of a listing anew", () =>
    Effect.gen(function* () {
      const { asked, cached } = yield* opened({ "/project/a": "one" })
      const [file] = (yield* cached.list(".")).entries
      assert.isTrue(file?.kind === "file")
      if (file?.kind !== "file") return
      yield* cached.read(file)
      yield* cached.read(file)
      assert.deepStrictEqual(asked, ["a", "a"])
    }),
  )
})
