import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { publishedManifest, publishManifest, restoreManifest } from "../../tools/manifest.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

const manifest = { name: "a", scripts: { prepare: "b" }, bin: { a: "a.js" }, devDependencies: { c: "1.0.0" } }

/** With blanks of its own, which are to be kept. */
const text = `${JSON.stringify(manifest, null, 3)}\n\n`

const published = '{\n  "name": "a",\n  "bin": {\n    "a": "a.js"\n  }\n}\n'

describe("the manifest that is published", () => {
  it("lacks what only a checkout uses: npm warns of a script 'prepare'", () => {
    assert.strictEqual(publishedManifest(text), published)
  })

  /** A checkout, and functions that read and write its manifest. */
  const checkout = Effect.map(temporaryFolder, (folder) => {
    const file = path.join(folder, "package.json")
    fs.writeFileSync(file, text)
    return {
      folder,
      read: () => fs.readFileSync(file, "utf8"),
      write: (changed: string) => fs.writeFileSync(file, changed),
    }
  })

  it.scopedLive("is in place of the checkout's while npm packs, which is put back byte by byte", () =>
    Effect.gen(function* () {
      const { folder, read } = yield* checkout
      publishManifest(folder)
      assert.strictEqual(read(), published)
      restoreManifest(folder)
      assert.strictEqual(read(), text)
      assert.deepStrictEqual(fs.readdirSync(path.join(folder, "node_modules")), [])
      restoreManifest(folder)
      assert.strictEqual(read(), text)
    }),
  )

  it.scopedLive("does not take the place of what is kept, if npm was interrupted before", () =>
    Effect.gen(function* () {
      const { folder, read } = yield* checkout
      publishManifest(folder)
      publishManifest(folder)
      assert.strictEqual(read(), published)
      restoreManifest(folder)
      assert.strictEqual(read(), text)
    }),
  )

  it.scopedLive("does not put back over a manifest that was changed since", () =>
    Effect.gen(function* () {
      const { folder, read, write } = yield* checkout
      publishManifest(folder)
      write('{"name":"b"}\n')
      restoreManifest(folder)
      assert.strictEqual(read(), '{"name":"b"}\n')
      publishManifest(folder)
      restoreManifest(folder)
      assert.strictEqual(read(), '{"name":"b"}\n')
    }),
  )
})
