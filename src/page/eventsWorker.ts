/** The shared worker that holds the one connection of all tabs. */
import { connect, type Told } from "./Events.ts"

const ports = new Set<MessagePort>()
let isOpen = false

/** A port of a tab that was closed says nothing; a message to it goes nowhere, so it stays until the worker ends. */
const tell = (told: Told) => {
  if (told.type !== "event") isOpen = told.type === "open"
  for (const port of ports) port.postMessage(told)
}

connect(tell)

// The library of a page has no type for this event of a worker.
Object.assign(globalThis, {
  onconnect: ({ ports: [port] }: MessageEvent) => {
    if (port === undefined) return
    ports.add(port)
    if (isOpen) port.postMessage({ type: "open" } satisfies Told)
  },
})
