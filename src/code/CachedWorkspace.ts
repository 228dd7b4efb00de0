/**
 * A workspace that keeps the texts that were read last. It is for a reader that asks for the source of one symbol of a
 * file after the other, such as a wiki. It must not outlive a change of the files, which it would not show.
 */
import * as Effect from "effect/Effect"
import type { Content, Workspace } from "./Workspace.ts"

/** The most characters that are kept: the files of a few folders. */
const MAX_CHARS = 4_000_000

/** Keeps what `read` returns for a path. All other members are those of the workspace below. */
export const make = (workspace: Workspace): Workspace => {
  const kept = new Map<string, Content>()
  let chars = 0
  const keep = (asked: string, content: Content): void => {
    kept.set(asked, content)
    chars += content.text.length
    for (const [oldest, { text }] of kept) {
      if (chars <= MAX_CHARS) break
      kept.delete(oldest)
      chars -= text.length
    }
  }
  return {
    ...workspace,
    read: (asked) =>
      Effect.suspend(() => {
        if (typeof asked !== "string") return workspace.read(asked)
        const known = kept.get(asked)
        if (known === undefined) {
          return Effect.tap(workspace.read(asked), (content) => Effect.sync(() => keep(asked, content)))
        }
        // The text that was asked for last comes last.
        kept.delete(asked)
        kept.set(asked, known)
        return Effect.succeed(known)
      }),
  }
}
