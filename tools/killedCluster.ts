/**
 * `vibe index --cluster` with two workers and a Postgres, of which one is killed ten times: no answer is lost, no
 * batch is repeated but those under way, and the totals are exact.
 * `node tools/killedCluster.ts [BATCHES] [KILLS]` prints what was seen.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Postgres from "../test/utils/Postgres.ts"
import { type Counts, inFolder, root, run } from "./process.ts"

const bin = path.join(root, "dist/bin.js")

const BATCHES = 1000
const KILLS = 10

/** Of each worker, so that there are at most twice as many requests under way. */
const PARALLEL = 4

const prices = { input: 0.3, output: 2.5 }

/** A batch has one symbol, since the model is said to write no more. Half of one is enough for most of the commands. */
const config = `[models."google/gemini-2.5-flash"]\noutput = 60\nprices = { input = ${prices.input}, output = ${prices.output} }\n`

/** Words that no rule of purposes takes for an echo of the name. */
const wordOf = (at: number) =>
  Array.from(String(at), (digit) => `${"bdfgklmprz".charAt(Number(digit))}${"aeiou".charAt(Number(digit) % 5)}`).join(
    "",
  )

const filesOf = (symbols: number): Readonly<Record<string, string>> => ({
  "config/vibe/config.toml": config,
  ...Object.fromEntries(
    Array.from({ length: Math.ceil(symbols / 20) }, (_, file) => [
      `project/src/file${file}.ts`,
      Array.from({ length: Math.min(20, symbols - 20 * file) }, (_, at) => {
        const number = 20 * file + at
        // With one name for the value the functions of a file were a family, of which one alone is asked for.
        const value = wordOf(number)
        return `export function step${number}(input: number): number {\n  const ${value} = 2 * input + ${number}\n  return ${value} % 7\n}\n`
      }).join("\n"),
    ]),
  ),
})

interface Model {
  readonly url: string
  /** Requests for batches, and those whose client had gone before the answer. */
  readonly asked: () => number
  readonly abandoned: () => number
  readonly end: () => Promise<void>
}

/** A server that speaks Gemini's wire: it explains the one symbol of a batch, after a time. */
const serveModel = async (delay: number): Promise<Model> => {
  let asked = 0
  let abandoned = 0
  const server = http.createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString("utf8")
    const [, number] = /function step(\d+)/.exec(text) ?? []
    const isBatch = text.includes("What follows is source of this project")
    if (isBatch) asked++
    await sleep(delay)
    if (response.destroyed && isBatch) abandoned++
    const word = wordOf(Number(number))
    const purposes = [`1: Lets the ${word} guild weigh cargo before harbour ${word} closes. When may ${word} sail?`]
    const parts = isBatch
      ? [{ functionCall: { name: "create_index_entry", args: { entries: [{ purposes }] } } }]
      : [{ text: "Steps, one after the other." }]
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      modelVersion: "gemini-2.5-flash",
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 40, totalTokenCount: 1040 },
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(`data: ${JSON.stringify(answer)}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    abandoned: () => abandoned,
    end: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGKILL")
  await gone
}

const check = (isRight: boolean, what: string) => {
  if (!isRight) throw new Error(what)
}

export interface Measured {
  /** From the first batch that begins to the last that is answered. */
  readonly seconds: number
  /** Of the database, in all. */
  readonly transactions: number
  /** Its processor time. */
  readonly databaseSeconds: number
}

/** Milliseconds in which the model answers. */
export const LATENCY = 60

/** Throws where something was lost, or counted twice. */
export const killCluster = async (
  batches = BATCHES,
  kills = KILLS,
  onMeasured?: (measured: Measured) => void,
): Promise<Counts | undefined> => {
  if (Postgres.programs === undefined) {
    process.stdout.write("skipped: no Postgres is installed, so that no cluster is killed\n")
    return { passed: 0, failed: 0 }
  }
  const postgres = await Postgres.start()
  const model = await serveModel(LATENCY)
  try {
    return await inFolder(filesOf(batches), async (folder) => {
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_CONFIG_HOME: path.join(folder, "config"),
        VIBE_CLUSTER_URL: postgres.url,
        GOOGLE_API_KEY: "a-key-of-nobody",
        GOOGLE_GEMINI_BASE_URL: model.url,
      }
      const program = (...args: ReadonlyArray<string>) =>
        spawn(process.execPath, [bin, ...args], { cwd: path.join(folder, "project"), env, stdio: "ignore" })
      const startWorker = () => program("worker", "--parallel", String(PARALLEL))
      const startRun = () => program("index", ".", "--cluster", "--model", "google/gemini-2.5-flash")
      const children = { one: startWorker(), other: startWorker(), starter: startRun() }
      try {
        const began = performance.now()
        const answered = () => {
          const isThere = postgres.psql("select to_regclass('vibe_batches')") !== ""
          return isThere ? Number(postgres.psql("select count(*) from vibe_batches where state = 'answered'")) : 0
        }
        const awaitAnswers = async (count: number) => {
          for (let before = -1, since = performance.now(); ; await sleep(200)) {
            const now = answered()
            if (now >= count) return
            if (now !== before) since = performance.now()
            before = now
            check(
              performance.now() - since < 120_000,
              `no batch was answered for two minutes, after ${now} of ${batches}`,
            )
          }
        }
        const victims = ["one", "other", "starter", "connections"] as const
        for (let at = 0; at < kills; at++) {
          await awaitAnswers(Math.floor(((at + 0.5) * batches) / kills))
          const victim = victims[at % victims.length] ?? "one"
          if (victim === "connections") {
            postgres.psql(
              "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
            )
          } else {
            await kill(children[victim])
            children[victim] = victim === "starter" ? startRun() : startWorker()
          }
        }
        await awaitAnswers(batches)
        if (onMeasured !== undefined) {
          const [seconds = 0, transactions = 0] = postgres
            .psql(
              `select extract(epoch from max(ended_at) - min(begun_at)),
              (select sum(xact_commit) from pg_stat_database where datname = current_database()) from vibe_batches`,
            )
            .split("|")
            .map(Number)
          onMeasured({ seconds, transactions, databaseSeconds: postgres.cpuSeconds() })
        }
        if (children.starter.exitCode === null) {
          await Promise.race([
            new Promise((resolve) => children.starter.once("exit", resolve)),
            sleep(120_000, undefined, { ref: false }),
          ])
        }
        const seconds = Math.round((performance.now() - began) / 1000)
        check(children.starter.exitCode === 0, `vibe index --cluster ended with ${children.starter.exitCode}`)
        const status = JSON.parse(
          await run(process.execPath, [bin, "status", "--json"], { cwd: path.join(folder, "project"), env }),
        )
        const [spent = 0, repeated = 0, runs = 0] = postgres
          .psql("select sum(spent), sum(repeated), count(*) from vibe_runs")
          .split("|")
          .map(Number)
        const again = model.asked() - batches
        process.stdout.write(
          `${batches} batches, ${kills} times killed: ${seconds} s, ${again} requests again, ${repeated} answers stored twice, $${spent.toFixed(4)} in ${runs} run(s)\n`,
        )
        check(status.purposes.model === batches, `${status.purposes.model} purposes are stored of ${batches}`)
        // Of the ten, five end a worker with all that it has under way; a lost connection ends nothing.
        check(again <= kills * PARALLEL, `${again} requests were sent again`)
        const price = (1000 * prices.input + 40 * prices.output) / 1_000_000
        // Of the map, for which the starter asks itself, one more.
        const paid = Math.round(spent / price) - 1
        check(Math.abs(spent - (paid + 1) * price) < 1e-6 && paid >= batches, `$${spent} is not the price of answers`)
        check(paid === batches + repeated, `${paid} answers were paid for, and ${batches} + ${repeated} stored`)
        return undefined
      } finally {
        for (const child of Object.values(children)) await kill(child)
      }
    })
  } finally {
    await model.end()
    await postgres.end()
  }
}

if (process.argv[1] === import.meta.filename) {
  const [batches, kills] = process.argv.slice(2).map(Number)
  await killCluster(batches, kills)
}
