import { assert, describe, it } from "@effect/vitest"
import * as TestSettings from "../../src/wiki/TestSettings.ts"

const pyproject = (...lines: ReadonlyArray<string>) =>
  TestSettings.ofPytest("pyproject.toml", ["[tool.pytest.ini_options]", ...lines].join("\n"))

describe("TestSettings.ofPytest", () => {
  it("says which tests are left out, that warnings fail a test, and how tests can be marked", () => {
    assert.deepStrictEqual(
      pyproject(
        `addopts = "-m 'not stress and not slow' --tb=short"`,
        'filterwarnings = ["error"]',
        'markers = ["stress: many times", "web"]',
      ),
      [
        "`pytest` leaves out the tests that are marked `stress` or `slow` (`-m 'not stress and not slow'` in `addopts`).",
        "A warning fails a test (`filterwarnings`).",
        "Tests can be marked with `web`.",
      ],
    )
  })

  it.each<readonly [string, string]>([
    [`addopts = "-m 'fast or web'"`, "`pytest` runs only the tests that `-m 'fast or web'` in `addopts` selects."],
    [
      'addopts = ["-m", "not slow"]',
      "`pytest` leaves out the tests that are marked `slow` (`-m 'not slow'` in `addopts`).",
    ],
    ['addopts = "--ignore=a --ignore b"', "`pytest` leaves out `a` and `b` (`--ignore` in `addopts`)."],
    ['addopts = "-n auto"', "Tests run in parallel (`-n auto` in `addopts`)."],
    ['addopts = "-W error"', "A warning fails a test (`-W error` in `addopts`)."],
    ['addopts = "--doctest-modules"', "The examples in docstrings are tests too (`--doctest-modules`)."],
    [
      'filterwarnings = ["error", "ignore::DeprecationWarning"]',
      "A warning fails a test, unless `filterwarnings` lists it.",
    ],
    ['asyncio_mode = "auto"', "An `async` test needs no marker (`asyncio_mode` is `auto`)."],
    ["xfail_strict = true", "A test that is expected to fail and passes is a failure (`xfail_strict`)."],
  ])("reads %s", (line, says) => {
    assert.deepStrictEqual(pyproject(line), [says])
  })

  it.each(['filterwarnings = ["error", "ignore"]', 'addopts = "-n 0"', 'addopts = "-ra --strict-markers"'])(
    "says nothing of %s",
    (line) => {
      assert.deepStrictEqual(pyproject(line), [])
    },
  )

  it("reads sections of `setup.cfg` and lists over several lines", () => {
    assert.deepStrictEqual(
      TestSettings.ofPytest(
        "setup.cfg",
        "[metadata]\nname = a\n[tool:pytest]\n# where\ntestpaths = a tests\nmarkers =\n    # hint\n    web\n    slow: long\n[b]\nmarkers =\n    other\n",
      ),
      ["`pytest` looks for tests in `a` and `tests`.", "Tests can be marked with `web` and `slow`."],
    )
  })
})

describe("TestSettings.pytestFile", () => {
  it("is the first that has settings; `pytest.ini` counts without any", () => {
    const fileOf = (files: Record<string, string>) => TestSettings.pytestFile(new Map(Object.entries(files)))
    const cfg = { "setup.cfg": "[tool:pytest]\naddopts = -x\n" }
    assert.strictEqual(fileOf({ ...cfg, "pytest.ini": "" }), "pytest.ini")
    assert.strictEqual(fileOf({ ...cfg, "pyproject.toml": "[tool.black]\n", "tox.ini": "[tox]\n" }), "setup.cfg")
    assert.strictEqual(fileOf({ ...cfg, "tox.ini": "[pytest]\n" }), "tox.ini")
    assert.isUndefined(fileOf({ "setup.cfg": "[metadata]\n" }))
  })
})

describe("TestSettings.ofPhpunit", () => {
  it("says what else fails a run, and that the order is random", () => {
    assert.deepStrictEqual(
      TestSettings.ofPhpunit('<phpunit failOnRisky="true" failOnNotice="false"\n  executionOrder="depends,random">'),
      ["A run of PHPUnit also fails on a risky test (`failOnRisky`).", "Tests run in random order (`executionOrder`)."],
    )
    assert.deepStrictEqual(TestSettings.ofPhpunit('<phpunit colors="true">'), [])
  })
})

describe("TestSettings.helpersIn", () => {
  it.each<readonly [string, string, ReadonlyArray<string>]>([
    ["package.json", '{"devDependencies":{"nock":"1","eslint":"9"},"dependencies":{"sinon":"1"}}', ["nock"]],
    ["composer.json", '{"require-dev":{"mockery/mockery":"^1","phpunit/phpunit":"^9"}}', ["mockery/mockery"]],
    ["Cargo.toml", '[dev-dependencies]\nwiremock = "0.6"\nanyhow = "1"\n', ["wiremock"]],
    [
      "go.mod",
      "require (\n\tgithub.com/stretchr/testify v1.9.0\n\tgithub.com/a/b v1.0.0\n)\n",
      ["github.com/stretchr/testify"],
    ],
    ["go.mod", "require github.com/stretchr/testify v1.9.0 // indirect\n", []],
    [
      "pyproject.toml",
      '[dependency-groups]\ntests = ["pytest", "responses>=1"]\ntests-random = ["pytest-randomly"]\ndocs = ["moto"]\n',
      ["responses"],
    ],
    [
      "setup.cfg",
      "[options.extras_require]\ntest =\n    pytest-httpbin>=0.0.6\n    werkzeug<2.1.0\ndocs =\n    moto\n",
      ["pytest-httpbin"],
    ],
  ])("reads %s", (path, text, names) => {
    assert.deepStrictEqual(TestSettings.helpersIn(path, text), names)
  })
})
