/** A client of `vibe mcp` in a process of its own, line by line, and a project to ask about. */
import { type ChildProcess, spawn } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import { bin, compileCache } from "./vibe.ts"

interface Reply {
  readonly id?: number
  readonly result?: {
    readonly content?: ReadonlyArray<{ readonly text: string }>
    readonly tools?: ReadonlyArray<{ readonly name: string }>
    readonly isError?: boolean
    readonly instructions?: string
  }
}

interface Options {
  /** Node's own, before the program. */
  readonly node?: ReadonlyArray<string> | undefined
  readonly args?: ReadonlyArray<string> | undefined
  /** Starts the program in place of this process, which gives it its streams. */
  readonly through?: ((command: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
}

/** `vibe mcp` in a folder, as an agent starts it; killed when the scope closes. */
export const start = (cwd: string, { args = [], node = [], through = (command) => command }: Options = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const [command = "", ...rest] = through([process.execPath, ...node, bin, "mcp", ...args])
        return spawn(command, rest, {
          cwd,
          env: { PATH: process.env.PATH, HOME: path.dirname(cwd), NODE_COMPILE_CACHE: compileCache },
          stdio: ["pipe", "pipe", "pipe"],
        })
      }),
      (child) => Effect.sync(() => child.kill("SIGKILL")),
    ),
    (child) => new Client(child),
  )

class Client {
  readonly child: ChildProcess
  /** Lines of stdout. */
  readonly lines: Array<string> = []
  /** Resolves when all that hold stdout have ended. */
  readonly ended: Promise<void>
  #rest = ""
  #ids = 0
  readonly #waiting = new Map<number, (reply: Reply) => void>()

  constructor(child: ChildProcess) {
    this.child = child
    child.stdin?.on("error", () => {})
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${this.#rest}${text}`.split("\n")
      this.#rest = lines.pop() ?? ""
      for (const line of lines) {
        this.lines.push(line)
        // A line that is none of the protocol fails the test.
        const reply: Reply = JSON.parse(line)
        this.#waiting.get(reply.id ?? -1)?.(reply)
      }
    })
    child.stderr?.resume()
    this.ended = new Promise((resolve) => child.stdout?.on("close", () => resolve()))
  }

  write(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  request(method: string, params: object): Effect.Effect<Reply> {
    return Effect.promise(() => {
      const id = this.#ids++
      const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve))
      this.write({ id, method, params })
      return reply
    })
  }

  get begin(): Effect.Effect<Reply> {
    const clientInfo = { name: "test", version: "0" }
    return Effect.tap(this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }), () =>
      this.write({ method: "notifications/initialized" }),
    )
  }

  call(name: string, parameters: object): Effect.Effect<string> {
    return Effect.map(
      this.request("tools/call", { name, arguments: parameters }),
      ({ result }) => result?.content?.[0]?.text ?? "",
    )
  }
}

export const project = {
  "project/.git/": "",
  "project/greet.ts":
    "/** Says hello to a person by name. */\nexport const greet = (name: string) => pack(name)\nconst pack = (text: string) => text\n",
}

/**
 * Asks until an answer is as expected, however long a refresh takes on a busy machine; else the test runs out of time.
 */
export const untilAnswered = (client: Client, query: string, expected: RegExp): Effect.Effect<void> =>
  Effect.flatMap(client.call("query", { query }), (answer) =>
    expected.test(answer) ? Effect.void : Effect.suspend(() => untilAnswered(client, query, expected)),
  )
