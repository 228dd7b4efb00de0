/** Runs `vibe status`. */
import * as Path from "node:path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Files from "../../code/Files.ts"
import * as NotOutlined from "../../index/NotOutlined.ts"
import type { Project as IndexedProject } from "../../lookup/Project.ts"
import * as LeftOut from "../../review/LeftOut.ts"
import * as Project from "../project/Project.ts"
import * as StatusText from "../project/StatusText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.status")(function* ({ json, path, root }: Input) {
  const { out } = yield* Screen.Screen
  const project = yield* Project.openAt(root, path, "status")
  const { displayPath, index, workspace } = project
  yield* Project.warnOfSettings(workspace.root)
  const { files: notCheckedOut } = yield* LeftOut.find(workspace.root)
  const { details: found, status } = yield* read(project)
  const details = { ...found, notCheckedOut }
  const map = yield* index.map
  if (json) {
    return yield* Screen.line(
      out,
      sanitizeJson({ ...StatusText.toJson(workspace.root, status, details), map: map ?? null }),
    )
  }
  const columns = out.isTerminal ? yield* out.columns : undefined
  yield* Screen.line(out, StatusText.format(workspace.root, status, details, displayPath, columns))
  if (map !== undefined) yield* Screen.line(out, `\n${yield* Screen.wrapFor(out, map)}`)
}, Effect.scoped)

/** Reads the facts about an index that the command prints besides its map. */
export const read = Effect.fnUntraced(function* ({ index, workspace }: IndexedProject) {
  const status = yield* index.status
  const files = yield* index.files
  const unreadable = yield* index.unreadable
  const details: StatusText.StatusDetails = {
    languages: StatusText.countLanguages(files),
    notOutlined: NotOutlined.count(files, unreadable),
    unreadable: NotOutlined.countUnreadable(unreadable),
    updatedAt: Option.getOrUndefined(yield* updatedAt(workspace.root)),
  }
  return { status, details }
})

/** The time at which the database of the index was last written: by a run, or after files had changed. */
const updatedAt = Effect.fnUntraced(function* (root: string) {
  const files = yield* Files.Files
  const stat = yield* Effect.option(files.stat(Path.join(root, ".vibe", "index.db")))
  return Option.flatMap(stat, ({ modified }) => Option.map(DateTime.make(modified), DateTime.formatIso))
})
