/**
 * Packs `dist` as it is into `vibe-index-VERSION.tgz`: `node tools/pack.ts [FOLDER]`, in the checkout if no folder is
 * named. `npm run pack` builds what is published first.
 *
 * The manifest in it is that of `tools/manifest.ts`. The files are copied into a temporary folder, so `package.json`
 * stays as it is even if this is interrupted, and several may pack at once.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { publishedManifest } from "./manifest.ts"
import { inFolder, npm, root } from "./process.ts"

/** The paths of the files that npm would pack. */
export const packedFiles = async (): Promise<ReadonlyArray<string>> => {
  const [{ files }] = JSON.parse(await npm(["pack", "--dry-run", "--json", "--ignore-scripts"]))
  return files.map(({ path }: { readonly path: string }) => path)
}

/** The path of the tarball, in `destination`. */
export const pack = (destination: string): Promise<string> =>
  inFolder({}, async (cwd) => {
    for (const file of await packedFiles()) {
      fs.mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true })
      // With its permissions: `dist/bin.js` can be executed.
      fs.copyFileSync(path.join(root, file), path.join(cwd, file))
    }
    const manifest = path.join(cwd, "package.json")
    fs.writeFileSync(manifest, publishedManifest(fs.readFileSync(manifest, "utf8")))
    const [{ filename }] = JSON.parse(
      await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", path.resolve(destination)], { cwd }),
    )
    return path.resolve(destination, filename)
  })

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${await pack(process.argv[2] ?? root)}\n`)
}
