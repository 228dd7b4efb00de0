/** Gathers the material of a part within a limit of tokens: its symbols with purposes and calls, and its neighbours. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Labels from "../Labels.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import * as AlikeFiles from "./AlikeFiles.ts"
import * as Deciding from "./Deciding.ts"
import * as DocContract from "./DocContract.ts"
import * as Material from "./Material.ts"
import type { FileLines } from "./PartRequest.ts"
import * as PartRoom from "./PartRoom.ts"
import * as PartTables from "./PartTables.ts"
import * as PartTopics from "./PartTopics.ts"
import * as Project from "./Project.ts"
import type { Sources } from "./Sources.ts"
import * as SourceText from "./SourceText.ts"
import { edgesOf } from "./StartRequest.ts"

export interface Gathered {
  /** How much room the part has beside one of mean size (`PartRoom`). */
  readonly room: number
  readonly material: Material.Material
  readonly files: ReadonlyArray<FileLines>
  readonly alike: ReadonlyArray<AlikeFiles.Alike>
  readonly edges: ReadonlyArray<string>
  /** The sections of documents that are about it, each with its first sentence. */
  readonly topics: ReadonlyArray<string>
  /** Its data: defaults, tables and constants. */
  readonly tables: ReadonlyArray<string>
  /** The tokens that sources which a model chooses may take: data leaves them that much less. */
  readonly chosenTokens: (tokens: number) => number
  /** Sources of the functions that matter most, if there is room left, by the keys of their symbols. */
  readonly shown: Sources
  /** Lists the files as `files` does, but with other sources. */
  readonly filesWith: (sources: Sources) => ReadonlyArray<FileLines>
}

/** The shares of the tokens that symbols and their calls may take. */
const SYMBOLS_SHARE = 0.66
const CALLS_SHARE = 0.16

/** The share of the tokens that contracts in comments may take beside the others. */
const CONTRACTS_SHARE = 0.108

/**
 * The least share of the tokens that sources get beside the others. What they do not show is chosen (`SourceChoice`).
 */
const SOURCES_SHARE = 0.49

/** The share of the tokens that data may take: what it leaves goes to sources, of which that much less are shown. */
const TABLES_SHARE = 0.485

/** How much of the tokens of data is taken from the sources that a model chooses. */
const DATA_COUNTS = 0.6

/** The share of the tokens that the topics of documents may take beside the others. */
const TOPICS_SHARE = 0.302

const runs: ReadonlySet<string> = new Set(["function", "method", "class"])

/** The most calls of a symbol that are shown, and of these to symbols without a number. */
const MAX_CALLS = 8
const MAX_NAMED = 3

/** The most neighbours of a part, and examples of what it uses of each. */
const MAX_NEIGHBOURS = 8
const MAX_EXAMPLES = 3

const callers: ReadonlySet<string> = new Set(["function", "method", "constant", "variable"])

/** `usualTokens` are those of a part of mean size, and its numbers count on from `before`. */
export const gather: <E>(
  project: Project.Project<E>,
  part: Part,
  parts: ReadonlyArray<Part>,
  usualTokens: number,
  topics?: PartTopics.Topics,
  before?: number,
) => Effect.Effect<Gathered, E> = Effect.fnUntraced(function* (
  project,
  part,
  parts,
  usualTokens,
  topics = new Map(),
  before = 0,
) {
  const room = yield* PartRoom.of(project, part, parts)
  const maxTokens = room * usualTokens
  const partFiles = yield* Project.itemsByFile(project, part)
  const { alike, core } = AlikeFiles.arrange(partFiles, Places.usesOfFiles(project.uses))
  const isHidden = new Set(alike.flatMap(({ others }) => others))
  const rankOf = ({ path }: AlikeFiles.PartFile) => (core.includes(path) ? core.indexOf(path) : core.length)
  const arranged = partFiles
    .filter(({ path }) => !isHidden.has(path))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const paths = arranged.map(({ path }) => path)
  const all = arranged.map(({ items }) => items)
  const deciding = yield* weighDecisions(project, all.flat())
  const contracts = contractsIn(all.flat())
  const telling = new Map([
    ...deciding,
    ...Array.from(contracts).flatMap(([key, { isOverridden }]) => (isOverridden ? [[key, CONTRACT] as const] : [])),
  ])
  const chosen = Material.choose(all, maxTokens * SYMBOLS_SHARE, core.length, telling)
  const beside = typesBeside(all.flat(), chosen)
  const tables = yield* PartTables.gather(project, all.flat(), maxTokens * TABLES_SHARE, { listed: chosen, paths })
  const material = Material.add(Material.of(chosen, before), [...beside, ...tables.items])
  const partOf = Places.finderOf(parts)
  const examples = new Map<string, Array<string>>()
  const lines = new Map<string, Array<Line>>()
  let left = maxTokens * CALLS_SHARE
  for (const item of chosen) {
    const uses = callers.has(item.entry?.kind ?? "") ? yield* project.callees(item) : []
    const texts: Array<string> = []
    let named = 0
    for (const use of uses.toSorted((one, other) => one.line - other.line)) {
      // The use of a field or a type says little about what happens.
      if (!runs.has(use.item.entry?.kind ?? "")) continue
      if (use.isType) continue
      const other = partOf(Places.targetOf(use.item))?.name
      const name = Material.nameOf(use.item)
      if (other !== undefined && other !== part.name) {
        const list = examples.get(other) ?? []
        if (list.length < MAX_EXAMPLES) list.push(`[${Material.numberOf(material, item)}] → ${name}`)
        examples.set(other, list)
      }
      const number = Material.numberOf(material, use.item)
      if (texts.length >= MAX_CALLS || (number === undefined && named >= MAX_NAMED)) continue
      if (number === undefined) named += 1
      texts.push(`${number ?? sanitizeLine(name)}`)
    }
    const calls = texts.length === 0 ? "" : ` → ${texts.join(", ")}`
    const cost = Material.sizeOf(calls)
    const fits = calls !== "" && cost <= left
    if (fits) left -= cost
    const own = lines.get(item.path) ?? []
    own.push({ item, line: Material.lineOf(material, item), calls: fits ? calls : "" })
    lines.set(item.path, own)
  }
  const asked = contractLines(chosen, contracts, deciding, maxTokens * CONTRACTS_SHARE)
  const conditions = yield* Effect.forEach(paths, project.conditionOf)
  const sourceRoom = Math.max(maxTokens - sizeOfAll(lines) - tables.tokens, maxTokens * SOURCES_SHARE)
  const shown = yield* sourcesWithin(project, material, sourceRoom)
  const filesWith: Gathered["filesWith"] = (sources) =>
    withinFiles(
      paths.map((path, at): FileLines => {
        const own = lines.get(path) ?? []
        const types = beside.filter((item) => item.path === path)
        const listed = new Set(own.map(({ item }) => Material.keyOf(item)))
        const unlisted = Array.from(sources.values()).filter(
          ({ item }) => item.path === path && !listed.has(Material.keyOf(item)),
        )
        return {
          path,
          condition: conditions[at],
          lines: [
            ...own.flatMap((line) => {
              const key = Material.keyOf(line.item)
              const source = sources.get(key)
              const text = textOf(material, line, source?.text) + (asked.get(key) ?? "")
              return source === undefined ? [text] : [`${text}:`, ...source.lines]
            }),
            ...unlisted.flatMap(({ item, lines }) => [`${Material.headOf(material, item)}:`, ...lines]),
            ...typeLine(material, types),
          ],
          hidden: (all[at]?.length ?? 0) - own.length - types.length,
        }
      }),
    )
  const users = yield* usersOf(project, material, part, parts)
  const gathered: Gathered = {
    room,
    material: Material.add(material, users.items),
    files: filesWith(shown.sources),
    filesWith,
    alike,
    edges: edgeLines(project, part, parts, examples, users.lines),
    topics: PartTopics.within(topics.get(part.name) ?? [], TOPICS_SHARE * maxTokens),
    tables: tables.lines(material),
    chosenTokens: (tokens) => Math.max(tokens / 2, room * tokens - DATA_COUNTS * tables.tokens) + shown.leftOver,
    shown: shown.sources,
  }
  return gathered
})

/** Says how much functions decide, by the keys of those that are no stubs. */
const weighDecisions = <E>(
  project: Project.Project<E>,
  items: ReadonlyArray<Material.Item>,
): Effect.Effect<ReadonlyMap<string, number>, E> =>
  Effect.map(
    Effect.forEach(items, (item) =>
      Effect.map(weightOf(project, item), (weight) =>
        weight === undefined ? [] : [[Material.keyOf(item), weight] as const],
      ),
    ),
    (found) => new Map(found.flat()),
  )

/** Returns how much a function decides; undefined for a stub, and for what is no function. */
const weightOf = <E>(project: Project.Project<E>, item: Material.Item): Effect.Effect<number | undefined, E> => {
  const { entry } = item
  if (entry === undefined || !callable.has(entry.kind)) return Effect.succeed(undefined)
  return Effect.map(project.sourceOf(item), (text) => (text === undefined ? undefined : Deciding.weigh(entry, text, 0)))
}

/** Finds the contracts that stand in comments (`DocContract`), by the keys of their symbols. */
const contractsIn = (items: ReadonlyArray<Material.Item>): ReadonlyMap<string, Contract> => {
  const classesWith = new Map<string, Set<string>>()
  for (const { entry } of items) {
    if (entry?.container === undefined || entry.kind !== "method") continue
    classesWith.set(entry.name, (classesWith.get(entry.name) ?? new Set()).add(entry.container))
  }
  return new Map(
    items.flatMap((item) => {
      const { entry } = item
      if (entry?.doc === undefined || entry.name.startsWith("_")) return []
      const isOverridden = entry.kind === "method" && (classesWith.get(entry.name)?.size ?? 0) > 1
      const text = DocContract.find(entry.doc, Material.aboutOf(entry), isOverridden)
      return text === undefined ? [] : [[Material.keyOf(item), { text, isOverridden }] as const]
    }),
  )
}

interface Contract {
  readonly text: string
  /** True for a method that several classes have. */
  readonly isOverridden: boolean
}

/** How much a method counts whose comment says what those that override it must do, as if it decided so much. */
const CONTRACT = 6

/**
 * Writes the contracts of some symbols within a limit of tokens, by their keys: those first of methods that several
 * classes have, and of these those that do nothing themselves.
 */
const contractLines = (
  items: ReadonlyArray<Material.Item>,
  contracts: ReadonlyMap<string, Contract>,
  deciding: ReadonlyMap<string, number>,
  maxTokens: number,
): ReadonlyMap<string, string> => {
  const weightOf = (key: string) =>
    Number(contracts.get(key)?.isOverridden === true) + 1 / (1 + (deciding.get(key) ?? 0))
  const lines = new Map<string, string>()
  let left = maxTokens
  for (const key of items.map(Material.keyOf).toSorted((one, other) => weightOf(other) - weightOf(one))) {
    const contract = contracts.get(key)
    if (contract === undefined) continue
    const text = ` (its comment asks: ${contract.text})`
    const cost = Material.sizeOf(text)
    if (cost > left) continue
    left -= cost
    lines.set(key, text)
  }
  return lines
}

/** The most types that are named without more, so that a page can tell of all that a part offers. */
const MAX_TYPES = 24

/** Returns the types offered to other code for which there was no room, those first that most other files use. */
const typesBeside = (
  items: ReadonlyArray<Material.Item>,
  chosen: ReadonlyArray<Material.Item>,
): ReadonlyArray<Material.Item> => {
  const shown = new Set(chosen.map(({ entry }) => entry?.qualifiedName))
  return items
    .filter((item) => Material.isPublicType(item) && item.ordinal === 0 && !shown.has(item.entry?.qualifiedName))
    .toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))
    .slice(0, MAX_TYPES)
}

const typeLine = (material: Material.Material, types: ReadonlyArray<Material.Item>): ReadonlyArray<string> => {
  const names = types.map((item) => `[${Material.numberOf(material, item)}] ${sanitizeLine(item.entry?.name ?? "")}`)
  return names.length === 0 ? [] : [`also ${names.join(", ")}`]
}

/** A symbol as it stands in the list of its file, with what it calls. */
interface Line {
  readonly item: Material.Item
  readonly line: string
  readonly calls: string
}

const sizeOfAll = (lines: ReadonlyMap<string, ReadonlyArray<Line>>): number =>
  Array.from(lines).reduce(
    (sum, [path, own]) =>
      sum + own.reduce((all, { calls, line }) => all + Material.sizeOf(line + calls), Material.sizeOf(path)),
    0,
  )

/** Writes a line without what the source of its symbol says below it: its calls, its parameters and its docstring. */
const textOf = (material: Material.Material, { calls, item, line }: Line, source: string | undefined): string =>
  source === undefined ? line + calls : Material.lineBeside(material, item, source)

/** A longer source would take all the room; a model can choose it (`SourceChoice`). */
const MAX_SOURCE = 900

/** Each further source of a class or file counts so much less, so that a part is not shown by one of its classes. */
const SAME = 0.75

/**
 * Writes sources within a limit of tokens: those of functions that decide first, and those that only pass something on
 * last. A small part is shown nearly as a whole in this way.
 */
const sourcesWithin = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  material: Material.Material,
  maxTokens: number,
) {
  const paths = new Set(material.items.map(({ path }) => path))
  interface Found {
    readonly item: Material.Item
    readonly text: string
    readonly cost: number
    /** How much it decides, and how much that counts for its length and beside others of its class. */
    readonly decides: number
    weight: number
  }
  const found: Array<Found> = []
  let isLeftOut = false
  for (const item of material.items) {
    if (item.entry === undefined || !callable.has(item.entry.kind)) continue
    const text = yield* project.sourceOf(item)
    if (text === undefined || text.trim() === item.entry.signature.trim()) continue
    const cost = Math.ceil(1.1 * Material.sizeOf(text)) + MIN_SOURCE / 2
    if (cost > Math.min(maxTokens, MAX_SOURCE)) {
      isLeftOut = true
      continue
    }
    const calls = (yield* project.callees(item)).filter(
      (use) => runs.has(use.item.entry?.kind ?? "") && paths.has(use.item.path),
    )
    // A stub is shown only if there is room for everything else.
    const decides = Deciding.weigh(item.entry, text, calls.length) ?? -1 / (1 + item.entry.usedBy)
    found.push({ item, text, cost, decides, weight: decides > 0 ? decides / cost ** LENGTH : decides })
  }
  const chosen: Array<{ readonly item: Material.Item; readonly text: string }> = []
  let left = maxTokens
  while (found.length > 0) {
    found.sort((one, other) => other.weight - one.weight)
    const best = found.shift()
    if (best === undefined || left < MIN_SOURCE) break
    if (isLeftOut && best.decides < TRIVIAL) continue
    if (best.cost > left) {
      isLeftOut = true
      continue
    }
    left -= best.cost
    chosen.push(best)
    const container = containerOf(best.item)
    for (const other of found) if (other.weight > 0 && containerOf(other.item) === container) other.weight *= SAME
  }
  const leftOver = isLeftOut ? left : 0
  const sources: Sources = new Map(
    chosen.map(({ item, text }) => {
      const lines = SourceText.write(text, { maxLines: 400, maxTokens: 2 * MAX_SOURCE })
      return [Material.keyOf(item), { item, text, lines }]
    }),
  )
  return { leftOver, sources }
})

/** How much more a function counts that a model has chosen. */
const CHOSEN = 1.6

/** A function that decides less leaves its room to others, such as a getter with a default. */
const TRIVIAL = 3.5

/**
 * Longer functions decide more, but take the room of others: the exponent of their tokens by which they are divided.
 */
const LENGTH = 0.3

/**
 * How much less one counts that it could have chosen, and what one decides at least that takes the room that is left.
 */
const UNCHOSEN = 0.7
const FILLS = 5

/**
 * Sorts the symbols whose sources a page may show, those of `gather`, those that a model has chosen, and those that it
 * could choose: those first that decide most for their length. So they take the room of those that decide little.
 */
export const rankSources: <E>(
  project: Project.Project<E>,
  gathered: Pick<Gathered, "shown">,
  chosen: ReadonlyArray<Material.Item>,
  open: ReadonlyArray<Material.Item>,
) => Effect.Effect<ReadonlyArray<Material.Item>, E> = Effect.fnUntraced(function* (project, { shown }, chosen, open) {
  const others = open.filter((item) => !chosen.includes(item))
  const factors = new Map([
    ...Array.from(shown.values(), ({ item }) => [item, 1] as const),
    ...chosen.map((item) => [item, CHOSEN] as const),
    ...others.map((item) => [item, UNCHOSEN] as const),
  ])
  const weighed = yield* Effect.forEach(factors, ([item, factor]) =>
    Effect.gen(function* () {
      const decides = (yield* weightOf(project, item)) ?? 0
      const tokens = SourceText.sizeOfCode((yield* project.sourceOf(item)) ?? "")
      return { item, decides, factor, weight: (factor * decides) / (MIN_SOURCE + tokens) ** LENGTH }
    }),
  )
  return weighed
    .filter(({ decides, factor }) => factor !== UNCHOSEN || decides >= FILLS)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ item }) => item)
})

const containerOf = ({ entry, path }: Material.Item): string => `${path}\0${entry?.container ?? ""}`

const callable: ReadonlySet<string> = new Set(["function", "method"])

/** The tokens below which no further source is looked for. */
const MIN_SOURCE = 40

/** The most files without a symbol that are listed. */
const MAX_BARE = 40

const withinFiles = (files: ReadonlyArray<FileLines>): ReadonlyArray<FileLines> => {
  let bare = 0
  return files.filter(({ lines }) => lines.length > 0 || ++bare <= MAX_BARE)
}

/** The most users of one symbol that are named as examples, so that a part is not shown by one of its symbols. */
const MAX_OF_SYMBOL = 2

/**
 * Finds which symbols of other parts use which of a part, as `[40] loader.load → [12]`, by the name of the other part:
 * those of its symbols first that most others use. They say what the part is there for. Users are numbered after the
 * material, since a statement about who calls a part can be held against the source of the caller alone.
 */
const usersOf = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  material: Material.Material,
  part: Part,
  parts: ReadonlyArray<Part>,
) {
  const partOf = Places.finderOf(parts)
  const lines = new Map<string, Array<string>>()
  let numbered = material
  const ranked = material.items.toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))
  for (const item of ranked) {
    const counts = new Map<string, number>()
    for (const user of yield* project.users(item)) {
      const other = partOf(user)?.name
      if (other === undefined || other === part.name) continue
      const list = lines.get(other) ?? []
      const count = counts.get(other) ?? 0
      if (list.length >= MAX_EXAMPLES || count >= MAX_OF_SYMBOL) continue
      counts.set(other, count + 1)
      const found = (yield* project.symbolsIn(user.path)).find(({ entry }) => entry?.qualifiedName === user.symbol)
      if (found !== undefined) numbered = Material.add(numbered, [found])
      const number = found === undefined ? "" : `[${Material.numberOf(numbered, found)}] `
      list.push(`${number}${Labels.nameIn(user.path, user.symbol ?? "")} → [${Material.numberOf(material, item)}]`)
      lines.set(other, list)
    }
  }
  return { lines, items: numbered.items.slice(material.items.length) }
})

const edgeLines = <E>(
  project: Project.Project<E>,
  part: Part,
  parts: ReadonlyArray<Part>,
  examples: ReadonlyMap<string, ReadonlyArray<string>>,
  users: ReadonlyMap<string, ReadonlyArray<string>>,
): ReadonlyArray<string> => {
  const titles = new Map(parts.map(({ name, title }) => [name, title]))
  const edges = edgesOf(project.uses, parts)
  const uses = edges.filter(({ from }) => from === part.name).slice(0, MAX_NEIGHBOURS)
  const usedBy = edges.filter(({ to }) => to === part.name).slice(0, MAX_NEIGHBOURS)
  return [
    ...uses.map(({ count, to }) => `- uses ${titles.get(to)}: ${count}${exampleText(examples.get(to))}`),
    ...usedBy.map(({ count, from }) => `- used by ${titles.get(from)}: ${count}${exampleText(users.get(from))}`),
  ]
}

const exampleText = (some: ReadonlyArray<string> = []): string =>
  some.length === 0 ? "" : ` (${some.map(sanitizeLine).join(", ")})`
