import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import * as ProjectFacts from "../../src/wiki/ProjectFacts.ts"
import * as ProjectPages from "../../src/wiki/ProjectPages.ts"
import * as ReleaseFacts from "../../src/wiki/ReleaseFacts.ts"
import * as Wiki from "./writing/Wiki.fixture.ts"

const read = (files: Record<string, string>) =>
  ReleaseFacts.read({
    files: Object.keys(files)
      .toSorted()
      .map((path) => ({ path })),
    textOf: (path) => Effect.succeed(files[path]),
  })

const textsOf = (files: Record<string, string>) =>
  Effect.map(read(files), (facts) =>
    ReleaseFacts.factsOf(facts).map(({ items, text }) => [text, ...items.map(({ path }) => path)]),
  )

const byHand = (step: string) => `on: workflow_dispatch\njobs:\n  a:\n    steps:\n      - ${step}\n`
const tests = (event: string, command = "make test") =>
  `on: ${event}\njobs:\n  a:\n    steps:\n      - run: ${command}\n`

const cfg = "[metadata]\nversion = attr: a.__version__\n[tool:pytest]\naddopts = -x\n"

describe("ReleaseFacts.factsOf", () => {
  it.effect("cites the file that has the version number and the one that says so", () =>
    Effect.gen(function* () {
      const files = { "setup.cfg": cfg, "a/__init__.py": "__version__ = '1.0'\n", "pytest.ini": "[pytest]\n" }
      assert.deepStrictEqual(yield* textsOf(files), [
        ["The version number stands in `a/__init__.py` (`__version__`).", "a/__init__.py", "setup.cfg"],
      ])
    }),
  )

  it.effect("says nothing of a version that the named module only imports", () =>
    Effect.gen(function* () {
      const files = { "setup.cfg": cfg, "a/__init__.py": "from .b import __version__\n", "pytest.ini": "[pytest]\n" }
      assert.deepStrictEqual(yield* textsOf(files), [])
    }),
  )

  it.effect("takes the first manifest of Python, and what builds the package from another one", () =>
    Effect.gen(function* () {
      const files = {
        "pyproject.toml": '[project]\nversion = "1.0"\n',
        "setup.cfg": "[metadata]\nversion = 0.9\n",
        "setup.py": "from setuptools import setup\nsetup(version='0.8')\n",
      }
      assert.deepStrictEqual(yield* textsOf(files), [
        ["The version number stands in `pyproject.toml` (`project.version`).", "pyproject.toml"],
        ["setuptools builds the package (`setup.py`).", "setup.py"],
      ])
    }),
  )

  it.effect("puts workflows together that publish at the same time, and those that test changes first", () =>
    Effect.gen(function* () {
      const files = {
        ".github/workflows/brew.yml": byHand("uses: mislav/bump-homebrew-formula-action@v2"),
        ".github/workflows/nightly.yml": tests("workflow_dispatch"),
        ".github/workflows/pypi.yml": byHand("uses: pypa/gh-action-pypi-publish@v1"),
        ".github/workflows/style.yml": tests("pull_request", "make lint"),
        ".github/workflows/tests.yml": tests("pull_request"),
      }
      assert.deepStrictEqual(yield* textsOf(files), [
        ["`tests.yml` runs on pull requests: `make test`.", ".github/workflows/tests.yml"],
        ["`nightly.yml` runs by hand (`workflow_dispatch`): `make test`.", ".github/workflows/nightly.yml"],
        [
          "These run by hand (`workflow_dispatch`): `brew.yml`, which publishes to Homebrew (`mislav/bump-homebrew-formula-action`) and `pypi.yml` to PyPI (`pypa/gh-action-pypi-publish`).",
          ".github/workflows/brew.yml",
          ".github/workflows/pypi.yml",
        ],
      ])
      const lines = ReleaseFacts.linesByPath(yield* read(files))
      assert.deepStrictEqual(
        [...lines.keys()].map((path) => path.slice(".github/workflows/".length)),
        ["brew.yml", "pypi.yml", "tests.yml", "nightly.yml", "style.yml"],
      )
      assert.deepStrictEqual(lines.get(".github/workflows/pypi.yml"), [
        "`pypi.yml` runs by hand (`workflow_dispatch`); it publishes to PyPI (`pypa/gh-action-pypi-publish`).",
      ])
    }),
  )
})

describe("The start page", () => {
  const files = { ...Wiki.shop, ".github/workflows/ci.yml": tests("pull_request", "npm test -- --all") }
  const sentence = "`ci.yml` runs on pull requests: `npm test -- --all`."

  it.scoped("says what a workflow runs once, among the releases", () =>
    Effect.gen(function* () {
      const { index, workspace } = yield* Wiki.open(files)
      const plan = { parts: [], flows: [], undescribed: [] }
      const facts = yield* ProjectFacts.read(index, workspace, plan, yield* FileGraph.read(index))
      const [page] = ProjectPages.make(facts, { flows: [], whyNone: undefined })
      const said = (page?.sections ?? []).flatMap(({ blocks, title }) =>
        blocks.flat().flatMap(({ text }) => (text.includes("--all") ? [[title, text]] : [])),
      )
      assert.deepStrictEqual(said, [[ProjectPages.TITLES.releases, sentence]])
    }),
  )

  it.scoped("is written by a model that is shown it", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open(files)
      const document = project.documents.find(({ item }) => item.path === ".github/workflows/ci.yml")
      assert.include(document?.lines ?? [], sentence.replaceAll("`", ""))
    }),
  )
})
