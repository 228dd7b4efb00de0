/** Logs to stderr, a line each, sanitised for a terminal. */
import * as Cause from "effect/Cause"
import * as HashMap from "effect/HashMap"
import { toStringUnknown } from "effect/Inspectable"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { sanitizeLine } from "../base/Sanitize.ts"

/** `vibe: warning: the index was damaged (path: /p/.vibe)`. */
export const line: Logger.Logger<unknown, string> = Logger.make(({ annotations, cause, logLevel, message }) => {
  const messages = Array.isArray(message) ? message : [message]
  const facts = Array.from(HashMap.entries(annotations), ([name, fact]) => `${name}: ${toStringUnknown(fact)}`)
  const parts = [
    `vibe: ${logLevel.label.toLowerCase()}: ${messages.map((part) => toStringUnknown(part)).join(" ")}`,
    ...(facts.length === 0 ? [] : [`(${facts.join(", ")})`]),
    ...(Cause.isEmpty(cause) ? [] : [Cause.pretty(cause)]),
  ]
  return sanitizeLine(parts.join(" "))
})

export const layer: Layer.Layer<never> = Logger.replace(
  Logger.defaultLogger,
  Logger.map(line, (line) => void process.stderr.write(`${line}\n`)),
)
