/** The tests, on the Node that runs this. */
import * as fs from "node:fs"
import * as path from "node:path"
import { attempt, type Counts, inFolder, root } from "./process.ts"

/** How many passed and failed, and what vitest said. `args`: which tests, by default all. */
export const tests = (args: ReadonlyArray<string> = []): Promise<Counts & { readonly output: string }> =>
  inFolder({}, async (folder) => {
    const file = path.join(folder, "tests.json")
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs")
    const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`]
    const { code, stderr, stdout } = await attempt(process.execPath, [vitest, "run", ...reporters, ...args])
    const { numFailedTests = 0, numPassedTests = 0 } = fs.existsSync(file)
      ? JSON.parse(fs.readFileSync(file, "utf8"))
      : {}
    // A file that does not load has no tests to fail.
    const failed = code === 0 ? 0 : Math.max(1, numFailedTests)
    return { passed: numPassedTests, failed, output: stdout + stderr }
  })
