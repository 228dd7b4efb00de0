/**
 * `node bench/killed.ts [COUNT] [SEED]`: kills so many runs of the built program at moments drawn from the seed, twenty
 * in a folder, and tells what came of it. Exits with 1 where a purpose that was reported is lost, or a command failed.
 */
import * as path from "node:path"
import { Effect } from "effect"
import { killedAt, moments, type Told } from "../test/program/killed.ts"

const [count = "200", seed = "vibe"] = process.argv.slice(2)
const bin = path.resolve(import.meta.dirname, "../dist/bin.js")
const inOneFolder = 20

const drawn = await Effect.runPromise(moments(seed, Number(count)))
const told: Array<Told> = []
for (let at = 0; at < drawn.length; at += inOneFolder) {
  told.push(await Effect.runPromise(killedAt(drawn.slice(at, at + inOneFolder), bin)))
  process.stdout.write(".")
}

const runs = told.flatMap(({ runs }) => runs)
const when = Object.entries(Object.groupBy(runs, ({ reached }) => reached)).map(
  ([reached, of = []]) => `${of.length} had reached ${reached}`,
)
const wrong = told.flatMap(({ broken, leftOver, lost }) => [...lost, ...leftOver, ...broken])
const reported = told.reduce((sum, { reported }) => sum + reported, 0)
process.stdout.write(`
${runs.length} runs killed (seed ${seed}): ${when.join(", ")}
${reported} purposes reported as kept; lost, left over, broken: ${wrong.length}
${wrong.map((line) => `  ${line}\n`).join("")}`)
process.exitCode = wrong.length === 0 ? 0 : 1
