/**
 * Runs the executable as on a machine without Node: `node tools/sea/smoke.ts FILE`. PATH has an empty folder, the home
 * is new, and the model is a server of this process. Prints a line for each command, then how long starts take beside
 * the package on this Node, if it is built.
 */
import * as assert from "node:assert/strict"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { attempt, inFolder, root } from "../process.ts"

const project = {
  "project/greet.ts": "/** Says hello to a person by name. */\nexport const greet = (name: string) => name\n",
  "project/tool.py": 'def shout(text):\n    """Makes a text loud."""\n    return text.upper()\n',
  "empty/none": "",
  "home/none": "",
}

/** How often a start is measured: the median counts. */
const STARTS = 7

/** A model of OpenAI's API that answers everything with one sentence. */
const answering = async <A>(text: string, use: (address: string) => Promise<A>): Promise<A> => {
  const chunk = (delta: object, extra: object = {}) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "smoke", choices: [{ index: 0, delta, finish_reason: null, ...extra }] })}\n\n`
  const server = http.createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.method !== "POST") return response.setHeader("content-type", "application/json").end('{"data":[]}')
      response.setHeader("content-type", "text/event-stream")
      response.end(
        `${chunk({ role: "assistant", content: text })}${chunk({}, { finish_reason: "stop" })}data: [DONE]\n\n`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    // Of a server on a port the address is an object.
    const { port } = server.address() as AddressInfo
    return await use(`http://127.0.0.1:${port}/v1`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A conversation with `vibe mcp`: each request is sent once the one before is answered. */
const speakMcp = (
  file: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  requests: ReadonlyArray<object>,
): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, ["mcp"], { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
    const answers: Array<string> = []
    let rest = ""
    const sendNext = () => {
      const request = requests[answers.length]
      if (request === undefined) child.stdin.end()
      else child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: answers.length, ...request })}\n`)
    }
    child.stdout.setEncoding("utf8").on("data", (data: string) => {
      const lines = (rest + data).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        // Notifications have no id.
        if (!("id" in JSON.parse(line))) continue
        answers.push(line)
        sendNext()
      }
    })
    child.on("error", reject)
    child.on("close", (code) => (code === 0 ? resolve(answers) : reject(new Error(`vibe mcp: exit ${code}`))))
    sendNext()
  })

const line = (text: string) => process.stdout.write(`${text}\n`)

const smoke = (file: string): Promise<void> =>
  inFolder(project, async (folder) => {
    const cwd = path.join(folder, "project")
    const home = path.join(folder, "home")
    const env: NodeJS.ProcessEnv = {
      PATH: path.join(folder, "empty"),
      HOME: home,
      USERPROFILE: home,
      LOCALAPPDATA: path.join(home, "local"),
      // Windows starts no program without them, and its temporary folder is named by TEMP.
      ...(process.platform === "win32" ? { SystemRoot: process.env.SystemRoot, TEMP: process.env.TEMP } : {}),
      OLLAMA_HOST: "127.0.0.1:9",
    }
    const timed = async (command: string, ...args: ReadonlyArray<string>) => {
      const begun = performance.now()
      const { code, stderr, stdout } = await attempt(command, args, { cwd, env })
      if (code !== 0) throw new Error(`vibe ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`)
      return { stdout, ms: performance.now() - begun }
    }
    const vibe = async (...args: ReadonlyArray<string>) => (await timed(file, ...args)).stdout

    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
    const first = await timed(file, "--version")
    assert.equal(first.stdout, `${version}\n`)
    line("ok  vibe --version")
    assert.equal(await vibe("index", "."), "Starting indexing...\nIndexing complete.\n")
    line("ok  vibe index")
    const { results } = JSON.parse(await vibe("query", "make a text loud", "--json"))
    assert.equal(results[0].symbol, "shout")
    line("ok  vibe query")
    await answering("All is well.", async (address) => {
      Object.assign(env, { OPENAI_API_KEY: "dummy-key", OPENAI_BASE_URL: address })
      const answer = await vibe("ask", "--model", "openai/smoke", "Is all well?")
      assert.match(answer, /All is well\./)
      line("ok  vibe ask")
      const events = await converse(file, cwd, env)
      assert.ok(events.includes("All is well."), events)
      line("ok  vibe chat --json")
    })
    const mcp = await speakMcp(file, cwd, env, [
      {
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "smoke", version: "1" } },
      },
      { method: "tools/list", params: {} },
      { method: "tools/call", params: { name: "query", arguments: { query: "make a text loud" } } },
    ])
    assert.match(mcp[0] ?? "", /"serverInfo"/)
    assert.match(mcp[1] ?? "", /"query"/)
    assert.match(mcp[2] ?? "", /tool\.py/)
    line("ok  vibe mcp: initialize, tools/list, a call")

    const built = path.join(root, "dist/bin.js")
    const median = async (command: string, ...args: ReadonlyArray<string>) => {
      const all: Array<number> = []
      for (let n = 0; n < STARTS; n++) all.push((await timed(command, ...args)).ms)
      return `${(all.toSorted((a, b) => a - b)[STARTS >> 1] ?? 0).toFixed(0)} ms`
    }
    line(`${(fs.statSync(file).size / 1e6).toFixed(0)} MB; the first start takes ${first.ms.toFixed(0)} ms`)
    for (const args of [["--version"], ["--help"], ["query", "loud"]]) {
      const onNode = fs.existsSync(built) ? await median(process.execPath, built, ...args) : "not built"
      line(`vibe ${args.join(" ")}: ${await median(file, ...args)}; on Node ${process.version} ${onNode}`)
    }
  })

/** `vibe chat --json` with one question on stdin: what it prints. */
const converse = (file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, ["chat", "--json", "--model", "openai/smoke"], { cwd, env, stdio: "pipe" })
    let output = ""
    const add = (data: string) => {
      output += data
    }
    child.stdout.setEncoding("utf8").on("data", add)
    child.stderr.setEncoding("utf8").on("data", add)
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`vibe chat: exit ${code}\n${output}`)),
    )
    child.stdin.end("Is all well?\n")
  })

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write("node tools/sea/smoke.ts FILE: the executable that tools/sea/build.ts has made\n")
  process.exitCode = 2
} else await smoke(path.resolve(file))
