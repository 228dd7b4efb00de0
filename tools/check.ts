/** `npm run check`: all that must hold before a change is kept, one line a step. Exits with 1 if any step failed. */
import * as path from "node:path"
import { conformance } from "./conformance.ts"
import { embeds } from "./embeds.ts"
import { examples } from "./examples.ts"
import { installs } from "./installs.ts"
import { killCluster } from "./killedCluster.ts"
import { packs } from "./packs.ts"
import { type Counts, leaveCounts, root, run } from "./process.ts"
import { runs } from "./runs.ts"
import { tests } from "./vitest.ts"

/** A step throws, with what there is to say, or returns how many tests it stands for. */
type Step = readonly [name: string, check: () => Promise<Counts | undefined>]

const bin = (name: string) => path.join(root, "node_modules/.bin", name)

const once = (check: () => Promise<unknown>) => async () => {
  await check()
  return undefined
}

const steps: ReadonlyArray<Step> = [
  ["format and lint", once(() => run(bin("biome"), ["check", "--error-on-warnings", "."]))],
  ["types", once(() => run(bin("tsc"), []))],
  ["types of the page", once(() => run(bin("tsc"), ["--project", "src/page"]))],
  ["types of its tests in a browser", once(() => run(bin("tsc"), ["--project", "test/page"]))],
  [
    "tests, with floors",
    async () => {
      const { failed, output, passed } = await tests(["--mode", "thorough"])
      if (failed > 0) process.stdout.write(output)
      return { passed, failed }
    },
  ],
  ["build, as it is published", once(() => run("npm", ["run", "prepack"]))],
  ["the built program runs", once(runs)],
  ["the package holds what it should", once(packs)],
  ["the package installs and runs", () => installs()],
  ["vibe mcp speaks the protocol", once(() => conformance())],
  ["a cluster that is killed ten times loses nothing", () => killCluster()],
  ["the examples run", once(examples)],
  ["another program embeds it", once(embeds)],
]

const total = { passed: 0, failed: 0 }
for (const [name, check] of steps) {
  const begun = performance.now()
  const counts = await check().catch((error: unknown) => {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return { passed: 0, failed: 1 }
  })
  const { failed, passed } = counts ?? { passed: 1, failed: 0 }
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const tally = counts === undefined ? "" : ` (${passed} passed, ${failed} failed)`
  process.stdout.write(`${failed === 0 ? "ok  " : "FAIL"} ${seconds.padStart(6)} s  ${name}${tally}\n`)
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
leaveCounts(total)
