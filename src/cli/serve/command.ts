/** `vibe serve`: conversations, the forest and the index in a browser. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { forestOptions, model, modelId, numberOption, requestPolicy, systemOptions } from "../arguments/options.ts"

const config = {
  path: Args.text({ name: "PATH" }).pipe(
    Args.withDescription("The folder that is served (default: this one)"),
    Args.withDefault("."),
  ),
  port: numberOption(
    "port",
    (port) => Number.isSafeInteger(port) && port >= 0 && port <= 65_535,
    "a port from 0 to 65535",
  ).pipe(Options.withDescription("Listen on this port; 0 for any (default: the first free one from 4300)")),
  host: Options.text("host").pipe(
    Options.withPseudoName("ADDRESS"),
    Options.withDefault("127.0.0.1"),
    Options.withDescription("Listen on this address of the machine; others than 127.0.0.1 need a token"),
  ),
  allowHost: Options.text("allow-host").pipe(
    Options.withPseudoName("NAME"),
    Options.repeated,
    Options.withDescription("Answer at this name of the machine, too"),
  ),
  token: Options.text("token").pipe(
    Options.optional,
    Options.withDescription(
      "Accept requests with this secret; other users of the machine can read it here, not in --token-file or VIBE_TOKEN",
    ),
  ),
  tokenFile: Options.text("token-file").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription(
      "Accept requests with the secret in this file, of at least 16 characters (default: VIBE_TOKEN, else a new one)",
    ),
  ),
  open: Options.boolean("open").pipe(Options.withDescription("Open the page in your browser")),
  document: Options.text("document").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("Edit this text file beside the conversation"),
  ),
  model: model.pipe(
    Options.mapEffect(modelId),
    Options.optional,
    Options.withDescription("Ask this model where none is chosen in the page"),
  ),
  ...systemOptions,
  tools: Options.boolean("tools").pipe(
    Options.withDescription("Let the model read the folder without changing it, and use your tool servers"),
  ),
  ...requestPolicy,
  ...forestOptions,
}

export type Input = InputOf<typeof config>

export const serve = lazy("serve", config, () => import("./run.ts")).pipe(
  Command.withDescription("Talk, read and explore in your browser"),
)

export const examples = ["vibe serve --open", "vibe serve ../project --tools", "vibe serve --document plan.md"]
