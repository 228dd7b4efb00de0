/** `session_complete`: the model ends the session. */
import * as Effect from "effect/Effect"
import * as Tool from "../tool/Tool.ts"

/** Has no effect of its own: the session detects the call. Any arguments are accepted. */
export const make: Tool.Tool = Tool.fromJsonSchema({
  name: "session_complete",
  description:
    "Says that the session is complete. Call it once, when everything is written and the person has agreed; then say goodbye.",
  parameters: { type: "object", properties: {} },
  readOnly: true,
  run: () => Effect.succeed("Session complete."),
})
