/** Prints the answer of `vibe query --files`. */
import * as Effect from "effect/Effect"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import type { SearchOptions } from "../../index/IndexStore.ts"
import * as FileAnswers from "../../lookup/FileAnswers.ts"
import * as MissingText from "../../lookup/MissingText.ts"
import type { Project } from "../../lookup/Project.ts"
import * as Screen from "../terminal/Screen.ts"

interface Options extends Pick<SearchOptions, "also" | "path"> {
  readonly isJson: boolean
  readonly limit: number | undefined
}

export const printFiles = Effect.fn("cli.query.printFiles")(function* (
  project: Project,
  question: string,
  { isJson, ...options }: Options,
) {
  const screen = yield* Screen.Screen
  const answers = yield* FileAnswers.find(project, question, options)
  const { displayPath, repositories } = project
  if (isJson) {
    const object = {
      files: FileAnswers.toJson(answers, repositories),
      ...(repositories !== undefined && { repositories }),
    }
    return yield* Screen.line(screen.out, sanitizeJson(object))
  }
  if (answers.length === 0) return yield* Screen.line(screen.err, describeNone(project, question, options.path))
  const columns = screen.out.isTerminal ? yield* screen.out.columns : undefined
  yield* Screen.line(screen.out, FileAnswers.format(answers, { columns, displayPath, style: screen.out.style }))
})

/** Says that nothing was found, and where. */
export const describeNone = (
  { displayPath, repositories }: Project,
  question: string,
  path: string | undefined,
): string => {
  const empty = MissingText.describeEmpty(question)
  if (empty !== undefined) return empty
  const all = repositories?.map(({ name }) => name).join(", ") ?? "the index"
  return `no matches for ${MissingText.quote(question)} in ${sanitizeLine(path === undefined ? all : displayPath(path))}`
}
