/** The files for other package managers agree with the package. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { isInstalled } from "../utils/isInstalled.ts"

const root = path.resolve(import.meta.dirname, "../..")

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const { license, name, repository } = JSON.parse(read("package.json"))

const address = repository.url.replace(/^git\+|\.git$/g, "")

/** An entry of the lockfile: a link leads to a folder of the checkout. */
interface Locked {
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
}

/** What a checker says of a file; undefined if it ends well. */
const complaints = (command: string, ...args: ReadonlyArray<string>): string | undefined => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" })
  return status === 0 ? undefined : `${stdout}${stderr}`
}

describe("files for other package managers", () => {
  it.each(["install.sh", "install.ps1"])("%s downloads the releases of this repository", (file) => {
    const text = read(file)
    assert.include(text, `${address}/releases`)
    assert.include(text, `npm install --global ${name}`)
  })

  it("the formula installs the package, in a version that may be an earlier one", () => {
    const text = read("packaging/homebrew/vibe.rb")
    assert.match(text, new RegExp(`url "https://registry.npmjs.org/${name}/-/${name}-\\d+\\.\\d+\\.\\d+\\.tgz"`))
    assert.include(text, `homepage "${address}"`)
    assert.include(text, `license "${license}"`)
  })

  it("the flake gives every package of the lockfile an address, and fetches none without a digest", () => {
    const { packages } = JSON.parse(read("package-lock.json"))
    const without = Object.entries<Locked>(packages).filter(
      ([place, { integrity, link }]) => place.includes("node_modules/") && integrity === undefined && link !== true,
    )
    assert.deepStrictEqual(without, [])
    assert.include(read("flake.nix"), `pname = "${name}"`)
  })

  it("the Dockerfile copies what is there, and .dockerignore leaves it in", () => {
    const ignored = read(".dockerignore").split("\n")
    const copied = Array.from(read("Dockerfile").matchAll(/^COPY (?!--from)(.*) \S+$/gm), ([, files = ""]) =>
      files.split(" "),
    ).flat()
    assert.include(copied, "package-lock.json")
    const { packages } = JSON.parse(read("package-lock.json"))
    // npm installs the links, too, before the rest is there.
    for (const { link, resolved } of Object.values<Locked>(packages)) if (link) assert.include(copied, resolved)
    for (const file of copied) {
      assert.isTrue(fs.existsSync(path.join(root, file)), file)
      assert.notInclude(ignored, file)
    }
  })

  for (const [command, ...args] of [
    ["shellcheck", "install.sh"],
    ["ruby", "-c", "packaging/homebrew/vibe.rb"],
  ] as const) {
    it.skipIf(!isInstalled(command))(`are as ${command} wants them, where it is installed`, () => {
      assert.isUndefined(complaints(command, ...args))
    })
  }
})
