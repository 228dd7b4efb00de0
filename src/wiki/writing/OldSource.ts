/** Finds the source that a symbol had when a statement about it was written, in the history of Git. */
import * as Effect from "effect/Effect"
import type { Index } from "../../index/IndexStore.ts"
import * as Git from "../../review/Git.ts"
import type { Citation } from "../Page.ts"
import * as Material from "./Material.ts"

/** The most commits of a file that are looked at. */
const MAX_COMMITS = 30

/** Returns the lines of a text from one to another, counted from 1, without carriage returns. */
export const linesOf = (text: string, startLine: number, endLine: number): string => {
  const start = startOfLine(text, startLine)
  const end = startOfLine(text, endLine + 1) - 1
  return text.slice(start, end).replaceAll("\r\n", "\n").replace(/\r$/, "")
}

/** Returns the offset at which a line begins; that of one after the last line is beyond the end of the text. */
const startOfLine = (text: string, line: number): number => {
  let start = 0
  for (let before = 1; before < line; before++) {
    const end = text.indexOf("\n", start)
    if (end === -1) return text.length + 1
    start = end + 1
  }
  return start
}

/**
 * Returns the source of the version with the hash of the citation, from the latest commit of its file that has it.
 * Undefined if no commit has it, or if the folder is in no repository. The hash is compared, so the text is what was
 * described, whatever branch it comes from.
 */
export const find = (
  git: Git.Service,
  index: Pick<Index, "symbolsOf">,
  folder: string,
  { hash, ordinal = 0, path, symbol }: Citation,
): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    if (hash === undefined || symbol === undefined) return undefined
    const log = yield* Git.read(folder, ["rev-list", `--max-count=${MAX_COMMITS}`, "HEAD", "--", path])
    const commits = log
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
    for (const commit of commits) {
      const shown = yield* git.run(folder, ["cat-file", "blob", `${commit}:./${path}`], { most: MAX_BYTES })
      if (shown.code !== 0) continue
      const text = shown.stdout.toString("utf8")
      const found = Material.itemsOf(yield* index.symbolsOf(path, text)).find(
        ({ entry, ordinal: position }) =>
          entry?.qualifiedName === symbol && position === ordinal && entry.hash === hash,
      )
      if (found?.entry !== undefined) return linesOf(text, found.entry.startLine, found.entry.endLine)
    }
    return undefined
  }).pipe(
    Effect.provideService(Git.Git, git),
    // A statement whose earlier source is not found is judged by the present one alone.
    Effect.orElseSucceed(() => undefined),
  )

const MAX_BYTES = 4_000_000
