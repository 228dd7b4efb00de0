/** Whether `dist`, or the program in it, was built from the sources as they are now. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"

/** What a build reads besides `src` and its packages, which the lockfile names. */
const settings = [
  "package.json",
  "package-lock.json",
  "rolldown.config.js",
  "tsconfig.json",
  "tsconfig.build.json",
  "tools/build.ts",
  "tools/moduleHeaders.ts",
]

/** The digest of what `dist` was built from. Written last, so that an unfinished build has none. Not published. */
const stamp = "dist/.inputs"

/** What a build makes: the program with its page, or the library with its declarations besides. */
export type Part = "program" | "all"

/** The library of a build. */
const library = "dist/lib/index.js"

/** Returns what a build has to make so that nothing that is there goes out of date. */
export const partsOf = (checkout: string): Part => (fs.existsSync(path.join(checkout, library)) ? "all" : "program")

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex")

/** One digest of the names and contents of all that a build reads: git changes times without changing files. */
export const digest = (checkout: string): string => {
  const sources = fs
    .readdirSync(path.join(checkout, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|css|html)$/.test(file) || file.endsWith("tsconfig.json"))
    .map((file) => `src/${file.replaceAll(path.sep, "/")}`)
    .toSorted()
  const lines = [...settings, ...sources].map(
    (file) => `${file} ${sha256(fs.readFileSync(path.join(checkout, file)))}\n`,
  )
  return sha256(lines.join(""))
}

export const isUpToDate = (checkout: string, part: Part): boolean => {
  const isThere = (file: string) => fs.existsSync(path.join(checkout, file))
  if (![stamp, "dist/bin.js", ...(part === "all" ? [library] : [])].every(isThere)) return false
  return fs.readFileSync(path.join(checkout, stamp), "utf8") === digest(checkout)
}

/** Removes the stamp: a build begins, and `dist` is of no use until it has ended. */
export const invalidate = (checkout: string): void => fs.rmSync(path.join(checkout, stamp), { force: true })

/** Records the digest, taken when the build began, of what is in `dist` now. */
export const markBuilt = (checkout: string, inputs: string): void =>
  fs.writeFileSync(path.join(checkout, stamp), inputs)
