// Runs the loop bench: every arm in a fresh process against the fake server, repetitions interleaved.
//   node loop/run.mjs [--arms a,b] [--reps 3] [--out FILE.jsonl] [--configs turns:calls:mode:chunks,...]
//   node loop/run.mjs --verify --reps 1 --configs 12:8:o:1,12:8:s:5   does every request carry the whole history?
// BENCH_NODE names the Node binary for the clients; BENCH_PEERS the folder of installed peers.
import { execFile, spawn } from "node:child_process"
import { appendFileSync, readdirSync } from "node:fs"
import { loadavg } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const flag = (name, fallback) => {
  const i = process.argv.indexOf(`--${name}`)
  return i < 0 ? fallback : process.argv[i + 1]
}
const node = process.env.BENCH_NODE ?? process.execPath

const arms =
  flag("arms")?.split(",") ??
  readdirSync(join(here, "arms"))
    .map((f) => f.replace(/\.mjs$/, ""))
    .sort()
const reps = Number(flag("reps", 3))
const out = flag("out", join(process.cwd(), "loop.jsonl"))
const verify = process.argv.includes("--verify")
const result = Number(flag("result", 256))
const configs = flag("configs", "200:1:o:1,50:1:o:1,200:8:o:1,200:1:s:1,0:1:s:5000,800:1:o:1")
  .split(",")
  .map((c) => c.split(":"))
  .map(([turns, calls, mode, chunks]) => ({ turns: +turns, calls: +calls, stream: mode === "s", chunks: +chunks }))
const metas = {}
for (const arm of arms) metas[arm] = (await import(`./arms/${arm}.mjs`)).meta

const server = spawn(node, [join(here, "server.mjs"), "0"], { stdio: ["ignore", "pipe", "inherit"] })
const { port } = await new Promise((ok) => server.stdout.once("data", (d) => ok(JSON.parse(d))))
const base = `http://127.0.0.1:${port}`
const rows = []
let n = 0
const one = (o) =>
  new Promise((ok) => {
    execFile(
      node,
      [join(here, "client.mjs"), JSON.stringify(o)],
      { timeout: 120_000, maxBuffer: 1 << 26 },
      (e, stdout) => {
        try {
          ok(JSON.parse(stdout.trim().split("\n").at(-1)))
        } catch {
          ok({ ...o, error: e ? `${e.killed ? "timed out" : e.message}`.slice(0, 300) : "no answer" })
        }
      },
    )
  })
for (const c of configs)
  for (let rep = 0; rep < (c.turns >= 800 ? Math.min(reps, 2) : reps); rep++)
    for (const arm of arms) {
      const stream = metas[arm].always === "stream" ? true : c.stream
      if (
        c.stream !== stream &&
        configs.some((d) => d.stream && d.turns === c.turns && d.calls === c.calls && d.chunks === c.chunks)
      )
        continue
      const id = `b${n++}`
      const row = await one({ arm, ...c, stream, result, base, id, verify })
      const stats = await (await fetch(`${base}/stats/${id}`)).json()
      row.sent = stats.bytes
      if (stats.errors?.length) row.error ??= stats.errors.join("; ")
      row.load = loadavg()[0]
      rows.push(row)
      appendFileSync(out, `${JSON.stringify(row)}\n`)
    }
server.kill()
