/** What completion offers of the user's configuration; loaded with the first name that is asked for. */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import type { Service } from "../cli/completion/Configured.ts"
import * as NodeFiles from "../code/Files/Node.ts"
import * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as ModelCatalog from "../model/ModelCatalog.ts"
import * as Catalog from "./Catalog.ts"

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

export const names: Service = { models, agents: namesIn(AppConfig.agents), presets: namesIn(AppConfig.presets) }
