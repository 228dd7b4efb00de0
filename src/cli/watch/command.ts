/** `vibe watch`: keeps the structure current. */
import * as Command from "../arguments/Command.ts"
import { flag, operand, optional } from "../arguments/Parameter.ts"

export const watch = Command.declare(
  "watch",
  "Keep the structure current while files change",
  {
    path: optional(operand("PATH", "The indexed folder (default: the nearest .vibe, upwards)")),
    poll: flag("poll", "Look at all files every few seconds, without the system's events"),
    json: flag("json", "Print one JSON object a line on stdout"),
  },
  ["vibe watch", "vibe watch --json ../project"],
)

export type Input = Command.InputOf<typeof watch>
