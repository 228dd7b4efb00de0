/** The output of `vibe models`: text for people, an object for `--json`. Pure. */
import * as Option from "effect/Option"
import type { ModelId } from "../../message/ModelId.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type { Style } from "../../message/Style.ts"
import type { ModelInfo } from "../../model/ModelCatalog.ts"
import type { Deprecation, Price } from "../../model/ModelEntry.ts"
import type { Origin } from "../../model/ModelTable.ts"

export interface List {
  readonly origin: Origin
  readonly providers: ReadonlyArray<Provider>
  readonly models: ReadonlyArray<ModelInfo>
}

export interface Provider {
  readonly name: string
  readonly key: "set" | "missing" | "not needed"
  /** The environment variable of the key. */
  readonly variable: string | undefined
  /** The number of models on a local server; none where it does not answer, undefined for other providers. */
  readonly pulled?: Option.Option<number> | undefined
}

/** Models with every word in their id; without words, those of these providers. */
export const matching =
  (words: ReadonlyArray<string>, providers: ReadonlyArray<string>) =>
  ({ id }: ModelInfo): boolean =>
    words.length === 0 ? providers.includes(id.provider) : hasAllWords(words, id)

/** Whether the id contains all words, in any case. */
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

export const text = ({ models, origin, providers }: List, { quiet, strong }: Style): string =>
  [
    strong("Providers"),
    ...table(providers.map((provider) => [provider.name, keyOf(provider)])),
    ...(models.length === 0
      ? []
      : [
          "",
          strong("Models"),
          ...table([
            ["", "reads", "writes", "$ in", "$ out", ""],
            ...models.map(({ entry, id }) => [
              sanitizeLine(String(id)),
              amount(entry.context),
              amount(entry.output),
              ...price(entry.price),
              [missingKey(providers, id), deprecationText(entry.deprecation)].filter((text) => text !== "").join("; "),
            ]),
          ]),
          "",
          quiet(sanitizeLine(`tokens; US dollars a million tokens; by ${origin.source}, ${origin.date}`)),
        ]),
  ].join("\n")

const keyOf = ({ key, pulled, variable }: Provider): string =>
  variable === undefined
    ? ["needs no key", ...(pulled === undefined ? [] : [serverOf(pulled)])].join("; ")
    : `${variable} is ${key === "set" ? "set" : "not set"}`

/** Why a model cannot be used; empty where it can. */
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
