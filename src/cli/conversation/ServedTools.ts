/** Adds the tools of the user's tool servers to those of a conversation. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type * as OfferedTools from "../../session/OfferedTools.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as Screen from "../terminal/Screen.ts"

/** Starts the servers, and prints on stderr what the user should read of their tools before the conversation begins. */
export const addTo = Effect.fn("ServedTools.addTo")(function* (own: ToolRegistry.Service) {
  const { err } = yield* Screen.Screen
  const waiting = yield* Effect.fork(Effect.zipRight(Effect.sleep(PATIENCE), Screen.line(err, WAITING)))
  const tools = yield* Effect.ensuring(ToolServers.addTo(own), Fiber.interrupt(waiting))
  for (const note of tools.notes) yield* Screen.line(err, sanitizeLine(`vibe: ${note}`))
  return tools
})

const PATIENCE = "1 second"

/** The limit is that of `mcp/Client`. */
const WAITING = "vibe: waiting for your tool servers; one that does not answer within 30 s is left out"

/** The same for the tools of a folder, with a word on the others in the system prompt, which says what these are for. */
export const addToOffered = ({ prompt, tools }: OfferedTools.Offered) =>
  Effect.map(addTo(tools), (all) => ({
    tools: all,
    prompt: all.tools.length === tools.tools.length ? prompt : `${prompt}\n${OTHERS}`,
  }))

const OTHERS =
  "Your other tools are those of the user's tool servers. They may change things: call them as their descriptions say."
