/** `vibe serve`: conversations, the forest and the index in a browser. */
import * as Command from "../arguments/Command.ts"
import { model, requestPolicy } from "../arguments/modelOptions.ts"
import { forestOptions, systemOptions } from "../arguments/options.ts"
import { flag, number, operand, optional, repeated, text, whole, withDefault } from "../arguments/Parameter.ts"

/** The ports that are tried in turn if none is named: a hundred. */
export const FIRST_PORT = 4300
export const LAST_PORT = FIRST_PORT + 99

export const serve = Command.declare(
  "serve",
  "Talk, read and explore in your browser",
  {
    path: withDefault(operand("PATH", "The folder that is served (default: this one)"), "."),
    port: number(
      "port",
      { ...whole(0, 65_535), allowed: "a port from 0 to 65535" },
      `Listen on this port; 0 for any (default: the first free one from ${FIRST_PORT})`,
    ),
    host: withDefault(
      text("host", "ADDRESS", "Listen on this address of the machine; others than 127.0.0.1 need a token"),
      "127.0.0.1",
    ),
    allowHost: repeated(text("allow-host", "NAME", "Answer at this name of the machine, too")),
    token: optional(
      text(
        "token",
        "TEXT",
        "Accept requests with this secret; other users of the machine can read it here, not in --token-file or VIBE_TOKEN",
      ),
    ),
    tokenFile: optional(
      text(
        "token-file",
        "FILE",
        "Accept requests with the secret in this file, of at least 16 characters (default: VIBE_TOKEN, else a new one)",
      ),
    ),
    open: flag("open", "Open the page in your browser"),
    document: optional(text("document", "FILE", "Edit this text file beside the conversation")),
    model: optional(model("Ask this model if none is chosen in the page")),
    ...systemOptions,
    tools: flag("tools", "Let the model read the folder without changing it, and use your tool servers"),
    ...requestPolicy,
    ...forestOptions,
  },
  ["vibe serve --open", "vibe serve ../project --tools", "vibe serve --document plan.md"],
)

export type Input = Command.InputOf<typeof serve>
