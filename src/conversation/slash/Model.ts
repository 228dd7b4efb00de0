/** `/model`: shows or changes the model. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as ModelId from "../../message/ModelId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as Limits from "../../model/Limits.ts"
import type { ModelInfo } from "../../model/ModelCatalog.ts"
import type * as ModelRegistry from "../../model/ModelRegistry.ts"
import { cannotUseTools, isAgent } from "../OfferedTools.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { pickChoice } from "./SlashCommand.ts"

/** A model that can be chosen. */
export interface KnownModel extends ModelInfo {
  /** The reason that the model cannot be used now, such as a missing key. Undefined if it can be used. */
  readonly obstacle: string | undefined
}

/** Describes a model that is in use, as far as its provider and the catalogue describe it. */
export const inUse = ({ id, limits, modalities, price }: LanguageModel.Service): KnownModel => ({
  id,
  entry: { context: Limits.contextWindow(limits), modalities, price },
  obstacle: undefined,
})

/**
 * `known` lists the models that can be chosen, usable ones first. The one in use is offered before them, even if it is
 * unknown.
 */
export const model = (
  registry: ModelRegistry.Service,
  known: Effect.Effect<ReadonlyArray<KnownModel>>,
): SlashCommand => ({
  name: "model",
  argument: "[PROVIDER/NAME]",
  summary: "Answer with another model from now on",
  complete: (typed) =>
    Effect.map(known, (models) => {
      const letters = typed.toLowerCase()
      const matches = models.map(toChoice).filter(({ label }) => label.toLowerCase().includes(letters))
      const [begin, contain] = [true, false].map((begins) =>
        matches.filter(({ label }) => label.toLowerCase().startsWith(letters) === begins),
      )
      return [...(begin ?? []), ...(contain ?? [])].slice(0, MAX_COMPLETIONS)
    }),
  run: (session, words) =>
    Effect.gen(function* () {
      const { change, view } = session
      const used = yield* session.model
      const current = used.id
      const isPicked = words === "" ? view.isInteractive : /^\d+$/.test(words)
      const id = isPicked
        ? yield* pick(session, words, placeFirst(inUse(used), yield* known))
        : words === ""
          ? Option.none<ModelId.ModelId>()
          : Option.some(yield* Either.mapLeft(ModelId.parse(words), (message) => new UsageError({ message })))
      if (Option.isSome(id) && String(id.value) !== String(current))
        yield* change({ model: yield* registry.open(id.value) })
      const text = Option.isSome(id)
        ? `${(yield* session.model).id} answers from here on`
        : `${current} answers; /model PROVIDER/NAME changes that, and 'vibe models' lists them`
      const { id: now } = yield* session.model
      const lines = Option.isSome(id) && isAgent(now) ? [text, cannotUseTools(now)] : [text]
      yield* view.show(View.Entry.Noted({ text: lines.join("\n") }))
      return "continue" as const
    }),
})

/** The most models that are offered at a time after `/model `. */
const MAX_COMPLETIONS = 50

const pick = Effect.fnUntraced(function* (
  session: Parameters<SlashCommand["run"]>[0],
  words: string,
  models: ReadonlyArray<KnownModel>,
) {
  const picked = yield* pickChoice(session, words, {
    title: "Which model answers from here on? (dollars a million tokens, in / out · context window)",
    command: "/model N",
    preselected: 0,
    choices: models.map(toChoice),
  })
  return Option.flatMapNullable(picked, (index) => models[index]?.id)
})

/** Puts a model before the others. If it is among them, their entry for it is used, and it is listed once. */
const placeFirst = (first: KnownModel, models: ReadonlyArray<KnownModel>): ReadonlyArray<KnownModel> => {
  const [same, others] = Arr.partition(models, ({ id }) => String(id) !== String(first.id))
  return [same[0] ?? first, ...others]
}

/** Makes a choice such as `anthropic/claude-sonnet-5`, `$3 / $15 · 200k · pictures`. */
const toChoice = ({ entry, id, obstacle }: KnownModel): View.Choice => {
  const { context, deprecation, modalities, price } = entry
  const facts = [
    obstacle,
    price && (price.input + price.output === 0 ? "free" : `$${price.input} / $${price.output}`),
    context === undefined ? undefined : formatTokens(context),
    modalities?.input.includes("image") === true ? "pictures" : undefined,
    deprecation && "deprecated",
  ]
  return { label: String(id), about: facts.filter((fact) => fact !== undefined).join(" · ") }
}

/** Formats a number of tokens: `200k`, `1.05M`. */
const formatTokens = (tokens: number): string =>
  tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${Number((tokens / 1_000_000).toFixed(2))}M`
