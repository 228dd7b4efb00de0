/** Prints on stderr what the user should read about the tools of a conversation, before it begins. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as Screen from "../terminal/Screen.ts"

/** Returns the tools. */
export const print = Effect.fnUntraced(function* (tools: ToolRegistry.Service) {
  const { err } = yield* Screen.Screen
  for (const note of tools.notes) yield* Screen.line(err, sanitizeLine(`vibe: ${note}`))
  return tools
})
