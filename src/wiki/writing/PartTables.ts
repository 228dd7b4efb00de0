/**
 * Chooses the data of a part that its page should tell of: the defaults of settings, tables of commands, enumerations
 * and constants. They say what there is by name, and no function that is shown does.
 */
import * as Effect from "effect/Effect"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { quote } from "../../index/ProjectMap.ts"
import * as States from "../States.ts"
import * as DataTable from "./DataTable.ts"
import * as Declared from "./Declared.ts"
import * as Material from "./Material.ts"
import type * as Project from "./Project.ts"

export interface PartTables {
  /** The symbols that are shown, which can be cited. */
  readonly items: ReadonlyArray<Material.Item>
  /** Writes them with the numbers that they have by then. */
  readonly lines: (material: Material.Material) => ReadonlyArray<string>
  readonly tokens: number
}

/** Words in the names of what users set, call or choose from. */
const TELLING =
  /default|option|config|setting|command|subcommand|registr|handler|route|event|hook|mode|level|flag|env|schema|supported|builtin|feature|extension|plugin|keys?(?:map|s)\b|kinds?\b|types?\b|limits?\b|timeout|status/i

/** The most tables of a part, and the largest share of the tokens that the next one may take if others follow. */
const MAX_TABLES = 4
const SHARE = 0.75

/**
 * The most tokens of a table whose name does not say that users set or choose something in it, such as one of colours.
 */
const MAX_UNTOLD = 130

/** A table for which there is less room is left out. */
const MIN_TOKENS = 60

/** The most constants with their values, and the most characters of a value. */
const MAX_VALUES = 12
const MAX_VALUE = 60

const FRAME = 12

/** The tokens that a part may show of settings and commands in any case, since users ask for these first. */
const LEAST = 800

const SETTINGS = /default|option|config|setting|command/i

/**
 * `items` are all symbols of a part, `listed` those whose names and signatures are shown, `paths` its files, and
 * `maxTokens` what its data may take beside the rest.
 */
export const gather: <E>(
  project: Pick<Project.Project<E>, "sourceOf">,
  items: ReadonlyArray<Material.Item>,
  maxTokens: number,
  shown?: { readonly listed: ReadonlyArray<Material.Item>; readonly paths: ReadonlyArray<string> },
) => Effect.Effect<PartTables, E> = Effect.fnUntraced(function* (project, items, maxTokens, shown) {
  const { listed, paths } = shown ?? { listed: [], paths: items.map(({ path }) => path) }
  const found: Array<{ readonly item: Material.Item; readonly table: DataTable.DataTable; readonly weight: number }> =
    []
  for (const item of items) {
    const { entry } = item
    if (entry === undefined || !isCandidate(entry, items)) continue
    const source = yield* project.sourceOf(item)
    const table = source === undefined ? undefined : DataTable.read(item.path, source, entry)
    if (table !== undefined) found.push({ item, table, weight: weigh(entry, table.size) })
  }
  const ranked = found.toSorted((one, other) => other.weight - one.weight)
  const chosen: Array<{ readonly item: Material.Item; readonly lines: ReadonlyArray<string> }> = []
  const [first] = ranked
  const isSetting = SETTINGS.test(first?.item.entry?.name ?? "")
  const most = isSetting ? Math.max(LEAST, maxTokens) : maxTokens
  let left = most
  for (const [at, { item, table }] of ranked.entries()) {
    // A table within another one is shown there.
    if (chosen.some((other) => isWithin(item, other.item))) continue
    const share = (at === ranked.length - 1 ? 1 : SHARE) * left - FRAME
    const own = item.entry !== undefined && isTelling(item.entry) ? share : Math.min(share, MAX_UNTOLD)
    if (own < MIN_TOKENS) break
    const lines = quote(sanitize(DataTable.write(table, own).join("\n")))
    left -= FRAME + sizeOf(lines)
    chosen.push({ item, lines })
    if (chosen.length === MAX_TABLES) break
  }
  const declared = yield* declaredIn(project, items, paths, DECLARED_SHARE * maxTokens)
  const values: Array<{ readonly item: Material.Item; readonly text: string }> = []
  // The list of symbols has the value itself if there is no purpose.
  const told = new Set(listed.filter(({ entry }) => entry?.purpose === undefined).map(Material.keyOf))
  const further = valuesOf(
    items.filter((each) => !told.has(Material.keyOf(each))),
    overriddenIn(items),
  )
  for (const { item, text } of further) {
    if (chosen.some((other) => isWithin(item, other.item))) continue
    const cost = Material.sizeOf(`[000] ${text}; `)
    if (cost > left || values.length === MAX_VALUES) break
    left -= cost
    values.push({ item, text })
  }
  return {
    items: [...declared, ...chosen, ...values].map(({ item }) => item),
    tokens: most - left + declared.reduce((sum, { lines }) => sum + FRAME + sizeOf(lines), 0),
    lines: (material) => [
      ...declared.flatMap(({ item, lines }) => [
        Material.sourceTitle(material, item).replace(/:$/, item.entry === undefined ? DECLARES_AT_TOP : DECLARES),
        ...lines,
      ]),
      ...chosen.flatMap(({ item, lines }) => [Material.sourceTitle(material, item), ...lines]),
      ...(values.length === 0
        ? []
        : [`Values: ${values.map(({ item, text }) => `[${Material.numberOf(material, item)}] ${text}`).join("; ")}`]),
    ],
  }
})

const DECLARES_AT_TOP = " declares by calls and comments at its top:"
const DECLARES = " declares:"

/**
 * The share of the tokens of data that calls may take beside tables: options of a command line, routes, what is
 * registered.
 */
const DECLARED_SHARE = 0.6

/** The tokens that a part may show of options in any case, and of what else is declared. */
const LEAST_OPTIONS = 1000
const LEAST_DECLARED = 450

/**
 * Finds what files declare by calls at their top, and functions by decorators and in their bodies. What belongs to no
 * symbol is cited by its file.
 */
const declaredIn = Effect.fnUntraced(function* <E>(
  project: Pick<Project.Project<E>, "sourceOf">,
  items: ReadonlyArray<Material.Item>,
  paths: ReadonlyArray<string>,
  maxTokens: number,
) {
  const found: Array<{ readonly item: Material.Item; readonly declared: ReadonlyArray<Declared.Declared> }> = []
  for (const path of new Set(paths)) {
    const file: Material.Item = { path, entry: undefined, ordinal: 0 }
    const text = yield* project.sourceOf(file)
    if (text === undefined) continue
    const declared = Declared.atTop(path, text)
    if (declared.length > 0) found.push({ item: { ...file, hash: States.hashOf(text) }, declared })
  }
  for (const item of items) {
    if (!runs.has(item.entry?.kind ?? "")) continue
    const declared = Declared.within(item.path, (yield* project.sourceOf(item)) ?? "")
    // A function that is shown tells a single option itself.
    if (declared.length > 1) found.push({ item, declared })
  }
  const optionsOf = (declared: ReadonlyArray<Declared.Declared>) => declared.filter(({ isOption }) => isOption).length
  const ranked = found.toSorted((one, other) => optionsOf(other.declared) - optionsOf(one.declared))
  const isOptions = ranked.some(({ declared }) => optionsOf(declared) > 1)
  let left = Math.max(isOptions ? LEAST_OPTIONS : LEAST_DECLARED, maxTokens)
  const chosen: Array<{ readonly item: Material.Item; readonly lines: ReadonlyArray<string> }> = []
  for (const { declared, item } of ranked) {
    if (left < MIN_TOKENS) break
    const lines = quote(sanitize(Declared.write(declared, left - FRAME).join("\n")))
    left -= FRAME + sizeOf(lines)
    chosen.push({ item, lines })
  }
  return chosen
})

const sizeOf = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + line.split("\n").reduce((all, each) => all + Material.sizeOf(each), 0), 0)

const holds: ReadonlySet<string> = new Set(["constant", "variable", "field"])
const declares: ReadonlySet<string> = new Set(["class", "interface", "type"])
const runs: ReadonlySet<string> = new Set(["function", "method"])

/** Returns whether a symbol may be data that others see: what a function has in it is a part of that. */
const isCandidate = (
  { container, endLine, kind, name, startLine }: IndexEntry,
  items: ReadonlyArray<Material.Item>,
) => {
  if (endLine - startLine < 2 || name.startsWith("__")) return false
  if (declares.has(kind)) return TELLING.test(name)
  return (
    (kind === "enum" || holds.has(kind)) &&
    (container === undefined || !items.some(({ entry }) => entry?.qualifiedName === container && runs.has(entry.kind)))
  )
}

const isTelling = ({ kind, name }: IndexEntry): boolean => kind === "enum" || TELLING.test(name)

const weigh = ({ doc, exported, kind, name, purpose, usedBy }: IndexEntry, size: number): number =>
  (TELLING.test(name) ? 3 : 0) +
  (kind === "enum" ? 1 : declares.has(kind) ? 0 : 0.5) +
  (exported ? 1 : 0) +
  (doc !== undefined || purpose !== undefined ? 0.5 : 0) +
  Math.log2(1 + usedBy) +
  Math.min(5, Math.log2(size)) / 2 -
  (name.startsWith("_") ? 2 : 0)

const isWithin = ({ entry, path }: Material.Item, other: Material.Item): boolean =>
  path === other.path &&
  entry !== undefined &&
  other.entry !== undefined &&
  entry.startLine >= other.entry.startLine &&
  entry.endLine <= other.entry.endLine

/** Returns the value that a field or constant of one line has. */
const literalOf = ({ endLine, kind, signature, startLine }: IndexEntry): string | undefined =>
  holds.has(kind) && startLine === endLine
    ? /(?:^|[^=!<>])(?:=|:=)(?!=)\s*(.+?)[;,]?\s*$/.exec(signature)?.[1]
    : undefined

/** Returns the names that classes give different values, such as a default that a subclass overrides. */
const overriddenIn = (items: ReadonlyArray<Material.Item>): ReadonlySet<string> => {
  const values = new Map<string, Set<string>>()
  for (const { entry } of items) {
    if (entry?.container === undefined) continue
    const value = literalOf(entry)
    if (value === undefined || !LITERAL.test(value)) continue
    const own = values.get(entry.name) ?? new Set<string>()
    values.set(entry.name, own.add(value))
  }
  return new Set(Array.from(values).flatMap(([name, own]) => (own.size > 1 ? [name] : [])))
}

/**
 * Lists constants of one line whose value is read off it, those first that `overridden` has, and those of telling
 * names.
 */
const valuesOf = (items: ReadonlyArray<Material.Item>, overridden: ReadonlySet<string>) =>
  items
    .flatMap((item) => {
      const { entry } = item
      const value = entry === undefined ? undefined : literalOf(entry)
      if (entry === undefined || value === undefined) return []
      const isConstant = /^[A-Z][A-Z\d_]{2,}$/.test(entry.name) || entry.kind === "constant"
      const isOverridden = entry.container !== undefined && overridden.has(entry.name)
      const isNothing = /^(?:None|nil|null|undefined)$/.test(value ?? "")
      const isTold = TELLING.test(entry.name) || /^(?:max|min)|limit|timeout|size|path|version/i.test(entry.name)
      if (
        !LITERAL.test(value) ||
        TYPES.test(value) ||
        value.length > MAX_VALUE ||
        !(isTold || isOverridden || (isConstant && !isNothing))
      )
        return []
      const text = sanitizeLine(`${Material.nameOf(item)} = ${value}`)
      const isDefault = isOverridden && !entry.name.startsWith("_")
      return [
        {
          item,
          text,
          weight: (isDefault ? 3 : isTold ? 2 : 0) + (entry.exported ? 1 : 0) + Math.log2(1 + entry.usedBy),
        },
      ]
    })
    .toSorted((one, other) => other.weight - one.weight)

/** Values that are types or tools of the code rather than data. */
const TYPES = /\b(?:TypeVar|ParamSpec|TypeVarTuple|NewType|getLogger|Symbol)\(/

/**
 * A number, a text, a list, or a name of the language for nothing, true and false; or a call with such arguments, such
 * as `timedelta(weeks=2)`.
 */
const LITERAL =
  /^(?:-?[\d(."'`]|[[{].*["'\d]|true\b|false\b|True\b|False\b|None\b|nil\b|null\b|(?:time|Duration|std::time::Duration)\b|(?:new )?[\w.:]+\([^()]*["'\d][^()]*\)$)/
