/** What the executable runs: unpacks the package into the user's cache at its first start, and runs it from there. */
import * as path from "node:path"
import { getAsset, getRawAsset } from "node:sea"
import { pathToFileURL } from "node:url"
import { constants, runInThisContext } from "node:vm"
import * as Archive from "./archive.ts"
import { folderOf } from "./cache.ts"

// Beside Node's own modules and the two above it has no import: it is bundled into one file.

// `vibe install` writes the words that start this program. A script would be one word too many.
process.argv[1] = process.execPath

/** The `import()` of an executable finds Node's own modules alone; one of the default loader finds files. */
const load: (url: string) => Promise<unknown> = runInThisContext("(url) => import(url)", {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})

const start = async () => {
  const folder = folderOf({
    environment: process.env,
    platform: process.platform,
    user: process.getuid?.(),
    build: getAsset("build", "utf8"),
    files: () => Archive.unpack(new Uint8Array(getRawAsset("files"))),
  })
  await load(pathToFileURL(path.join(folder, "dist/bin.js")).href)
}

start().catch((cause: unknown) => {
  process.stderr.write(`vibe: cannot start: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 7
})
