/** The work of `vibe models`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AppConfig from "../../config/AppConfig.ts"
import { printableLine } from "../../message/Printable.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ModelList from "../ModelList.ts"
import * as Render from "../Render.ts"
import * as Screen from "../Screen.ts"

export interface Input {
  /** Words that an id has to hold; blank for no filter. */
  readonly filter: string
  readonly refresh: boolean
  readonly json: boolean
}

export const run = Effect.fn("cli.models")(function* ({ filter, json, refresh }: Input) {
  const { err, out } = yield* Screen.Screen
  const catalog = yield* ModelCatalog.ModelCatalog
  const registry = yield* ModelRegistry.ModelRegistry
  if (refresh) {
    const { date, source } = yield* catalog.refresh
    yield* Screen.line(err, printableLine(`what ${source} says on ${date} is kept`))
  }
  const providers = yield* Effect.forEach(registry.providers, provider)
  const words = filter.split(/\s+/).filter((word) => word !== "")
  const known = yield* catalog.all
  const models = known.filter(ModelList.matching(words, registry.providers))
  const list = { origin: yield* catalog.origin, providers, models }
  yield* Screen.line(out, json ? Render.json(ModelList.object(list)) : ModelList.text(list, out.style))
  if (models.length < known.length && words.length === 0) {
    const others = known.length - models.length
    yield* Screen.line(err, `${others} more of other providers: 'vibe models FILTER' finds them`)
  }
  if (models.length === 0) yield* Screen.line(err, printableLine(`no model is known by: ${filter}`))
})

const provider = (name: string) =>
  Effect.gen(function* () {
    const wanted = AppConfig.keys[name]
    if (wanted === undefined) return { name, key: "not needed" as const, variable: undefined }
    const key = Option.isSome(yield* wanted.key) ? ("set" as const) : ("missing" as const)
    return { name, key, variable: wanted.name }
  })
