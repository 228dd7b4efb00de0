/** What `vibe chat` costs a person in a terminal: the first prompt, going on, an answer that streams, a long talk. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Forest from "../src/forest/Forest.ts"
import * as Sqlite from "../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../src/forest/Node.ts"
import * as Block from "../src/message/Block.ts"
import * as Ids from "../src/message/Ids.ts"
import * as Message from "../src/message/Message.ts"
import type { Row } from "./run.ts"
import * as Terminal from "./Terminal.ts"
import * as Wires from "./Wires.ts"

export const title = "What vibe chat costs in a terminal: to start, to go on, to show an answer, to talk for long"

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

const rounds = 11

/** Tokens of the answer that streams. */
const tokens = 20_000

/** Stands where the person is to write. */
const prompt = "/ commands"

/** Stands in what is said of an answer that is there. */
const answered = " → "

export const run = async (): Promise<ReadonlyArray<Row>> => {
  if (!Terminal.isAvailable) return []
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  const server = await Wires.serve()
  try {
    fs.writeFileSync(path.join(cwd, "node.mjs"), `console.log(${JSON.stringify(prompt)})\n`)
    for (const size of [10, 10_000, 100_000]) await grow(path.join(cwd, `${size}.db`), size)
    const env = { GOOGLE_API_KEY: "bench", GOOGLE_GEMINI_BASE_URL: server.url(5, "at once"), HOME: cwd }
    return [
      ...(await prompts(cwd, env)),
      ...(await streaming(cwd, { ...env, GOOGLE_GEMINI_BASE_URL: server.url(tokens, "one by one") })),
      ...(await memory(cwd, env)),
    ]
  } finally {
    server.close()
    fs.rmSync(cwd, { recursive: true })
  }
}

type Env = Readonly<Record<string, string>>

const chat = (forest: string, ...more: ReadonlyArray<string>) => [bin, "chat", "--forest", forest, ...more]

const prompts = async (cwd: string, env: Env): Promise<ReadonlyArray<Row>> => {
  const floor = "an empty Node that prints a line"
  const small = "vibe chat --resume, 10 messages"
  const arms: ReadonlyArray<Pick<Row, "what" | "wanted"> & { readonly args: ReadonlyArray<string> }> = [
    { what: floor, args: ["node.mjs"] },
    { what: "vibe chat, first prompt", args: chat("new.db"), wanted: { times: 8, of: floor } },
    { what: small, args: chat("10.db", "--resume") },
    {
      what: "vibe chat --resume, 100,000 messages",
      args: chat("100000.db", "--resume"),
      wanted: { times: 1.2, of: small },
    },
  ]
  const taken = arms.map((): Array<number> => [])
  for (let round = -1; round < rounds; round++) {
    for (const [at, { args }] of arms.entries()) {
      const terminal = await Terminal.open(args, { cwd, env })
      const ms = await terminal.shown(prompt)
      await terminal.close()
      // The first round warms up: the compile cache, and what the system keeps of files.
      if (round >= 0) taken[at]?.push(ms)
    }
  }
  return arms.map(({ what, wanted }, at) => ({ what, values: taken[at] ?? [], wanted }))
}

const streaming = async (cwd: string, env: Env): Promise<ReadonlyArray<Row>> => {
  const values: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const terminal = await Terminal.open(chat("new.db"), { cwd, env })
    await terminal.shown(prompt)
    const before = terminal.cpu()
    terminal.type("go\r")
    await terminal.shown(answered)
    values.push((terminal.cpu() - before) / tokens)
    await terminal.close()
  }
  const what = `CPU per streamed token, ${tokens.toLocaleString("en")} tokens, drawn`
  return [{ what, values, wanted: { most: 0.2 } }]
}

const memory = async (cwd: string, env: Env): Promise<ReadonlyArray<Row>> => {
  const terminal = await Terminal.open(chat("10000.db", "--resume"), { cwd, env })
  await terminal.shown(prompt)
  const said = async (count: number) => {
    for (let n = 0; n < count; n++) {
      terminal.type(`message ${n}\r`)
      await terminal.shown(answered)
    }
    return [terminal.peak()]
  }
  const unit = "MB"
  const rows: ReadonlyArray<Row> = [
    { what: "memory, a talk of 10,000 messages goes on", values: await said(5), unit, wanted: { most: 150 } },
    { what: "memory, 1,000 messages more without a pause", values: await said(500), unit },
  ]
  await terminal.close()
  return rows
}

/** A conversation in one line. */
const grow = (file: string, size: number): Promise<void> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.root({ owner: "chat", systemPrompt: "" })
    let last = id
    for (let done = 0; done < size; done += 1_000) {
      const drafts = Array.from({ length: Math.min(1_000, size - done) }, (_, n) => said(done + n))
      last = (yield* forest.append(last, drafts)).at(-1)?.id ?? last
    }
  }).pipe(Effect.provide(Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer]))), Effect.runPromise)

const words = "Lorem ipsum dolor sit amet. ".repeat(10)

const said = (n: number): Draft => ({
  message: n % 2 === 0 ? Message.user(`${n} ${words}`) : { role: "assistant", content: [Block.text(`${n} ${words}`)] },
  source: { type: "user" },
})
