/**
 * The wiki without a model: pages of what a project says of itself in its documents, manifests, comments, references and
 * tests. Nothing in them is interpreted, and the same project always gives the same pages. Pure.
 */
import { nounOf } from "../code/FileClass.ts"
import type { Said } from "./internal/FactSources.ts"
import * as Labels from "./Labels.ts"
import * as Layers from "./Layers.ts"
import * as Packages from "./Packages.ts"
import { type Citation, type Page, type Section, START, type Statement, type StatementKind } from "./Page.ts"
import { commonFolder, type PartFacts } from "./PartFacts.ts"
import * as Parts from "./Parts.ts"
import * as Places from "./Places.ts"
import type { Flow } from "./Plan.ts"
import {
  type ContractFacts,
  type Edge,
  type ErrorFacts,
  type Facts,
  firstSentences,
  purposeOf,
} from "./ProjectFacts.ts"
import * as StatementText from "./StatementText.ts"
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
const MAX_COMMON = 2

/** The flows that have pages of their own, or why there are none. */
export interface FlowList {
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

const statement = (text: string, kind: StatementKind, citations: ReadonlyArray<Citation> = []): Statement => ({
  text: StatementText.sanitize(text),
  kind,
  author: "project",
  citations,
})

const said = ({ item, text }: Said): Statement => statement(text, "claim", [Material.citationOf(item)])

const nameOf = ({ entry, path }: Material.Item): string =>
  entry === undefined ? path : Labels.nameIn(path, entry.qualifiedName)

/** A name as code, for the text of a statement. */
const code = (name: string): string => `\`${name.replaceAll("`", "'")}\``

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
const symbolStatement = (item: Material.Item): Statement => {
  const purpose = purposeOf(item)
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

/**
 * Returns the name in place of a title such as `Utils, auth and 3 more`, which cannot be read in a list of others. One such
 * as `Specs and loading` can, since it is a link.
 */
const readableTitle = (title: string, name: string): string => (/, | and \d+ more$/.test(title) ? name : title)

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
  const contracts = sharedOf(facts, facts.contracts, ({ implementations }) => implementations)
  const errors = sharedOf(facts, facts.errors, ({ derived }) => derived)
  return {
    name: START,
    kind: "start",
    title: StatementText.sanitize(name) || "Project",
    sections: [
      {
        form: "text",
        blocks: [
          ...about.map((each) => [said(each)] as const),
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
        entries.map((each) => ({ ...said(each), kind: "pointer" })),
      ),
      ...section(TITLES.begin, "list", central.map(symbolStatement)),
      ...section(TITLES.contracts, "list", [
        ...contractStatements(contracts.shared.slice(0, MAX_CONTRACTS)),
        ...elsewhere(contracts.parts),
      ]),
      ...section(TITLES.errors, "list", [...errorStatements(errors.shared, MAX_ERRORS), ...elsewhere(errors.parts)]),
      ...section("How it is built, run and tested", "list", commands.map(said)),
      ...section(TITLES.needs, "list", facts.needs.map(said)),
      ...section(TITLES.documents, "list", [
        ...documents.map((each): Statement => ({ ...said(each), kind: "pointer" })),
        ...(facts.moreDocuments.length === 0
          ? []
          : [statement(`Further documents: ${names(facts.moreDocuments)}.`, "pointer")]),
      ]),
      ...section(TITLES.undescribed, "list", undescribed(facts, beside)),
    ],
  }
}

const languagesText = (languages: ReadonlyArray<string>, parts: number): string => {
  const names = languages.map((language) => languageNames[language] ?? capitalize(language))
  const what = names.length === 0 ? "No source code of a known language was found" : `Its code is in ${join(names)}`
  return parts > 0 || names.length > 0 ? `${what}.` : `${what}, so there are no parts to describe.`
}

const languageNames: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  javascript: "JavaScript",
  cpp: "C++",
  csharp: "C#",
  php: "PHP",
  css: "CSS",
  html: "HTML",
  sql: "SQL",
  ocaml: "OCaml",
  toml: "TOML",
  yaml: "YAML",
  json: "JSON",
  fsharp: "F#",
  powershell: "PowerShell",
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const join = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

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

const dependencies = (
  edges: ReadonlyArray<Edge>,
  parts: ReadonlyArray<string>,
  hasReferences: boolean,
): ReadonlyArray<Statement> => {
  // Titles of parts are listed above, and too long to be said again and again.
  const linkTo = (name: string) => StatementText.linkToPage(name, name)
  if (parts.length < 2) return []
  if (edges.length === 0) {
    return [
      statement(
        hasReferences
          ? "No use of one part by another was resolved."
          : "References are not resolved in the languages of this project, so it is not known which part uses which.",
        "pointer",
      ),
    ]
  }
  // A part that nearly all use says nothing about one of them.
  const users = Map.groupBy(edges, ({ to }) => to)
  const isCommon = (name: string) =>
    parts.length > 4 && (name === "helpers" || (users.get(name)?.length ?? 0) > 0.7 * (parts.length - 1))
  const common = parts
    .filter((name) => users.has(name) && isCommon(name))
    .toSorted((one, other) => (users.get(other)?.length ?? 0) - (users.get(one)?.length ?? 0))
    .slice(0, MAX_COMMON)
  return [
    ...(common.length === 0 ? [] : [statement(`Most parts use ${join(common.map(linkTo))}.`, "pointer")]),
    ...parts.flatMap((from) => {
      const targets = edges.filter((edge) => edge.from === from && !common.includes(edge.to)).slice(0, MAX_TARGETS)
      return targets.length === 0
        ? []
        : [statement(`${linkTo(from)} uses ${join(targets.map(({ to }) => linkTo(to)))}.`, "pointer")]
    }),
  ]
}

/** The most parts above it that are named of a part, and the share of the uses between the two from which one is. */
const MAX_UPWARD = 2
const UPWARD_SHARE = 0.25

/** If a larger share of the parts use much above them, there is no order to tell of. */
const MAX_MUDDLED = 1 / 3

/** Writes a line for each layer of parts, with what these use much though it stands above. None for a project of two parts. */
const layerStatements = ({ edges, parts }: Facts): ReadonlyArray<Statement> => {
  const { layers, upward } = Layers.of(
    parts.map(({ part }) => part.name),
    edges,
  )
  const titles = new Map(parts.map(({ part }) => [part.name, part.title]))
  const linkTo = (name: string) => StatementText.linkToPage(readableTitle(titles.get(name) ?? name, name), name)
  const downward = ({ from, to }: Edge) => edges.find((edge) => edge.from === to && edge.to === from)?.count ?? 0
  const much = Map.groupBy(
    upward.filter((edge) => edge.count >= UPWARD_SHARE * downward(edge)),
    ({ from }) => from,
  )
  const count = layers.flat().length
  if (count < 3 || much.size > MAX_MUDDLED * count) return []
  return layers.map((names) => {
    const lines = names.map((name) => {
      const above = (much.get(name) ?? []).slice(0, MAX_UPWARD)
      return above.length === 0
        ? linkTo(name)
        : `${linkTo(name)} (which also uses ${join(above.map(({ to }) => linkTo(to)))})`
    })
    return statement(join(lines), "pointer")
  })
}

const undescribed = ({ parts, undescribed }: Facts, beside: Facts["beside"]): ReadonlyArray<Statement> => {
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
    [...(isTold === undefined ? symbols : []), ...namedBy(ownContracts, ownErrors)].map(Material.keyOf),
  )
  const further = offered.filter((item) => !listed.has(Material.keyOf(item)) && isTold?.(item) !== true)
  const usedBy = edges.filter(({ to }) => to === part.name).slice(0, MAX_TARGETS + 2)
  const uses = edges.filter(({ from }) => from === part.name).slice(0, MAX_TARGETS + 2)
  const folder = commonFolder(part.files)
  const lead = about === undefined && part.line !== "" ? [statement(part.line, "pointer")] : []
  return {
    name: part.name,
    kind: "part",
    title: StatementText.sanitize(part.title) || part.name,
    sections: [
      {
        form: "text",
        blocks: [
          ...(about === undefined ? [] : [[said(about)] as const]),
          ...lead.map((each) => [each] as const),
          ...(part.name === "helpers" && part.title === Parts.HELPERS
            ? [[statement("The files that most others use.", "pointer")] as const]
            : []),
          [statement(NOTICE, "pointer")],
        ],
      },
      ...section("Central symbols", "list", symbols.map(symbolStatement)),
      ...section(TITLES.contracts, "list", contractStatements(ownContracts)),
      ...section(TITLES.errors, "list", errorStatements(ownErrors, MAX_OF_PART)),
      ...section(TITLES.offered, "list", offeredStatements(further)),
      ...section(TITLES.files, "list", [
        ...files.map((file) => fileStatement(file, folder)),
        ...(others.length === 0
          ? []
          : [statement(`Also ${names(others.map((path) => below(path, folder)))}.`, "pointer")]),
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

/**
 * Divides types into those that stand with types of other parts, which the start page tells of, and the parts on whose
 * pages the others stand. In a project of one part the start page has all of them.
 */
const sharedOf = <A extends { readonly item: Material.Item }>(
  { parts }: Facts,
  types: ReadonlyArray<A>,
  below: (type: A) => ReadonlyArray<Material.Item>,
): { readonly shared: ReadonlyArray<A>; readonly parts: ReadonlyArray<PartFacts> } => {
  if (parts.length < 2) return { shared: types, parts: [] }
  const partOf = Places.finderOf(parts.map(({ part }) => part))
  const nameOfPart = (item: Material.Item) => partOf(Places.targetOf(item))?.name
  const isShared = (type: A) => below(type).some((item) => nameOfPart(item) !== nameOfPart(type.item))
  const own = new Set(types.filter((type) => !isShared(type)).map(({ item }) => nameOfPart(item)))
  return { shared: types.filter(isShared), parts: parts.filter(({ part }) => own.has(part.name)) }
}

const elsewhere = (parts: ReadonlyArray<PartFacts>): ReadonlyArray<Statement> =>
  parts.length === 0
    ? []
    : [
        statement(
          `Those within one part stand on its page: ${join(parts.map(({ part }) => StatementText.linkToPage(readableTitle(part.title, part.name), part.name)))}.`,
          "pointer",
        ),
      ]

/** The most contracts and errors of the start page, those of a part, and the most names and links of one. */
const MAX_CONTRACTS = 8
const MAX_ERRORS = 10
const MAX_OF_PART = 12
const MAX_IMPLEMENTATIONS = 8
const MAX_LINKS = 4

const shortName = ({ entry, path }: Material.Item): string => code(entry?.name ?? path)

const listNames = (items: ReadonlyArray<Material.Item>): string => {
  const shown = items.slice(0, MAX_IMPLEMENTATIONS).map(shortName)
  const more = items.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : join(shown)
}

const contractStatements = (contracts: ReadonlyArray<ContractFacts>): ReadonlyArray<Statement> =>
  contracts.map(({ defaults, implementations, item }) => {
    const taken = defaults.slice(0, 2)
    const places = taken.map(({ by, item }) =>
      by === undefined ? shortName(item) : `${shortName(item)} (in ${code(memberName(by))})`,
    )
    const text = `${shortName(item)} ← ${listNames(implementations)}${places.length === 0 ? "" : `. Default: ${join(places)}`}.`
    const cited = [item, ...taken.flatMap(({ by }) => by ?? []), ...implementations]
    return statement(text, "pointer", distinctCitations(cited))
  })

/** Returns the types that contracts and errors name. */
const namedBy = (
  contracts: ReadonlyArray<ContractFacts>,
  errors: ReadonlyArray<ErrorFacts>,
): ReadonlyArray<Material.Item> => [
  ...contracts.flatMap(({ implementations, item }) => [item, ...implementations.slice(0, MAX_IMPLEMENTATIONS)]),
  ...errors.map(({ item }) => item),
]

/** The most symbols that are listed by their names alone, and those of one line, each with its link. */
const MAX_OFFERED = 30
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

/** Lists the errors that others inherit from, and then those that stand alone. */
const errorStatements = (errors: ReadonlyArray<ErrorFacts>, most: number): ReadonlyArray<Statement> => {
  const baseOf = ({ base }: ErrorFacts) => (base === undefined ? "" : ` (${code(base)})`)
  const children = new Set(errors.flatMap(({ derived }) => derived.map(Material.keyOf)))
  const families = errors.filter(({ derived }) => derived.length > 0)
  const alone = errors.filter(({ derived, item }) => derived.length === 0 && !children.has(Material.keyOf(item)))
  const shown = families
    .slice(0, most)
    .map((error) =>
      statement(
        `${shortName(error.item)}${baseOf(error)} ← ${listNames(error.derived)}.`,
        "pointer",
        distinctCitations([error.item, ...error.derived]),
      ),
    )
  return alone.length === 0
    ? shown
    : [
        ...shown,
        statement(
          `${families.length === 0 ? "" : "Without others below them: "}${listNames(alone.map(({ item }) => item))}.`,
          "pointer",
          distinctCitations(alone.map(({ item }) => item)),
        ),
      ]
}

/** The name of a member with that of its type: `Client.transfer`. */
const memberName = ({ entry, path }: Material.Item): string =>
  entry === undefined ? path : entry.qualifiedName.split(".").slice(-2).join(".")

const distinctCitations = (items: ReadonlyArray<Material.Item>): ReadonlyArray<Citation> =>
  Array.from(new Map(items.map((item) => [Material.keyOf(item), item])).values())
    .slice(0, MAX_LINKS)
    .map(Material.citationOf)

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
