/** `vibe show`: everything known of a symbol, or of a file's symbols. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { json, root } from "./options.ts"

const symbol = Args.text({ name: "SYMBOL" }).pipe(
  Args.withDescription("A name (append, Forest.append), PATH:NAME, or the path of a file"),
)

const why = Options.boolean("why").pipe(
  Options.withDescription("Show the exchange with the model that wrote the purpose, too"),
)

export const show = Command.make("show", { symbol, root, why, json }).pipe(
  Command.withDescription("Show what is known of a symbol, or of all symbols of a file"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = [
  "vibe show Forest.append",
  "vibe show src/forest/Forest.ts:append",
  "vibe show src/forest/Forest.ts",
  "vibe show --why Forest.append",
]

const job = Effect.promise(() => import("../job/Show.ts"))
