import { assert, describe, it } from "@effect/vitest"
import { publishedManifest } from "../../tools/pack.ts"

describe("the manifest that is published", () => {
  it("lacks what only a checkout uses: npm warns of a script 'prepare'", () => {
    const manifest = { name: "a", scripts: { prepare: "b" }, bin: { a: "a.js" }, devDependencies: { c: "1.0.0" } }
    assert.strictEqual(
      publishedManifest(JSON.stringify(manifest)),
      '{\n  "name": "a",\n  "bin": {\n    "a": "a.js"\n  }\n}\n',
    )
  })
})
