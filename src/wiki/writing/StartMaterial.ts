/** Gathers what the request for the start page shows: the most used symbols of each part, documents and entry points. */
import * as Effect from "effect/Effect"
import type { Plan } from "../Plan.ts"
import * as Material from "./Material.ts"
import type { Project } from "./Project.ts"
import { edgesOf, type Input, type PartEdge } from "./StartRequest.ts"

export interface Gathered extends Input {
  /** The symbols that are cited for each part in the list of parts. */
  readonly heads: ReadonlyMap<string, ReadonlyArray<Material.Item>>
}

/** The most symbols that are cited for a part, and the most edges and entry points that are shown. */
const MAX_HEADS = 2
const MAX_EDGES = 25
const MAX_ENTRIES = 12
const MAX_EXAMPLES = 2

/** The share of the tokens that the symbols of parts may take. */
const SYMBOLS_SHARE = 0.7

export const gather: <E>(project: Project<E>, plan: Plan, maxTokens: number) => Effect.Effect<Gathered, E> =
  Effect.fnUntraced(function* (project, plan, maxTokens) {
    const known = new Set(project.files)
    const each = (maxTokens * SYMBOLS_SHARE) / Math.max(1, plan.parts.length)
    const chosen = yield* Effect.forEach(plan.parts, ({ files, name }) =>
      Effect.map(
        Effect.forEach(
          files.filter((path) => known.has(path)),
          project.symbolsIn,
        ),
        (items) => ({ name, items: mostUsed(items.flat(), each) }),
      ),
    )
    const entries = project.entries.slice(0, MAX_ENTRIES)
    const documents = project.documents
    const material = Material.of([
      ...chosen.flatMap(({ items }) => items),
      ...entries,
      ...documents.map(({ item }) => item),
    ])
    const line = (item: Material.Item) => Material.lineOf(material, item)
    const partOf = new Map(plan.parts.flatMap(({ files, name }) => files.map((file) => [file, name] as const)))
    const examples = new Map<string, Array<string>>()
    for (const { items, name } of chosen) {
      for (const item of items.slice(0, MAX_ASKED)) {
        for (const use of yield* project.callees(item)) {
          const to = partOf.get(use.item.path)
          if (to === undefined || to === name) continue
          const list = examples.get(`${name}\0${to}`) ?? []
          if (list.length >= MAX_EXAMPLES) continue
          list.push(`${labelOf(material, item)} → ${labelOf(material, use.item)}`)
          examples.set(`${name}\0${to}`, list)
        }
      }
    }
    const gathered: Gathered = {
      about: project.about,
      plan,
      material,
      lines: new Map(chosen.map(({ items, name }) => [name, items.map(line)])),
      documents: documents.flatMap(({ item, lines }) => [line(item), ...lines.map((text) => `  ${text}`)]),
      edges: edgesOf(project.uses, plan.parts)
        .slice(0, MAX_EDGES)
        .map((edge): PartEdge => ({ ...edge, examples: examples.get(`${edge.from}\0${edge.to}`) ?? [] })),
      entryLines: entries.map((item) => `${line(item)} in ${item.path}`),
      heads: new Map(chosen.map(({ items, name }) => [name, items.slice(0, MAX_HEADS)])),
    }
    return gathered
  })

/** The most symbols of a part whose uses are looked up for examples. */
const MAX_ASKED = 6

/** Returns the symbols that most files use, within a limit of tokens. */
const mostUsed = (items: ReadonlyArray<Material.Item>, maxTokens: number): ReadonlyArray<Material.Item> => {
  const usedBy = ({ entry }: Material.Item) => (entry === undefined ? 0 : entry.usedBy + (entry.isMajor ? 0.5 : 0))
  let left = maxTokens
  return Material.choose([items], maxTokens)
    .toSorted((one, other) => usedBy(other) - usedBy(one))
    .filter((item) => {
      const cost =
        item.entry === undefined
          ? 0
          : Material.sizeOf(`${item.entry.qualifiedName} ${Material.aboutOf(item.entry)}`) + 6
      if (cost > left) return false
      left -= cost
      return true
    })
}

const labelOf = (material: Material.Material, item: Material.Item): string => {
  const number = Material.numberOf(material, item)
  return number === undefined ? (item.entry?.qualifiedName ?? item.path) : `[${number}]`
}
