/**
 * The lists of contracts with what implements them, and of errors by inheritance, on the start
 * page and those of parts. Pure.
 */
import * as Folders from "./internal/Folders.ts"
import { code, join, readableTitle, shortName, statement } from "./internal/ProjectStatements.ts"
import type { Citation, Statement } from "./Page.ts"
import type { PartFacts } from "./PartFacts.ts"
import * as Places from "./Places.ts"
import type { ContractFacts, ErrorFacts, Facts } from "./ProjectFacts.ts"
import * as StatementText from "./StatementText.ts"
import * as Material from "./writing/Material.ts"

/**
 * Divides types into those that stand with types of other parts, which the start page tells of, and the parts on whose
 * pages the others stand. In a project of one part the start page has all of them.
 */
export const sharedOf = <A extends { readonly item: Material.Item }>(
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

export const elsewhere = (parts: ReadonlyArray<PartFacts>): ReadonlyArray<Statement> =>
  parts.length === 0
    ? []
    : [
        statement(
          `Those within one part stand on its page: ${join(parts.map(({ part }) => StatementText.linkToPage(readableTitle(part.title, part.name), part.name)))}.`,
          "pointer",
        ),
      ]

/** The most names and links of one line. */
const MAX_IMPLEMENTATIONS = 6
const MAX_LINKS = 2

const listNames = (items: ReadonlyArray<Material.Item>): string => {
  const groups = Array.from(Map.groupBy(items, shortName))
  const shown = groups
    .slice(0, MAX_IMPLEMENTATIONS)
    .map(([name, alike]) => (alike.length === 1 ? name : `${name} (in ${join(placesOf(alike).map(code))})`))
  const more = groups.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : join(shown)
}

/** Tells items of one name apart by the folders or files that differ, as short as they can be named. */
const placesOf = (items: ReadonlyArray<Material.Item>): ReadonlyArray<string> => {
  const paths = Array.from(new Set(items.map(({ path }) => path)))
  return Array.from(new Set(Folders.fromCommonFolder(paths).map((path) => path.replace(/\/.*/s, "/"))))
}

export const contractStatements = (contracts: ReadonlyArray<ContractFacts>): ReadonlyArray<Statement> =>
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
export const namedBy = (
  contracts: ReadonlyArray<ContractFacts>,
  errors: ReadonlyArray<ErrorFacts>,
): ReadonlyArray<Material.Item> => [
  ...contracts.flatMap(({ implementations, item }) => [item, ...implementations.slice(0, MAX_IMPLEMENTATIONS)]),
  ...errors.map(({ item }) => item),
]

/** Lists the errors that others inherit from, and then those that stand alone. */
export const errorStatements = (errors: ReadonlyArray<ErrorFacts>, most: number): ReadonlyArray<Statement> => {
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
