/** Runs `vibe diff`. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as Workspace from "../../code/Workspace.ts"
import { displayPath } from "../../lookup/Project.ts"
import * as Review from "../../review/Review.ts"
import * as Revisions from "../../review/Revisions.ts"
import * as CheckText from "../check/CheckText.ts"
import * as Project from "../project/Project.ts"
import * as Reviewed from "../review/Reviewed.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as DiffText from "./DiffText.ts"

export const run = Effect.fn("cli.diff")(function* ({ json, path: second, range: first, root }: Input) {
  const { err, out } = yield* Screen.Screen
  // This is `vibe diff ../project`: no name of a commit begins so.
  const isFolder = Option.isNone(second) && (path.isAbsolute(first) || /^\.{1,2}(?:[\\/]|$)/.test(first))
  const range = isFolder ? "HEAD" : first
  const { folder, repository } = yield* Reviewed.find(root, isFolder ? Option.some(first) : second, "diff")
  const comparison = yield* Revisions.ofRange(folder, repository, range)
  const workspace = yield* Workspace.open(folder, yield* Project.configuredSelection(folder))
  const review = yield* Review.make(workspace, comparison)
  const show = displayPath(workspace.root, path.resolve("."))
  for (const notice of CheckText.notices(review, show)) yield* Screen.line(err, sanitizeLine(`vibe: ${notice}`))
  if (json) return yield* Screen.line(out, sanitizeJson(DiffText.toJson(review)))
  const columns = out.isTerminal ? yield* out.columns : undefined
  yield* Screen.line(out, DiffText.toText(review, { style: out.style, columns, show }))
})
