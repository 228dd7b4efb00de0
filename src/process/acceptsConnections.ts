/** Finds out whether a server runs, without a request to it. */
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpProxy from "./HttpProxy.ts"

/**
 * Returns false if nothing accepts connections at the address of a URL: then a request would fail, too. To find that
 * out by `fetch` takes 35 ms of a process that has sent none before, which loads undici, and this takes 2. True for a
 * server that is reached through a proxy, since only the proxy can say whether it runs.
 */
export const acceptsConnections = (url: URL, environment: HttpProxy.Variables = env): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    if (mayHaveProxy(url, environment)) return resume(Effect.succeed(true))
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80)
    const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port })
    const end = (isAccepted: boolean) => {
      socket.destroy()
      resume(Effect.succeed(isAccepted))
    }
    socket.once("connect", () => end(true)).once("error", () => end(false))
    return Effect.sync(() => socket.destroy())
  })

// An import of node:process takes 2 ms, see app/OwnProcess.ts.
const { env } = process

/** True also for a variable that holds no address of a proxy: the request reports that. */
const mayHaveProxy = (url: URL, environment: HttpProxy.Variables): boolean => {
  try {
    return HttpProxy.proxyOf(url, environment) !== undefined
  } catch {
    return true
  }
}
