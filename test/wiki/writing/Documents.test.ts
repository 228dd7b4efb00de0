import { assert, describe, it } from "@effect/vitest"
import * as Documents from "../../../src/wiki/writing/Documents.ts"

describe("Documents", () => {
  it("are READMEs, manifests and build files at the root, and scripts and workflows", () => {
    for (const path of [
      "README.md",
      "package.json",
      "Makefile",
      "CONTRIBUTING.md",
      "Dockerfile",
      "pytest.ini",
      "scripts/test",
      ".github/workflows/ci.yml",
    ]) {
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

  it("give what is read of tests and releases first, without marks, and whole where a command is cut", () => {
    const sentence = `\`a.yml\` runs when a tag is pushed; it publishes to ${"PyPI and ".repeat(20)}npm.`
    assert.deepStrictEqual(Documents.linesOf("package.json", '{"scripts": {"test": "vitest run"}}', [sentence]), [
      sentence.replaceAll("`", ""),
      "test: vitest run",
    ])
  })

  it("give what a contribution has to have before the commands of a guide for contributors", () => {
    const guide =
      "# Contributing\n\nThanks for your help. The [tests](#t) are fun.\n\n## Code\n\n- Please add tests\n  for any change. It is kind.\n- Update the changelog.\n\nRun the tests with:\n\n```sh\nnpm test # you must run tests\n```\n"
    for (const path of ["CONTRIBUTING.md", ".github/CONTRIBUTING.md"]) {
      assert.isTrue(Documents.isDocument(path))
      assert.deepStrictEqual(Documents.linesOf(path, guide), [
        "Please add tests for any change.",
        "Update the changelog.",
        "npm test # you must run tests",
      ])
    }
  })

  it("give a check the facts that statements speak of, and none that the text has word for word", () => {
    const text = "[project]\nrequires-python = '>=3.10'\n"
    const read = ["Needs Python >=3.10.", "tox runs pytest -v.", "requires-python", "Extras: i18n."]
    const said = ["It needs Python 3.10, as requires-python says.", "`tox` runs the tests."]
    assert.deepStrictEqual(Documents.factsFor(read, text, said), ["Needs Python >=3.10.", "tox runs pytest -v."])
    assert.deepStrictEqual(Documents.factsFor(read, text, []), [])
    const many = Array.from({ length: 60 }, (_, at) => `make target${at} runs the tool of number ${at}.`)
    const some = Documents.factsFor(many, "", ["`make target50` runs a tool."])
    assert.include(some, many[50])
    assert.isBelow(some.length, 20)
  })
})
