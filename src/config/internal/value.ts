/** One setting as it is written: read, or refused in a line that names it. */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ModelId from "../../message/ModelId.ts"

/** A setting that is set to nothing counts as not set. */
export const text = (name: string): Config.Config<string> =>
  Config.string(name).pipe(
    Config.mapOrFail((value) =>
      value.trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(value.trim()),
    ),
  )

export const absolute = (name: string): Config.Config<string> =>
  text(name).pipe(
    Config.mapOrFail((folder) =>
      path.isAbsolute(folder)
        ? Either.right(folder)
        : Either.left(ConfigError.MissingData([name], "is no absolute path")),
    ),
  )

export const key = (name: string): Config.Config<Redacted.Redacted> =>
  Config.redacted(name).pipe(
    Config.mapOrFail((key) =>
      Redacted.value(key).trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(key),
    ),
  )

export const url = (name: string): Config.Config<string> =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      const wrong = wrongUrl(value)
      return wrong === undefined
        ? Either.right(value.replace(/(?<!\/)\/+$/, ""))
        : Either.left(ConfigError.InvalidData([name], wrong))
    }),
  )

/** Why nobody can be asked at an address; none where somebody can. */
export const wrongUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return "is not an http or https URL"
  return url.username === "" && url.password === "" ? undefined : "cannot hold a name or a password"
}

export const amount = (name: string): Config.Config<number> =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      const amount = Number(value)
      return Number.isFinite(amount) && amount >= 0
        ? Either.right(amount)
        : Either.left(ConfigError.InvalidData([name], `is a number from 0 on, not '${value}'`))
    }),
  )

export const count = (
  name: string,
  { least = 1, most }: { least?: number; most?: number } = {},
): Config.Config<number> =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      const count = Number(value)
      const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`
      return Number.isSafeInteger(count) && count >= least && count <= (most ?? count)
        ? Either.right(count)
        : Either.left(ConfigError.InvalidData([name], `is a whole number ${range}, not '${value}'`))
    }),
  )

/** As JSON has it: a setting is one text. */
export const list = (name: string): Config.Config<ReadonlyArray<string>> =>
  text(name).pipe(
    Config.mapOrFail((value) =>
      Either.mapLeft(decodeList(value), () =>
        ConfigError.InvalidData([name], `is a list as in JSON, ["a", "b"], not '${value}'`),
      ),
    ),
  )

const decodeList = Schema.decodeEither(Schema.parseJson(Schema.Array(Schema.String)))

export const modelId = (name: string): Config.Config<ModelId.ModelId> =>
  text(name).pipe(
    Config.mapOrFail((value) =>
      Either.mapLeft(ModelId.parse(value), (message) => ConfigError.InvalidData([name], message)),
    ),
  )
