/** `search_text`: a regular expression over all files. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"

/** The most lines that one search shows. */
const most = 100

/** The most of a matching line that is shown, in characters. */
const lineLimit = 300

/** RE2 matches in time linear to the text, whatever the pattern: a model cannot hang the run with one. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "search_text",
    description: `Searches the text of all files for a regular expression (RE2 syntax: no look-around, no back-references), line by line. Shows path:line: text, ${most} lines at the most.`,
    parameters: Schema.Struct({
      pattern: Schema.NonEmptyString.pipe(Schema.maxLength(1000)).annotations({
        description: "The regular expression",
      }),
      path: Schema.optional(Schema.String.annotations({ description: "A folder or file to search in" })),
      ignoreCase: Schema.optional(Schema.Boolean.annotations({ description: "Whether A matches a" })),
    }),
    readOnly: true,
    run: ({ ignoreCase = false, path = ".", pattern }) =>
      Effect.gen(function* () {
        const matches = yield* matcher(pattern, ignoreCase)
        const paths = yield* within(workspace, index, path)
        const found: Array<string> = []
        let searched = 0
        for (const path of paths) {
          const content = yield* Effect.either(workspace.read(path))
          if (Either.isLeft(content)) continue
          searched++
          for (const [number, line] of content.right.text.split("\n").entries()) {
            if (!matches(line)) continue
            if (found.length === most) {
              return [...found, `(there are more: the first ${most} are shown)`].join("\n")
            }
            found.push(`${path}:${number + 1}: ${line.trim().slice(0, lineLimit)}`)
          }
        }
        return found.length === 0 ? `no match for ${pattern} in ${searched} files` : found.join("\n")
      }),
  })

/** Loaded by the first search: most runs have none. */
const matcher = (pattern: string, ignoreCase: boolean) =>
  Effect.promise(() => import("re2js")).pipe(
    Effect.flatMap(({ RE2JS }) => Effect.try(() => RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))),
    Effect.map((compiled) => (line: string) => compiled.matcher(line).find()),
    Effect.catchAll(({ error }) =>
      Tool.fail(`the pattern ${pattern} is no regular expression: ${error instanceof Error ? error.message : error}`),
    ),
  )

/** The indexed files of a folder, or the one file that is named. */
const within = (workspace: Workspace, index: Index, path: string) =>
  Effect.gen(function* () {
    const files = yield* index.files
    const folder = yield* Effect.either(workspace.list(path))
    if (Either.isLeft(folder)) return [(yield* workspace.read(path)).path]
    const prefixes = folder.right.entries.map(({ kind, path }) => (kind === "folder" ? `${path}/` : path))
    return files
      .map((file) => file.path)
      .filter((file) => prefixes.some((prefix) => file === prefix || (prefix.endsWith("/") && file.startsWith(prefix))))
  }).pipe(Tool.orFail)
