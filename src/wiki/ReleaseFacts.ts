/**
 * Gathers what files say of the tests, the version number and the releases of a project: settings of the tests, the
 * workflows that test and publish, and where the version number stands.
 */
import * as Effect from "effect/Effect"
import type { IndexedFile } from "../index/IndexStore.ts"
import * as FactSources from "./internal/FactSources.ts"
import { code, join } from "./internal/ProjectStatements.ts"
import * as TestSettings from "./TestSettings.ts"
import * as Versions from "./Versions.ts"
import * as Workflows from "./Workflows.ts"
import type * as Material from "./writing/Material.ts"

/** Sentences, and the files that say it. */
export interface Fact {
  readonly text: string
  readonly items: readonly [Material.Item, ...ReadonlyArray<Material.Item>]
}

interface Source {
  readonly item: Material.Item
  readonly text: string
}

export interface ReleaseFacts {
  readonly tests: ReadonlyArray<Fact>
  readonly helpers: ReadonlyArray<{ readonly names: ReadonlyArray<string>; readonly item: Material.Item }>
  /** Sentences that say where the version number stands, and what builds the package. */
  readonly versions: ReadonlyArray<Fact>
  readonly workflows: ReadonlyArray<{ readonly workflow: Workflows.Workflow; readonly item: Material.Item }>
}

/** Files at the root that may say something; the files of pytest among them. */
const FILES =
  /^(?:package\.json|composer\.json|cargo\.toml|go\.mod|pom\.xml|setup\.(?:cfg|py)|pyproject\.toml|tox\.ini|\.?pytest\.(?:ini|toml)|phpunit\.xml(?:\.dist)?|[\w.-]+\.gemspec)$/i

/** Returns whether a file is read for these facts. */
export const isSource = (path: string): boolean => FILES.test(path) || Workflows.isWorkflow(path)

/** The most sentences of one statement. */
const MAX_SENTENCES = 3

export const read = Effect.fn("ReleaseFacts.read")(function* ({
  files,
  textOf,
}: {
  readonly files: ReadonlyArray<Pick<IndexedFile, "path">>
  readonly textOf: (path: string) => Effect.Effect<string | undefined>
}) {
  const paths = files.map(({ path }) => path)
  const sources: Array<Source> = []
  for (const path of paths.filter(isSource)) {
    const text = yield* textOf(path)
    if (text !== undefined) sources.push({ item: FactSources.fileItem(path, text), text })
  }
  const root = sources.filter(({ item }) => !item.path.includes("/"))
  const pytest = TestSettings.pytestFile(new Map(root.map(({ item, text }) => [item.path, text])))
  const tests = root.flatMap(({ item, text }): ReadonlyArray<Fact> => {
    const sentences =
      item.path === pytest
        ? TestSettings.ofPytest(item.path, text)
        : /^phpunit/.test(item.path)
          ? TestSettings.ofPhpunit(text)
          : []
    return sentences.length === 0 ? [] : [{ text: sentences.slice(0, MAX_SENTENCES).join(" "), items: [item] }]
  })
  const versions: Array<Fact> = []
  const known = new Set<string>()
  for (const source of root) {
    // Only the first manifest of a language counts.
    const language = PYTHON.test(source.item.path) ? "python" : source.item.path
    const builder = Versions.builderOf(source.item.path, source.text)
    const version = yield* versionIn(source, new Set(paths), textOf)
    const said = [
      ...(version === undefined || known.has(language) ? [] : [version]),
      ...(builder === undefined || known.has(BUILDER) ? [] : [{ text: builder, items: [source.item] as const }]),
    ]
    const [first] = said
    if (first === undefined) continue
    if (version !== undefined) known.add(language)
    if (builder !== undefined) known.add(BUILDER)
    versions.push({ text: said.map(({ text }) => text).join(" "), items: first.items })
  }
  const facts: ReleaseFacts = {
    tests,
    helpers: root.flatMap(({ item, text }) => {
      const names = TestSettings.helpersIn(item.path, text)
      return names.length === 0 ? [] : [{ names, item }]
    }),
    versions,
    workflows: sources.flatMap(({ item, text }) => {
      const workflow = Workflows.read(item.path, text)
      return workflow === undefined ? [] : [{ workflow, item }]
    }),
  }
  return facts
})

const PYTHON = /^(?:pyproject|setup)(?=\.)/
const BUILDER = "builder"

/** Finds the file that has the version number, if it stands in another one. Says nothing if none of them has it. */
const versionIn = Effect.fnUntraced(function* (
  { item, text }: Source,
  paths: ReadonlySet<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const version = Versions.read(item.path, text)
  if (version === undefined) return undefined
  if (version.in !== "file") return { text: Versions.sentenceOf(version, item.path), items: [item] } as const
  for (const path of version.paths.filter((path) => paths.has(path))) {
    const inner = yield* textOf(path)
    if (inner === undefined) continue
    // A module may only import its version from another one.
    const isSet =
      version.variable === undefined ||
      new RegExp(`^\\s*${version.variable}\\s*(?::[^=\\n]*)?=\\s*["']`, "m").test(inner)
    if (isSet) {
      const own = FactSources.fileItem(path, inner)
      return { text: Versions.sentenceOf(version, item.path, path), items: [own, item] } as const
    }
  }
  return undefined
})

/** The most names of helpers, and the most workflows that publish and that test. */
const MAX_HELPERS = 8
const MAX_PUBLISHING = 3
const MAX_TESTING = 2

const helpersText = (names: ReadonlyArray<string>): string =>
  `Tests also use ${join(Array.from(new Set(names)).slice(0, MAX_HELPERS).map(code))}.`

/** Returns the statements of the start page. */
export const factsOf = ({ helpers, tests, versions, workflows }: ReleaseFacts): ReadonlyArray<Fact> => {
  const [first, ...others] = helpers
  const publishing = workflows.filter(({ workflow }) => workflow.places.length > 0)
  const testing = workflows
    .filter(({ workflow }) => workflow.places.length === 0)
    .toSorted((one, other) => one.workflow.rank - other.workflow.rank)
  return [
    ...tests,
    ...(first === undefined
      ? []
      : [
          {
            text: helpersText(helpers.flatMap(({ names }) => names)),
            items: [first.item, ...others.map(({ item }) => item)] as const,
          },
        ]),
    ...testing
      .slice(0, MAX_TESTING)
      .map(({ item, workflow }): Fact => ({ text: Workflows.sentenceOf(workflow), items: [item] })),
    ...versions,
    ...Array.from(Map.groupBy(publishing, ({ workflow }) => workflow.when).values())
      .flatMap((same): ReadonlyArray<Fact> => {
        const [first, ...others] = same
        if (first === undefined) return []
        const all = same.map(({ workflow }) => workflow)
        return [
          {
            text: others.length === 0 ? Workflows.sentenceOf(first.workflow) : Workflows.sentenceOfAll(all),
            items: [first.item, ...others.map(({ item }) => item)],
          },
        ]
      })
      .slice(0, MAX_PUBLISHING),
  ]
}

/**
 * Returns the sentences of each file, by its path, for a model that writes or checks the start page: those of workflows
 * that publish before the others.
 */
export const linesByPath = ({
  helpers,
  tests,
  versions,
  workflows,
}: ReleaseFacts): ReadonlyMap<string, ReadonlyArray<string>> => {
  const ranked = workflows.toSorted((one, other) => one.workflow.rank - other.workflow.rank)
  const said = [
    ...tests.map(({ items, text }) => ({ path: items[0].path, text })),
    ...helpers.map(({ item, names }) => ({ path: item.path, text: helpersText(names) })),
    // The manifest says where the number is, and can be cited.
    ...versions.map(({ items, text }) => ({ path: (items.at(-1) ?? items[0]).path, text })),
    ...[
      ...ranked.filter(({ workflow }) => workflow.places.length > 0),
      ...ranked.filter(({ workflow }) => workflow.places.length === 0),
    ].map(({ item, workflow }) => ({ path: item.path, text: Workflows.sentenceOf(workflow) })),
  ]
  return new Map(
    Array.from(
      Map.groupBy(said, ({ path }) => path),
      ([path, all]) => [path, all.map(({ text }) => text)] as const,
    ),
  )
}
