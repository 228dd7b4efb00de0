import { assert, describe, it } from "@effect/vitest"
import * as Documents from "../../../src/wiki/writing/Documents.ts"

describe("Documents", () => {
  it("are READMEs, manifests and build files at the root", () => {
    for (const path of ["README.md", "package.json", "Makefile", "CONTRIBUTING.md", "Dockerfile"]) {
      assert.isTrue(Documents.isDocument(path), path)
    }
    for (const path of ["src/README.md", "index.ts", "notes.md"]) assert.isFalse(Documents.isDocument(path), path)
  })

  it("give the commands of scripts, targets and shell blocks", () => {
    assert.deepStrictEqual(
      Documents.linesOf("package.json", '{"name": "a", "scripts": {"test": "vitest run", "build": "tsc"}}'),
      ["test: vitest run", "build: tsc"],
    )
    assert.deepStrictEqual(Documents.linesOf("Makefile", "CC := gcc\nall: main.o\n\tgcc main.o\nclean:\n\trm *.o\n"), [
      "all: main.o",
      "clean:",
    ])
    assert.deepStrictEqual(
      Documents.linesOf(
        "README.md",
        "Text\n\n```sh\nnpm install\n# a comment\nnpm test\n```\n\n```js\nconst a = 1\n```\n\n1. Run it:\n\n   ```sh\n   npm start\n   ```\n",
      ),
      ["npm install", "npm test", "npm start"],
    )
    assert.deepStrictEqual(Documents.linesOf("package.json", "{ not json"), [])
  })
})
