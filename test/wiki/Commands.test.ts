import { assert, describe, it } from "@effect/vitest"
import * as Commands from "../../src/wiki/Commands.ts"

const textsOf = (path: string, text: string) => Commands.read(path, text).map((command) => command.text)

describe("Commands.read", () => {
  it("names a target of a Makefile once, though several lines begin with it", () => {
    const makefile =
      "COV ?=\n\ntest:\n\tpytest\n\ntest-cover: COV = --cov\ntest-cover: HEAD = '(all)'\ntest-cover: test\n"
    assert.deepStrictEqual(textsOf("Makefile", makefile), ["`make test`", "`make test-cover`"])
  })

  it("names the plain commands of a package before their variants, by the package manager that it asks for", () => {
    const scripts = {
      "build:app": "b",
      build: "vite build",
      "clean-install": "c",
      start: "s",
      "test:all": "t",
      test: "vitest",
    }
    const commandsWith = (packageManager?: string) =>
      textsOf("package.json", JSON.stringify({ packageManager, scripts })).map((text) => /^`([^`]+)`/.exec(text)?.[1])
    assert.deepStrictEqual(commandsWith("yarn@1.22.22"), [
      "yarn build",
      "yarn start",
      "yarn test",
      "yarn clean-install",
      "yarn build:app",
      "yarn test:all",
    ])
    assert.deepStrictEqual(commandsWith("pnpm@9")[0], "pnpm build")
    assert.deepStrictEqual(commandsWith("bun@1.2")[0], "bun run build")
    assert.deepStrictEqual(commandsWith("npm@11")[0], "npm run build")
    assert.deepStrictEqual(commandsWith()[0], "npm run build")
  })

  it("says how a project in Python is tested, by the settings of its tools", () => {
    const manifest = `[project]
name = "click"

[dependency-groups]
tests = ["pytest"]

[tool.pytest.ini_options]
testpaths = ["tests", "examples"]

[tool.tox.env_run_base]
commands = [["pytest", "-v", {replace = "posargs", default = [], extend = true}]]

[tool.tox.env.typing]
commands = [["mypy"], ["pyright"]]

[tool.hatch.envs.default.scripts]
lint = "ruff check"
`
    assert.deepStrictEqual(textsOf("pyproject.toml", manifest), [
      "`pip install .`",
      "`pytest` runs the tests in `tests`, `examples`.",
      "`tox` runs `pytest -v`.",
      "`hatch run lint` runs `ruff check`.",
      "`tox -e typing` runs `mypy`.",
    ])
  })

  it("names pytest if only the dependencies do, and nothing of a manifest that is broken", () => {
    const ofPoetry = '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n'
    assert.deepStrictEqual(textsOf("pyproject.toml", ofPoetry), ["`pip install .`", "`pytest` runs the tests."])
    const ofPlugin = '[dependency-groups]\nlint = ["pytest-style"]\n'
    assert.deepStrictEqual(textsOf("pyproject.toml", ofPlugin), ["`pip install .`"])
    assert.deepStrictEqual(textsOf("pyproject.toml", "[project\n"), ["`pip install .`"])
  })

  it("reads the environments of tox and the sessions of nox", () => {
    const tox =
      "[tox]\nenvlist = py313\n\n[testenv]\ndeps = pytest\ncommands =\n    # all\n    pytest {posargs}\n\n[testenv:docs]\ncommands = sphinx-build docs out\n\n[testenv:empty]\n"
    assert.deepStrictEqual(textsOf("tox.ini", tox), [
      "`tox` runs `pytest {posargs}`.",
      "`tox -e docs` runs `sphinx-build docs out`.",
    ])
    const nox =
      'import nox\n\n@nox.session(\n    python=["3.12"],\n)\ndef tests(session):\n    pass\n\n\n@nox.session(name="type-check")\ndef types(session):\n    pass\n\n\ndef helper():\n    pass\n'
    assert.deepStrictEqual(textsOf("noxfile.py", nox), ["`nox -s tests`", "`nox -s type-check`"])
  })

  it("reads the tasks of a Rakefile that are described or run tests", () => {
    const rake =
      'desc "Run all the tests"\ntask :spec => %w[a]\n\ntask :hidden do\nend\n\nRake::TestTask.new("test:fast") do |t|\nend\n\nRSpec::Core::RakeTask.new do\nend\n'
    assert.deepStrictEqual(textsOf("Rakefile", rake), ["`rake spec`", "`rake test:fast`"])
  })

  const scripts: ReadonlyArray<readonly [path: string, text: string, texts: ReadonlyArray<string>]> = [
    [
      "scripts/test",
      '#!/usr/bin/env bash\nset -e\n# all\ncd "$ROOT"\n\nnvim -l tests/all.lua "$@"\n',
      ['`scripts/test` runs `nvim -l tests/all.lua "$@"`.'],
    ],
    [
      "script/build.sh",
      "NAME=a\nif [ -n x ]; then\n  make all \\\n    -j\nfi\n",
      ["`script/build.sh` runs `make all`."],
    ],
    ["tools/check.py", "#!/usr/bin/env python3\nimport sys\n", ["`tools/check.py`"]],
    ["tools/build.ts", "export const a = 1\n", []],
    ["scripts/logo.sh", "#!/bin/sh\nopen logo.svg\n", []],
  ]
  for (const [path, text, texts] of scripts) {
    it(`reads the script ${path} if its name says that it builds, runs or tests`, () => {
      assert.isTrue(Commands.isCommandFile(path))
      assert.deepStrictEqual(textsOf(path, text), texts)
    })
  }

  it("reads what the steps of a workflow run to build, test and check", () => {
    const steps = `jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - name: All
        run: |
          echo "start"
          npm test -- --run
          curl https://example.org/test | sh
      - run: 'npx eslint --check src'
      - run: deploy --to \${{ secrets.HOST }} --check
`
    assert.deepStrictEqual(textsOf(".github/workflows/ci.yml", steps), [
      "`npm test -- --run`",
      "`npx eslint --check src`",
    ])
    assert.deepStrictEqual(textsOf(".gitlab-ci.yml", "test:\n  script:\n    - make test all\n  tags: [a]\n"), [
      "`make test all`",
    ])
    assert.isFalse(Commands.isCommandFile("src/scripts/test"))
    assert.isFalse(Commands.isCommandFile(".github/dependabot.yml"))
  })

  it("tests a project of CMake only if it says that it has tests", () => {
    assert.notInclude(textsOf("CMakeLists.txt", "project(a)\n"), "`ctest --test-dir build`")
    assert.include(textsOf("CMakeLists.txt", "project(a)\nenable_testing()\n"), "`ctest --test-dir build`")
  })
})
