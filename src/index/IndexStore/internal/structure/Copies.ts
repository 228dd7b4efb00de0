/** Outlines files of one content once: a project may hold the headers of a library once for each platform. */
import * as path from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Symbols from "../../../../code/Symbols.ts"
import type { File } from "../../../../code/Workspace.ts"

/** Returns the outline of a file with a text, of which `hash` is the hash. */
export type Outliner = (file: File, text: string, hash: string) => Effect.Effect<Symbols.Outline>

/**
 * Makes an outliner for files that are outlined once each, in any order and many at a time. An outline depends on the
 * name of the file and its text, so files of one name and size may share one.
 */
export const outliner = (symbols: Symbols.Service, files: ReadonlyArray<File>): Outliner => {
  /** The number of files that have one name and size, and are still to come. */
  const coming = new Map<string, number>()
  for (const file of files) coming.set(placeOf(file), (coming.get(placeOf(file)) ?? 0) + 1)
  const kept = new Map<string, Kept>()
  let keptChars = 0
  const remove = (key: string) => {
    keptChars -= kept.get(key)?.chars ?? 0
    kept.delete(key)
  }
  const keep = (key: string, added: Kept) => {
    kept.set(key, added)
    keptChars += added.chars
    for (const oldest of kept.keys()) {
      if (keptChars <= MAX_KEPT_CHARS) break
      remove(oldest)
    }
  }
  return (file, text, hash) =>
    Effect.suspend(() => {
      const others = (coming.get(placeOf(file)) ?? 1) - 1
      coming.set(placeOf(file), others)
      const key = `${path.posix.basename(file.path)} ${hash}`
      const copy = kept.get(key)
      if (copy !== undefined) {
        if (others === 0) remove(key)
        return Deferred.await(copy.outline)
      }
      const outlined = symbols.outline(file.path, text)
      if (others === 0 || text.length < MIN_CHARS) return outlined
      return Effect.flatMap(Deferred.make<Symbols.Outline>(), (outline) => {
        keep(key, { outline, chars: text.length })
        return Effect.onExit(outlined, (exit) => Deferred.done(outline, exit))
      })
    })
}

const placeOf = (file: File): string => `${path.posix.basename(file.path)} ${file.stat.size}`

interface Kept {
  readonly outline: Deferred.Deferred<Symbols.Outline>
  readonly chars: number
}

/** Shorter texts are outlined in less time than a millisecond. */
const MIN_CHARS = 1_000

/** The most characters of texts whose outlines are kept, which are about as large. The oldest one is dropped first. */
const MAX_KEPT_CHARS = 4_000_000
