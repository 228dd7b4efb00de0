/** Where providers are, and the keys to them, by the names their own programs read. */
import * as Config from "effect/Config"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { type CompatibleServer, servers, urlVariableOf } from "../model/CompatibleServers.ts"
import * as Value from "./internal/value.ts"

/** Of Google's Gemini, as it was set. */
export const googleApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Value.key("GOOGLE_API_KEY").pipe(
  Config.orElse(() => Value.key("GEMINI_API_KEY")),
  Config.option,
)

/** Where Google's SDK is told by its own variables to ask Vertex AI: of which project, if it is not the key that counts. */
export const googleVertex: Config.Config<
  Option.Option<{ readonly project: string | undefined; readonly location: string | undefined }>
> = Config.all({
  wish: Config.option(Value.text("GOOGLE_GENAI_USE_VERTEXAI")),
  project: Config.option(Value.text("GOOGLE_CLOUD_PROJECT")),
  location: Config.option(Value.text("GOOGLE_CLOUD_LOCATION")),
}).pipe(
  Config.map(({ location, project, wish }) =>
    Option.exists(wish, (wish) => wish.toLowerCase() === "true")
      ? Option.some({ project: Option.getOrUndefined(project), location: Option.getOrUndefined(location) })
      : Option.none(),
  ),
)

/** Without a slash at its end. */
export const googleBaseUrl: Config.Config<Option.Option<string>> = Config.all([
  googleVertex,
  Config.option(Value.url("GOOGLE_GEMINI_BASE_URL")),
  Config.option(Value.url("GOOGLE_VERTEX_BASE_URL")),
]).pipe(Config.map(([isVertex, gemini, vertex]) => (Option.isSome(isVertex) ? vertex : gemini)))

export const anthropicApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(
  Value.key("ANTHROPIC_API_KEY"),
)

/** Without a slash at its end. */
export const anthropicBaseUrl: Config.Config<Option.Option<string>> = Config.option(Value.url("ANTHROPIC_BASE_URL"))

/** Where Ollama is, as its own program takes it: `Ollama.placeOf` reads it. */
export const ollamaHost: Config.Config<Option.Option<string>> = Config.option(Value.text("OLLAMA_HOST"))

export const ollamaApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(Value.key("OLLAMA_API_KEY"))

/** Where a server is that speaks as OpenAI does, and its key, as far as they are set. */
export interface Server {
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly baseUrl: Option.Option<string>
}

/** Of a server that is known. */
export const server = (known: CompatibleServer): Config.Config<Server> =>
  Config.all({
    apiKey: known.keyVariable === undefined ? Config.succeed(Option.none()) : keyIn(known.keyVariable),
    baseUrl: Config.option(Value.url(urlVariableOf(known))),
  })

/** A server that only its user knows. */
export interface CustomServer {
  readonly baseUrl: string
  /** Where its key is set, if it wants one. */
  readonly keyVariable: string | undefined
}

/** By the names that the user gave them. */
export const customServers: Config.Config<HashMap.HashMap<string, CustomServer>> = Config.hashMap(
  Config.all({ baseUrl: Value.url("baseUrl"), keyVariable: Config.option(Value.text("keyVariable")) }),
  "VIBE_PROVIDERS",
).pipe(
  Config.map(HashMap.map(({ baseUrl, keyVariable }) => ({ baseUrl, keyVariable: Option.getOrUndefined(keyVariable) }))),
)

/** Those that there are without any setting. */
export const knownProviders: ReadonlyArray<string> = [
  "google",
  "anthropic",
  ...Object.keys(servers),
  "openai-responses",
  "ollama",
  "offline",
  "scripted",
  "cli",
]

/** The key in this variable, where it is set. */
export const keyIn = (variable: string): Config.Config<Option.Option<Redacted.Redacted>> =>
  Config.option(Value.key(variable))

/** Where a key is looked for, and the key as far as it is set. */
export interface Key {
  readonly name: string
  readonly key: Config.Config<Option.Option<Redacted.Redacted>>
}

const keyNamed = (name: string): Key => ({ name, key: keyIn(name) })

/** Of the providers there are without any setting, those that want a key. */
export const keys: Readonly<Record<string, Key>> = {
  google: { name: "GOOGLE_API_KEY", key: googleApiKey },
  anthropic: { name: "ANTHROPIC_API_KEY", key: anthropicApiKey },
  ...Object.fromEntries(
    Object.entries<CompatibleServer>({ ...servers, "openai-responses": servers.openai }).flatMap(
      ([provider, { keyVariable }]) => (keyVariable === undefined ? [] : [[provider, keyNamed(keyVariable)]]),
    ),
  ),
}

/** The same with the user's own servers, those that want no key among them. */
export const wanted: Config.Config<ReadonlyMap<string, Key | undefined>> = Config.map(
  customServers,
  (servers) =>
    new Map<string, Key | undefined>([
      ...Object.entries(keys),
      ...HashMap.toEntries(
        HashMap.map(servers, ({ keyVariable }) => (keyVariable === undefined ? undefined : keyNamed(keyVariable))),
      ),
    ]),
)
