/**
 * The wiki without a model: pages of what a project says of itself in its documents, manifests, comments, references
 * and tests. Nothing in them is interpreted, and the same project always gives the same pages. Pure.
 */
import { nounOf } from "../code/FileClass.ts"
import * as Language from "../code/Language.ts"
import { dependencies, layerStatements } from "./DependenceLists.ts"
import type { Said } from "./internal/FactSources.ts"
import { code, join, readableTitle, shortName, statement } from "./internal/ProjectStatements.ts"
import * as Labels from "./Labels.ts"
import * as Packages from "./Packages.ts"
import { type Page, type Section, START, type Statement } from "./Page.ts"
import { commonFolder, type PartFacts } from "./PartFacts.ts"
import * as Parts from "./Parts.ts"
import * as Places from "./Places.ts"
import type { Flow } from "./Plan.ts"
import { type Facts, firstSentences, purposeOf } from "./ProjectFacts.ts"
import * as StatementText from "./StatementText.ts"
import * as TypeLists from "./TypeLists.ts"
import * as Material from "./writing/Material.ts"

/** Says on each page that no model has written it. */
export const NOTICE =
  "*Written without a model, from the project's own documents, manifests, comments, references and tests.*"

/** The titles of the sections that other modules look for. */
export const TITLES = {
  packages: "Packages",
  parts: "Parts",
  dependencies: "How the parts depend on each other",
  layers: "The parts from top to bottom",
  flows: "Flows",
  begin: "Where to begin reading",
  contracts: "Contracts and what implements them",
  errors: "Errors",
  needs: "What it needs and offers",
  releases: "Test settings, version and releases",
  tests: "Where the tests stand",
  offered: "Also in this part",
  documents: "Documents",
  files: "Files",
  undescribed: "Not described",
} as const

/** Sections of what the program knows better than a model, which stand on the pages of a model too. */
export const FACTS: ReadonlySet<string> = new Set([
  TITLES.packages,
  TITLES.layers,
  TITLES.begin,
  TITLES.contracts,
  TITLES.errors,
  TITLES.needs,
  TITLES.releases,
  TITLES.tests,
  TITLES.offered,
  TITLES.documents,
  TITLES.files,
  TITLES.undescribed,
])

/** Sections that a page of a model has from here if it has none of its own: they say why nothing is known. */
export const REASONS: ReadonlySet<string> = new Set([TITLES.dependencies, TITLES.flows])

const MAX_TARGETS = 4
const MAX_EXAMPLES = 3
const MAX_OTHERS = 12

/** The flows that have pages of their own, or why there are none. */
interface FlowList {
  readonly flows: ReadonlyArray<Flow>
  readonly whyNone: string | undefined
}

/**
 * Makes the start page and a page for each part. `told` knows the pages that models have written, by their names, and
 * what these tell of: the rest of what a part offers is listed on its page.
 */
export const make = (
  facts: Facts,
  flows: FlowList,
  told: ReadonlyMap<string, (item: Material.Item) => boolean> = new Map(),
): ReadonlyArray<Page> => [
  startPage(facts, flows),
  ...facts.parts.map((part) => partPage(part, facts, told.get(part.part.name))),
]

const toStatement = ({ item, text }: Said): Statement => statement(text, "claim", [Material.citationOf(item)])

const nameOf = ({ entry, path }: Material.Item): string =>
  entry === undefined ? path : Labels.nameIn(path, entry.qualifiedName)

/** Returns a section; none without statements. Empty texts are left out. */
const section = (
  title: string | undefined,
  form: Section["form"],
  statements: ReadonlyArray<Statement>,
): ReadonlyArray<Section> => {
  const blocks = statements.filter(({ text }) => text !== "").map((each) => [each] as const)
  return blocks.length === 0 ? [] : [{ ...(title !== undefined && { title }), form, blocks }]
}

/** `Loader.setup`: what it is for. */
const symbolStatement = (item: Material.Item, most = Number.POSITIVE_INFINITY): Statement => {
  const whole = purposeOf(item)
  const purpose = whole === undefined ? undefined : Material.cut(whole, most)
  const model = item.entry?.purpose?.model
  return {
    ...statement(
      `${code(nameOf(item))}${purpose === undefined ? "" : `: ${purpose}`}`,
      purpose === undefined ? "pointer" : "claim",
      [Material.citationOf(item)],
    ),
    ...(purpose !== undefined && model !== undefined && { model }),
  }
}

/** The most characters of what a symbol is for on the start page; the page of its part has all of it. */
const MAX_BEGIN = 110

/** The most parts that the line of a package links to. */
const MAX_LINKED = 4

/** Names each package with what it says of itself, and the parts that have most of its files. */
const packageStatements = ({ packages, parts }: Facts): ReadonlyArray<Statement> => {
  const folders = new Set(packages.map(({ folder }) => folder))
  return packages.map(({ about, folder, item, name }) => {
    const shares = parts.flatMap(({ part }) => {
      const own = part.files.filter((path) => Packages.packageOf(folders, path) === folder).length
      return own === 0 ? [] : [{ part, own }]
    })
    const linked = shares
      .toSorted((one, other) => other.own - one.own)
      .slice(0, MAX_LINKED)
      .map(({ part }) => StatementText.linkToPage(readableTitle(part.title, part.name), part.name))
    const more = shares.length > linked.length ? ` and ${shares.length - linked.length} more` : ""
    const where = linked.length === 0 ? "" : ` Its parts: ${linked.join(", ")}${more}.`
    const what = about === undefined ? "." : `: ${about}`
    return statement(`${code(name)} in ${code(`${folder}/`)}${what}${where}`, "claim", [Material.citationOf(item)])
  })
}

const startPage = (facts: Facts, { flows, whyNone }: FlowList): Page => {
  const { about, beside, central, commands, documents, edges, entries, hasReferences, languages, name, parts } = facts
  const contracts = TypeLists.sharedOf(facts, facts.contracts, ({ implementations }) => implementations)
  const errors = TypeLists.sharedOf(facts, facts.errors, ({ derived }) => derived)
  return {
    name: START,
    kind: "start",
    title: StatementText.sanitize(name) || "Project",
    sections: [
      {
        form: "text",
        blocks: [
          ...about.map((each) => [toStatement(each)] as const),
          [statement(languagesText(languages, parts.length), "pointer")],
          [statement(NOTICE, "pointer")],
        ],
      },
      ...section(TITLES.packages, "list", packageStatements(facts)),
      ...section(TITLES.parts, "list", parts.map(partStatement)),
      ...section(
        TITLES.dependencies,
        "list",
        dependencies(
          edges,
          parts.map(({ part }) => part.name),
          hasReferences,
        ),
      ),
      ...section(TITLES.layers, "steps", layerStatements(facts)),
      ...section(
        TITLES.flows,
        "list",
        flows.length === 0 && whyNone !== undefined
          ? [statement(whyNone, "pointer")]
          : flows.map(({ name, start, title }) => statement(StatementText.linkToPage(title, name), "pointer", [start])),
      ),
      ...section(
        "Entry points",
        "list",
        entries.map((each) => ({ ...toStatement(each), kind: "pointer" })),
      ),
      ...section(
        TITLES.begin,
        "list",
        central.map((item) => symbolStatement(item, MAX_BEGIN)),
      ),
      ...section(TITLES.contracts, "list", [
        ...TypeLists.contractStatements(contracts.shared.slice(0, MAX_CONTRACTS)),
        ...TypeLists.elsewhere(contracts.parts),
      ]),
      ...section(TITLES.errors, "list", [
        ...TypeLists.errorStatements(errors.shared, MAX_ERRORS),
        ...TypeLists.elsewhere(errors.parts),
      ]),
      ...section("How it is built, run and tested", "list", commands.map(toStatement)),
      ...section(
        TITLES.releases,
        "list",
        facts.releases.map(({ items, text }) => statement(text, "claim", items.map(Material.citationOf))),
      ),
      ...section(TITLES.tests, "list", [
        ...facts.tests.folders.map((text) => statement(text, "pointer")),
        ...facts.tests.shared.map((each) => ({ ...toStatement(each), kind: "pointer" as const })),
      ]),
      ...section(TITLES.needs, "list", facts.needs.map(toStatement)),
      ...section(TITLES.documents, "list", [
        ...documentStatements(documents),
        ...furtherDocuments(facts.moreDocuments),
      ]),
      ...section(TITLES.undescribed, "list", listUndescribed(facts, beside)),
    ],
  }
}

const languagesText = (languages: ReadonlyArray<string>, parts: number): string => {
  const names = languages.map(Language.nameOf)
  const what = names.length === 0 ? "No source code of a known language was found" : `Its code is in ${join(names)}`
  return parts > 0 || names.length > 0 ? `${what}.` : `${what}, so there are no parts to describe.`
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const partStatement = ({ about, part, symbols }: PartFacts): Statement => {
  const link = StatementText.linkToPage(part.title, part.name)
  if (part.line !== "")
    return statement(`${link}: ${part.line}`, "pointer", symbols.slice(0, 2).map(Material.citationOf))
  if (about !== undefined) return statement(`${link}: ${about.text}`, "claim", [Material.citationOf(about.item)])
  const examples = distinct(symbols).slice(0, MAX_EXAMPLES)
  const names = examples.map((item) => code(nameOf(item)))
  return statement(
    examples.length === 0 ? link : `${link}: ${join(names)}`,
    "pointer",
    examples.map(Material.citationOf),
  )
}

/** Leaves out what tells a reader no more: a name that was said, and a member of a type that was. */
const distinct = (symbols: ReadonlyArray<Material.Item>): ReadonlyArray<Material.Item> => {
  const names = symbols.map(nameOf)
  return symbols.filter((_, at) =>
    names.slice(0, at).every((said) => names[at] !== said && !names[at]?.startsWith(`${said}.`)),
  )
}

const listUndescribed = ({ parts, undescribed }: Facts, beside: Facts["beside"]): ReadonlyArray<Statement> => {
  const rest = parts
    .filter(({ others }) => others.length > 0)
    .map(({ part }) => StatementText.linkToPage(part.title, part.name))
  return [
    ...(undescribed.length === 0 ? [] : [statement(`Code in no part: ${names(undescribed)}.`, "pointer")]),
    ...(rest.length === 0 ? [] : [statement(`Files that a page only names: in ${join(rest)}.`, "pointer")]),
    ...beside.map(({ class: of, folders }) =>
      statement(
        `${capitalize(of === "code" ? "settings and data" : nounOf(of))}: ${join(folders.map(code))}.`,
        "pointer",
      ),
    ),
  ]
}

/** Lists documents by their folders, with the titles that say more than the names of their files. */
const documentStatements = (documents: Facts["documents"]): ReadonlyArray<Statement> => {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1)
  const wordsOf = (text: string) => text.toLowerCase().replaceAll(/\.\w+$|[^\p{L}\p{N}]+/gu, "")
  return Array.from(
    Map.groupBy(documents, ({ item }) => folderOf(item.path)),
    ([folder, own]) => {
      const listed = own.map(({ item, text }) => {
        const name = item.path.slice(folder.length)
        const isSaid = wordsOf(name) === wordsOf(text)
        return isSaid ? code(name) : `${code(name)} (${Material.cut(text, MAX_TITLE)})`
      })
      return statement(`${folder === "" ? "" : `In ${code(folder)}: `}${listed.join(", ")}.`, "pointer", [
        ...own.slice(0, 1).map(({ item }) => Material.citationOf(item)),
      ])
    },
  )
}

/** Says in which folder the rest of the documents is; a few are named. */
const furtherDocuments = (paths: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  const folder = commonFolder(paths)
  if (paths.length === 0) return []
  const text = paths.length <= MAX_FURTHER || folder === "" ? names(paths) : `${paths.length} in ${code(`${folder}/`)}`
  return [statement(`Further documents: ${text}.`, "pointer")]
}

/** More documents than these are counted. */
const MAX_FURTHER = 4

/** The most characters of the title of a document. */
const MAX_TITLE = 60

const names = (paths: ReadonlyArray<string>): string => {
  const shown = paths.slice(0, MAX_OTHERS).map(code)
  return paths.length > MAX_OTHERS ? `${shown.join(", ")} and others` : join(shown)
}

const partPage = (
  { about, files, offered, others, part, symbols, tests }: PartFacts,
  { contracts, edges, errors, hasReferences, parts }: Facts,
  isTold: ((item: Material.Item) => boolean) | undefined,
): Page => {
  const isOwn = Places.membershipOf(part)
  const isOfPart = ({ item }: { readonly item: Material.Item }) => isOwn(Places.targetOf(item))
  const titles = new Map(parts.map(({ part }) => [part.name, part.title]))
  const linkTo = (name: string) => StatementText.linkToPage(readableTitle(titles.get(name) ?? name, name), name)
  const ownContracts = contracts.filter(isOfPart).slice(0, MAX_OF_PART)
  const ownErrors = errors.filter(isOfPart)
  const listed = new Set(
    [...(isTold === undefined ? symbols : []), ...TypeLists.namedBy(ownContracts, ownErrors)].map(Material.keyOf),
  )
  const further = offered.filter((item) => !listed.has(Material.keyOf(item)) && isTold?.(item) !== true)
  const usedBy = edges.filter(({ to }) => to === part.name).slice(0, MAX_TARGETS + 2)
  const uses = edges.filter(({ from }) => from === part.name).slice(0, MAX_TARGETS + 2)
  const folder = commonFolder(part.files)
  // A page of a model tells of what these have.
  const shownFiles = files.filter(({ summary }) => isTold === undefined || summary !== undefined)
  const restOfFiles = [...files.filter((file) => !shownFiles.includes(file)).map(({ item }) => item.path), ...others]
  const lead = about === undefined && part.line !== "" ? [statement(part.line, "pointer")] : []
  return {
    name: part.name,
    kind: "part",
    title: StatementText.sanitize(part.title) || part.name,
    sections: [
      {
        form: "text",
        blocks: [
          ...(about === undefined ? [] : [[toStatement(about)] as const]),
          ...lead.map((each) => [each] as const),
          ...(part.name === "helpers" && part.title === Parts.HELPERS
            ? [[statement("The files that most others use.", "pointer")] as const]
            : []),
          [statement(NOTICE, "pointer")],
        ],
      },
      ...section(
        "Central symbols",
        "list",
        symbols.map((item) => symbolStatement(item)),
      ),
      ...section(TITLES.contracts, "list", TypeLists.contractStatements(ownContracts)),
      ...section(TITLES.errors, "list", TypeLists.errorStatements(ownErrors, MAX_OF_PART)),
      ...section(TITLES.offered, "list", offeredStatements(further)),
      ...section(TITLES.files, "list", [
        ...shownFiles.map((file) => fileStatement(file, folder)),
        ...(restOfFiles.length === 0
          ? []
          : [statement(`Also ${names(restOfFiles.map((path) => below(path, folder)))}.`, "pointer")]),
      ]),
      ...section(hasReferences ? "Uses" : undefined, "text", [
        ...(usedBy.length === 0
          ? []
          : [statement(`Used by ${join(usedBy.map(({ from }) => linkTo(from)))}.`, "pointer")]),
        ...(uses.length === 0 ? [] : [statement(`Uses ${join(uses.map(({ to }) => linkTo(to)))}.`, "pointer")]),
      ]),
      ...section(
        "Tests",
        "list",
        tests.map(({ item, titles }) =>
          statement(`${code(item.path)}: ${titles.map((title) => Material.cut(title, 90)).join("; ")}`, "pointer", [
            Material.citationOf(item),
          ]),
        ),
      ),
    ],
  }
}

/** The most contracts and errors of the start page, which has one screen, and those of a part. */
const MAX_CONTRACTS = 5
const MAX_ERRORS = 6
const MAX_OF_PART = 6

/** The most symbols that are listed by their names alone, and those of one line, each with its link. */
const MAX_OFFERED = 18
const MAX_OF_LINE = 6

/** Lists symbols by their names, file by file. */
const offeredStatements = (items: ReadonlyArray<Material.Item>): ReadonlyArray<Statement> => {
  const more = items.length - MAX_OFFERED
  const lines = Array.from(Map.groupBy(items.slice(0, MAX_OFFERED), ({ path }) => path).values()).flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / MAX_OF_LINE) }, (_, at) =>
      own.slice(at * MAX_OF_LINE, (at + 1) * MAX_OF_LINE),
    ),
  )
  return [
    ...lines.map((own) =>
      statement(
        `${code(fileNameOf(own[0]?.path ?? ""))}: ${join(own.map(shortName))}.`,
        "pointer",
        own.map(Material.citationOf),
      ),
    ),
    ...(more > 0 ? [statement(`${more} more are not named here.`, "pointer")] : []),
  ]
}

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const below = (path: string, folder: string): string =>
  folder !== "" && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

const fileStatement = (
  { isDivided, item, summary, symbols }: PartFacts["files"][number],
  folder: string,
): Statement => {
  const name = code(below(item.path, folder))
  const citation = Material.citationOf(item)
  if (summary !== undefined) {
    return {
      ...statement(`${name}: ${firstSentences(summary.text)}`, "claim", [citation]),
      ...(summary.model !== undefined && { model: summary.model }),
    }
  }
  const found = symbols.map((item) => code(nameOf(item)))
  const which = isDivided ? "of which this part has " : ""
  return statement(found.length === 0 ? name : `${name}: ${which}${join(found)}`, "pointer", [citation])
}
