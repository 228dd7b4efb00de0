/**
 * `session_complete`: the tool by which a model ends an interview. `ConversationEngine` offers it and detects its call.
 */
import * as Effect from "effect/Effect"
import * as Tool from "../../tool/Tool.ts"

/** The name of the tool. */
export const NAME = "session_complete"

/** The tool has no effect of its own. It accepts any arguments. */
export const make: Tool.Tool = Tool.fromJsonSchema({
  name: NAME,
  description:
    "Says that the session is complete. Call it once, when everything is written and the person has agreed; then say goodbye.",
  parameters: { type: "object", properties: {} },
  readOnly: true,
  run: () => Effect.succeed("Session complete."),
})
