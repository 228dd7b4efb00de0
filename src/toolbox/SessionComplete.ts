/** `session_complete`: a model says that it has all it wanted. */
import * as Effect from "effect/Effect"
import * as Tool from "../tool/Tool.ts"

/** Does nothing: that it was called is the message. Whatever arguments come along are no reason to refuse it. */
export const make: Tool.Tool = Tool.fromJsonSchema({
  name: "session_complete",
  description:
    "Says that the session is complete. Call it once, when everything is written and the person has agreed; then say goodbye.",
  parameters: { type: "object", properties: {} },
  readOnly: true,
  run: () => Effect.succeed("Session complete."),
})
