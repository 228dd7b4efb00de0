/** `vibe show --history`: the sentences that a symbol has had as its purpose, by the commits that they came with. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural, timeOf } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { wrap, wrapHanging } from "../../base/wrap.ts"
import { IndexEntry } from "../../index/IndexEntry.ts"
import type { Project } from "../../lookup/Project.ts"
import * as RepositoryPath from "../../lookup/repositories/RepositoryPath.ts"
import * as PurposeHistory from "../../review/PurposeHistory.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"

/**
 * Reads the history in the repository that the symbol is in. Git is provided here and not by the layer of the command,
 * since nothing else of `vibe show` needs it.
 */
export const read = Effect.fn("cli.show.history")(function* (
  { index, repositories, workspace }: Project,
  entry: IndexEntry,
) {
  const siblings = yield* index.find(entry.qualifiedName, entry.path)
  const repository = repositories && RepositoryPath.repositoryOf(repositories, entry.path)
  if (repository === undefined) return yield* PurposeHistory.read(workspace.root, entry, siblings)
  const inside = (one: IndexEntry) => new IndexEntry({ ...one, path: RepositoryPath.split(one.path)[1] })
  return yield* PurposeHistory.read(repository.root, inside(entry), siblings.map(inside))
}, Effect.provide(CodeLayer.git))

export const toJson = ({ isComplete, isShallow, more, versions }: PurposeHistory.PurposeHistory) => ({
  versions: versions.map(({ commit, isCurrent, model, text, weak }) => ({
    purpose: text,
    current: isCurrent,
    model,
    ...(weak !== undefined && { weak }),
    commit:
      commit === undefined
        ? null
        : {
            id: commit.id,
            author: commit.author,
            date: Option.getOrNull(isoDate(commit.writtenAt)),
            title: commit.title,
          },
  })),
  more,
  shallow: isShallow,
  complete: isComplete,
})

/** A commit may have any number as its time. */
const isoDate = (milliseconds: number) => Option.liftThrowable(() => new Date(milliseconds).toISOString())()

/** `columns` is the width of a terminal. */
export const toText = (
  history: PurposeHistory.PurposeHistory,
  style: Style,
  columns: number,
): ReadonlyArray<string> => {
  const notice = PurposeHistory.describe(history)
  const lines = [
    ...history.versions.flatMap((version) => {
      const head = sanitizeLine(headOf(version))
      const [first = "", ...others] = wrapHanging(`${head}  ${sanitizeLine(version.text)}`, columns - 4, 2)
      return [first.startsWith(head) ? `${style.quiet(head)}${first.slice(head.length)}` : first, ...others]
    }),
    ...(history.more > 0 ? [`${plural(history.more, "earlier sentence")}`] : []),
    ...(notice === undefined ? [] : wrap(`(${notice})`, columns - 4)),
  ]
  return ["", `  ${style.quiet("history of its purpose")}`, ...lines.map((line) => `    ${line}`)]
}

/** Returns `now, 2026-11-23 1a2b3c4 by Ada:`. */
const headOf = ({ commit, isCurrent, weak }: PurposeHistory.Version): string => {
  const now = isCurrent ? "now, " : ""
  const failed = weak === undefined ? "" : `, weak: ${weak}`
  if (commit === undefined) return `${now}not committed yet${failed}:`
  const [day = ""] = timeOf(commit.writtenAt).split(" ")
  return `${now}${day} ${commit.id.slice(0, 7)} by ${commit.author}${failed}:`
}
