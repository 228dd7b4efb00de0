/** `find_references`: where a name is used. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import { plural } from "../message/Plural.ts"
import * as Tool from "../tool/Tool.ts"

/** The most files that are shown line by line; those that use the name most come first. */
const mostFiles = 20

const mostLinesAFile = 5

const lineLimit = 200

/** By name: it does not tell two symbols of one name apart, and says so. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "find_references",
    description:
      "Lists the files that use a name, most uses first, with some of the lines: path:line: text. It goes by the name alone, so that two symbols of one name are not told apart.",
    parameters: Schema.Struct({
      symbolName: Schema.String.annotations({ description: "The name, plain or qualified: Container.name" }),
    }),
    readOnly: true,
    run: ({ symbolName }) =>
      Effect.gen(function* () {
        const name = symbolName.split(/[.#]|::/).at(-1) ?? symbolName
        const references = yield* index.references(name)
        if (references.length === 0) return `no other use of ${name} was found`
        const lines = yield* Effect.forEach(references.slice(0, mostFiles), ({ count, path }) =>
          Effect.map(Effect.either(workspace.read(path)), (content) => [
            `${path} (${count})`,
            ...(Either.isRight(content) ? linesWith(name, path, content.right.text) : []),
          ]),
        )
        const more = references.length - mostFiles
        return [...lines.flat(), ...(more > 0 ? [`(and ${plural(more, "more file")})`] : [])].join("\n")
      }).pipe(Tool.orFail),
  })

const linesWith = (name: string, path: string, text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [number, line] of text.split("\n").entries()) {
    if (found.length === mostLinesAFile) break
    if (hasWord(line, name)) found.push(`${path}:${number + 1}: ${line.trim().slice(0, lineLimit)}`)
  }
  return found
}

/** Without a regular expression: a name may hold any character. */
const hasWord = (line: string, word: string): boolean => {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!isWord(line[at - 1]) && !isWord(line[at + word.length])) return true
  }
  return false
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
