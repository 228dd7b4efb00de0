/**
 * The rules of a folder that models may look into or write in: from a path of theirs to a place, or to a refusal. Root,
 * links, devices, FIFOs and secrets are checked here and nowhere else.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { type FileError, NotAFolder, type Reason, Refused } from "../FileError.ts"
import type * as Files from "../Files.ts"
import * as Secrets from "./Secrets.ts"

export interface Sandbox {
  /** Absolute, links resolved. */
  readonly root: string
  /** Absolute; under the root as it was opened, which may lead there by links, or under its real path. */
  readonly resolve: (asked: string) => string
  /** From the absolute path of a file or folder to a root-relative one, with `/`; none for what must not be seen. */
  readonly allowed: (absolute: string, kind: Secrets.Kind) => string | undefined
  /**
   * What a path leads to, links resolved: a file or a folder inside. Where there is neither, it counts as `expected`, a
   * file by default: one that must not be seen is refused all the same.
   */
  readonly locate: (asked: string, expected?: Secrets.Kind) => Effect.Effect<Located, Reason>
}

export interface Located {
  readonly kind: Secrets.Kind
  /** Root-relative, with `/`. */
  readonly path: string
  readonly realPath: string
}

/** Fails where `folder` is no folder, or cannot be read. */
export const open = Effect.fnUntraced(function* (files: Files.Service, folder: string) {
  const root = yield* bare(files.realPath(folder))
  const { kind } = yield* bare(files.stat(root))
  if (kind !== "folder") return yield* new NotAFolder()
  if (isMadeUp(root)) return yield* new Refused()
  // Else the first file in it that is looked for would be named in its place.
  yield* bare(files.list(root))

  const resolve = (asked: string): string =>
    Path.resolve(root, (Path.isAbsolute(asked) ? below(Path.resolve(folder), asked) : undefined) ?? asked)

  const allowed = (absolute: string, kind: Secrets.Kind): string | undefined => {
    const path = below(root, absolute)
    return path === undefined || isNobodys(absolute) || isClosed(path, kind) ? undefined : path
  }

  /** Fails with why a path leads nowhere. Past a link that leads out, what is there and what is not look the same. */
  const leadsNowhere = (absolute: string, reason: Reason): Effect.Effect<never, Reason> => {
    if (absolute === root) return Effect.fail(reason)
    const above = Path.dirname(absolute)
    return Effect.matchEffect(files.realPath(above), {
      onFailure: () => leadsNowhere(above, reason),
      onSuccess: (realPath) =>
        allowed(realPath, "folder") === undefined
          ? Effect.fail(new Refused())
          : files.stat(Path.join(realPath, Path.basename(absolute))).pipe(
              Effect.mapError(() => reason),
              Effect.flatMap(({ kind }) => Effect.fail(kind === "link" ? new Refused() : reason)),
            ),
    })
  }

  const locate = Effect.fnUntraced(function* (asked: string, expected: Secrets.Kind = "file") {
    const named = resolve(asked)
    // As a folder, of which more names are allowed.
    if (allowed(named, "folder") === undefined) return yield* new Refused()
    const realPath = yield* Effect.catchAll(files.realPath(named), ({ reason }) =>
      allowed(named, expected) === undefined ? new Refused() : leadsNowhere(named, reason),
    )
    if (allowed(realPath, "folder") === undefined) return yield* new Refused()
    const { kind } = yield* bare(files.stat(realPath))
    // A real path is no link, unless one was put there a moment ago.
    if (kind === "other" || kind === "link") return yield* new Refused()
    const path = allowed(realPath, kind)
    if (path === undefined || allowed(named, kind) === undefined) return yield* new Refused()
    return { kind, path, realPath }
  })

  const sandbox: Sandbox = { root, resolve, allowed, locate }
  return sandbox
})

/** Wherever the root is. */
export const isNobodys = (absolute: string): boolean => absolute.length > longestPath || isMadeUp(absolute)

/** In characters: no file system here takes more, and a model may make up a path of a million folders. */
const longestPath = 4_096

/** From `base` down to `absolute`, with `/`; none where that is not inside. */
export const below = (base: string, absolute: string): string | undefined => {
  const path = Path.relative(base, absolute).replaceAll(Path.sep, "/")
  return path === ".." || path.startsWith("../") || Path.isAbsolute(path) ? undefined : path
}

/** Not a project's own: `.git/config` may hold a token, and what is installed or derived is nobody's source. */
const closedFolders = new Set([".git", ".hg", ".jj", ".svn", ".vibe", "node_modules"])

/** By a root-relative path alone, so that it makes no difference whether it is there. */
const isClosed = (path: string, kind: Secrets.Kind): boolean => {
  const names = path.split("/")
  return names.some((name, at) => isClosedIn(names[at - 1] ?? "", name, at < names.length - 1 ? "folder" : kind))
}

/** The same of a name in a folder, whose own name is `parent` (empty for the root). */
export const isClosedIn = (parent: string, name: string, kind: Secrets.Kind): boolean =>
  strange.test(name) || closedFolders.has(name.toLowerCase()) || Secrets.isSecret(parent, name, kind)

/** A home folder, a NUL, a stream of a file (`name:stream`), and ends that Windows drops: other names for a file. */
const strange = /^~|[\0:]|[. ]$/

/** Linux makes these up as they are read: `/proc/self/environ` holds our keys, and looks like an empty file. */
const isMadeUp = (absolute: string): boolean => /^\/(?:proc|sys)(?:\/|$)/.test(absolute)

export const bare = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>): Effect.Effect<A, Reason, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error.reason : error))
