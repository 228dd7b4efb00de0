/** The tests, on the Node that runs this. */
import * as fs from "node:fs"
import * as path from "node:path"
import { attempt, type Counts, inFolder, root } from "./process.ts"

interface Outcome extends Counts {
  /** What vitest said. */
  readonly output: string
  /** The files with a test that failed. */
  readonly failing: ReadonlyArray<string>
  /** True if a signal ended the whole process. */
  readonly isKilled: boolean
}

/** More than these are no accident. */
const MAX_UNSTEADY_FILES = 2

/**
 * Returns how many passed and failed, and what vitest said. `files` are those with the tests to run, by default all;
 * `options` are vitest's own. If one or two files of hundreds fail they are run once more, alone: processes and
 * browsers share two cores with everything else. What passes then counts as passed, and is printed as unsteady, with
 * its failure: it has mostly been a defect, and is to be mended. All are run once more if a signal ended the process:
 * V8 stops at a check of its own, seldom, while several threads compile WebAssembly
 * (https://github.com/nodejs/node/issues/64500).
 */
export const tests = async (
  options: ReadonlyArray<string> = [],
  files: ReadonlyArray<string> = [],
): Promise<Outcome> => {
  const attempted = await runOnce([...options, ...files])
  if (attempted.isKilled) process.stdout.write(`${attempted.output}\na signal ended the tests: once more\n`)
  const first = attempted.isKilled ? await runOnce([...options, ...files]) : attempted
  const isFew = first.failing.length > 0 && first.failing.length <= MAX_UNSTEADY_FILES
  if (first.failed === 0 || !isFew) return first
  const again = await runOnce([...options, ...first.failing])
  if (again.failed > 0) return { ...first, output: first.output + again.output }
  process.stdout.write(`${first.output}\nunsteady, passed alone: ${first.failing.join(" ")}\n`)
  return { ...first, passed: first.passed + first.failed, failed: 0 }
}

const runOnce = (args: ReadonlyArray<string>): Promise<Outcome> =>
  inFolder({}, async (folder) => {
    const file = path.join(folder, "tests.json")
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs")
    const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`]
    const { code, stderr, stdout } = await attempt(process.execPath, [vitest, "run", ...reporters, ...args])
    const {
      numFailedTests = 0,
      numPassedTests = 0,
      testResults = [],
    }: Report = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {}
    // A file that does not load has no tests to fail.
    const failed = code === 0 ? 0 : Math.max(1, numFailedTests)
    const failing = testResults.flatMap(({ name, status }) => (status === "failed" ? [path.relative(root, name)] : []))
    return { passed: numPassedTests, failed, output: stdout + stderr, failing, isKilled: code === null }
  })

/** Of vitest, as far as it is read here. */
interface Report {
  readonly numFailedTests?: number
  readonly numPassedTests?: number
  readonly testResults?: ReadonlyArray<{ readonly name: string; readonly status: string }>
}
