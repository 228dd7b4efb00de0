/**
 * Access rules of a folder that models may read or write in: they turn a model's path into a real path, or into a
 * refusal. Root, links, devices, FIFOs, secrets and names that mean something else on Windows are checked here and
 * nowhere else.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { type FileError, NotAFolder, type Reason, Refused } from "../FileError.ts"
import type * as Files from "../Files.ts"
import * as Secrets from "./Secrets.ts"

export interface Sandbox {
  /** Absolute, links resolved. */
  readonly root: string
  /** Returns the absolute path; the root may be written as it was opened, through links, or as its real path. */
  readonly resolve: (asked: string) => string
  /**
   * Returns the root-relative path, with `/`, of the absolute path of a file or folder; `undefined` if it must not be
   * read.
   */
  readonly allowed: (absolute: string, kind: Secrets.Kind) => string | undefined
  /**
   * Finds the file or folder at a path, links resolved, inside the root. A path that does not exist counts as
   * `expected`, by default a file, so that secrets are refused whether they exist or not.
   */
  readonly locate: (asked: string, expected?: Secrets.Kind) => Effect.Effect<Located, Reason>
}

interface Located {
  readonly kind: Secrets.Kind
  /** Root-relative, with `/`. */
  readonly path: string
  readonly realPath: string
}

/** Opens a sandbox. Fails if `folder` is no folder, or cannot be read. `platform` is that of `files`. */
export const open = Effect.fnUntraced(function* (
  files: Files.Service,
  folder: string,
  platform: NodeJS.Platform = process.platform,
) {
  const Path = pathOf(platform)
  const root = yield* toReason(files.realPath(folder))
  const { kind } = yield* toReason(files.stat(root))
  if (kind !== "folder") return yield* new NotAFolder()
  if (isVirtual(root)) return yield* new Refused()
  // Otherwise the error would name the first file that is looked for in it.
  yield* toReason(files.list(root))

  const resolve = (asked: string): string =>
    Path.resolve(root, (Path.isAbsolute(asked) ? below(Path.resolve(folder), asked, platform) : undefined) ?? asked)

  const allowed = (absolute: string, kind: Secrets.Kind): string | undefined => {
    const path = below(root, absolute, platform)
    return path === undefined || isNeverAllowed(absolute) || isClosed(path, kind, platform) ? undefined : path
  }

  /** Fails with the reason why a path does not exist. Behind a link to the outside the reason is always `Refused`. */
  const failForMissing = (absolute: string, reason: Reason): Effect.Effect<never, Reason> => {
    if (absolute === root) return Effect.fail(reason)
    const above = Path.dirname(absolute)
    return Effect.matchEffect(files.realPath(above), {
      onFailure: () => failForMissing(above, reason),
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
    // The path is checked as that of a folder, because fewer names of folders are refused.
    if (allowed(named, "folder") === undefined) return yield* new Refused()
    const realPath = yield* Effect.catchAll(files.realPath(named), ({ reason }) =>
      allowed(named, expected) === undefined ? new Refused() : failForMissing(named, reason),
    )
    if (allowed(realPath, "folder") === undefined) return yield* new Refused()
    const { kind } = yield* toReason(files.stat(realPath))
    // A real path is no link, unless it was replaced a moment ago.
    if (kind === "other" || kind === "link") return yield* new Refused()
    const path = allowed(realPath, kind)
    if (path === undefined || allowed(named, kind) === undefined) return yield* new Refused()
    return { kind, path, realPath }
  })

  const sandbox: Sandbox = { root, resolve, allowed, locate }
  return sandbox
})

/** Returns whether a path is never allowed, whatever the root is. */
export const isNeverAllowed = (absolute: string): boolean => absolute.length > MAX_PATH_CHARS || isVirtual(absolute)

/** The limit is PATH_MAX of Linux: a model may invent a path of a million folders. */
const MAX_PATH_CHARS = 4_096

/**
 * Returns the path from `base` to `absolute`, with `/`; `undefined` if that is not inside, such as on another drive.
 */
export const below = (
  base: string,
  absolute: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined => {
  const Path = pathOf(platform)
  const path = Path.relative(base, absolute).replaceAll(Path.sep, "/")
  return path === ".." || path.startsWith("../") || Path.isAbsolute(path) ? undefined : path
}

const pathOf = (platform: NodeJS.Platform): typeof Path.posix => (platform === "win32" ? Path.win32 : Path.posix)

/** These are never source of the project: `.git/config` may hold a token, and dependencies are installed. */
const closedFolders = new Set([".git", ".hg", ".jj", ".svn", ".vibe", "node_modules"])

/**
 * Returns whether a path is closed. The root-relative path alone decides, so that it makes no difference whether it
 * exists.
 */
const isClosed = (path: string, kind: Secrets.Kind, platform: NodeJS.Platform): boolean => {
  const names = path.split("/")
  return names.some((name, at) =>
    isClosedIn(names[at - 1] ?? "", name, at < names.length - 1 ? "folder" : kind, platform),
  )
}

/** Does the same for a name in the folder named `parent` (empty for the root). */
export const isClosedIn = (
  parent: string,
  name: string,
  kind: Secrets.Kind,
  platform: NodeJS.Platform = process.platform,
): boolean => {
  if (neverNames.test(name) || isSecretIn(parent, name, kind)) return true
  if (platform === "win32" && (isAlias(name) || isDevice(name))) return true
  // This also applies on systems that take it for a usual name: the folder may be one of Windows that is mounted here.
  return isAlias(name) && isSecretIn(parent, withoutAlias(name), kind)
}

const isSecretIn = (parent: string, name: string, kind: Secrets.Kind): boolean =>
  closedFolders.has(name.toLowerCase()) || Secrets.isSecret(parent, name, kind)

/** The home folder for shells, and names that no file system can have. */
const neverNames = /^~$|\0/

/** Virtual file systems of Linux: `/proc/self/environ` has the keys of this process, and looks like an empty file. */
const isVirtual = (absolute: string): boolean => /^\/(?:proc|sys)(?:\/|$)/.test(absolute)

/** Removes the path from an error: that of the caller is added at the end. */
export const toReason = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>): Effect.Effect<A, Reason, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error.reason : error))

/**
 * Returns whether Windows takes a name for another name of a file: `name:stream`, and trailing dots and spaces, which
 * it drops. On Windows such a name would get round every check of names. On other systems it is a name like others, of
 * files that are indexed.
 */
export const isAlias = (name: string): boolean => /:|[. ]$/.test(name)

/** Returns the name that Windows takes an alias for. */
const withoutAlias = (name: string): string => name.replace(aliasMarks, "")

const aliasMarks = /[. ]*(?::.*)?$/s

/**
 * Returns whether a name is that of a device, in any folder and with any extension: `aux.ts`, `NUL`, `com1.log`. A file
 * of that name cannot exist on Windows; reading it would wait for a serial port or the keyboard. The list is that of
 * "Naming Files, Paths, and Namespaces" of Microsoft, with the two names of the console.
 */
export const isDevice = (name: string): boolean => device.test(name)

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:].*)?$/is
