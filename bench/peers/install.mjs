// Installs every peer into its own folder, so that each one's size on disk is its own.
// node install.mjs [name-part ...]
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { peersRoot, tree } from "./lib/peers.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const all = JSON.parse(readFileSync(join(here, "peers.json"), "utf8"))
// npm does not come to an end over the LangChain peer ranges without it; @effect/ai-google 0.15 still names @effect/ai ^0.36 as its peer; it runs with 0.37
const legacy = ["--legacy-peer-deps"]
const flags = { "loop/effect-ai": legacy, "loop/langgraph": legacy, "tree/langgraph-sqlite": legacy }
const only = process.argv.slice(2)
for (const [name, { overrides, ...dependencies }] of Object.entries(all)) {
  if (only.length > 0 && !only.some((o) => name.includes(o))) continue
  const dir = join(peersRoot, name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    join(dir, "package.json"),
    `${JSON.stringify({ name: "peer", private: true, type: "module", dependencies, overrides }, null, 1)}\n`,
  )
  const started = Date.now()
  const r = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", ...(flags[name] ?? [])],
    {
      cwd: dir,
      encoding: "utf8",
    },
  )
  const size = tree(join(dir, "node_modules"))
  const row = { name, ok: r.status === 0, seconds: (Date.now() - started) / 1000, ...size }
  if (r.status !== 0) row.error = (r.stderr || "").split("\n").slice(0, 6).join(" | ").slice(0, 600)
  console.log(JSON.stringify(row))
  writeFileSync(join(dir, "install.json"), `${JSON.stringify(row)}\n`)
}
