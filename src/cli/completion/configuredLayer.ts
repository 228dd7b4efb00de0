/** The layer that completes names of the user's configuration; loaded with the first name that is asked for. */
import type * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Catalog from "../../app/Catalog.ts"
import * as ServerLists from "../../app/ServerLists.ts"
import { endWith, mapInParallel } from "../../base/concurrency.ts"
import * as Url from "../../base/Url.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import type { ConfiguredNames } from "./run.ts"

const settings = Sources.layer(".").pipe(Layer.provide(NodeFiles.layer))

const namesIn = <A>(table: Config.Config<HashMap.HashMap<string, A>>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(table, (entries) => Array.from(HashMap.keys(entries))).pipe(
    Effect.provide(settings),
    Effect.orElseSucceed(() => []),
  )

const catalog = Layer.orElse(Layer.provide(Catalog.layer, settings), () => ModelCatalog.layer)

const models = Effect.flatMap(ModelCatalog.ModelCatalog, ({ all }) => all).pipe(
  Effect.map((models) => models.map(({ id }) => String(id))),
  Effect.provide(catalog),
  Effect.orElseSucceed(() => []),
)

/** The longest wait at a press of Tab: a server that does not answer must not hold it up. */
const LOCAL_TIMEOUT = Duration.millis(200)

/** The longest wait for a server on another machine whose name the user has typed. */
const REMOTE_TIMEOUT = Duration.seconds(1)

/**
 * Lists the ids of the models at a server, given by an address as in OLLAMA_HOST. It sends no key, and asks no other
 * machine, whose answer may take long.
 */
export const listPulled = (host: string | undefined): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const Ollama = yield* Effect.promise(() => import("../../provider/ollama/Ollama.ts"))
    if (!Url.isLoopback((yield* Ollama.endpointOf({ host })).url)) return []
    const names = yield* Ollama.listModels({ host }).pipe(endWith(Effect.as(Effect.sleep(LOCAL_TIMEOUT), [])))
    return names.map((name) => `ollama/${name}`)
  }).pipe(Effect.orElseSucceed(() => []))

const pulledModels = ProviderConfig.ollamaHost.pipe(
  Effect.provide(settings),
  Effect.flatMap((host) => listPulled(Option.getOrUndefined(host))),
  Effect.orElseSucceed(() => []),
)

/**
 * Lists the ids that begin with `prefix` of the models at these servers. It asks a server only if its models may be
 * meant.
 */
export const listListed = (
  servers: ReadonlyArray<ServerLists.Server>,
  prefix: string,
): Effect.Effect<ReadonlyArray<string>> =>
  mapInParallel(
    servers.filter(({ isConfigured, server }) => {
      const ids = `${server.name}/`
      return prefix.startsWith(ids) || (isConfigured && Url.isLoopback(server.baseUrl) && ids.startsWith(prefix))
    }),
    (server) =>
      ServerLists.list(server, Url.isLoopback(server.server.baseUrl) ? LOCAL_TIMEOUT : REMOTE_TIMEOUT).pipe(
        Effect.orElseSucceed(() => []),
      ),
  ).pipe(
    Effect.map((lists) =>
      lists
        .flat()
        .map(String)
        .filter((id) => id.startsWith(prefix)),
    ),
  )

const listedModels = (prefix: string): Effect.Effect<ReadonlyArray<string>> =>
  ServerLists.all.pipe(
    Effect.provide(settings),
    Effect.flatMap((servers) => listListed(servers, prefix)),
    Effect.orElseSucceed(() => []),
  )

export const names: ConfiguredNames = {
  models,
  pulledModels,
  listedModels,
  agents: namesIn(AppConfig.agents),
  presets: namesIn(AppConfig.presets),
}
