/** Runs `vibe query`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AnswerText from "../../lookup/AnswerText.ts"
import * as Query from "../../lookup/Query.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.query")(function* ({ json, limit, root, words }: Input) {
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* new UsageError({ message: "'query' needs TEXT", command: "query" })

  const project = yield* Project.open(root)
  const answers = yield* Query.answer(project, query, { limit: Option.getOrUndefined(limit) })
  if (answers.length === 0 && !json) {
    return yield* Screen.line(screen.err, `no matches for '${sanitizeLine(query)}' in the index`)
  }
  if (json) return yield* Screen.line(screen.out, sanitizeJson({ results: AnswerText.toJson(answers) }))
  const columns = screen.out.isTerminal ? yield* screen.out.columns : undefined
  const { displayPath } = project
  yield* Screen.line(screen.out, AnswerText.format(answers, { style: screen.out.style, columns, displayPath }))
}, Effect.scoped)
