/** Prints the PRDs of earlier conversations: all of them in a list, one of them, or what changed between two. */

import * as Effect from "effect/Effect"
import * as PrdJson from "../../chat/PrdJson.ts"
import type * as PrdVersions from "../../chat/PrdVersions.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as PrdFile from "../../session/prd/PrdFile.ts"
import * as TaskFile from "../../session/prd/TaskFile.ts"
import * as unifiedDiff from "../../toolbox/unifiedDiff.ts"
import * as Screen from "../Screen.ts"
import * as Archive from "./Archive.ts"

/** All of them, newest first. */
export const list = Effect.fn("Show.list")(function* (owner: string, json: boolean) {
  const { err, out } = yield* Screen.Screen
  const { hasMore, versions } = yield* Archive.of(owner)
  if (json) yield* Screen.line(out, sanitizeJson({ prds: versions.map(object) }))
  else if (versions.length === 0) yield* Screen.line(err, none)
  else {
    const short = yield* NodeName.shortNames(versions.map(({ node }) => node))
    const { quiet, strong } = out.style
    const rows = versions.map((version) =>
      [
        strong(short(version.node)),
        quiet(NodeText.time(version.createdAt)),
        `v${version.number}`,
        sanitizeLine(version.prd.name),
        quiet(TaskFile.countStories(storiesOf(version))),
      ].join("  "),
    )
    yield* Screen.line(out, rows.join("\n"))
  }
  if (hasMore)
    yield* Screen.line(err, "There may be older ones, which are not listed; 'vibe prd --show NODE' prints them")
})

/** One of them; the newest where none is named. */
export const show = Effect.fn("Show.show")(function* (owner: string, names: ReadonlyArray<string>, json: boolean) {
  if (names.length > 1) return yield* wrong("'prd --show' takes one node")
  const { out } = yield* Screen.Screen
  const { last } = yield* chosen(owner, names[0])
  if (json) return yield* Screen.line(out, sanitizeJson({ ...object(last), content: last.prd.content }))
  yield* out.write(PrdFile.text(last.prd))
})

/** From one to another: by default, from the version before the newest to that. */
export const diff = Effect.fn("Show.diff")(function* (owner: string, names: ReadonlyArray<string>, json: boolean) {
  if (names.length > 2) return yield* wrong("'prd --diff' takes two nodes at the most")
  const { err, out } = yield* Screen.Screen
  const first = yield* chosen(owner, names[0])
  const [a, b] =
    names[1] === undefined ? [first.versions.at(-2), first.last] : [first.last, (yield* Archive.named(names[1])).last]
  if (a === undefined) return yield* wrong(`there is no version before ${b.node}`)
  const text = unifiedDiff.unifiedDiff(side(a), side(b)) ?? ""
  if (json) return yield* Screen.line(out, sanitizeJson({ a: a.node, b: b.node, diff: text }))
  if (text === "") return yield* Screen.line(err, "they say the same")
  yield* Screen.line(out, text)
})

const chosen = Effect.fnUntraced(function* (owner: string, name: string | undefined) {
  if (name !== undefined) return yield* Archive.named(name)
  const [newest] = (yield* Archive.of(owner)).versions
  return newest === undefined ? yield* wrong(none) : yield* Archive.named(newest.node)
})

const object = (version: PrdVersions.Version): object => ({
  node: version.node,
  version: version.number,
  name: version.prd.name,
  createdAt: version.createdAt,
  userStories: storiesOf(version),
})

const storiesOf = ({ prd }: PrdVersions.Version): number => PrdJson.userStories(prd.content).length

const side = ({ node, number, prd }: PrdVersions.Version) => ({
  name: `${node} v${number} ${sanitizeLine(prd.name)}`,
  text: PrdFile.text(prd),
})

const none = "there are no PRDs yet"

const wrong = (message: string) => new UsageError({ message, command: "prd" })
