/**
 * Builds the program and the library into `dist`.
 *
 * - `node tools/build.ts` builds (`npm run build`).
 * - `node tools/build.ts --if-changed` builds only if something that a build reads has changed since the last
 *   one, and the library only if it was built before: the program takes a sixth of the processor time, and is all
 *   that `npx vibe` runs. This is `prepare`, which npm runs after `npm ci`, and when `npx vibe` links the
 *   checkout into the cache of npx.
 * - `node tools/build.ts --release` builds what is published (the first half of `prepack`): the same, `tools/eager.ts`,
 *   and man pages and completion scripts (`tools/man.ts`) besides.
 */
import * as assert from "node:assert/strict"
import * as fs from "node:fs"
import * as path from "node:path"
import { restoreHeaders } from "./moduleHeaders.ts"
import * as NpmNode from "./npmNode.ts"
import { root, run } from "./process.ts"
import { digest, invalidate, isUpToDate, markBuilt, type Part, partsOf } from "./upToDate.ts"

/** Runs the script of a package with this Node: the links in `.bin` cannot be started on Windows without a shell. */
const node = (script: string, ...args: ReadonlyArray<string>) =>
  run(process.execPath, [path.join(root, "node_modules", script), ...args])

const build = async (part: Part, isRelease: boolean): Promise<void> => {
  // What changes while this runs is not in `dist`.
  const inputs = digest(root)
  invalidate(root)
  // First, because it empties `dist`.
  await node("rolldown/bin/cli.mjs", "--config")
  if (isRelease) {
    // Loaded late: it loads the parser, and `prepare` mostly finds nothing to do.
    const { compileEagerly } = await import("./eager.ts")
    await compileEagerly()
    await run(process.execPath, [path.join(root, "tools/man.ts")])
  }
  fs.chmodSync(path.join(root, "dist/bin.js"), 0o755)
  if (part === "all") await buildLibrary()
  markBuilt(root, inputs)
}

const buildLibrary = async (): Promise<void> => {
  const tsc = (...options: ReadonlyArray<string>) =>
    node("typescript/bin/tsc", "--project", "tsconfig.build.json", ...options)
  // Comments stay in the declarations, where editors show them. In the code they would only take time to load.
  await tsc("--emitDeclarationOnly")
  restoreHeaders(path.join(root, "src"), path.join(root, "dist/lib"))
  await tsc("--declaration", "false", "--removeComments")
  // The library has the packages that the program has bundled.
  for (const [module, content] of [
    ["dist/lib/provider/gemini/sdk.js", 'export { GoogleGenAI } from "../../../google-genai.js"\n'],
    ["dist/lib/process/internal/proxyAgent.js", 'export { ProxyAgent } from "../../../proxy-agent.js"\n'],
  ] as const) {
    assert.ok(fs.existsSync(path.join(root, module)), `${module} is not made any more`)
    fs.writeFileSync(path.join(root, module), content)
  }
}

const options = process.argv.slice(2)
const part = options.includes("--if-changed") ? partsOf(root) : "all"
if (!options.includes("--if-changed") || !isUpToDate(root, part)) {
  // Said before the build, whose own message names neither Node nor a way out.
  const complaint = NpmNode.complain(process.env.npm_config_user_agent)
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`)
    process.exit(1)
  }
  const begun = performance.now()
  const what = part === "all" ? "the program, its page and the library" : "the program and its page"
  // Without a line feed, so that it is one line. npm shows what `prepare` writes.
  process.stdout.write(`vibe: building ${what}, once…`)
  try {
    await build(part, options.includes("--release"))
  } catch (cause) {
    process.stdout.write("\n")
    throw cause
  }
  process.stdout.write(` done in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
}
