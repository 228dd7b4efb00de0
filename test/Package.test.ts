/** The package's description of itself, and the documents' description of the package. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { format as forest } from "../src/forest/ForestStore/internal/schema.ts"
import { publishedManifest } from "../tools/manifest.ts"

const root = path.resolve(import.meta.dirname, "..")

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const documents = fs.globSync(["*.md", "docs/**/*.md", "examples/**/*.{md,ts}"], { cwd: root })

/** The code blocks of a Markdown document. */
const blocks = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(/^```\w*\n(.*?)^```$/gms), ([, block = ""]) => block)

describe("the package", () => {
  it("does not have the name of another project on the registry", () => {
    const { bin, name } = JSON.parse(read("package.json"))
    assert.strictEqual(name, "vibe-index")
    assert.deepStrictEqual(Object.keys(bin), ["vibe", "vibe-index"])
  })

  it("has the same name and commands in the lockfile", () => {
    const { bin, name } = JSON.parse(read("package.json"))
    const lock = JSON.parse(read("package-lock.json"))
    assert.deepStrictEqual([lock.name, lock.packages[""].name, lock.packages[""].bin], [name, name, bin])
  })

  it("is built fully when it is packed, and only if needed when npm prepares a checkout", () => {
    const { scripts } = JSON.parse(read("package.json"))
    assert.strictEqual(scripts.prepack, "node tools/build.ts --release && node tools/manifest.ts publish")
    assert.strictEqual(scripts.postpack, "node tools/manifest.ts restore")
    assert.strictEqual(scripts.prepare, "node tools/build.ts --if-changed")
  })

  it("has no script when it is published, and nothing that a checkout alone uses", () => {
    const published = JSON.parse(publishedManifest(read("package.json")))
    assert.doesNotHaveAnyKeys(published, ["scripts", "devDependencies", "overrides", "allowScripts"])
    assert.containsAllKeys(published, ["name", "version", "bin", "exports", "dependencies", "peerDependencies"])
  })

  it("installs for the program alone what the program loads: no Effect, no SDK, nothing with a script", () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(read("package.json"))
    assert.deepStrictEqual(
      Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
      [],
    )
    const { packages } = JSON.parse(read("package-lock.json"))
    const installed = Object.entries<{
      dev?: boolean
      devOptional?: boolean
      peer?: boolean
      hasInstallScript?: boolean
      link?: boolean
    }>(packages).filter(
      ([folder, { dev, devOptional, link, peer }]) => !link && folder !== "" && !dev && !devOptional && !peer,
    )
    assert.sameMembers(
      installed.map(([folder]) => folder.replace("node_modules/", "")),
      Object.keys(dependencies),
    )
    assert.deepStrictEqual(
      installed.flatMap(([folder, { hasInstallScript }]) => (hasInstallScript ? [folder] : [])),
      [],
    )
  })

  it("promises in docs/versioning.md what its exports are, and the format of the forest that is written", () => {
    const text = read("docs/versioning.md")
    const subpaths = Object.keys(JSON.parse(read("package.json")).exports).filter(
      (subpath) => ![".", "./package.json"].includes(subpath),
    )
    assert.deepStrictEqual(
      subpaths.filter((subpath) => !text.includes(`\`${subpath.slice(1)}\``)),
      [],
    )
    assert.include(text, `formats 1 to ${forest.version}`)
    assert.include(text, `| format ${forest.version}:`)
  })

  it("has as many dependencies as docs/install.md says", () => {
    const { dependencies } = JSON.parse(read("package.json"))
    const words = ["six", "seven", "eight", "nine", "ten"]
    const said = Array.from(read("docs/install.md").matchAll(/\bits\s(\w+) dependencies\b/g), ([, word = ""]) => word)
    assert.isNotEmpty(said)
    assert.deepStrictEqual(
      said,
      said.map(() => words[Object.keys(dependencies).length - 6]),
    )
  })

  it.each(documents)("%s imports nothing from the other project's package", (file) => {
    assert.notMatch(read(file), /from "vibe(?:"|\/)/)
  })

  it.each(documents)("%s shows `npx vibe` only where the same block sets up a checkout", (file) => {
    const wrong = blocks(read(file)).filter((block) => /\bnpx vibe\s/.test(block) && !block.includes("npm ci"))
    assert.deepStrictEqual(wrong, [])
  })
})
