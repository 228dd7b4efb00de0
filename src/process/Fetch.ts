/**
 * `fetch` for the requests of vibe. It goes through the proxy that the environment names, and avoids a flaw of Node.js.
 */
import * as HttpProxy from "./HttpProxy.ts"

type Fetch = typeof globalThis.fetch

/** A request through a proxy got no response. The message names the proxy, without a password. */
export class ProxyError extends Error {
  override readonly name = "ProxyError"
}

/**
 * Makes such a `fetch`. It looks up the global one on each call, so that a replaced one is used, and changes nothing
 * for other requests of the process. Bun and Deno read the variables of proxies themselves.
 */
export const make =
  (environment: () => HttpProxy.Variables): Fetch =>
  async (input, init) => {
    if (!isNode) return globalThis.fetch(input, init)
    const target = URL.parse(input instanceof Request ? input.url : String(input))
    const proxy = target === null ? undefined : findProxy(target, environment())
    if (proxy === undefined) return globalThis.fetch(input, withDispatcher(init, globalDispatcher))
    const dispatcher = await agentOf(proxy)
    try {
      return await globalThis.fetch(
        input,
        withDispatcher(init, () => dispatcher),
      )
    } catch (cause) {
      if (init?.signal?.aborted === true) throw cause
      throw new ProxyError(`no connection through the proxy ${nameOf(proxy)}: ${describe(cause)}`)
    }
  }

/** Uses the environment of this process. */
export const live: Fetch = make(() => env)

// An import of node:process takes 2 ms, see app/OwnProcess.ts.
const { env } = process

const isNode = !("bun" in process.versions) && !("deno" in process.versions)

const findProxy = (target: URL, environment: HttpProxy.Variables): HttpProxy.Proxy | undefined => {
  try {
    return HttpProxy.proxyOf(target, environment)
  } catch (cause) {
    throw new ProxyError(`no connection: ${messageOf(cause)}`)
  }
}

const nameOf = ({ url, variable }: HttpProxy.Proxy): string => `${url.protocol}//${url.host} (${variable})`

/** Returns what the proxy has answered, or else the message of the innermost cause. */
const describe = (cause: unknown): string => {
  const message = messageOf(cause)
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1]
  // An address with the name in it would be taken for one with a password, and be redacted.
  if (status === "407") return "it requires a name and a password that it knows, as NAME:PASSWORD@ before its host"
  return status === undefined ? message : `it refuses the connection with HTTP ${status}`
}

const messageOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.cause instanceof Error) return messageOf(cause.cause)
  return cause.message || ("code" in cause ? String(cause.code) : cause.name)
}

/** The part of undici that sends requests. Its handlers receive the response. */
interface Dispatcher {
  readonly dispatch: (options: never, handler: Handler) => boolean
}

/** A handler of a response. `onData` returns false to pause the connection. There is no such method since version 8. */
interface Handler {
  onData?: (chunk: Uint8Array) => boolean
}

/** The agents, one for each proxy, since an agent holds the open connections. */
const agents = new Map<string, Promise<Dispatcher>>()

const agentOf = ({ url }: HttpProxy.Proxy): Promise<Dispatcher> => {
  const known = agents.get(url.href)
  if (known !== undefined) return known
  const made = import("./internal/proxyAgent.ts").then(
    ({ ProxyAgent }): Dispatcher =>
      // `https:` URLs are always tunnelled. `http:` URLs need no tunnel, and many proxies allow tunnels for port 443
      // alone.
      new ProxyAgent({ uri: url.href.replace(/^socks5?h?:/, "socks5:"), proxyTunnel: false }),
  )
  agents.set(url.href, made)
  return made
}

/** Returns the dispatcher of this process, which exists once `fetch` has been called. */
const globalDispatcher = (): Dispatcher | undefined => {
  const found: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"))
  return isDispatcher(found) ? found : undefined
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function"

/** The bytes of a response that may wait to be read before the connection is paused. The largest answers fit. */
const MAX_UNREAD_BYTES = 67_108_864

/**
 * Delays the pause of a connection. undici pauses a connection after 64 kB that are not read yet. If the server closes
 * a paused connection, undici 6 and 7 fail with an assertion outside of any promise, which ends the process, although
 * the response is complete. So the connection is paused much later.
 */
const withDispatcher = (init: RequestInit | undefined, find: () => Dispatcher | undefined): RequestInit => {
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => {
      const found = find()
      if (found === undefined) throw new TypeError("there is no HTTP client")
      const { onData } = handler
      if (onData !== undefined) {
        let unread = 0
        handler.onData = (chunk) => {
          unread = onData.call(handler, chunk) ? 0 : unread + chunk.length
          return unread <= MAX_UNREAD_BYTES
        }
      }
      return found.dispatch(options, handler)
    },
  }
  // This is an option of Node.js alone, which the type does not have.
  return Object.assign({}, init, { dispatcher })
}
