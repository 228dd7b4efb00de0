/** Options that several commands share. */
import * as Options from "@effect/cli/Options"

export const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object on stdout"))

export const root = Options.text("root").pipe(
  Options.withPseudoName("DIR"),
  Options.optional,
  Options.withDescription("The indexed folder (default: the nearest one with a .vibe, from here upwards)"),
)
