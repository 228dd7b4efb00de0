// One measured run of one arm in a fresh process: node loop/client.mjs '{"arm":...}'

import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { pathToFileURL } from "node:url"
import { benchRoot, importer } from "../lib/peers.mjs"

const o = JSON.parse(process.argv[2])
const { arm, turns, calls = 1, chunks = 1, stream = false, result = 256, base, id, verify = false } = o
const cpu = () => {
  const c = process.cpuUsage()
  return (c.user + c.system) / 1000
}
const rss = () => Math.round(process.memoryUsage().rss / 1024)
const filler = "result line of the tool. ".repeat(Math.ceil(result / 25)).slice(0, result)

const mod = await import(pathToFileURL(join(benchRoot, "loop", "arms", `${arm}.mjs`)).href)
const t0 = performance.now()
const c0 = cpu()
const lib = await mod.load({ from: importer })
const importMs = performance.now() - t0
const importCpu = cpu() - c0
const importRss = rss()

const marks = new Float64Array(turns + 2)
const walls = new Float64Array(turns + 2)
let called = 0
/** The tool every arm must call: trivial, in process, and it dates each turn. */
const tool = (args) => {
  if (called % calls === 0) {
    marks[called / calls] = cpu()
    walls[called / calls] = performance.now()
  }
  called++
  return `${args.path}:${args.line} ${filler}`
}
const url = `${base}/${id}~${turns}~${calls}~${chunks}~${stream ? "s" : "o"}${verify ? "v" : ""}`
let chunksSeen = 0
const c1 = cpu()
const w1 = performance.now()
let out
let error
try {
  out = await mod.run({
    lib,
    url,
    turns,
    calls,
    stream,
    tool,
    onText: () => {
      chunksSeen++
    },
  })
} catch (e) {
  error = `${e?.stack ?? e}`.slice(0, 1500)
}
const w2 = performance.now()
const c2 = cpu()
// CPU per turn around a given turn, from the dates kept by the tool
const around = (t, half) => {
  const a = Math.max(0, t - half)
  const b = Math.min(turns - 1, t + half)
  return b > a ? (marks[b] - marks[a]) / (b - a) : Number.NaN
}
const text = typeof out === "string" ? out : out?.text
if (!error && called !== turns * calls) error = `tool called ${called} times, expected ${turns * calls}`
if (!error && !String(text).startsWith("All turns are done.")) error = `final text: ${String(text).slice(0, 80)}`
console.log(
  JSON.stringify({
    arm,
    turns,
    calls,
    stream,
    chunks,
    result,
    importMs,
    importCpu,
    importRss,
    cpu: c2 - c1,
    wall: w2 - w1,
    cpuTurn: (c2 - c1) / (turns + 1),
    wallTurn: (w2 - w1) / (turns + 1),
    first: marks[0] - c1,
    at: Object.fromEntries(
      [25, 50, 100, 200, 400, 600, 780].filter((t) => t < turns).map((t) => [t, around(t, t < 100 ? 15 : 20)]),
    ),
    chunksSeen,
    lastStep: c2 - marks[turns - 1],
    peakRss: process.resourceUsage().maxRSS,
    endRss: rss(),
    node: process.version,
    ...(error ? { error } : {}),
  }),
)
process.exit(0)
