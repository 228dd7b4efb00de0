/** `vibe discover`: an interview about a codebase, which ends in files. */
import * as Command from "../arguments/Command.ts"
import { search, sessionOptions, systemOptions } from "../arguments/options.ts"
import { flag, operand, repeated, text, withAlias, withDefault } from "../arguments/Parameter.ts"

export const discover = Command.declare(
  "discover",
  "Describe a job in an interview, which ends in documents",
  {
    words: repeated(operand("PROBLEM", "What you want done, in a sentence or two")),
    codebase: withDefault(text("codebase", "DIR", "Talk about this folder (default: the current one)"), "."),
    output: withDefault(
      withAlias(text("output", "DIR", "Write files in this folder only (default: ./jobs/)"), "o"),
      "./jobs/",
    ),
    ...systemOptions,
    list: flag("list", "List your interviews about this folder, newest first"),
    search,
    ...sessionOptions,
  },
  [
    "vibe discover",
    "vibe discover --codebase ../shop --output ./jobs/ 'Search is too slow'",
    "vibe discover --system-file jtbd.md --resume",
  ],
)

export type Input = Command.InputOf<typeof discover>
