/** `vibe map`: the main folders and symbols of a project. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { number, operand, optional, whole } from "../arguments/Parameter.ts"

/** The fewest tokens of a map: fewer have no room for a line. */
const FEWEST = 50
const MOST = 100_000

export const map = Command.declare(
  "map",
  "Print the main folders and symbols of a project, for a prompt",
  {
    path: optional(operand("PATH", "A folder or a file to which the map is restricted (default: the whole project)")),
    tokens: number("tokens", whole(FEWEST, MOST), "Print at most N tokens, as vibe estimates them (default: 1000)"),
    root,
    json,
  },
  ["vibe map", "vibe map --tokens 4000 src/forest"],
)

export type Input = Command.InputOf<typeof map>
