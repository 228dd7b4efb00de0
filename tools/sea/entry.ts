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

/** None where no folder can be written to; stderr says so. */
const unpackedFolder = (): string | undefined => {
  try {
    const archive = new Uint8Array(getRawAsset("files"))
    return folderOf({
      environment: process.env,
      platform: process.platform,
      user: process.getuid?.(),
      build: getAsset("build", "utf8"),
      list: Archive.listOf(archive),
      files: () => Archive.unpack(archive),
    })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`vibe: cannot unpack itself; set XDG_CACHE_HOME to a folder of yours: ${message}\n`)
    // As where storage cannot be written to.
    process.exitCode = 7
    return undefined
  }
}

const folder = unpackedFolder()
if (folder !== undefined) await load(pathToFileURL(path.join(folder, "dist/bin.js")).href)
