/** `find_references`: lists the places that use a symbol. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index, Mention, Reference } from "../index/IndexStore.ts"
import * as LanguageName from "../lookup/LanguageName.ts"
import * as Tool from "../tool/Tool.ts"
import { Failed } from "../tool/ToolError.ts"
import { locate } from "./internal/locate.ts"
import { rangeOf } from "./internal/outline.ts"
import { withOtherName } from "./internal/renamedParameter.ts"

/** The most symbols of one name that are shown, the most used first. */
const MAX_SYMBOLS = 5

/** The most files that are shown for each symbol: code first, in the order of their paths. */
const MAX_FILES = 20

/** The most symbols that are shown for a file, and the most lines of each. */
const MAX_CALLERS = 10
const MAX_LINES = 5

/** Accepts the parameter name `symbol` too, as `create_index_entry` calls it. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  withOtherName(declare(workspace, index), "symbolName", "symbol")

const declare = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "find_references",
    description:
      "Lists the symbols that use a symbol, with the lines of each use: path: Caller 10, 12; Other 30. These uses are resolved: they mean this symbol. After them it says in how many more files only the name occurs.",
    parameters: Schema.Struct({
      symbolName: Schema.String.annotations({ description: "The name, plain or qualified: Container.name" }),
      path: Schema.optional(Schema.String).annotations({ description: "The file that defines it" }),
    }),
    readOnly: true,
    run: ({ path, symbolName }) =>
      Effect.gen(function* () {
        const name = symbolName.split(/[.#]|::/).at(-1) ?? symbolName
        const file = path === undefined ? undefined : yield* workspace.read(path)
        const entries = yield* findDefinitions(index, symbolName, file?.path)
        const mentions = yield* index.mentions(name)
        if (entries.length === 0) {
          // This fails with the names that it may mean.
          if (file !== undefined) yield* locate(index, file.path, symbolName)
          return yield* describeUnknown(index, symbolName, mentions)
        }
        const found = yield* Effect.forEach(entries.slice(0, MAX_SYMBOLS), (entry) =>
          Effect.map(index.references(entry), (references) => ({ entry, references })),
        )
        const shown = found.filter(({ references }) => references.length > 0)
        const more = entries.length - MAX_SYMBOLS
        return [
          ...shown.flatMap(({ entry, references }) => [
            `${entry.path}:${rangeOf(entry)} ${entry.kind} ${entry.qualifiedName} is used in`,
            ...usesIn(references),
          ]),
          ...(more > 0 ? [`(and ${plural(more, "more symbol")} of that name)`] : []),
          ...describeMentions(name, mentions, shown),
        ]
          .map(sanitizeLine)
          .join("\n")
      }).pipe(Tool.orFail),
  })

/** The symbols of a name, the most used first. */
const findDefinitions = (index: Index, symbolName: string, path: string | undefined) =>
  Effect.gen(function* () {
    const exact = yield* index.find(symbolName, path)
    const entries =
      exact.length > 0 ? exact : yield* LanguageName.find(index, symbolName, path === undefined ? {} : { path })
    return entries.toSorted((one, other) => other.usedBy - one.usedBy)
  })

/** Describes a name that no symbol of the index has: it is of another library, or misspelt. */
const describeUnknown = (index: Index, symbolName: string, mentions: ReadonlyArray<Mention>) =>
  Effect.gen(function* () {
    const near = yield* index.nearest(symbolName, { limit: 5 })
    const names = near.map(({ path, qualifiedName }) => `${qualifiedName} (${path})`)
    const message = `no symbol ${symbolName} is defined here${names.length === 0 ? "" : `; nearest: ${names.join(", ")}`}`
    return mentions.length === 0
      ? yield* new Failed({ message })
      : [message, `the name occurs in ${plural(mentions.length, "file")}: ${listPaths(mentions)}`].join("\n")
  })

/** A line for each file: its path, and each symbol of it that uses the symbol, with the lines. */
const usesIn = (references: ReadonlyArray<Reference>): ReadonlyArray<string> => {
  const files = Array.from(Map.groupBy(references, ({ path }) => path))
  const more = files.length - MAX_FILES
  return [
    ...files.slice(0, MAX_FILES).map(([path, uses]) => {
      const callers = Array.from(Map.groupBy(uses, ({ symbol }) => symbol))
      // Uses outside of symbols, mostly imports, come last.
      const ordered = [
        ...callers.filter(([name]) => name !== undefined),
        ...callers.filter(([name]) => name === undefined),
      ]
      const others = ordered.length - MAX_CALLERS
      const texts = ordered.slice(0, MAX_CALLERS).map(([name = "top level", uses]) => `${name} ${linesOf(uses)}`)
      return `${path}: ${[...texts, ...(others > 0 ? [`${others} more`] : [])].join("; ")}`
    }),
    ...(more > 0 ? [`(and ${plural(more, "more file")})`] : []),
  ]
}

const linesOf = (uses: ReadonlyArray<Reference>): string => {
  const lines = Array.from(new Set(uses.map(({ line }) => line)))
  return `${lines.slice(0, MAX_LINES).join(", ")}${lines.length > MAX_LINES ? ", …" : ""}`
}

/** Describes the files in which only the name occurs. */
const describeMentions = (
  name: string,
  mentions: ReadonlyArray<Mention>,
  found: ReadonlyArray<{ readonly entry: IndexEntry; readonly references: ReadonlyArray<Reference> }>,
): ReadonlyArray<string> => {
  const resolved = new Set(found.flatMap(({ references }) => references.map(({ path }) => path)))
  const others = mentions.filter(({ path }) => !resolved.has(path))
  if (others.length === 0) return found.length === 0 ? [`no other use of ${name} was found`] : []
  return [
    `the name ${name} occurs in ${plural(others.length, "more file")}, where it may mean something else: ${listPaths(others)}`,
  ]
}

/** Lists the first paths. */
const listPaths = (mentions: ReadonlyArray<Mention>): string => {
  const some = mentions.slice(0, 5).map(({ path }) => path)
  return `${some.join(", ")}${mentions.length > some.length ? ", …" : ""}`
}
