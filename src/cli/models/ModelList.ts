/** The output of `vibe models`: text for people, an object for `--json`. Pure. */
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import type { ModelId } from "../../message/ModelId.ts"
import type { ModelInfo } from "../../model/ModelCatalog.ts"
import type { Deprecation, Price } from "../../model/ModelEntry.ts"
import type { Origin } from "../../model/ModelTable.ts"
import * as Arguments from "../arguments/Arguments.ts"

export interface List {
  readonly origin: Origin
  readonly providers: ReadonlyArray<Provider>
  readonly models: ReadonlyArray<ModelInfo>
}

interface Provider {
  readonly name: string
  readonly key: "set" | "missing" | "not needed"
  /** The environment variable of the key. */
  readonly variable: string | undefined
  /** The number of models on a local server; `None` if it does not answer, undefined for other providers. */
  readonly pulled?: Option.Option<number> | undefined
}

/**
 * Returns the models of the named provider, or else those with every word in their id. Without words, it returns those
 * of these providers.
 */
export const matching =
  (words: ReadonlyArray<string>, providers: ReadonlyArray<string>, named?: Provider) =>
  ({ id }: ModelInfo): boolean => {
    if (named !== undefined) return id.provider === named.name
    return words.length === 0 ? providers.includes(id.provider) : hasAllWords(words, id)
  }

/** The provider whose name is the only word. */
export const providerNamed = (
  [word, ...more]: ReadonlyArray<string>,
  providers: ReadonlyArray<Provider>,
): Provider | undefined =>
  more.length > 0 ? undefined : providers.find(({ name }) => name.toLowerCase() === word?.toLowerCase())

/** Replaces each word that no model has by the nearest known one; undefined if there is no near one. */
export const nearest = (
  words: ReadonlyArray<string>,
  providers: ReadonlyArray<string>,
  ids: ReadonlyArray<ModelId>,
): string | undefined => {
  const names = new Set([
    ...providers,
    ...ids.map(({ name }) => name),
    ...ids.map(String),
    ...ids.flatMap(({ name }) => name.split(/[-/:]/)),
  ])
  const known = words.map((word) =>
    ids.some((id) => hasAllWords([word], id)) ? word : Arguments.findNearest(word, [...names]),
  )
  const text = known.join(" ")
  return known.includes(undefined) || text === words.join(" ") ? undefined : text
}

/** Returns whether the id contains all words, in any case. */
export const hasAllWords = (words: ReadonlyArray<string>, id: ModelId): boolean =>
  words.every((word) => String(id).toLowerCase().includes(word.toLowerCase()))

/** Prices are in US dollars per million tokens; unknown values are `null`. */
export const object = ({ models, origin, providers }: List): object => ({
  source: origin.source,
  date: origin.date,
  providers: providers.map(({ key, name, pulled }) => ({
    name,
    key,
    ...(pulled !== undefined && { pulled: Option.getOrNull(pulled) }),
  })),
  models: models.map(({ entry, id }) => ({
    id: String(id),
    context: entry.context ?? null,
    output: entry.output ?? null,
    total: entry.total ?? null,
    price: entry.price ?? null,
    modalities: entry.modalities ?? null,
    deprecation: entry.deprecation ?? null,
  })),
})

/** Formats all providers and these models. */
export const text = ({ models, origin, providers }: List, style: Style): string =>
  sections([
    providerTable(providers, style),
    modelTable(models, (id) => missingKey(providers, id), style),
    originLine(models, origin, style),
  ])

/** Formats a provider and its models. */
export const providerText = ({ models, origin }: List, named: Provider, style: Style): string =>
  sections([providerTable([named], style), modelTable(models, () => "", style), originLine(models, origin, style)])

/**
 * Formats the models that words have found. A model that has the only word as its name or id, or that is found alone,
 * is printed with every fact; the others are in a table.
 */
export const foundText = ({ models, origin, providers }: List, words: ReadonlyArray<string>, style: Style): string => {
  const [word = "", ...more] = words.map((word) => word.toLowerCase())
  const isMeant = ({ id }: ModelInfo): boolean =>
    models.length === 1 || (more.length === 0 && [id.name.toLowerCase(), String(id).toLowerCase()].includes(word))
  const others = models.filter((model) => !isMeant(model))
  const heading = others.length < models.length ? "Others with this in their name" : undefined
  return sections([
    ...models.filter(isMeant).map((model) => facts(model, providers, style)),
    modelTable(others, (id) => missingKey(providers, id), style, heading),
    originLine(models, origin, style),
  ])
}

const sections = (sections: ReadonlyArray<ReadonlyArray<string>>): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")

const providerTable = (providers: ReadonlyArray<Provider>, { strong }: Style): ReadonlyArray<string> => [
  strong("Providers"),
  ...table(providers.map((provider) => [provider.name, keyOf(provider)])),
]

const modelTable = (
  models: ReadonlyArray<ModelInfo>,
  obstacle: (id: ModelId) => string,
  { strong }: Style,
  heading = "Models",
): ReadonlyArray<string> =>
  models.length === 0
    ? []
    : [
        strong(heading),
        ...table([
          ["", "reads", "writes", "$ in", "$ out", ""],
          ...models.map(({ entry, id }) => [
            sanitizeLine(String(id)),
            amount(entry.context),
            amount(entry.output),
            ...price(entry.price),
            [obstacle(id), deprecationText(entry.deprecation)].filter((text) => text !== "").join("; "),
          ]),
        ]),
      ]

const originLine = (models: ReadonlyArray<ModelInfo>, origin: Origin, { quiet }: Style): ReadonlyArray<string> =>
  models.length === 0
    ? []
    : [quiet(sanitizeLine(`tokens; US dollars a million tokens; by ${origin.source}, ${origin.date}`))]

/** Lists the facts about a model, each on a line. */
const facts = (
  { entry, id }: ModelInfo,
  providers: ReadonlyArray<Provider>,
  { strong }: Style,
): ReadonlyArray<string> => {
  const { context, deprecation, modalities, output, total } = entry
  const [input, written] = price(entry.price)
  const cached = entry.price?.cached
  const provider = providers.find(({ name }) => name === id.provider)
  const rows = [
    ["context", amount(context)],
    ["longest answer", amount(output)],
    ["both together", total === undefined ? "" : amount(total)],
    ["$ in", input],
    ["$ in, cached", cached === undefined ? "" : String(cached)],
    ["$ out", written],
    ["input", modalities?.input.join(", ") ?? ""],
    ["output", modalities?.output.join(", ") ?? ""],
    ["key", provider === undefined ? "" : keyOf(provider)],
    ["note", deprecationText(deprecation)],
  ]
  return [
    strong(sanitizeLine(String(id))),
    ...table(rows.filter(([, value]) => value !== "").map((row) => row.map(sanitizeLine))),
  ]
}

const keyOf = ({ key, pulled, variable }: Provider): string =>
  variable === undefined
    ? ["needs no key", ...(pulled === undefined ? [] : [serverOf(pulled)])].join("; ")
    : `${variable} is ${key === "set" ? "set" : "not set"}`

/** Says why a model cannot be used; empty if it can. */
const missingKey = (providers: ReadonlyArray<Provider>, { provider }: ModelId): string => {
  const found = providers.find(({ name }) => name === provider)
  return found?.key === "missing" ? keyOf(found) : ""
}

const serverOf = Option.match({
  onNone: () => "no server answers",
  onSome: (pulled: number) => `${plural(pulled, "model")} pulled`,
})

const amount = (tokens: number | undefined): string => tokens?.toLocaleString("en") ?? "?"

const price = (price: Price | undefined): readonly [input: string, output: string] =>
  price === undefined ? ["?", "?"] : [String(price.input), String(price.output)]

const deprecationText = (deprecation: Deprecation | undefined): string => {
  if (deprecation === undefined) return ""
  const { from, successor } = deprecation
  return sanitizeLine(
    ["deprecated", from && `may be gone from ${from} on`, successor && `then ${successor}`].filter(Boolean).join(", "),
  )
}

/** Aligns the first and the last column to the left, the others to the right. */
const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    `  ${row
      .map((cell, column) =>
        column === 0 || column === row.length - 1 ? cell.padEnd(width(column)) : cell.padStart(width(column)),
      )
      .join("  ")}`.trimEnd(),
  )
}
