/** Adds the tools of the user's tool servers to those of a conversation. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as Screen from "../terminal/Screen.ts"

/**
 * Starts the servers, and prints on stderr what the user should know about their tools before the conversation begins.
 */
export const addTo = Effect.fn("ServedTools.addTo")(function* (own: ToolRegistry.Service) {
  const { err } = yield* Screen.Screen
  const say = (note: string) => Screen.line(err, sanitizeLine(`vibe: ${note}`))
  const tools = yield* ToolServers.addTo(own, yield* ToolServers.ToolServers, say)
  for (const note of tools.notes) yield* say(note)
  return tools
})
