/**
 * Packs `dist` as it is into `vibe-index-VERSION.tgz`: `node tools/pack.ts [FOLDER]`, in the checkout if no folder is named.
 * `npm run pack` builds what is published first.
 *
 * The manifest in it lacks what is of use in a checkout alone. npm warns those who install a tarball whose manifest has a
 * script called `prepare`, though it does not run it. The files are copied into a temporary folder, since a checkout whose
 * own manifest is changed and restored has the wrong one where packing is interrupted.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { inFolder, npm, root } from "./process.ts"

const ofCheckout = ["scripts", "devDependencies", "overrides", "allowScripts"]

/** The manifest that is published. */
export const publishedManifest = (manifest: string): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(manifest)).filter(([key]) => !ofCheckout.includes(key))), null, 2)}\n`

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
