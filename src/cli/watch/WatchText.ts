/** The text that `vibe watch` prints. Pure. */

import { plural } from "../../base/Prose.ts"
import type { Mode, PollingReason } from "../../code/Watcher.ts"
import type { FileChange, Refreshed } from "../../index/IndexStore.ts"

/** Returns whether a refresh has found anything to print. */
export const isChanged = ({ changes, parsed, removed }: Refreshed): boolean =>
  changes === undefined ? parsed + removed > 0 : changes.length > 0

/** The most files that are named; if there are more, they are counted. */
const MAX_NAMED = 3

/** One line of a refresh that has found changes. */
export const line = ({ changes, parsed, removed }: Refreshed, displayPath: (path: string) => string): string => {
  if (changes === undefined) {
    return [
      ...(parsed > 0 ? [`${plural(parsed, "file")} new or changed`] : []),
      ...(removed > 0 ? [`${plural(removed, "file")} removed`] : []),
    ].join(", ")
  }
  if (changes.length <= MAX_NAMED) {
    return changes.map((change) => `${displayPath(change.path)}: ${describe(change)}`).join("; ")
  }
  const kinds = [
    { kind: "changed", word: "changed" },
    { kind: "added", word: "new" },
    { kind: "removed", word: "removed" },
  ] as const
  const counts = kinds
    .map(({ kind, word }) => ({ word, count: changes.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0)
  return `${plural(changes.length, "file")}: ${counts.map(({ count, word }) => `${count} ${word}`).join(", ")}`
}

const describe = ({ added, change, changed, removed }: FileChange): string => {
  if (change === "removed") return "removed"
  if (change === "added") return added.length === 0 ? "new" : `new, ${plural(added.length, "symbol")}`
  const counts = [
    { names: changed, verb: "changed" },
    { names: added, verb: "added" },
    { names: removed, verb: "removed" },
  ].filter(({ names }) => names.length > 0)
  if (counts.length === 0) return "changed, no symbols"
  // The noun stands once: "2 symbols changed, 1 added".
  return counts
    .map(({ names: { length }, verb }, at) => `${at === 0 ? plural(length, "symbol") : length} ${verb}`)
    .join(", ")
}

/** The line that is printed when the watch begins. */
export const watching = ({ files, symbols }: Refreshed, mode: Mode): string => {
  const folders = mode._tag === "Events" && mode.folders !== undefined ? ` in ${plural(mode.folders, "folder")}` : ""
  return `Watching ${plural(files, "file")}${folders} with ${plural(symbols, "symbol")}. Ctrl-C ends it.`
}

/** Says why all files are looked at every few seconds, and what to do about it. */
export const polling = (reason: PollingReason): string => {
  const looks = "all files are looked at every few seconds"
  switch (reason) {
    case "TooManyFolders":
      return `vibe: there are more folders than the system lets you watch, so ${looks}. Allow more: sudo sysctl fs.inotify.max_user_watches=524288`
    case "TooManyWatchers":
      return `vibe: more programs watch files than the system allows, so ${looks}. Allow more: sudo sysctl fs.inotify.max_user_instances=1024`
    case "NoEvents":
      return `vibe: this file system does not report changes that are made elsewhere, so ${looks}`
    case "Asked":
      return `vibe: ${looks}`
  }
}

/** `changes` is null if all files were refreshed, as at the start and after many changes at once. */
export const toJson = (
  root: string,
  { changes, files, parsed, removed, symbols }: Refreshed,
  milliseconds: number,
): object => ({ root, files, symbols, parsed, removed, changes: changes ?? null, milliseconds })
