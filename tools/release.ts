/**
 * What a release needs of the changelog and the manifests.
 *
 * - `node tools/release.ts verify TAG` fails unless TAG, the manifests and the newest release in CHANGELOG.md have the
 *   same version, and nothing is left under Unreleased.
 * - `node tools/release.ts notes TAG` prints what the changelog says of that release.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { root } from "./process.ts"

export interface Section {
  /** A version, or `Unreleased`. */
  readonly name: string
  /** Of the release, as `2026-11-24`. */
  readonly date: string | undefined
  readonly text: string
}

/**
 * The sections of a changelog, the newest first. A heading is `## Unreleased`, `## 0.1.0` or `## 0.2.0 - 2026-11-24`.
 */
export const sections = (changelog: string): ReadonlyArray<Section> =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n")
      const [name = "", date] = heading.trim().split(" - ")
      return { name, date, text: lines.join("\n").trim() }
    })

/** `v0.2.0` is the tag of version 0.2.0. */
const versionOf = (tag: string): string => tag.replace(/^v/, "")

/** Where `#heading` of a link leads is this document; in the notes of a release it is the file of that tag. */
const withWholeLinks = (text: string, tag: string): string =>
  text.replaceAll(/\]\((?!https?:)([^)\s]+)\)/g, (_, target: string) => {
    const file = target.startsWith("#") ? `CHANGELOG.md${target}` : target
    return `](https://github.com/vibe-index/vibe-index/blob/${tag}/${file})`
  })

/** What the changelog says of the release with this tag; undefined if it says nothing. */
export const notes = (changelog: string, tag: string): string | undefined => {
  const section = sections(changelog).find(({ name }) => name === versionOf(tag))
  return section === undefined || section.text === "" ? undefined : `${withWholeLinks(section.text, tag)}\n`
}

/** The versions of `package.json`, `package-lock.json` and `deno.json`; the last may have none. */
export interface Manifests {
  readonly package: string
  readonly lockfile: string
  readonly deno: string | undefined
}

/** What stands in the way of releasing this tag, as lines. */
export const problems = (changelog: string, manifests: Manifests, tag: string): ReadonlyArray<string> => {
  const version = versionOf(tag)
  const all = sections(changelog)
  const unreleased = all.find(({ name }) => name === "Unreleased")
  const newest = all.find(({ name }) => name !== "Unreleased")
  return [
    ...(/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag) ? [] : [`${tag} is not a tag such as v0.2.0`]),
    ...Object.entries({
      "package.json": manifests.package,
      "package-lock.json": manifests.lockfile,
      "deno.json": manifests.deno ?? version,
    }).flatMap(([file, found]) => (found === version ? [] : [`${file} has version ${found}, not ${version}`])),
    ...(newest?.name === version ? [] : [`the newest release in CHANGELOG.md is ${newest?.name}, not ${version}`]),
    ...(newest?.name === version && newest.date === undefined ? [`"## ${version}" in CHANGELOG.md has no date`] : []),
    ...(unreleased === undefined || unreleased.text === "" ? [] : ["CHANGELOG.md has lines under Unreleased"]),
  ]
}

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

export const manifests = (): Manifests => ({
  package: JSON.parse(read("package.json")).version,
  lockfile: JSON.parse(read("package-lock.json")).version,
  deno: JSON.parse(read("deno.json")).version,
})

if (process.argv[1] === import.meta.filename) {
  const [verb, tag = ""] = process.argv.slice(2)
  const changelog = read("CHANGELOG.md")
  if (verb === "verify") {
    const found = problems(changelog, manifests(), tag)
    for (const line of found) process.stderr.write(`${line}\n`)
    process.exitCode = found.length === 0 ? 0 : 1
  } else if (verb === "notes") {
    const text = notes(changelog, tag)
    if (text === undefined) throw new Error(`CHANGELOG.md has nothing about ${tag}`)
    process.stdout.write(text)
  } else throw new Error("usage: node tools/release.ts verify|notes TAG")
}
