/** What a release takes from the changelog, and what stands in its way. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Manifests, manifests, notes, problems, sections } from "../../tools/release.ts"

const changelog = `# Changelog

Words about it.

## Unreleased

## 0.2.0 - 2026-12-01

### Changed

- \`vibe x\` is [new](docs/x.md), see [below](#010) and [there](https://example.org/a).

## 0.1.0

- First.
`

const all = (version: string, deno: string | undefined = undefined): Manifests => ({
  package: version,
  lockfile: version,
  deno,
})

describe("the notes of a release", () => {
  it("are its section of the changelog, with links that lead into the repository of that release", () => {
    assert.strictEqual(
      notes(changelog, "v0.2.0"),
      "### Changed\n\n- `vibe x` is [new](https://github.com/vibe-index/vibe-index/blob/v0.2.0/docs/x.md), see " +
        "[below](https://github.com/vibe-index/vibe-index/blob/v0.2.0/CHANGELOG.md#010) and [there](https://example.org/a).\n",
    )
  })

  it("are missing for a release that the changelog does not have", () => {
    assert.isUndefined(notes(changelog, "v0.3.0"))
  })
})

describe("a release", () => {
  it("is possible if tag, manifests and changelog agree", () => {
    assert.deepStrictEqual(problems(changelog, all("0.2.0"), "v0.2.0"), [])
    assert.deepStrictEqual(problems(changelog, all("0.2.0", "0.2.0"), "v0.2.0"), [])
  })

  it.each<readonly [why: string, changelog: string, manifests: Manifests, tag: string, lines: ReadonlyArray<string>]>([
    ["a tag without v", changelog, all("0.2.0"), "0.2.0", ["0.2.0 is not a tag such as v0.2.0"]],
    [
      "a manifest of another version",
      changelog,
      { ...all("0.2.0", "0.1.0"), lockfile: "0.1.0" },
      "v0.2.0",
      ["package-lock.json has version 0.1.0, not 0.2.0", "deno.json has version 0.1.0, not 0.2.0"],
    ],
    [
      "a changelog without it",
      changelog,
      all("0.3.0"),
      "v0.3.0",
      ["the newest release in CHANGELOG.md is 0.2.0, not 0.3.0"],
    ],
    [
      "no date",
      changelog.replace(" - 2026-12-01", ""),
      all("0.2.0"),
      "v0.2.0",
      ['"## 0.2.0" in CHANGELOG.md has no date'],
    ],
    [
      "lines that are not in it",
      changelog.replace("## Unreleased\n", "## Unreleased\n\n- More.\n"),
      all("0.2.0"),
      "v0.2.0",
      ["CHANGELOG.md has lines under Unreleased"],
    ],
  ])("is refused for %s", (_, changelog, manifests, tag, lines) => {
    assert.deepStrictEqual(problems(changelog, manifests, tag), lines)
  })
})

describe("CHANGELOG.md", () => {
  const own = sections(fs.readFileSync(path.resolve(import.meta.dirname, "../../CHANGELOG.md"), "utf8"))

  it("begins with what is unreleased, and goes on with releases from the newest to the oldest", () => {
    const [first, ...releases] = own.map(({ name }) => name)
    assert.strictEqual(first, "Unreleased")
    const numbers = releases.map((name) => name.split(".").map(Number))
    assert.deepStrictEqual(
      numbers,
      numbers.toSorted((a, b) => (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0) || (b[2] ?? 0) - (a[2] ?? 0)),
    )
  })

  it("has the version of package.json as its newest release, and so have the lockfile and deno.json", () => {
    const newest = own.find(({ name }) => name !== "Unreleased")?.name
    const { deno, lockfile, package: version } = manifests()
    assert.deepStrictEqual([newest, lockfile, deno ?? version], [version, version, version])
  })
})
