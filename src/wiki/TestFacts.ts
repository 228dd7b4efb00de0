/** Reads where the tests of a project stand, and what they share: a newcomer writes the next one beside them. */
import * as Effect from "effect/Effect"
import { plural } from "../base/Prose.ts"
import * as Language from "../code/Language.ts"
import type { FileUses, IndexedFile } from "../index/IndexStore.ts"
import * as FileGraph from "./FileGraph.ts"
import * as FactSources from "./internal/FactSources.ts"
import { code } from "./internal/ProjectStatements.ts"

export interface TestFacts {
  /**
   * Says for each folder of tests how many source files it has, and names the largest; those beside the code come last.
   */
  readonly folders: ReadonlyArray<string>
  /** The paths of all files in these folders. */
  readonly told: ReadonlyArray<string>
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
  const all = files.filter((file) => file.class === "test")
  const coded = all.filter(hasCode)
  const tests = coded.map(({ path }) => path)
  const folders = foldersOf(coded)
  const shared: Array<FactSources.Said> = []
  for (const { path, users } of sharedBy(tests, uses)) {
    const text = yield* textOf(path)
    if (text === undefined) continue
    const by =
      users === 0 ? "has what pytest gives to the tests by name" : `is used by ${plural(users, "other test file")}`
    shared.push({ text: `${code(path)} ${by}.`, item: FactSources.fileItem(path, text) })
  }
  return {
    folders: folders.map(({ text }) => text),
    told: all.map(({ path }) => path).filter((path) => folders.some(({ folder }) => folder === folderOf(path))),
    shared,
  } satisfies TestFacts
})

/** Returns whether a file has code. Tests of Mocha or busted, which are calls with functions, declare no symbols. */
const hasCode = ({ path, symbols }: Pick<IndexedFile, "path" | "symbols">): boolean =>
  symbols > 0 || ((Language.of(path)?.outline ?? "text") !== "text" && !PACKAGE.test(path))

/** A file that makes its folder a package of Python, and is usually empty. */
const PACKAGE = /(?:^|\/)__init__\.py$/

/** The most files of a folder that are named. */
const MAX_NAMED = 6

const foldersOf = (tests: ReadonlyArray<IndexedFile>) =>
  Array.from(Map.groupBy(tests, ({ path }) => folderOf(path)))
    .sort(
      ([one, ofOne], [other, ofOther]) =>
        Number(one === BESIDE) - Number(other === BESIDE) ||
        ofOther.length - ofOne.length ||
        FileGraph.compare(one, other),
    )
    .slice(0, MAX_FOLDERS)
    .map(([folder, own]) => ({
      folder,
      text:
        folder === BESIDE
          ? `${plural(own.length, "test file")} beside the code.`
          : `${code(folder)} has ${plural(own.length, "source file")}${namesIn(folder, own)}.`,
    }))

/** Names the files of a folder, or those that declare most; none if there is only one. */
const namesIn = (folder: string, files: ReadonlyArray<IndexedFile>): string => {
  const [first, ...others] = files
    .toSorted((one, other) => other.symbols - one.symbols || FileGraph.compare(one.path, other.path))
    .slice(0, MAX_NAMED)
    .map(({ path }) => code(path.slice(folder.length)))
  if (first === undefined || others.length === 0) return ""
  return `${files.length > MAX_NAMED ? "; the largest are" : ":"} ${[first, ...others].join(", ")}`
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
