/**
 * Gathers what the request for the start page shows: the statements of the page of each part, its most used symbols,
 * documents and entry points.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Page } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Plan } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import * as States from "../States.ts"
import * as Dependence from "./Dependence.ts"
import * as Material from "./Material.ts"
import * as Project from "./Project.ts"
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

/** The share of the tokens that the parts may take, and of these the share of the statements of their pages. */
const PARTS_SHARE = 0.75
const STATEMENTS_SHARE = 0.65

/** `pages` has the pages of the parts that are written. Their statements are used as far as they have been checked. */
export const gather: <E>(
  project: Project.Project<E>,
  plan: Plan,
  pages: ReadonlyMap<string, Page>,
  maxTokens: number,
) => Effect.Effect<Gathered, E> = Effect.fnUntraced(function* (project, plan, pages, maxTokens) {
  const each = (maxTokens * PARTS_SHARE) / Math.max(1, plan.parts.length)
  const chosen = yield* Effect.forEach(plan.parts, (part) =>
    Effect.gen(function* () {
      const { name } = part
      const items = yield* Project.itemsOf(project, part)
      const said = yield* checkedStatements(project, pages.get(name), each * STATEMENTS_SHARE)
      const left = each - said.reduce((sum, { size }) => sum + size, 0)
      return { name, said, items: mostUsed(items, left) }
    }),
  )
  const entries = project.entries.slice(0, MAX_ENTRIES)
  const documents = project.documents
  const helpers = yield* project.testHelpers
  const material = Material.of([
    ...chosen.flatMap(({ items, said }) => [...said.flatMap(({ cited }) => cited), ...items]),
    ...entries,
    ...documents.map(({ item }) => item),
    ...helpers,
  ])
  const line = (item: Material.Item) =>
    item.entry === undefined
      ? Material.lineOf(material, item)
      : [Material.headOf(material, item), ...Material.purposeOf(item.entry)].join(" ")
  const partOf = Places.finderOf(plan.parts)
  const examples = new Map<string, Array<string>>()
  for (const { items, name } of chosen) {
    for (const item of items.slice(0, MAX_ASKED)) {
      for (const use of yield* project.callees(item)) {
        const to = partOf(Places.targetOf(use.item))?.name
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
    statements: new Map(
      chosen.map(({ name, said }) => [
        name,
        said.map(
          ({ cited, text }) =>
            `${text} [${cited.map((item) => `${Material.numberOf(material, item)} ${shortNameOf(item)}`).join(", ")}]`,
        ),
      ]),
    ),
    lines: new Map(chosen.map(({ items, name }) => [name, items.map(line)])),
    documents: documents.flatMap(({ item, lines }) => [line(item), ...lines.map((text) => `  ${text}`)]),
    edges: edgesOf(project.uses, plan.parts)
      .slice(0, MAX_EDGES)
      .map((edge): PartEdge => ({ ...edge, examples: examples.get(`${edge.from}\0${edge.to}`) ?? [] })),
    arrows: Dependence.count(project.uses, plan.parts),
    entryLines: entries.map((item) => `${labelOf(material, item)} ${Material.nameOf(item)} in ${item.path}`),
    testLines: helpers.map((item) => `${line(item)} in ${item.path}`),
    heads: new Map(chosen.map(({ items, name }) => [name, Material.byImportance(items).slice(0, MAX_HEADS)])),
  }
  return gathered
})

/** The most symbols of a part whose uses are looked up for examples. */
const MAX_ASKED = 6

/** The tokens of the numbers behind a statement. */
const FRAME_OF_STATEMENT = 8

/** Returns the first statements of a page that were held against the source, with what they cite, within a limit. */
const checkedStatements = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  page: Page | undefined,
  maxTokens: number,
) {
  const found: Array<{
    readonly text: string
    readonly cited: ReadonlyArray<Material.Item>
    readonly size: number
  }> = []
  let left = maxTokens
  for (const { author, citations, kind, text, unchecked } of page === undefined ? [] : States.statementsOf(page)) {
    if (author === "project" || kind !== "claim" || unchecked !== undefined || StatementText.isFenced(text)) continue
    const cited: Array<Material.Item> = []
    for (const citation of citations) {
      const item = Project.find(project, yield* project.symbolsIn(citation.path), citation)
      if (item !== undefined) cited.push(item)
    }
    const line = sanitizeLine(StatementText.toPlain(text))
    const names = cited.reduce((sum, item) => sum + Material.sizeOf(shortNameOf(item)), 0)
    const size = Material.sizeOf(line) + names + FRAME_OF_STATEMENT
    if (cited.length === 0 || size > left) continue
    left -= size
    found.push({ text: line, cited, size })
  }
  return found
})

/** Returns the symbols that matter most, within a limit of tokens. */
const mostUsed = (items: ReadonlyArray<Material.Item>, maxTokens: number): ReadonlyArray<Material.Item> => {
  let left = maxTokens
  return Material.byImportance(items).filter((item) => {
    const { entry } = item
    const cost =
      entry === undefined ? 0 : Material.sizeOf([Material.nameOf(item), ...Material.purposeOf(entry)].join(" ")) + 6
    if (cost > left) return false
    left -= cost
    return true
  })
}

/** Returns a name beside a number, without namespaces: `Client.request`. A number alone may be that of a neighbour. */
const shortNameOf = (item: Material.Item): string =>
  item.entry === undefined ? Material.nameOf(item) : Material.nameOf(item).split(".").slice(-2).join(".")

const labelOf = (material: Material.Material, item: Material.Item): string => {
  const number = Material.numberOf(material, item)
  return number === undefined ? Material.nameOf(item) : `[${number}]`
}
