/** Reads where the tests of a project stand, and what they share: a newcomer writes the next one beside them. */
import * as Effect from "effect/Effect"
import { plural } from "../base/Prose.ts"
import * as Language from "../code/Language.ts"
import type { FileUses, IndexedFile } from "../index/IndexStore.ts"
import * as FileGraph from "./FileGraph.ts"
import * as FactSources from "./internal/FactSources.ts"
import { code } from "./internal/ProjectStatements.ts"

export interface TestFacts {
  /** Says for each folder of tests how many source files it has; those beside the code come last. */
  readonly folders: ReadonlyArray<string>
  /** Says of files that most tests use what they are. */
  readonly shared: ReadonlyArray<FactSources.Said>
}

const MAX_FOLDERS = 3
const MAX_SHARED = 3

/** A file that fewer tests use is shared by a few, and says nothing of the others. */
const MIN_USERS = 3

/** Names of folders that have nothing but tests. */
const FOLDER = /^(?:tests?|specs?|__tests__|e2e|integration|testing|t)$/i

/** The tests of pytest get from this file what they name as parameters, so no reference leads to it. */
const FIXTURES = /(?:^|\/)conftest\.py$/

export const read = Effect.fn("TestFacts.read")(function* ({
  files,
  textOf,
  uses,
}: Pick<FactSources.FactSources, "files" | "textOf" | "uses">) {
  const tests = files.filter((file) => file.class === "test" && hasCode(file)).map(({ path }) => path)
  const shared: Array<FactSources.Said> = []
  for (const { path, users } of sharedBy(tests, uses)) {
    const text = yield* textOf(path)
    if (text === undefined) continue
    const by =
      users === 0 ? "has what pytest gives to the tests by name" : `is used by ${plural(users, "other test file")}`
    shared.push({ text: `${code(path)} ${by}.`, item: FactSources.fileItem(path, text) })
  }
  return { folders: foldersOf(tests), shared } satisfies TestFacts
})

/** Returns whether a file has code. Tests of Mocha or busted, which are calls with functions, declare no symbols. */
const hasCode = ({ path, symbols }: Pick<IndexedFile, "path" | "symbols">): boolean =>
  symbols > 0 || ((Language.of(path)?.outline ?? "text") !== "text" && !PACKAGE.test(path))

/** A file that makes its folder a package of Python, and is usually empty. */
const PACKAGE = /(?:^|\/)__init__\.py$/

const foldersOf = (tests: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const path of tests) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
  return Array.from(counts)
    .sort(
      ([one, ofOne], [other, ofOther]) =>
        Number(one === BESIDE) - Number(other === BESIDE) || ofOther - ofOne || FileGraph.compare(one, other),
    )
    .slice(0, MAX_FOLDERS)
    .map(([folder, count]) =>
      folder === BESIDE
        ? `${plural(count, "test file")} beside the code.`
        : `${code(folder)} has ${plural(count, "source file")}.`,
    )
}

const BESIDE = ""

/** Returns the outermost folder of tests around a file; empty if it stands beside the code. */
const folderOf = (path: string): string => {
  const names = path.split("/").slice(0, -1)
  const at = names.findIndex((name) => FOLDER.test(name))
  return at < 0 ? BESIDE : `${names.slice(0, at + 1).join("/")}/`
}

/** Returns the test files that most others use, the most used first, and the fixtures of pytest. */
export const sharedBy = (tests: ReadonlyArray<IndexedFile["path"]>, uses: ReadonlyArray<FileUses>) => {
  const own = new Set(tests)
  const users = new Map<string, Set<string>>()
  for (const { from, to } of uses) {
    if (own.has(from) && own.has(to) && from !== to) users.set(to, (users.get(to) ?? new Set()).add(from))
  }
  const used = Array.from(users, ([path, by]) => ({ path, users: by.size })).filter(({ users }) => users >= MIN_USERS)
  const fixtures = tests.filter((path) => FIXTURES.test(path) && !used.some((each) => each.path === path))
  return [...used, ...fixtures.map((path) => ({ path, users: 0 }))]
    .sort((one, other) => other.users - one.users || FileGraph.compare(one.path, other.path))
    .slice(0, MAX_SHARED)
}
