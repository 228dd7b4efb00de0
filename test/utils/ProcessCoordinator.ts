/** A port to which the processes of a test report and at which they wait, so that no test depends on time. */
import * as net from "node:net"
import { Effect, type Scope } from "effect"

export interface ProcessCoordinator {
  readonly port: number
  /**
   * Waits for a report of the process `name`: its own words, `here` when it connects, `gone`
   * when it ends. Each counts once.
   */
  readonly waitFor: (name: string, words: string) => Effect.Effect<void>
  /** Lets the process `name` continue. */
  readonly release: (name: string) => Effect.Effect<void>
}

/** Its first line is the caller's name. */
export const open: Effect.Effect<ProcessCoordinator, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.async<Exchange>((resume) => {
      const exchange = makeExchange()
      exchange.server.listen(0, "127.0.0.1", () => resume(Effect.succeed(exchange)))
    }),
    ({ callers, server }) =>
      Effect.sync(() => {
        server.close()
        for (const caller of callers.values()) caller.destroy()
      }),
  ),
  ({ callers, hear, server }) => ({
    port: portOf(server),
    waitFor: (name, words) => hear(`${name}: ${words}`),
    release: (name) => Effect.sync(() => callers.get(name)?.write("go\n")),
  }),
)

interface Exchange {
  readonly server: net.Server
  readonly callers: Map<string, net.Socket>
  readonly hear: (news: string) => Effect.Effect<void>
}

const makeExchange = (): Exchange => {
  const callers = new Map<string, net.Socket>()
  const news: Array<string> = []
  const waiting = new Map<string, () => void>()
  const tell = (one: string) => {
    const wake = waiting.get(one)
    waiting.delete(one)
    if (wake === undefined) news.push(one)
    else wake()
  }
  const server = net.createServer((socket) => {
    let name: string | undefined
    let rest = ""
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (name !== undefined) tell(`${name}: ${line}`)
        else {
          name = line
          callers.set(name, socket)
          socket.write("received\n")
          tell(`${name}: here`)
        }
      }
    })
    socket.on("error", () => {})
    socket.on("close", () => tell(`${name}: gone`))
  })
  const hear = (one: string) =>
    Effect.async<void>((resume) => {
      const at = news.indexOf(one)
      if (at === -1) waiting.set(one, () => resume(Effect.void))
      else {
        news.splice(at, 1)
        resume(Effect.void)
      }
    })
  return { server, callers, hear }
}

const portOf = (server: net.Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
