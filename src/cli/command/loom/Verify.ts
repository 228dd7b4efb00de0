/** `vibe loom verify`: whether all is well with the forest. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { forestOptions } from "../../arguments/options.ts"

const mend = Options.boolean("mend").pipe(
  Options.withDescription("Make the index for the search again first, from the messages; all else stays as it is"),
)

export const verify = Command.make("verify", { mend, ...forestOptions }).pipe(
  Command.withDescription("Look at everything that is kept, and say what is wrong with it"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom verify", "vibe loom verify --mend", "vibe loom verify --forest copy.db --json"]

const job = Effect.promise(() => import("../../job/loom/Verify.ts"))
