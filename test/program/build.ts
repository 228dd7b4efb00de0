/** Builds the program once for all tests that run it: from its source each start would take three times as long. */
import { execFileSync } from "node:child_process"
import * as path from "node:path"

const root = path.resolve(import.meta.dirname, "../..")

/** Beside the folder that is shipped, which tests leave alone. */
export default (): void => {
  // Another project of the same run has built it.
  if (process.env.VIBE_BUILT_BY === String(process.pid)) return
  const rolldown = path.join(root, "node_modules/rolldown/bin/cli.mjs")
  execFileSync(process.execPath, [rolldown, "--config", "--logLevel", "warn"], {
    cwd: root,
    env: { ...process.env, VIBE_BUILD: "built" },
  })
  process.env.VIBE_BUILT_BY = String(process.pid)
}
