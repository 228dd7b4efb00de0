import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DraftStorage from "../../src/session/DraftStorage.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-unsent-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
)

describe("DraftStorage", () => {
  it.scoped("stores text until it is taken, once, also that of two sessions", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "unsent")
      const unsent = DraftStorage.inFile(file)
      assert.strictEqual(yield* unsent.take, "")
      yield* unsent.put("one\nand a half")
      yield* unsent.put("  ")
      yield* unsent.put("two")
      assert.strictEqual(yield* unsent.take, "one\nand a half\n\ntwo")
      assert.strictEqual(yield* unsent.take, "")
      assert.isFalse(fs.existsSync(file))
    }),
  )

  it.scoped("creates the folder again after it was removed", () =>
    Effect.gen(function* () {
      const unsent = DraftStorage.inFile(path.join(yield* folder, "gone", "unsent"))
      yield* unsent.put("words")
      assert.strictEqual(yield* unsent.take, "words")
    }),
  )

  it.scoped("fails where text cannot be stored, and keeps what is stored", () =>
    Effect.gen(function* () {
      const inTheWay = path.join(yield* folder, "file")
      fs.writeFileSync(inTheWay, "")
      const file = path.join(inTheWay, "nowhere", "unsent")
      const error = yield* Effect.flip(DraftStorage.inFile(file).put("words"))
      assert.strictEqual(error.reason._tag, "Unwritable")
    }),
  )
})
