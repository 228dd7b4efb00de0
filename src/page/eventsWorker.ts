/** The shared worker that holds the one connection of all tabs. */
import { type ConnectionMessage, connect } from "./Events.ts"

const ports = new Set<MessagePort>()
let isOpen = false

/**
 * Sends a message to all tabs. A worker does not notice that a tab was closed: a message to its port is lost, and the
 * port stays until the worker ends.
 */
const broadcast = (message: ConnectionMessage) => {
  if (message.type !== "event") isOpen = message.type === "open"
  for (const port of ports) port.postMessage(message)
}

connect(broadcast)

// The library of a page has no type for this event of a worker.
Object.assign(globalThis, {
  onconnect: ({ ports: [port] }: MessageEvent) => {
    if (port === undefined) return
    ports.add(port)
    if (isOpen) port.postMessage({ type: "open" } satisfies ConnectionMessage)
  },
})
