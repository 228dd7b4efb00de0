/**
 * What our adapters cost beside the bare SDKs: CPU of a streamed token and of a turn, what they load, and what stays in
 * memory. Both arms run in fresh processes, in turns, against one server in this process: its CPU does not count. Each
 * figure is the least of the rounds of a process: other work on the machine only ever adds to it.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "rolldown"
import type { Row } from "./run.ts"
import * as Wires from "./Wires.ts"

export const title =
  "What an adapter costs beside its SDK alone, in CPU (the least of the rounds of each process), time to load and memory"

const dist = path.resolve(import.meta.dirname, "../dist")

/** Processes of each arm: one that collects garbage at a bad moment takes a quarter more. */
const times = 7

const most = 1.3

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  const server = await Wires.serve()
  try {
    fs.symlinkSync(path.resolve(import.meta.dirname, "../node_modules"), path.join(folder, "node_modules"))
    await bundle(folder)
    const rows: Array<Row> = []
    for (const name of Wires.names) rows.push(...(await costs(folder, server, name)))
    for (const name of Wires.names) rows.push(await memory(folder, server, name))
    return [...rows, ...loads(folder)]
  } finally {
    server.close()
    fs.rmSync(folder, { recursive: true })
  }
}

/** As the program is bundled, and with the SDKs outside as there. */
const bundle = (folder: string) =>
  build({
    input: path.join(import.meta.dirname, "arms", "provider.ts"),
    platform: "node",
    external: [/^@google\/genai/, /^@anthropic-ai\/sdk/, /^openai/, /^ollama/, "@cfworker/json-schema"],
    logLevel: "warn",
    output: { dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs", minify: true },
  })

interface Measured {
  readonly what: string
  readonly unit: string
  /** Of an answer. */
  readonly tokens: number
  readonly pace: Wires.Pace
  /** Answers before the first round, rounds, answers of each. */
  readonly asked: readonly [warm: number, rounds: number, times: number]
  /** What of an answer is counted. */
  readonly per: number
}

const measured: ReadonlyArray<Measured> = [
  {
    what: "5,000 tokens at once",
    unit: "µs CPU a token",
    tokens: 5000,
    pace: "at once",
    asked: [10, 12, 1],
    per: 5000,
  },
  {
    what: "5,000 tokens one by one",
    unit: "µs CPU a token",
    tokens: 5000,
    pace: "one by one",
    asked: [10, 12, 1],
    per: 5000,
  },
  { what: "a turn of 5 tokens", unit: "µs CPU", tokens: 5, pace: "at once", asked: [500, 12, 100], per: 1 },
  // As people have them: some sentences, which come as they are said.
  { what: "a turn of 100 tokens", unit: "µs CPU", tokens: 100, pace: "one by one", asked: [200, 12, 30], per: 1 },
]

const costs = async (folder: string, server: Wires.Server, name: Wires.Name): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const { asked, pace, per, tokens, unit, what } of measured) {
    const [sdk, vibe]: readonly [Array<number>, Array<number>] = [[], []]
    for (let time = 0; time < times; time++) {
      for (const [arm, values] of [["sdk", sdk] as const, ["vibe", vibe] as const]) {
        const figures = await ask(folder, [], [arm, name, server.url(tokens, pace), tokens, ...asked])
        values.push(Math.min(...figures) / per)
      }
    }
    const bare = `${name}, ${what}: the SDK`
    rows.push(
      { what: bare, values: sdk, unit },
      { what: `${name}, ${what}: vibe`, values: vibe, unit, wanted: { times: most, of: bare } },
    )
  }
  return rows
}

/**
 * By how much the heap grows from turn 1,000 to turn 10,000 of a conversation that does not: from the least of its
 * first half to the least of its second, since what V8 keeps for later comes and goes by a megabyte.
 */
const memory = async (folder: string, server: Wires.Server, name: Wires.Name): Promise<Row> => {
  const args = ["vibe", name, server.url(5, "at once"), 5, 0, 10, 1000, "memory"]
  const heaps = await ask(folder, ["--expose-gc"], args)
  return {
    what: `${name}, turns 1,000 to 10,000: the heap grows by`,
    values: [(Math.min(...heaps.slice(5)) - Math.min(...heaps.slice(0, 5))) / 2 ** 20],
    unit: "MB",
    wanted: { most: 1 },
  }
}

/** What a process of `arms/provider.ts` has measured. */
const ask = async (
  folder: string,
  options: ReadonlyArray<string>,
  args: ReadonlyArray<string | number>,
): Promise<ReadonlyArray<number>> => {
  const child = spawn(process.execPath, [...options, path.join(folder, "provider.mjs"), ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const chunks = await child.stdout.toArray()
  if (child.exitCode === null) await once(child, "exit")
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")}: exit ${child.exitCode}`)
  return JSON.parse(chunks.join(""))
}

/** The chunk of each adapter, the SDK of its provider, and whether the adapter loads that. */
const modules: Readonly<Record<Wires.Name, readonly [chunk: string, sdk: string, isLoaded?: true]>> = {
  Gemini: ["Gemini", "@google/genai", true],
  Anthropic: ["Anthropic", "@anthropic-ai/sdk"],
  "OpenAI chat": ["OpenAiCompatible", "openai"],
  "OpenAI Responses": ["OpenAiResponses", "openai"],
  Ollama: ["Ollama", "ollama/browser"],
}

const loading = 15

/** Each in a fresh process, its code cached as the program's is: in the program, and the SDK alone. */
const loads = (folder: string): ReadonlyArray<Row> => {
  // What any program that asks a model has loaded before.
  const program = [built("main"), built("conversing")]
  const scripts = Wires.names.flatMap((name) => {
    const [chunk, sdk, isLoaded = false] = modules[name]
    return [
      { what: `${name}: the SDK loaded alone`, script: timed([sdk], []) },
      {
        what: `${name}: adapter loaded in the program`,
        script: timed([built(chunk), ...(isLoaded ? [sdk] : [])], program),
      },
    ]
  })
  const files = scripts.map(({ script }, at) => {
    const file = path.join(folder, `load-${at}.mjs`)
    fs.writeFileSync(file, script)
    return file
  })
  const load = (file: string): number => {
    const { stderr, stdout } = spawnSync(process.execPath, [file], { encoding: "utf8" })
    if (stdout === "") throw new Error(stderr)
    return Number(stdout)
  }
  // Once each to fill the cache.
  for (const file of files) load(file)
  const values = files.map((): Array<number> => [])
  for (let round = 0; round < loading; round++) {
    files.forEach((file, at) => {
      values[at]?.push(load(file))
    })
  }
  return scripts.map(({ what }, at) => ({ what, values: values[at] ?? [] }))
}

const built = (name: string): string => {
  const chunk = fs.readdirSync(path.join(dist, "chunks")).find((file) => file.startsWith(`${name}-`))
  if (chunk === undefined) throw new Error(`there is no ${name} in dist: npm run prepack`)
  return pathToFileURL(path.join(dist, "chunks", chunk)).href
}

/** A program that prints how many milliseconds it takes to load these, once it has those. */
const timed = (these: ReadonlyArray<string>, those: ReadonlyArray<string>): string => {
  const load = (modules: ReadonlyArray<string>) =>
    modules.map((module) => `await import(${JSON.stringify(module)})`).join("\n")
  return `import module from "node:module"
module.enableCompileCache(import.meta.dirname + "/cache")
${load(those)}
const begun = performance.now()
${load(these)}
console.log(performance.now() - begun)
process.exit()
`
}
