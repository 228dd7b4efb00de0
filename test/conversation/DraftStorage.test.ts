import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-unsent-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
)

const here: DraftStorage.Place = { folder: "/here", owner: "chat" }

describe("DraftStorage", () => {
  it.scoped("stores text until it is taken, once, also that of two sessions", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const unsent = DraftStorage.inFile(path.join(inside, "unsent"), here)
      assert.strictEqual(yield* unsent.take, "")
      yield* unsent.put("one\nand a half")
      assert.isFalse(yield* unsent.put("  "))
      assert.isTrue(yield* unsent.put("two"))
      const [file = ""] = fs.readdirSync(inside)
      assert.strictEqual(fs.readFileSync(path.join(inside, file), "utf8"), "one\nand a half\n\ntwo")
      assert.strictEqual(yield* unsent.take, "one\nand a half\n\ntwo")
      assert.strictEqual(yield* unsent.take, "")
      assert.deepStrictEqual(fs.readdirSync(inside), [])
    }),
  )

  it.scoped.skipIf(process.platform === "win32")("keeps text that only its owner can read", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const unsent = DraftStorage.inFile(path.join(inside, "unsent"), here)
      const modes = () => fs.readdirSync(inside).map((file) => fs.statSync(path.join(inside, file)).mode & 0o777)
      yield* unsent.put("words")
      assert.deepStrictEqual(modes(), [0o600])
      yield* unsent.put("more words")
      assert.deepStrictEqual(modes(), [0o600])
    }),
  )

  it.scoped("offers typed text in the same folder and mode alone", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "unsent")
      const at = (place: Partial<DraftStorage.Place>) => DraftStorage.inFile(file, { ...here, ...place })
      yield* at({}).put("about secrets")
      yield* at({ folder: "/there" }).put("elsewhere")
      assert.strictEqual(yield* at({ owner: "prd" }).take, "")
      assert.strictEqual(yield* at({ owner: "document:/here/a.md" }).take, "")
      assert.strictEqual(yield* at({ folder: "/here/below" }).take, "")
      assert.strictEqual(yield* at({ folder: "/there" }).take, "elsewhere")
      assert.strictEqual(yield* at({}).take, "about secrets")
    }),
  )

  it.scoped("creates the folder again after it was removed", () =>
    Effect.gen(function* () {
      const unsent = DraftStorage.inFile(path.join(yield* folder, "gone", "unsent"), here)
      yield* unsent.put("words")
      assert.strictEqual(yield* unsent.take, "words")
    }),
  )

  it.scoped("fails where text cannot be stored, and keeps what is stored", () =>
    Effect.gen(function* () {
      const inTheWay = path.join(yield* folder, "file")
      fs.writeFileSync(inTheWay, "")
      const file = path.join(inTheWay, "nowhere", "unsent")
      const error = yield* Effect.flip(DraftStorage.inFile(file, here).put("words"))
      assert.strictEqual(error.reason._tag, "Unwritable")
    }),
  )
})
