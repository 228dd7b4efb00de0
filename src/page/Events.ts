/**
 * Receives the events of the server over one connection for all tabs, since a browser allows six connections to one
 * server.
 */
import type { Event } from "../server/api/Events.ts"

export type { Event }

/** A message of the connection to a tab: it carries an event, or says that the connection is open (again) or lost. */
export type ConnectionMessage =
  | { readonly type: "event"; readonly data: string }
  | { readonly type: "open" }
  | { readonly type: "lost" }

interface Listener {
  readonly onEvent: (event: Event) => void
  /** Called when the connection is open. Earlier events are not repeated, so ask for the state. */
  readonly onOpen: () => void
  readonly onLost: () => void
}

/** Receives events through a shared worker if the browser has one, otherwise over a connection of this tab. */
export const listen = (script: string, listener: Listener): void => {
  const receive = (message: ConnectionMessage) => {
    if (message.type === "event") listener.onEvent(JSON.parse(message.data))
    else if (message.type === "open") listener.onOpen()
    else listener.onLost()
  }
  if (!("SharedWorker" in globalThis)) {
    connect(receive)
    return
  }
  const { port } = new SharedWorker(toTrustedUrl(script), { type: "module", name: "vibe events" })
  port.onmessage = ({ data }: MessageEvent<ConnectionMessage>) => receive(data)
  port.start()
}

/** The pause before the connection is opened again, in milliseconds. */
const retry = 2000

/** Opens a connection, and opens it again whenever it is lost. */
export const connect = (send: (message: ConnectionMessage) => void): void => {
  const source = new EventSource("/api/events")
  source.onopen = () => send({ type: "open" })
  source.onmessage = ({ data }: MessageEvent<string>) => send({ type: "event", data })
  source.onerror = () => {
    send({ type: "lost" })
    // The browser gives up if the connection is refused, for example while another server has the port or this page has
    // no token.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(send), retry)
  }
}

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => {
    readonly createScriptURL: (url: string) => string
  }
}

/** Returns the address of a script of this server in the form that the content security policy requires. */
const toTrustedUrl = (script: string): string => {
  // TypeScript's library does not declare trusted types yet.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  return trustedTypes?.createPolicy("vibe-worker", { createScriptURL: (url) => url }).createScriptURL(script) ?? script
}
