/** Runs `vibe map`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson } from "../../base/Sanitize.ts"
import { wrap } from "../../base/wrap.ts"
import { findPath } from "../../lookup/findPath.ts"
import * as RepoMap from "../../lookup/RepoMap.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

const DEFAULT_TOKENS = 1_000

export const run = Effect.fn("cli.map")(function* (input: Input) {
  const { err, out } = yield* Screen.Screen
  const project = yield* Project.openAround(input.root, input.path)
  const path = Option.isNone(input.path) ? "." : yield* findPath(project, input.path.value)
  const tokens = Option.getOrElse(input.tokens, () => DEFAULT_TOKENS)
  const facts = yield* RepoMap.read(project, path, tokens)
  const map = RepoMap.fit(facts, tokens, project.displayPath)
  if (input.json) return yield* Screen.line(out, sanitizeJson(RepoMap.toJson(map, path, tokens)))
  if (map.text === "") return yield* Screen.line(err, "vibe: nothing to map: no file here has symbols")
  const lines = map.text.split("\n")
  const columns = out.isTerminal ? yield* out.columns : undefined
  yield* Screen.line(out, (columns === undefined ? lines : lines.flatMap((line) => wrap(line, columns))).join("\n"))
}, Effect.scoped)
