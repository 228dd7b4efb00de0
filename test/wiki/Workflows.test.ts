import { assert, describe, it } from "@effect/vitest"
import * as Workflows from "../../src/wiki/Workflows.ts"

const sentence = (...lines: ReadonlyArray<string>): string | undefined => {
  const workflow = Workflows.read(".github/workflows/a.yml", lines.join("\n"))
  return workflow === undefined ? undefined : Workflows.sentenceOf(workflow)
}

/** Returns a workflow that runs `make test` at given events. */
const testsOn = (...lines: ReadonlyArray<string>) =>
  sentence(...lines, "jobs:", "  test:", "    steps:", "      - run: make test")

/** Returns a workflow with given steps that runs when a tag is pushed. */
const onTag = (...steps: ReadonlyArray<string>) =>
  sentence("on:", "  push:", "    tags: ['*']", "jobs:", "  a:", "    steps:", ...steps.map((step) => `      ${step}`))

describe("Workflows.read", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["on every push", ["on: push"]],
    ["on every push and on pull requests", ["on: [push, pull_request]"]],
    ["on every push and on pull requests", ["'on':", "- push", "- pull_request # all of them"]],
    ["on every push", ["on:", "  push:", "    branches:", "  issues:"]],
    ["on pushes to `main` or `stable`", ["on:", "  push:", "    branches: [main, 'stable']"]],
    ["on pushes to `main`", ["on:", "  push:", "    branches:", "      - main", "      - '!old'"]],
    ["on pushes to any branch", ["on:", "  push:", "    branches: ['**']"]],
    ["on pushes to `main`", ["on:", "  push: { branches: [main] }"]],
    ["on most pushes", ["on:", "  push:", "    branches-ignore: [old]"]],
    ["when a tag is pushed", ["on:", "  push:", "    tags:", "    - '*'"]],
    [
      "when a tag like `[0-9]+.[0-9]+` is pushed",
      ["on:", "  push:", "    tags:", '      - "[0-9]+.[0-9]+" # a release'],
    ],
    [
      "on pushes to `main` and when a tag like `v*` is pushed",
      ["on:", "  push:", "    branches: main", "    tags: ['v*']"],
    ],
    [
      "on pull requests and on pushes to `main` that change certain files",
      [
        "on:",
        "  pull_request:",
        "    paths-ignore: ['docs/**']",
        "  push:",
        "    branches: [main]",
        "    paths: [src]",
      ],
    ],
    ["when a pull request gets a label", ["on:", "  pull_request:", "    types: [ labeled ]"]],
    ["when a release is published on GitHub", ["on:", "  release:", "    types: [published]"]],
    [
      "every day and by hand (`workflow_dispatch`)",
      ["on:", "  schedule:", "    - cron: '0 6 * * *'", "  workflow_dispatch:"],
    ],
    ["every week", ["on:", "  schedule:", "    - cron: '0 6 * * 1'"]],
    ["on a schedule", ["on:", "  schedule:", "    - cron: '*/5 * * * *'"]],
    [
      "when another workflow calls it",
      ["on:", "  workflow_call:", "    inputs:", "      push:", "        type: string"],
    ],
  ])("runs %s", (when, lines) => {
    assert.strictEqual(testsOn(...lines), `\`a.yml\` runs ${when}: \`make test\`.`)
  })

  it("says nothing of events that it does not know, and of a workflow that tests and publishes nothing", () => {
    assert.isUndefined(testsOn("on: issues"))
    assert.isUndefined(testsOn("name: a"))
    assert.isUndefined(sentence("on: push", "jobs:", "  a:", "    steps:", "      - uses: actions/stale@v8"))
    assert.isUndefined(sentence("on: push", "jobs:", "  a:", "    uses: owner/repo/.github/workflows/ci.yml@main"))
    assert.isUndefined(Workflows.read(".github/dependabot.yml", "on: push"))
  })

  it("names the commands that test before those that build and check, without those that prepare", () => {
    assert.strictEqual(
      sentence(
        "on: push",
        "jobs:",
        "  a:",
        "    steps:",
        "    - uses: actions/checkout@v4",
        "    - run: |",
        "        # make all",
        "        npm install",
        "        mkdir -p build && npm run build",
        "        node tests/server.js &",
        '        echo "npm test"',
        "    - name: Test",
        "      run: >-",
        "        CI=1 npm test",
        "        -- --all # slow",
        "    - run: ctest -C ${{ matrix.type }} \\",
        "    - run: npm run lint",
      ),
      "`a.yml` runs on every push: `npm test -- --all`, `ctest -C …` and `npm run build`.",
    )
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["PyPI (`pypa/gh-action-pypi-publish`)", ["- uses: pypa/gh-action-pypi-publish@0a1b2c # v1.14"]],
    [
      "TestPyPI (`pypa/gh-action-pypi-publish`)",
      ["- uses: pypa/gh-action-pypi-publish@v1", "  with:", "    repository-url: https://test.pypi.org/legacy/"],
    ],
    ["PyPI (`twine upload`)", ["- run: python -m twine upload dist/*"]],
    ["PyPI (`uv publish`)", ["- run: uv publish"]],
    ["npm (`npm publish`)", ["- run: npm publish --provenance"]],
    ["GitHub Packages (`npm publish`)", ["- run: npm publish --registry https://npm.pkg.github.com"]],
    ["crates.io (`cargo publish`)", ["- run: |", "    cd a && cargo publish"]],
    ["RubyGems (`gem push`)", ["- run: gem push *.gem"]],
    ["NuGet (`dotnet nuget push`)", ["- run: dotnet nuget push a.nupkg --source https://api.nuget.org/v3/index.json"]],
    ["a Maven repository (`./mvnw deploy`)", ["- run: ./mvnw -B deploy"]],
    ["a Maven repository (`./gradlew publish`)", ["- run: ./gradlew --no-daemon publish"]],
    ["a draft release on GitHub (`gh release create --draft`)", ["- run: gh release create --draft $TAG dist/*"]],
    [
      "a draft release on GitHub (`softprops/action-gh-release`)",
      ["- uses: softprops/action-gh-release@v2", "  with:", "    draft: true"],
    ],
    [
      "a registry of container images (`docker/build-push-action`)",
      ["- uses: docker/build-push-action@v6", "  with:", "    push: true"],
    ],
    [
      "a registry of container images (`docker/build-push-action`, under a condition)",
      ["- uses: docker/build-push-action@v6", "  with:", "    push: ${{ github.event_name != 'pull_request' }}"],
    ],
    [
      "the places that its settings name (`goreleaser/goreleaser-action`)",
      ["- uses: goreleaser/goreleaser-action@v6", "  with:", "    args: release --clean"],
    ],
    ["npm (`npm publish`, for tags)", ["- if: startsWith(github.ref, 'refs/tags/v')", "  run: npm publish"]],
    ["npm (`npm publish`, under a condition)", ["- if: matrix.os == 'a'", "  run: npm publish"]],
    ["npm (`npm publish`)", ["- if: github.repository == 'a/b'", "  run: npm publish"]],
    ["npm (`npm publish`, under a condition)", ["- run: |", "    if [ -n $A ]; then", "      npm publish", "    fi"]],
  ])("publishes to %s", (place, steps) => {
    assert.strictEqual(onTag(...steps), `\`a.yml\` runs when a tag is pushed; it publishes to ${place}.`)
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["a command that is only tried", ["- run: npm publish --dry-run"]],
    ["a command that is printed", ['- run: echo "npm publish"']],
    ["an image that is only built", ["- uses: docker/build-push-action@v6", "  with:", "    push: false"]],
    [
      "a release that is only tried",
      ["- uses: goreleaser/goreleaser-action@v6", "  with:", "    args: release --snapshot"],
    ],
    ["a package for the machine itself", ["- run: ./gradlew publishToMavenLocal"]],
    ["a comment", ["# - run: npm publish", "- uses: actions/checkout@v4"]],
  ])("does not take %s for publishing", (_, steps) => {
    assert.isUndefined(onTag(...steps))
  })

  it("names what is built before it is published, and each place once", () => {
    assert.strictEqual(
      sentence(
        "on:",
        "  push:",
        "    tags: ['*']",
        "jobs:",
        "  build:",
        "    steps:",
        "      - run: uv build",
        "  release:",
        "    needs: [build]",
        "    steps:",
        "      - name: create release",
        "        run: gh release create --draft $TAG dist/*",
        "      - run: gh release upload $TAG more",
        "  publish:",
        "    steps:",
        "      - uses: pypa/gh-action-pypi-publish@v1",
      ),
      "`a.yml` runs when a tag is pushed: `uv build`, then it publishes to a draft release on GitHub (`gh release create --draft`) and PyPI (`pypa/gh-action-pypi-publish`).",
    )
  })

  it("takes the condition of a job for that of its steps", () => {
    assert.strictEqual(
      sentence(
        "on: push",
        "jobs:",
        "  publish:",
        "    if: github.ref == 'refs/heads/main'",
        "    steps:",
        "      - run: cargo publish",
        "  test:",
        "    steps:",
        "      - run: cargo test",
      ),
      "`a.yml` runs on every push; it publishes to crates.io (`cargo publish`, under a condition).",
    )
  })
})
