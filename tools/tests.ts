/**
 * `node tools/tests.ts VERSION [FILE...]`: all tests but those of the browser, or those in some files, on another
 * Node. Fails if this is not that version. What runs in a browser does not depend on it.
 */
import { leaveCounts } from "./process.ts"
import { tests } from "./vitest.ts"

const [version, ...files] = process.argv.slice(2)
if (!`${process.version}.`.startsWith(`v${version}.`))
  throw new Error(`this is Node ${process.version}, not ${version}`)

const { failed, output, passed } = await tests(
  ["--project", "modules", "--project", "processes", "--project", "program"],
  files,
)
if (failed > 0) process.stdout.write(output)
process.stdout.write(`Node ${process.version}: ${passed} tests passed, ${failed} failed\n`)
leaveCounts({ passed, failed })
