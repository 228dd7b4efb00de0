/** `vibe loom verify`: whether all is well with the forest. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { common } from "./options.ts"

export const verify = Command.make("verify", common).pipe(
  Command.withDescription("Look at everything that is kept, and say what is wrong with it; repairs nothing"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe loom verify", "vibe loom verify --forest copy.db --json"]

const job = Effect.promise(() => import("../../job/loom/Verify.ts"))
