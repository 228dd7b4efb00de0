/** `vibe install`: gives coding agents vibe's server. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Agent from "../../install/Agent.ts"
import * as Launch from "../../install/Launch.ts"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json } from "../arguments/options.ts"

const agent = Args.text({ name: "AGENT" }).pipe(Args.withDescription(Agent.names.join(", ")))

const user = Options.boolean("user").pipe(
  Options.withDescription("Change your own file, for all projects (default: the project's)"),
)

const root = Options.text("root").pipe(
  Options.withPseudoName("DIR"),
  Options.optional,
  Options.withDescription("The project (default: the nearest folder with .vibe or .git, upwards)"),
)

const name = Options.text("name").pipe(
  Options.withPseudoName("NAME"),
  Options.withDefault("vibe"),
  Options.withDescription("Name the server so in the agent's file (default: vibe)"),
)

const command = Options.text("command").pipe(
  Options.withPseudoName("WAY"),
  Options.optional,
  Options.withDescription(
    `How the agent starts vibe: ${Launch.waysText} (default: local where the project depends on vibe, else path)`,
  ),
)

const skill = Options.boolean("skill").pipe(
  Options.withDescription("Also write a skill that says when to use vibe, and when grep"),
)

const notes = Options.boolean("notes").pipe(
  Options.withDescription("Also add a section that says so to the project's AGENTS.md or its like"),
)

const remove = Options.boolean("remove").pipe(
  Options.withDescription("Take back what was installed: server, skill and section"),
)

const print = Options.boolean("print").pipe(Options.withDescription("Print the change and write nothing"))

const yes = Options.boolean("yes").pipe(Options.withDescription("Write without asking"))

const config = { agent, user, root, name, command, skill, notes, remove, print, yes, json }

export type Input = InputOf<typeof config>

export const install = lazy("install", config, () => import("./run.ts")).pipe(
  Command.withDescription("Give a coding agent vibe's MCP server"),
)

export const examples = [
  "vibe install claude --skill",
  "vibe install codex --user",
  "vibe install cursor --print",
  "vibe install claude --remove",
]
