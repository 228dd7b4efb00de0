/** Programs that are interrupted: while they wait, write without end, or never end. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { Effect } from "effect"
import * as Halfway from "./halfway.ts"
import { folder, vibe } from "./vibe.ts"

/** A run that has recorded one purpose, and now waits for an answer that never comes: `then` is done to it. */
export const waiting = (then: (child: ChildProcess) => void, node: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const cwd = yield* folder({ "src/greet.ts": "export function greet(name: string) {\n  return name\n}\n" })
    let child: ChildProcess | undefined
    const server = yield* Halfway.serve(() => {
      if (child !== undefined) then(child)
    })
    const ended = yield* vibe(["index", "."], {
      cwd,
      node,
      env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
      onStart: (started) => {
        child = started
      },
    })
    const kept = (name: string) => path.join(cwd, ".vibe", name)
    return { ...ended, requests: server.requests.length, kept }
  })

/** Has a run that is interrupted wait for ever on its way out: nothing that was to happen next happens. */
export const neverEnds = `data:text/javascript,process.on("SIGINT",()=>{globalThis.setImmediate=()=>{}})`

/** The exit code of a process, also if its output is still unread. */
export const exitOf = (child: ChildProcess | undefined) =>
  Effect.async<number | null>((resume) => {
    child?.once("exit", (code) => resume(Effect.succeed(code)))
  })

/** The CPU time of a process, user and system, in seconds. */
const cpuOf = (pid: number): number => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A server that sends this again and again, as quickly as it is read. */
export const flooding = (words: string) => {
  let isAsked = false
  return Effect.acquireRelease(
    Effect.async<http.Server>((resume) => {
      const server = http.createServer((request, response) => {
        isAsked = true
        request.resume()
        response.writeHead(200, { "content-type": "text/event-stream" })
        const flood = () => {
          while (!response.destroyed && response.write(words));
        }
        response.on("drain", flood)
        flood()
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close().closeAllConnections()),
  ).pipe(
    // A server that listens on TCP has an address with a port.
    Effect.map((server) => ({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      isAsked: () => isAsked,
    })),
  )
}

/**
 * Sends SIGINT after so many seconds of CPU time, `flooded` of them since it has begun what is interrupted, and returns
 * how many more were used after that. To start takes longer on a busy machine.
 */
export const interrupting = (after: number, hasBegun: () => boolean, flooded = 0.5) => {
  const worked = { seconds: Number.NaN }
  const onStart = (child: ChildProcess) => {
    const { pid } = child
    let begun: number | undefined
    let asked: number | undefined
    const looking = setInterval(() => {
      if (pid === undefined || !fs.existsSync(`/proc/${pid}/stat`)) return
      const now = cpuOf(pid)
      if (hasBegun()) asked ??= now
      if (begun !== undefined) worked.seconds = now - begun
      else if (asked !== undefined && now > Math.max(after, asked + flooded)) {
        begun = now
        worked.seconds = 0
        child.kill("SIGINT")
      }
    }, 20)
    child.once("exit", () => clearInterval(looking))
  }
  return { worked, onStart }
}
