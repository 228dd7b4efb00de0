/** Every setting of the program, by the name its users type. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ModelId from "../message/ModelId.ts"

/** What `vibe --help` says of the settings below. */
export const descriptions: ReadonlyArray<readonly [name: string, description: string]> = [
  ["GOOGLE_API_KEY", "Key for google/… models (else GEMINI_API_KEY)"],
  ["GOOGLE_GEMINI_BASE_URL", "Where the Gemini API is, if not at Google: a proxy, a test server"],
  ["VIBE_MODEL", "Model to use where --model is not given"],
  ["NO_COLOR", "Set to anything to do without colours"],
]

/** A setting that is set to nothing counts as not set. */
const text = (name: string): Config.Config<string> =>
  Config.string(name).pipe(
    Config.mapOrFail((value) =>
      value.trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(value.trim()),
    ),
  )

const key = (name: string): Config.Config<Redacted.Redacted> =>
  Config.redacted(name).pipe(
    Config.mapOrFail((key) =>
      Redacted.value(key).trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(key),
    ),
  )

/** Of Google's Gemini, as it was set. */
export const googleApiKey: Config.Config<Option.Option<Redacted.Redacted>> = key("GOOGLE_API_KEY").pipe(
  Config.orElse(() => key("GEMINI_API_KEY")),
  Config.option,
)

/** Without a slash at its end. */
export const googleBaseUrl: Config.Config<Option.Option<string>> = text("GOOGLE_GEMINI_BASE_URL").pipe(
  Config.mapOrFail((value) =>
    /^https?:$/.test(URL.parse(value)?.protocol ?? "")
      ? Either.right(value.replace(/\/+$/, ""))
      : Either.left(ConfigError.InvalidData(["GOOGLE_GEMINI_BASE_URL"], "is not an http or https URL")),
  ),
  Config.option,
)

/** The one to use where none is named on the command line. */
export const model: Config.Config<Option.Option<ModelId.ModelId>> = text("VIBE_MODEL").pipe(
  Config.mapOrFail((value) =>
    Either.mapLeft(ModelId.parse(value), (message) => ConfigError.InvalidData(["VIBE_MODEL"], message)),
  ),
  Config.option,
)

/** no-color.org; a dumb terminal has none either. */
export const colourless: Config.Config<boolean> = Config.all([
  Config.option(text("NO_COLOR")),
  Config.option(text("TERM")),
]).pipe(Config.map(([noColor, term]) => Option.isSome(noColor) || Option.contains(term, "dumb")))
