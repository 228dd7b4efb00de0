/** `vibe merge-driver`: merges `purposes.jsonl` for Git. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { root } from "../arguments/options.ts"

const file = (name: string, description: string) =>
  Args.text({ name }).pipe(Args.withDescription(description), Args.optional)

const ancestor = file("ANCESTOR", "The file as it was where the branches parted (%O)")
const ours = file("OURS", "The file of this branch (%A), which gets the result")
const theirs = file("THEIRS", "The file of the other branch (%B)")

const install = Options.boolean("install").pipe(
  Options.withDescription("Set it up in this clone: .git/config and .gitattributes"),
)

const config = { ancestor, ours, theirs, install, root }

export type Input = InputOf<typeof config>

export const mergeDriver = lazy("merge-driver", config, () => import("./run.ts")).pipe(
  Command.withDescription("Merge purposes.jsonl without conflicts, for Git; alone, say how to set it up"),
)

export const examples = ["vibe merge-driver", "vibe merge-driver --install", "vibe merge-driver %O %A %B"]
