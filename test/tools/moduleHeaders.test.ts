import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { restoreHeaders, withHeader } from "../../tools/moduleHeaders.ts"

const source = '/** A queue. */\nimport * as Effect from "effect/Effect"\n\n/** Its size. */\nexport const size = 1\n'

describe("withHeader", () => {
  it("puts the documentation of the module before the imports that are left", () => {
    const declarations = 'import type { A } from "./A.ts";\nexport declare const size: A;\n'
    assert.strictEqual(withHeader(source, declarations), `/** A queue. */\n${declarations}`)
  })

  it("keeps it apart from the first declaration if no import is left", () => {
    const declarations = "export declare const size = 1;\n"
    assert.strictEqual(withHeader(source, declarations), `/** A queue. */\nexport {};\n${declarations}`)
  })

  it("changes nothing where the documentation is there", () => {
    const declarations = '/** A queue. */\nimport type { A } from "./A.ts";\n'
    assert.strictEqual(withHeader(source, declarations), declarations)
  })

  it("takes no comment of a declaration for that of the module", () => {
    const declarations = "export declare const size = 1;\n"
    assert.strictEqual(
      withHeader("/** Internal. */\nconst one = 1\nexport const size = one\n", declarations),
      declarations,
    )
  })
})

describe("restoreHeaders", () => {
  it("restores the documentation of modules in all folders", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-test-"))
    try {
      const write = (name: string, text: string) => {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
        fs.writeFileSync(path.join(folder, name), text)
      }
      write("src/a/Queue.ts", source)
      write("dist/a/Queue.d.ts", "export declare const size = 1;\n")
      write("dist/a/Queue.js", "export const size = 1;\n")
      restoreHeaders(path.join(folder, "src"), path.join(folder, "dist"))
      assert.match(fs.readFileSync(path.join(folder, "dist/a/Queue.d.ts"), "utf8"), /^\/\*\* A queue\. \*\/\n/)
      assert.strictEqual(fs.readFileSync(path.join(folder, "dist/a/Queue.js"), "utf8"), "export const size = 1;\n")
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})
