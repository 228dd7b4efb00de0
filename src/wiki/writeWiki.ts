/**
 * Writes the wiki of a project at the end of a run of `vibe index`: the pages without a model, and those of a model if
 * one is given. What persons and models have written stays.
 */
import * as Effect from "effect/Effect"
import * as CachedWorkspace from "../code/CachedWorkspace.ts"
import * as Workspace from "../code/Workspace.ts"
import * as CachedIndex from "../index/CachedIndex.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Index } from "../index/IndexStore.ts"
import type { ModelReport } from "../index/WikiReport.ts"
import * as Entries from "./Entries.ts"
import * as FileGraph from "./FileGraph.ts"
import * as Calls from "./flows/Calls.ts"
import * as Flows from "./flows/Flows.ts"
import * as StepCalls from "./flows/StepCalls.ts"
import * as Labels from "./Labels.ts"
import * as Markdown from "./Markdown.ts"
import * as MostCited from "./MostCited.ts"
import * as Packages from "./Packages.ts"
import { type Page, type Section, START, type Statement } from "./Page.ts"
import * as Parts from "./Parts.ts"
import type { Plan } from "./Plan.ts"
import * as ProjectFacts from "./ProjectFacts.ts"
import * as ProjectPages from "./ProjectPages.ts"
import * as Picture from "./pictures/Picture.ts"
import * as PictureText from "./pictures/PictureText.ts"
import * as States from "./States.ts"
import * as Titles from "./Titles.ts"
import * as ToldFacts from "./ToldFacts.ts"
import type * as WikiStore from "./WikiStore.ts"
import type * as Material from "./writing/Material.ts"
import * as Pages from "./writing/Pages.ts"
import * as Reconcile from "./writing/Reconcile.ts"

/**
 * A model that writes pages, see `writing/WikiWriter`. It is given what there is, and keeps each plan and page as soon
 * as it is written.
 */
export type Writer<E> = (wiki: Writing<E>) => Effect.Effect<ModelReport | undefined, E>

interface Writing<E> {
  readonly index: Index
  readonly workspace: Workspace.Workspace
  readonly plan: Plan | undefined
  readonly pages: ReadonlyArray<Page>
  /** Names of pages whose files cannot be replaced, such as one in a merge conflict. */
  readonly locked: ReadonlySet<string>
  readonly onPlan: (plan: Plan) => Effect.Effect<void, E>
  readonly onPage: (page: Page) => Effect.Effect<void, E>
  readonly onRemove: (page: string) => Effect.Effect<void, E>
}

export type WriteError = IndexError | WikiStore.StoreError

export interface Settings {
  readonly index: Index
  readonly workspace: Workspace.Workspace
  readonly wiki: WikiStore.Wiki
  readonly writer?: Writer<WriteError> | undefined
}

export interface Written {
  /** The number of pages of the wiki. */
  readonly pages: number
  /** Names of pages that are new or changed, sorted. */
  readonly written: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  /** Pages that were left as they are: a person has changed them during the run, or a merge conflict is in them. */
  readonly left: ReadonlyArray<string>
  readonly flaws: ReadonlyArray<WikiStore.Flaw>
  /** How many statements of persons and models cite something that is gone, or that has changed. */
  readonly gone: number
  readonly touched: number
  /** The pages that the model wrote; undefined if none was asked. */
  readonly model: ModelReport | undefined
}

/** Writes everything that is missing or concerns changed code. A second run without changes writes nothing. */
export const writeWiki: (settings: Settings) => Effect.Effect<Written, WriteError> = Effect.fn("Wiki.write")(
  function* (settings) {
    const { index, wiki, workspace, writer } = settings
    const changes = { written: new Set<string>(), removed: new Set<string>(), left: new Set<string>() }
    const existed = new Set((yield* wiki.read).pages.map(({ page }) => page.name))
    const keep = Effect.fnUntraced(function* (change: WikiStore.Change) {
      const { left, removed, written } = yield* wiki.keep(change)
      // A page may be written and then removed, since a model plans other parts, or the other way round.
      for (const name of written) {
        changes.written.add(name)
        changes.removed.delete(name)
      }
      for (const name of removed) {
        changes.written.delete(name)
        if (existed.has(name)) changes.removed.add(name)
      }
      for (const name of left) changes.left.add(name)
    })
    let model: ModelReport | undefined
    let last = yield* writeProjectPages(settings, keep)
    if (writer !== undefined) {
      const { flaws, pages, plan } = yield* wiki.read
      const documents = new Map(pages.map((document) => [document.page.name, document]))
      model = yield* writer({
        index,
        workspace,
        plan,
        pages: pages.map(({ page }) => page),
        locked: new Set(flaws.flatMap(({ page }) => page ?? [])),
        onPlan: (plan) => keep({ plan }),
        onPage: (page) => keep({ pages: [{ ...(documents.get(page.name) ?? Markdown.fromPage(page)), page }] }),
        onRemove: (page) => keep({ remove: [page] }),
      })
      // Parts that the model has planned and not written yet have pages without a model until then.
      last = yield* writeProjectPages(settings, keep)
    }
    const sorted = (names: ReadonlySet<string>) => Array.from(names).sort()
    return {
      ...last,
      written: sorted(changes.written),
      removed: sorted(changes.removed),
      left: sorted(changes.left),
      model,
    }
  },
)

/** Pages that have fewer symbols in common say too little of where to begin. */
const MIN_CITED = 3

/** Writes the pages that no model has written, and lets the links of all pages follow what was moved. */
const writeProjectPages = Effect.fnUntraced(function* (
  settings: Settings,
  keep: (change: WikiStore.Change) => Effect.Effect<void, WikiStore.StoreError>,
) {
  const { wiki } = settings
  // Nothing is recorded meanwhile, and the parts of a wiki ask about the same files and symbols.
  const index = CachedIndex.make(settings.index)
  const workspace = CachedWorkspace.make(settings.workspace)
  const { flaws, pages: before, plan: earlier } = yield* wiki.read
  const graph = yield* FileGraph.read(index, earlier)
  const textOf = (path: string) => Workspace.readText(workspace, path)
  const parts = yield* planOf(earlier, graph, yield* index.files, textOf)
  const reader = Calls.readerOf(index, graph.files, textOf)
  const flows =
    parts.model === undefined
      ? yield* writeFlows({ index, workspace }, graph, parts, reader)
      : {
          pages: [],
          missing: parts.flows.length > 0 ? undefined : (yield* Flows.find(index, graph, parts.parts)).missing,
        }
  const plan = parts.model === undefined ? { ...parts, flows: flows.pages.map(({ flow }) => flow) } : parts
  const known = new Map(before.map((document) => [document.page.name, document]))
  const pages = before.map(({ page }) => page)
  const read = yield* ProjectFacts.read(index, workspace, plan, graph)
  const cited = yield* MostCited.find(index, pages, ProjectFacts.MAX_CENTRAL)
  const facts = cited.length < MIN_CITED ? read : { ...read, central: cited }
  const made = [
    ...ProjectPages.make(facts, { flows: plan.flows, whyNone: flows.missing }, toldBy(pages)),
    ...flows.pages.map(({ page }) => page),
  ]
  const planned = new Set([...made.map(({ name }) => name), ...plan.flows.map(({ name }) => name)])
  const unreadable = new Set(flaws.flatMap(({ page }) => page ?? []))
  const due = new Map<string, Page>()
  for (const page of made) {
    const old = known.get(page.name)?.page
    if (unreadable.has(page.name)) continue
    due.set(page.name, old === undefined ? page : isOfModel(old) ? withFacts(old, page) : withPersons(old, page))
  }
  const remove: Array<string> = []
  for (const [name, { page }] of known) {
    if (due.has(name)) continue
    if (planned.has(name) || States.statementsOf(page).some(({ author }) => author !== "project")) due.set(name, page)
    else remove.push(name)
  }
  const states = yield* States.read(index, Array.from(due.values()), textOf)
  const followed = Array.from(due.values()).map((page) => States.follow(page, states))
  const calls = yield* StepCalls.read(reader, followed)
  const documents = followed.map((page): Markdown.Document => {
    const old = known.get(page.name)
    return {
      page,
      pictures: drawOf(page, plan, graph, calls),
      links: old?.links ?? new Map(),
    }
  })
  // The plan of a model has the files that its pages were written of, until these are written anew.
  yield* keep({ pages: documents, plan: plan.model === undefined ? plan : undefined, remove })
  const all = documents.flatMap(({ page }) => States.statementsOf(page)).map((each) => States.stateOf(each, states))
  return {
    pages: documents.length,
    flaws,
    gone: all.filter((state) => state === "gone").length,
    touched: all.filter((state) => state === "touched" || state === "stale").length,
  }
})

const writeFlows = Effect.fnUntraced(function* (
  { index, workspace }: Pick<Settings, "index" | "workspace">,
  graph: FileGraph.FileGraph,
  { parts }: Plan,
  { indirect, sourceOf }: Calls.Reader,
) {
  const files = yield* index.files
  const textOf = (path: string) => Workspace.readText(workspace, path)
  const readme = yield* Packages.readmes(files, textOf)
  const documents = yield* ProjectFacts.readDocuments(files, undefined, textOf)
  const found = yield* Flows.find(index, graph, parts, {
    indirect,
    readme,
    documents: documents.map(({ text }) => text).join("\n"),
    entries: yield* Entries.read(new Set(files.map(({ path }) => path)), textOf),
  })
  const taken = new Set([START, ...parts.map(({ name }) => name)])
  return { pages: yield* Flows.write(index, graph, found, taken, sourceOf, indirect), missing: found.missing }
})

/** Draws the picture of a page from the references; none if it would show nothing. */
const drawOf = (
  page: Page,
  { parts }: Plan,
  graph: FileGraph.FileGraph,
  calls: StepCalls.StepCalls,
): ReadonlyArray<Markdown.Picture> => {
  const picture = Picture.ofPage(page, parts, graph, calls)
  return picture === undefined
    ? []
    : [{ title: PictureText.titles[page.kind], mermaid: PictureText.toMermaid(picture) }]
}

/** Returns the plan of a model, brought up to date with the files, or else the parts that the folders give. */
const planOf = Effect.fnUntraced(function* (
  earlier: Plan | undefined,
  graph: FileGraph.FileGraph,
  files: Effect.Effect.Success<Index["files"]>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  if (earlier?.model !== undefined) return Reconcile.reconcile(earlier, graph.files, graph.heads).plan
  const parts = graph.files.length === 0 ? [] : Parts.group(files, graph)
  const paths = files.map(({ path }) => path)
  const plan: Plan = { parts: yield* Titles.give(parts, paths, textOf), flows: [], undescribed: [] }
  return plan
})

/** Returns for each page of a model what it cites: symbols, and with them the types that they are members of. */
const toldBy = (pages: ReadonlyArray<Page>): ReadonlyMap<string, (item: Material.Item) => boolean> =>
  new Map(
    pages.filter(isOfModel).map(({ name, sections }) => {
      const own = sections.filter(({ title }) => title === undefined || !ProjectPages.FACTS.has(title))
      const cited = own
        .flatMap(({ blocks }) => blocks.flat())
        .flatMap(({ author, citations }) => (author === "project" ? [] : citations))
      const prefixes = new Set(
        cited.flatMap(({ path, symbol = "" }) =>
          symbol.split(".").map((_, at, parts) => `${path}\0${parts.slice(0, at + 1).join(".")}`),
        ),
      )
      return [name, ({ entry, path }: Material.Item) => prefixes.has(`${path}\0${entry?.qualifiedName}`)] as const
    }),
  )

const isOfModel = (page: Page): boolean => States.statementsOf(page).some(({ author }) => author === "model")

/**
 * Returns a page of a model with what the program knows of its files, its documents and what no page describes, from
 * the page that was made without a model. If nothing is known of dependences or flows, it says why.
 */
const withFacts = (page: Page, made: Page): Page => {
  const own = page.sections.filter(({ title }) => title === undefined || !ProjectPages.FACTS.has(title))
  const titles = new Set(own.map(({ title }) => title))
  const facts = made.sections
    .filter(
      ({ blocks, title }) =>
        title !== undefined &&
        (ProjectPages.FACTS.has(title) ||
          (ProjectPages.REASONS.has(title) && !titles.has(title) && blocks.length === 1 && isReason(blocks))),
    )
    .flatMap((section) => (section.title === ProjectPages.TITLES.releases ? ToldFacts.leaveOut(section, own) : section))
  const before = page.sections.filter(({ title }) => title !== undefined && ProjectPages.FACTS.has(title))
  const kept = withPersons({ ...page, sections: before }, { ...page, sections: facts }).sections
  const isUpper = ({ title }: Section) => title === ProjectPages.TITLES.layers
  // The order of the parts stands beside their dependences, above the lists that a reader looks things up in.
  const [place = -1] = [ProjectPages.TITLES.dependencies, ProjectPages.TITLES.parts]
    .map((title) => own.findIndex((section) => section.title === title))
    .filter((at) => at !== -1)
  return {
    ...page,
    sections: [
      ...own.slice(0, place + 1),
      ...kept.filter(isUpper),
      ...own.slice(place + 1),
      ...kept.filter((each) => !isUpper(each)),
    ],
  }
}

/** Returns whether statements lead nowhere, as one that says why there is nothing to list. */
const isReason = (blocks: Page["sections"][number]["blocks"]): boolean =>
  blocks.flat().every(({ citations, text }) => citations.length === 0 && !text.includes("]("))

/**
 * Returns a page that was made anew with what persons wrote on the earlier one. A statement that cites the same as one
 * that a person has written in its section is replaced by that.
 */
const withPersons = (old: Page, page: Page): Page => {
  const before = withoutMade(old, page)
  const persons = new Map<string, ReadonlyArray<Statement>>()
  for (const section of before.sections) {
    for (const statement of section.blocks.flat()) {
      if (statement.author !== "person" || statement.citations.length === 0) continue
      const key = keyOf(section.title, statement)
      persons.set(key, [...(persons.get(key) ?? []), statement])
    }
  }
  const replaced: Page = {
    ...page,
    sections: page.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) => {
        const [first, ...others] = block.flatMap((statement): ReadonlyArray<Statement> => {
          const key = keyOf(section.title, statement)
          const own = statement.citations.length === 0 ? undefined : persons.get(key)
          if (own === undefined) return [statement]
          persons.delete(key)
          return own
        })
        return first === undefined ? block : ([first, ...others] as const)
      }),
    })),
  }
  const placed = new Set(States.statementsOf(replaced))
  const rest = Pages.mapStatements(before, (statement) =>
    statement.author === "person" && !placed.has(statement) ? statement : undefined,
  )
  return Pages.keepPersons(rest, replaced)
}

/**
 * Returns the earlier page without what the one that was made anew says in the same section. Such statements seem to be
 * a person's if their evidence is lost, as when the pages were committed without it.
 */
const withoutMade = (old: Page, made: Page): Page => {
  const said = new Set(
    Markdown.normalize(Markdown.fromPage(made)).page.sections.flatMap(({ blocks, title }) =>
      blocks.flat().map((statement) => keyOf(title, statement) + statement.text),
    ),
  )
  const sections = old.sections.flatMap(
    (section) =>
      Pages.mapStatements({ ...old, sections: [section] }, (statement) =>
        statement.author === "person" && said.has(keyOf(section.title, statement) + statement.text)
          ? undefined
          : statement,
      ).sections,
  )
  return { ...old, sections }
}

const keyOf = (title: string | undefined, { citations }: Statement): string =>
  JSON.stringify([title ?? "", ...citations.map(Labels.keyOf)])
