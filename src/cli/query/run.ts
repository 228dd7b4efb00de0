/** Runs `vibe query`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Hit } from "../../indexing/IndexStore.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import * as AnswerText from "./AnswerText.ts"
import type { Input } from "./command.ts"
import * as Excerpt from "./Excerpt.ts"
import { keepRelevant, MOST } from "./keepRelevant.ts"
import * as Related from "./Related.ts"

export const run = Effect.fn("cli.query")(function* ({ json, limit, root, words }: Input) {
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* new UsageError({ message: "'query' needs TEXT", command: "query" })

  const project = yield* Project.open(root)
  const found = yield* project.index.search(query, { limit: Option.getOrElse(limit, () => MOST) })
  const hits = Option.isSome(limit) ? found : keepRelevant(found)
  if (hits.length === 0 && !json) {
    return yield* Screen.line(screen.err, `no matches for '${sanitizeLine(query)}' in the index`)
  }
  const answers = yield* Effect.forEach(hits, (hit) => answer(project, hit, query))
  if (json) return yield* Screen.line(screen.out, sanitizeJson({ results: AnswerText.toJson(answers) }))
  const columns = screen.out.isTerminal ? yield* screen.out.columns : undefined
  const { displayPath } = project
  yield* Screen.line(screen.out, AnswerText.format(answers, { style: screen.out.style, columns, displayPath }))
}, Effect.scoped)

/** Reads what is shown of a result besides its entry. */
const answer = Effect.fnUntraced(function* ({ index, workspace }: Project.Project, hit: Hit, query: string) {
  const { entry } = hit
  const code = yield* Effect.either(workspace.read(entry.path))
  const isCallable = entry.kind === "function" || entry.kind === "method"
  const place = { ...entry, doc: entry.purpose?.origin === "comment" ? entry.doc : undefined }
  const answer: AnswerText.Answer = {
    hit,
    members: Related.membersOf(entry, yield* index.symbolsIn(entry.path), query),
    callees: isCallable ? Related.calleesOf(entry, yield* index.callees(entry), query) : Related.none,
    excerpt: Either.map(code, ({ text }) => Excerpt.of(text, place, query)),
  }
  return answer
})
