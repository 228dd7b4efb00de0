/**
 * The manifest that is published: `package.json` without what only a checkout uses.
 *
 * npm warns those who install a tarball whose manifest has a script called `prepare`, though it does not run it.
 *
 * `npm pack` and `npm publish` in a checkout read `package.json` after the script `prepack` and before `postpack`:
 *
 * - `node tools/manifest.ts publish` ends `prepack`. It keeps the file below `node_modules` and leaves the published
 *   one in its place. It does nothing if npm runs `prepack` for another reason, as `npm run pack` does.
 * - `node tools/manifest.ts restore` is `postpack`. It puts the kept file back, byte by byte. Whoever interrupts npm in
 *   between calls it.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { root } from "./process.ts"

const ofCheckout = ["scripts", "devDependencies", "overrides", "allowScripts"]

export const publishedManifest = (manifest: string): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(manifest)).filter(([key]) => !ofCheckout.includes(key))), null, 2)}\n`

const filesIn = (checkout: string) => ({
  manifest: path.join(checkout, "package.json"),
  kept: path.join(checkout, "node_modules/.vibe-package.json"),
})

/** Leaves the published manifest in place of the checkout's, which `restoreManifest` puts back. */
export const publishManifest = (checkout: string): void => {
  const { kept, manifest } = filesIn(checkout)
  // The kept file is that of the checkout if an earlier run was interrupted and this one
  // begins with the published manifest.
  restoreManifest(checkout)
  const text = fs.readFileSync(manifest, "utf8")
  fs.mkdirSync(path.dirname(kept), { recursive: true })
  fs.writeFileSync(kept, text)
  fs.writeFileSync(manifest, publishedManifest(text))
}

/** Does nothing if none is kept, or if somebody has changed or restored `package.json` since. */
export const restoreManifest = (checkout: string): void => {
  const { kept, manifest } = filesIn(checkout)
  if (!fs.existsSync(kept)) return
  const text = fs.readFileSync(kept, "utf8")
  if (fs.readFileSync(manifest, "utf8") === publishedManifest(text)) fs.writeFileSync(manifest, text)
  fs.rmSync(kept)
}

/** Whether npm packs the checkout itself, and not a script of it. */
const isPacking = (command: string | undefined): boolean => command === "pack" || command === "publish"

if (process.argv[1] === import.meta.filename) {
  const [verb] = process.argv.slice(2)
  if (verb === "restore") restoreManifest(root)
  else if (isPacking(process.env.npm_command)) publishManifest(root)
}
