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
import * as Members from "./Members.ts"

export const run = Effect.fn("cli.query")(function* ({ json, limit, root, words }: Input) {
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* new UsageError({ message: "'query' needs TEXT", command: "query" })

  const project = yield* Project.open(root)
  const found = yield* project.index.search(
    query,
    Option.getOrElse(limit, () => MOST),
  )
  const hits = Option.isSome(limit) ? found : keepRelevant(found)
  if (hits.length === 0 && !json) {
    return yield* Screen.line(screen.err, `no matches for '${sanitizeLine(query)}' in the index`)
  }
  const answers = yield* Effect.forEach(hits, (hit) => answer(project, hit, query))
  if (json) return yield* Screen.line(screen.out, sanitizeJson({ results: AnswerText.toJson(answers) }))
  const columns = screen.out.isTerminal ? yield* screen.out.columns : undefined
  const shown = answers.map((answer) => AnswerText.at(project.displayPath(answer.hit.entry.path), answer))
  yield* Screen.line(screen.out, AnswerText.format(shown, screen.out.style, columns))
}, Effect.scoped)

/** Reads what is shown of a result besides its entry. */
const answer = Effect.fnUntraced(function* ({ index, workspace }: Project.Project, hit: Hit, query: string) {
  const { entry } = hit
  const code = yield* Effect.either(workspace.read(entry.path))
  const members = Members.of(entry, yield* index.symbolsIn(entry.path), query)
  const isDocShown = entry.purpose?.origin === "comment"
  const place = { ...entry, doc: isDocShown ? entry.doc : undefined }
  const answer: AnswerText.Answer = {
    hit,
    members,
    excerpt: Either.map(code, ({ text }) => Excerpt.of(text, place, query)),
  }
  return answer
})
