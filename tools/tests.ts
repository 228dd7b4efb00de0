/** `node tools/tests.ts VERSION [FILE...]`: all tests, or those in some files, on another Node. Fails if this is not that version. */
import { leaveCounts } from "./process.ts"
import { tests } from "./vitest.ts"

const [version, ...files] = process.argv.slice(2)
if (!`${process.version}.`.startsWith(`v${version}.`))
  throw new Error(`this is Node ${process.version}, not ${version}`)

const { failed, output, passed } = await tests(files)
if (failed > 0) process.stdout.write(output)
process.stdout.write(`Node ${process.version}: ${passed} tests passed, ${failed} failed\n`)
leaveCounts({ passed, failed })
