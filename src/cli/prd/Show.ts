/** `vibe prd --list`, `--show` and `--diff`: versions of stored PRDs. */

import * as Effect from "effect/Effect"
import { timeOf } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as unifiedDiff from "../../base/unifiedDiff.ts"
import { fileText } from "../../conversation/prd/Acceptance.ts"
import * as PrdJson from "../../conversation/prd/PrdJson.ts"
import type * as PrdVersions from "../../conversation/prd/PrdVersions.ts"
import * as TaskFile from "../../conversation/prd/TaskFile.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import * as Archive from "./Archive.ts"

/** All versions, newest first. */
export const list = Effect.fn("prd.Show.list")(function* (owner: string, json: boolean) {
  const { err, out } = yield* Screen.Screen
  const { hasMore, versions } = yield* Archive.listVersions(owner)
  if (json) yield* Screen.line(out, sanitizeJson({ prds: versions.map(toJson) }))
  else if (versions.length === 0) yield* Screen.line(err, NO_PRDS)
  else {
    const short = yield* NodeName.shortNames(versions.map(({ node }) => node))
    const { quiet, strong } = out.style
    const rows = versions.map((version) =>
      [
        strong(short(version.node)),
        quiet(timeOf(version.createdAt)),
        `v${version.number}`,
        sanitizeLine(version.prd.name),
        quiet(TaskFile.countStories(storiesOf(version))),
        ...(version.isUnclosed === true ? [quiet("without its end mark")] : []),
      ].join("  "),
    )
    yield* Screen.line(out, rows.join("\n"))
  }
  if (hasMore)
    yield* Screen.line(err, "There may be older ones, which are not listed; 'vibe prd --show NODE' prints them")
})

/** Shows one version; the newest if none is named. */
export const show = Effect.fn("prd.Show.show")(function* (owner: string, names: ReadonlyArray<string>, json: boolean) {
  if (names.length > 1) return yield* usageError("'prd --show' takes one node")
  const { out } = yield* Screen.Screen
  const { last } = yield* findVersion(owner, names[0])
  if (json) return yield* Screen.line(out, sanitizeJson({ ...toJson(last), content: last.prd.content }))
  yield* out.write(fileText(last.prd))
})

/** Compares one version with another: by default, the one before the newest with the newest. */
export const diff = Effect.fn("prd.Show.diff")(function* (owner: string, names: ReadonlyArray<string>, json: boolean) {
  if (names.length > 2) return yield* usageError("'prd --diff' takes two nodes at the most")
  const { err, out } = yield* Screen.Screen
  const first = yield* findVersion(owner, names[0])
  const [a, b] =
    names[1] === undefined
      ? [first.versions.at(-2), first.last]
      : [first.last, (yield* Archive.versionsAtNode(names[1])).last]
  if (a === undefined) return yield* usageError(`there is no version before ${b.node}`)
  const text = unifiedDiff.unifiedDiff(diffSide(a), diffSide(b)) ?? ""
  if (json) return yield* Screen.line(out, sanitizeJson({ a: a.node, b: b.node, diff: text }))
  if (text === "") return yield* Screen.line(err, "they say the same")
  yield* Screen.line(out, text)
})

const findVersion = Effect.fnUntraced(function* (owner: string, name: string | undefined) {
  if (name !== undefined) return yield* Archive.versionsAtNode(name)
  const [newest] = (yield* Archive.listVersions(owner)).versions
  return newest === undefined ? yield* usageError(NO_PRDS) : yield* Archive.versionsAtNode(newest.node)
})

const toJson = (version: PrdVersions.Version): object => ({
  node: version.node,
  version: version.number,
  name: version.prd.name,
  createdAt: version.createdAt,
  userStories: storiesOf(version),
  ...(version.isUnclosed === true && { isUnclosed: true }),
})

const storiesOf = ({ prd }: PrdVersions.Version): number => PrdJson.userStories(prd.content).length

const diffSide = ({ node, number, prd }: PrdVersions.Version) => ({
  name: `${node} v${number} ${sanitizeLine(prd.name)}`,
  text: fileText(prd),
})

const NO_PRDS = "there are no PRDs yet"

const usageError = (message: string) => new UsageError({ message, command: "prd" })
