import { assert, describe, it } from "@effect/vitest"
import type { Author, Section, Statement } from "../../src/wiki/Page.ts"
import * as ToldFacts from "../../src/wiki/ToldFacts.ts"

const statement = (text: string, path: string, author: Author = "model"): Statement => ({
  text,
  kind: "claim",
  author,
  citations: [{ path }],
})
const section = (...statements: ReadonlyArray<Statement>): Section => ({
  form: "list",
  blocks: statements.map((each) => [each] as const),
})

const fact = statement(
  "`publish.yaml` runs when a tag is pushed: `uv build`, then it publishes to PyPI (`pypa/gh-action-pypi-publish`).",
  "publish.yaml",
  "project",
)
const other = statement("The version number stands in `pyproject.toml`.", "pyproject.toml", "project")
const told =
  "Pushing a tag runs `publish.yaml`, which runs `uv build` and publishes to PyPI with `pypa/gh-action-pypi-publish`."

describe("ToldFacts.leaveOut", () => {
  it("leaves out what a model tells of the same file, and the section if nothing is left", () => {
    const own = [section(statement(told, "publish.yaml"))]
    assert.deepStrictEqual(ToldFacts.leaveOut(section(fact, other), own), [section(other)])
    assert.deepStrictEqual(ToldFacts.leaveOut(section(fact), own), [])
  })

  it.each([
    ["cites another file", statement(told, "README.md")],
    ["tells something else", statement("`publish.yaml` needs a token.", "publish.yaml")],
    ["is not of a model", statement(told, "publish.yaml", "project")],
  ])("keeps a fact beside a statement that %s", (_, one) => {
    assert.deepStrictEqual(ToldFacts.leaveOut(section(fact), [section(one)]), [section(fact)])
  })
})
