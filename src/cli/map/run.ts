/** Runs `vibe map`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Optimiser from "../../app/Optimiser.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { wrap } from "../../base/wrap.ts"
import * as RunProgress from "../../index/RunProgress.ts"
import { findPath } from "../../lookup/findPath.ts"
import * as RepoMap from "../../lookup/RepoMap.ts"
import * as Project from "../project/Project.ts"
import * as CodeColours from "../terminal/CodeColours.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

const DEFAULT_TOKENS = 1_000

export const run = Effect.fn("cli.map")(function* (input: Input) {
  const { err, out } = yield* Screen.Screen
  const project = yield* Project.openAround(input.root, input.path)
  const path = Option.isNone(input.path) ? "." : yield* findPath(project, input.path.value)
  const tokens = Option.getOrElse(input.tokens, () => DEFAULT_TOKENS)
  const facts = yield* RepoMap.read(project, path, tokens).pipe(
    // Ranking repeats its loops often enough for optimised code to pay.
    Effect.locally(RunProgress.beforeRanking, Effect.sync(Optimiser.allow)),
  )
  const map = RepoMap.fit(facts, tokens, project.displayPath)
  if (input.json) return yield* Screen.line(out, sanitizeJson(RepoMap.toJson(map, path, tokens)))
  if (map.text === "") return yield* Screen.line(err, "vibe: nothing to map: no file here has symbols")
  const columns = out.isTerminal ? yield* out.columns : undefined
  const paint = painter(out.style)
  const lines = map.text.split("\n").flatMap((line) => {
    const parts = columns === undefined ? [line] : wrap(line, columns)
    return parts.map((part, n) => paint(part, n > 0))
  })
  yield* Screen.line(out, lines.join("\n"))
}, Effect.scoped)

/** Returns a function that styles the lines of a map in their order: files and folders, and the symbols of a file. */
const painter = (style: Style): ((line: string, continues: boolean) => string) => {
  const colours = CodeColours.of(style)
  if (colours === undefined) return (line) => line
  let file = ""
  return (line, continues) => {
    if (continues) return line
    const [, indentation, number, code] = /^( +)(\d+) (.*)$/.exec(line) ?? []
    if (number !== undefined) return `${indentation}${style.quiet(number)} ${colours.paint(file)(code ?? "")}`
    const [, folder, counts, purpose] = /^(\S.*?) (\(\d.* symbols?\))(.*)$/.exec(line) ?? []
    if (counts !== undefined) return `${style.strong(folder ?? "")} ${style.quiet(counts)}${purpose}`
    file = line
    // A line about the project is a sentence, the line of a file is its path alone.
    return /^\S+\.\w+$/.test(line) ? style.strong(line) : line
  }
}
