/**
 * Reads what the environment says about the terminal. Every command reads it, so this module loads neither the table of
 * settings nor the types of their values.
 */
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import { readText } from "./internal/readText.ts"

/** True to print without colours, because of NO_COLOR (no-color.org) or because the terminal has none. */
export const noColor: Config.Config<boolean> = Config.all([
  Config.option(readText("NO_COLOR")),
  Config.option(readText("TERM")),
]).pipe(Config.map(([noColor, term]) => Option.isSome(noColor) || Option.contains(term, "dumb")))

/**
 * True if the locale names an encoding that is not UTF-8. If none is set, the terminal of a container is UTF-8 all the
 * same.
 */
const isAsciiLocale: Config.Config<boolean> = Config.all([
  Config.option(readText("LC_ALL")),
  Config.option(readText("LC_CTYPE")),
  Config.option(readText("LANG")),
]).pipe(
  Config.map((values) => {
    const locale = values.flatMap(Option.toArray).find((value) => value !== "")
    return locale !== undefined && !/utf-?8/i.test(locale)
  }),
)

/** True if the terminal cannot move its cursor: TERM=dumb, as in a shell of Emacs. */
export const isDumb: Config.Config<boolean> = Config.map(Config.option(readText("TERM")), (term) =>
  Option.contains(term, "dumb"),
)

/** True if a terminal takes lines alone, because of TERM=dumb or because its locale has no characters to draw with. */
export const takesLinesOnly: Config.Config<boolean> = Config.map(
  Config.all([isAsciiLocale, isDumb]),
  ([isAscii, isDumb]) => isAscii || isDumb,
)

/** True to print colours in a pipe too: FORCE_COLOR or CLICOLOR_FORCE is set, and is not empty, `0` or `false`. */
export const forceColor: Config.Config<boolean> = Config.all([
  Config.option(readText("FORCE_COLOR")),
  Config.option(readText("CLICOLOR_FORCE")),
]).pipe(Config.map((values) => values.some(Option.exists((value) => !["", "0", "false"].includes(value)))))
