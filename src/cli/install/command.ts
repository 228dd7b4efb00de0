/** `vibe install`: gives coding agents vibe's server. */
import * as Agent from "../../install/Agent.ts"
import * as Launch from "../../install/Launch.ts"
import * as Command from "../arguments/Command.ts"
import { json } from "../arguments/options.ts"
import { flag, operand, optional, text, withDefault } from "../arguments/Parameter.ts"

export const install = Command.declare(
  "install",
  "Give a coding agent vibe's MCP server",
  {
    agent: operand("AGENT", Agent.names.join(", ")),
    user: flag("user", "Change your own file, for all projects (default: the project's)"),
    root: optional(text("root", "DIR", "The project (default: the nearest folder with .vibe or .git, upwards)")),
    name: withDefault(text("name", "NAME", "Give the server this name in the agent's file (default: vibe)"), "vibe"),
    command: optional(
      text(
        "command",
        "WAY",
        `How the agent starts vibe: ${Launch.waysText} (default: local if the project depends on vibe, else path)`,
      ),
    ),
    skill: flag("skill", "Also write a skill that says when to use vibe, and when grep"),
    notes: flag("notes", "Also add a section that says so to the project's AGENTS.md or its like"),
    remove: flag("remove", "Take back what was installed: server, skill and section"),
    print: flag("print", "Print the change and write nothing"),
    yes: flag("yes", "Write without asking"),
    json,
  },
  [
    "vibe install claude --skill",
    "vibe install codex --user",
    "vibe install cursor --print",
    "vibe install claude --remove",
  ],
)

export type Input = Command.InputOf<typeof install>
