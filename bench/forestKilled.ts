/**
 * `node bench/forestKilled.ts [COUNT] [SEED]`: so many times kills two processes that write to one forest, at moments
 * drawn from the seed, twenty times a forest, and tells what came of it. Exits with 1 where anything that was told to
 * be kept is lost, or `vibe loom verify` of the built program finds anything.
 */
import * as path from "node:path"
import { Effect } from "effect"
import { killedAt, moments, type Outcome } from "../test/forest/killed.ts"

const [count = "200", seed = "vibe"] = process.argv.slice(2)
const bin = path.resolve(import.meta.dirname, "../dist/bin.js")
const ofOneForest = 20

const drawn = await Effect.runPromise(moments(seed, Number(count)))
const all: Array<Outcome> = []
for (let at = 0; at < drawn.length; at += ofOneForest) {
  all.push(await Effect.runPromise(killedAt(drawn.slice(at, at + ofOneForest), `${seed} ${at}`, bin)))
  process.stdout.write(".")
}

const sum = (of: (outcome: Outcome) => number): number => all.reduce((sum, outcome) => sum + of(outcome), 0)
const wrong = all.flatMap(({ broken, lost, unclean }) => [...lost, ...unclean, ...broken])
process.stdout.write(`
${sum(({ kills }) => kills)} times two writers killed (seed ${seed}), then verified
${sum(({ operations }) => operations)} operations told to be kept, with ${sum(({ nodes }) => nodes)} new nodes
${sum(({ underWay }) => underWay.kept)} operations under way were kept whole, ${sum(({ underWay }) => underWay.gone)} left nothing
lost, unclean, broken: ${wrong.length}
${wrong.map((line) => `  ${line}\n`).join("")}`)
process.exitCode = wrong.length === 0 ? 0 : 1
