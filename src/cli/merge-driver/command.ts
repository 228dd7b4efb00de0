/** `vibe merge-driver`: merges `purposes.jsonl` for Git. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { root } from "../arguments/options.ts"

const files = Args.text({ name: "FILE" }).pipe(
  Args.withDescription("The ancestor, ours and theirs, as Git passes them (%O %A %B); ours gets the result"),
  Args.repeated,
)

const install = Options.boolean("install").pipe(
  Options.withDescription("Set it up in this clone: .git/config and .gitattributes"),
)

const config = { files, install, root }

export type Input = InputOf<typeof config>

export const mergeDriver = lazy("merge-driver", config, () => import("./run.ts")).pipe(
  Command.withDescription("Merge purposes.jsonl without conflicts, for Git; alone, say how to set it up"),
)

export const examples = ["vibe merge-driver", "vibe merge-driver --install", "vibe merge-driver %O %A %B"]
