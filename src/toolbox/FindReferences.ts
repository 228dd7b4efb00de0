/** `find_references`: where a symbol is used. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../indexing/IndexEntry.ts"
import type { Index, Mention, Reference } from "../indexing/IndexStore.ts"
import { plural } from "../message/Plural.ts"
import * as Tool from "../tool/Tool.ts"

/** Symbols of one name that are shown, the most used first. */
const MAX_SYMBOLS = 5

/** Files that are shown of each, in the order of their paths. */
const MAX_FILES = 20

/** Lines that are shown of a file. */
const MAX_LINES_PER_FILE = 5

const MAX_LINE_CHARS = 200

export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "find_references",
    description:
      "Lists where a symbol is used, with the symbol around each use: path:line in symbol: text. These uses are resolved: they mean this symbol. After them it says in how many more files only the name occurs.",
    parameters: Schema.Struct({
      symbolName: Schema.String.annotations({ description: "The name, plain or qualified: Container.name" }),
      path: Schema.optional(Schema.String).annotations({ description: "The file that defines it" }),
    }),
    readOnly: true,
    run: ({ path, symbolName }) =>
      Effect.gen(function* () {
        const name = symbolName.split(/[.#]|::/).at(-1) ?? symbolName
        const entries = yield* definitions(index, symbolName, path)
        const mentions = yield* index.mentions(name)
        const found = yield* Effect.forEach(entries.slice(0, MAX_SYMBOLS), (entry) =>
          Effect.map(index.references(entry), (references) => ({ entry, references })),
        )
        const shown = found.filter(({ references }) => references.length > 0)
        const blocks = yield* Effect.forEach(shown, ({ entry, references }) =>
          Effect.map(usesIn(workspace, references), (lines) =>
            shown.length === 1 && entries.length === 1 ? lines : [`${locate(entry)} is used in`, ...lines],
          ),
        )
        const more = entries.length - MAX_SYMBOLS
        return [
          ...blocks.flat(),
          ...(more > 0 ? [`(and ${plural(more, "more symbol")} of that name)`] : []),
          ...mentioned(name, mentions, shown),
        ].join("\n")
      }).pipe(Tool.orFail),
  })

/** The symbols of a name, the most used first. */
const definitions = (index: Index, symbolName: string, path: string | undefined) =>
  Effect.gen(function* () {
    const exact = yield* index.find(symbolName, path)
    const name = symbolName.split(/[#]|::/).join(".")
    const entries = exact.length > 0 || name === symbolName ? exact : yield* index.find(name, path)
    return entries.toSorted((one, other) => other.usedBy - one.usedBy)
  })

const locate = ({ kind, path, qualifiedName, startLine }: IndexEntry): string =>
  `${kind} ${qualifiedName} of ${path}:${startLine}`

const usesIn = (workspace: Workspace, references: ReadonlyArray<Reference>) =>
  Effect.gen(function* () {
    const files = Map.groupBy(references, ({ path }) => path)
    const lines = yield* Effect.forEach(Array.from(files).slice(0, MAX_FILES), ([path, uses]) =>
      Effect.map(Effect.either(workspace.read(path)), (content) => {
        const text = Either.isRight(content) ? content.right.text.split("\n") : []
        return [
          `${path} (${uses.length})`,
          ...uses.slice(0, MAX_LINES_PER_FILE).map(({ line, symbol }) => {
            const source = (text[line - 1] ?? "").trim().slice(0, MAX_LINE_CHARS)
            return `${path}:${line}${symbol === undefined ? "" : ` in ${symbol}`}: ${source}`
          }),
        ]
      }),
    )
    const more = files.size - MAX_FILES
    return [...lines.flat(), ...(more > 0 ? [`(and ${plural(more, "more file")})`] : [])]
  })

/** What is known of the name alone. */
const mentioned = (
  name: string,
  mentions: ReadonlyArray<Mention>,
  found: ReadonlyArray<{ readonly entry: IndexEntry; readonly references: ReadonlyArray<Reference> }>,
): ReadonlyArray<string> => {
  const resolved = new Set(found.flatMap(({ references }) => references.map(({ path }) => path)))
  const others = mentions.filter(({ path }) => !resolved.has(path))
  if (others.length === 0) return found.length === 0 ? [`no other use of ${name} was found`] : []
  const some = others.slice(0, 5).map(({ path }) => path)
  const listed = `${some.join(", ")}${others.length > some.length ? ", …" : ""}`
  return [
    `the name ${name} occurs in ${plural(others.length, "more file")}, where it may mean something else: ${listed}`,
  ]
}
