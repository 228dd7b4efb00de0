/** `vibe show --why`: the lines of the source that bear out the purpose of a symbol. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { wrapHanging } from "../../base/wrap.ts"
import type { Workspace } from "../../code/Workspace.ts"
import * as PurposeCheck from "../../explore/PurposeCheck.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import * as SymbolText from "../../lookup/SymbolText.ts"

export interface Evidence {
  readonly path: string
  readonly line: number
  readonly text: string
}

/**
 * Returns the lines in the order of the file. A stale purpose has those that still contain a word of it. Empty if the
 * file cannot be read.
 */
export const read = (workspace: Workspace, entry: IndexEntry): Effect.Effect<ReadonlyArray<Evidence>> => {
  const { path, purpose, startLine } = entry
  const offsets = purpose?.lines ?? []
  if (purpose === undefined || offsets.length === 0) return Effect.succeed([])
  return workspace.read(path).pipe(
    Effect.map(({ text }) => {
      const lines = text.split(/\r?\n/).slice(startLine - 1, entry.endLine)
      return offsets.flatMap((offset) => {
        const text = lines[offset]
        return text === undefined || (purpose.stale && !PurposeCheck.bearsOut(entry, purpose.text, text))
          ? []
          : [{ path, line: startLine + offset, text: SymbolText.cut(text.trim(), MAX_CHARS) }]
      })
    }),
    Effect.orElseSucceed(() => []),
  )
}

const MAX_CHARS = 160

/** `displayPath` formats a path, and `columns` is the width of a terminal. */
export const toText = (
  evidence: ReadonlyArray<Evidence>,
  displayPath: (path: string) => string,
  style: Style,
  columns = SymbolText.UNLIMITED,
): ReadonlyArray<string> =>
  evidence.length === 0
    ? []
    : [
        "",
        `  ${style.quiet("evidence in the source")}`,
        ...evidence.flatMap(({ line, path, text }) => {
          const place = sanitizeLine(`${displayPath(path)}:${line}`)
          const [first = "", ...others] = wrapHanging(`${place}  ${sanitizeLine(text)}`.trimEnd(), columns - 4, 2)
          const styled = first.startsWith(place) ? `${style.quiet(place)}${first.slice(place.length)}` : first
          return [styled, ...others].map((line) => `    ${line}`)
        }),
      ]
