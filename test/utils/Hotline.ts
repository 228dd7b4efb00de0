/** A port that other processes call, to say what happens to them: a test waits for it, and need not guess when. */
import * as net from "node:net"
import { Effect, type Scope } from "effect"

export interface Hotline {
  readonly port: number
  /**
   * Waits for what is said under a name: its own words, `here` once it has called, `gone` once its process is no more.
   * Each is heard once.
   */
  readonly heard: (name: string, words: string) => Effect.Effect<void>
  /** Has the process of this name go on with what it waits for. */
  readonly release: (name: string) => Effect.Effect<void>
}

/** Its first line is the caller's name. */
export const open: Effect.Effect<Hotline, never, Scope.Scope> = Effect.map(
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
    heard: (name, words) => hear(`${name}: ${words}`),
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
          socket.write("heard\n")
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
