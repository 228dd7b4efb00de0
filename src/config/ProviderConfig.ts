/** The keys and addresses of providers, as typed values. */
import * as Config from "effect/Config"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { type CompatibleServer, servers } from "../model/CompatibleServers.ts"
import * as ValueType from "./internal/valueType.ts"
import * as Settings from "./Settings.ts"

/** The key of Gemini. */
export const googleApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Settings.readOptional(
  Settings.provider.googleApiKey,
)

/** The project and location on Vertex AI, if the variables of Google's SDK select Vertex AI. */
export const googleVertex: Config.Config<
  Option.Option<{ readonly project: string | undefined; readonly location: string | undefined }>
> = Config.all({
  useVertex: Settings.readOptional(Settings.provider.useVertex),
  project: Settings.readOptional(Settings.provider.vertexProject),
  location: Settings.readOptional(Settings.provider.vertexLocation),
}).pipe(
  Config.map(({ location, project, useVertex }) =>
    Option.exists(useVertex, (text) => text.toLowerCase() === "true")
      ? Option.some({ project: Option.getOrUndefined(project), location: Option.getOrUndefined(location) })
      : Option.none(),
  ),
)

/** The address of the server, without a slash at its end. */
export const googleBaseUrl: Config.Config<Option.Option<string>> = Config.all([
  googleVertex,
  Settings.readOptional(Settings.provider.googleBaseUrl),
  Settings.readOptional(Settings.provider.vertexBaseUrl),
]).pipe(Config.map(([vertex, geminiUrl, vertexUrl]) => (Option.isSome(vertex) ? vertexUrl : geminiUrl)))

export const anthropicApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Settings.readOptional(
  Settings.provider.anthropicApiKey,
)

/** The address of the server, without a slash at its end. */
export const anthropicBaseUrl: Config.Config<Option.Option<string>> = Settings.readOptional(
  Settings.provider.anthropicBaseUrl,
)

/** The address of Ollama in the form of its own program, in which parts may be missing. */
export const ollamaHost: Config.Config<Option.Option<string>> = Settings.readOptional(Settings.provider.ollamaHost)

export const ollamaApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Settings.readOptional(
  Settings.provider.ollamaApiKey,
)

/** The address and the key of an OpenAI-compatible server, as far as they are set. */
export interface Server {
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly baseUrl: Option.Option<string>
}

/** Reads the settings of a known server. */
export const server = (known: CompatibleServer): Config.Config<Server> => {
  const { apiKey, baseUrl } = Settings.serverSettings(known)
  return Config.all({
    apiKey: apiKey === undefined ? Config.succeed(Option.none()) : Settings.readOptional(apiKey),
    baseUrl: Settings.readOptional(baseUrl),
  })
}

/** An OpenAI-compatible server of the user. */
export interface CustomServer {
  readonly baseUrl: string
  /** The environment variable of its key; undefined if it requires no key. */
  readonly keyVariable: string | undefined
}

/** The user's own servers by the names that the user gave them. */
export const customServers: Config.Config<HashMap.HashMap<string, CustomServer>> = Settings.read(
  Settings.tables.providers,
).pipe(
  Config.map(HashMap.map(({ baseUrl, keyVariable }) => ({ baseUrl, keyVariable: Option.getOrUndefined(keyVariable) }))),
)

/** Reads the key in an environment variable. */
export const keyIn = (variable: string): Config.Config<Option.Option<Redacted.Redacted>> =>
  Config.option(ValueType.secret.config(variable))

/** A key as far as it is set, with its environment variable. */
export interface Key {
  readonly name: string
  readonly key: Config.Config<Option.Option<Redacted.Redacted>>
}

const keyNamed = (name: string): Key => ({ name, key: keyIn(name) })

/** The keys of the known providers that require one, by provider. */
export const keys: Readonly<Record<string, Key>> = {
  google: { name: Settings.provider.googleApiKey.name, key: googleApiKey },
  anthropic: { name: Settings.provider.anthropicApiKey.name, key: anthropicApiKey },
  ...Object.fromEntries(
    Object.entries<CompatibleServer>({ ...servers, "openai-responses": servers.openai }).flatMap(
      ([provider, { keyVariable }]) => (keyVariable === undefined ? [] : [[provider, keyNamed(keyVariable)]]),
    ),
  ),
}

/** The keys of the known providers and of the user's own servers. A server that requires no key has none. */
export const allKeys: Config.Config<ReadonlyMap<string, Key | undefined>> = Config.map(
  customServers,
  (servers) =>
    new Map<string, Key | undefined>([
      ...Object.entries(keys),
      ...HashMap.toEntries(
        HashMap.map(servers, ({ keyVariable }) => (keyVariable === undefined ? undefined : keyNamed(keyVariable))),
      ),
    ]),
)
