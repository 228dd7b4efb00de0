/** `vibe show`: describes a symbol, or lists those of a file or a folder. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, root } from "../arguments/options.ts"

const symbol = Args.text({ name: "SYMBOL" }).pipe(
  Args.withDescription("A name (append, Forest.append), PATH:NAME, PATH:LINE, a file, or a folder"),
)

const why = Options.boolean("why").pipe(Options.withDescription("Print how a model came to write the purpose"))

const config = { symbol, root, why, json }

export type Input = InputOf<typeof config>

export const show = lazy("show", config, () => import("./run.ts")).pipe(
  Command.withDescription("Show a symbol, all symbols of a file, or the main ones of a folder"),
)

export const examples = [
  "vibe show Forest.append",
  "vibe show src/forest/Forest.ts:append",
  "vibe show src/forest/Forest.ts",
  "vibe show src/forest",
  "vibe show --why Forest.append",
]
