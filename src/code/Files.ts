/**
 * The file system: a port with adapters for Node.js (`Files/Node`) and in memory (here). It has no root and no access
 * rules: those of `Workspace`, which reads, and of `Output`, which writes, are above it.
 */
import * as Path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Unwritable } from "../disk/DiskError.ts"
import { Changed, FileError, NotAFile, NotAFolder, NotFound, type Reason, Refused, TooLarge } from "./FileError.ts"

/**
 * The file system: absolute paths, without a root and without access rules.
 *
 * When to use it: as a layer below everything that reads code, `NodeFiles.layer` of `vibe-index/code` for the disk and
 * `layerMemory` for tests. A path that comes from a model or a user is never passed to it: `Workspace` reads such a
 * path within a folder, and `Output` of `vibe-index/code` writes to one.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect } from "effect"
 * import { Files } from "vibe-index"
 *
 * const program = Effect.gen(function* () {
 *   const files = yield* Files.Files
 *   yield* files.write("/notes/today.md", "Water the plants.")
 *   const { entries } = yield* files.list("/notes")
 *   const bytes = yield* Files.readAll("/notes/today.md", { most: 1_000 })
 *   yield* Console.log(`${entries.map(({ name }) => name).join(", ")}: ${new TextDecoder().decode(bytes)}`)
 * })
 *
 * await Effect.runPromise(Effect.provide(program, Files.layerMemory({ "/notes/monday.md": "Buy bread." })))
 * // prints: monday.md, today.md: Water the plants.
 * ```
 */
export class Files extends Context.Tag("vibe/code/Files")<Files, Service>() {}

/** `other` is a FIFO, socket or device. */
export type Kind = "file" | "folder" | "link" | "other"

export interface Stat {
  readonly kind: Kind
  /**
   * The size in bytes, as the file system reports it: 0 for files with content that is generated when they are read, as
   * in `/proc`.
   */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /**
   * The time at which content or status last changed, in milliseconds since the epoch. Unlike `modified`, programs
   * cannot set it. `undefined` if the system has no such time.
   */
  readonly changed?: number | undefined
  /** The number of the file in its file system; `undefined` if the system has no such number. */
  readonly inode?: number | undefined
  /** The id of the owner; `undefined` if the system has no owners. */
  readonly owner?: number | undefined
}

export interface Entry {
  readonly name: string
  /** The stat of the entry itself: links are not followed. */
  readonly stat: Stat
}

export interface Folder {
  /** The path of the folder that was listed, links resolved, even if its path names another folder by now. */
  readonly realPath: string
  /** Sorted by name. */
  readonly entries: ReadonlyArray<Entry>
  /**
   * Entries that no path names, since their names are not UTF-8, sorted by name. Each invalid byte of a name is U+FFFD.
   * `undefined` if the system has no such names.
   */
  readonly nameless?: ReadonlyArray<Entry> | undefined
}

export interface WholeFile {
  readonly bytes: Uint8Array
  /** The stat of the file that was read, even if its path names another file by now. */
  readonly stat: Stat
}

/** All paths are absolute. */
export interface Service {
  /** The id of the user of this process; `undefined` if the system has no owners. */
  readonly user?: number | undefined
  /** Returns the path with all links resolved. */
  readonly realPath: (path: string) => Effect.Effect<string, FileError>
  /** Returns the stat of the path itself: a link at its end is not followed. */
  readonly stat: (path: string) => Effect.Effect<Stat, FileError>
  /** Lists the direct entries of a folder. A link at the end of the path is not followed. */
  readonly list: (path: string) => Effect.Effect<Folder, FileError>
  /**
   * Reads all of the file at a real path. It never blocks, not even at a FIFO. Fails with `Refused` if the path leads
   * elsewhere by now, through a new link, with `NotAFile` if that is at its end, and with `TooLarge` if the file has
   * more than `most` bytes, whatever size it tells.
   */
  readonly readReal: (path: string, most: number) => Effect.Effect<WholeFile, FileError>
  /**
   * Reads the first bytes of the file at a path, links followed. Fails with `NotAFile` if it is no regular file (a
   * folder, a device).
   */
  readonly read: (path: string, reading: Reading) => Effect.Effect<Uint8Array, FileError>
  /**
   * Makes a folder in an existing one; does nothing if it exists. The path of the parent is a real path: a link in it
   * fails with `NotAFolder`.
   */
  readonly makeFolder: (path: string) => Effect.Effect<void, FileError>
  /**
   * Replaces the file with `text`, or with bytes, atomically. The parent exists, and its path is a real path, as for
   * `makeFolder`; a link at the end of the path is replaced. A file keeps its permissions; a read-only one is
   * `Unwritable`. With `over`, fails with `Changed` if the file has other content than that.
   */
  readonly write: (path: string, text: string | Uint8Array, over?: Over) => Effect.Effect<void, FileError>
  /** Removes the file if it has this content; fails with `Changed` if it has another, or is a link. See `write`. */
  readonly remove: (path: string, content: Uint8Array) => Effect.Effect<void, FileError>
  /** Removes an empty folder; its parent is a real path. Fails with `Unwritable` if the folder is not empty. */
  readonly removeFolder: (path: string) => Effect.Effect<void, FileError>
}

export interface Reading {
  /** Maximum number of bytes. */
  readonly most: number
  /** True to read pipes as well, and to wait for their end. It is meant only for paths that the user names. */
  readonly pipes?: boolean | undefined
}

/** The content that the caller expects to replace: these bytes, or no file. */
export interface Over {
  readonly bytes: Uint8Array | undefined
}

/** A text, bytes, or a link to a path, which is absolute or relative to the link's folder. */
export type Content = string | Uint8Array | { readonly link: string }

/** Owners by absolute path; other paths belong to the user. */
export interface Owners {
  readonly user: number
  readonly of: Readonly<Record<string, number>>
}

/**
 * Makes a file system in memory. `platform` says how paths are written. On Windows all drives are one tree, and the
 * case of names still counts here.
 */
export const makeMemory = (
  contents: Readonly<Record<string, Content>>,
  { of: owners, user }: Owners = { user: 1000, of: {} },
  platform: string = process.platform,
): Service => {
  const system = platform === "win32" ? Path.win32 : Path.posix
  const nodes = toTree(contents, system)

  const stat = (node: FileNode, path: string): Stat => ({ ...statOf(node), owner: owners[path] ?? user })

  const at = <A>(path: string, follow: boolean, use: (node: FileNode, realPath: string) => Either.Either<A, Reason>) =>
    Effect.mapError(
      Effect.suspend(() =>
        Either.flatMap(resolve(nodes, path, follow, system), ([realPath, node]) => use(node, realPath)),
      ),
      (reason) => new FileError({ path, reason }),
    )

  /** Replaces the node at a path by the result of `replaced`; `undefined` removes it. */
  const put = (path: string, replaced: (node: FileNode | undefined) => Either.Either<FileNode | undefined, Reason>) =>
    Effect.mapError(
      Effect.suspend(() => {
        const above = system.dirname(path)
        const name = system.basename(path)
        return resolve(nodes, above, false, system).pipe(
          Either.filterOrLeft(
            ([realPath]) => realPath === above.replaceAll("/", system.sep),
            () => new NotAFolder(),
          ),
          Either.flatMap(([, folder]) =>
            folder instanceof Map
              ? Either.map(
                  replaced(folder.get(name)),
                  (node) => void (node === undefined ? folder.delete(name) : folder.set(name, node)),
                )
              : Either.left(new NotAFolder()),
          ),
        )
      }),
      (reason) => new FileError({ path, reason }),
    )

  return {
    user,
    realPath: (path) => at(path, true, (_, realPath) => Either.right(realPath)),
    stat: (path) => at(path, false, (node, realPath) => Either.right(stat(node, realPath))),
    list: (path) =>
      at(path, false, (node, realPath) =>
        node instanceof Map
          ? Either.right({
              realPath,
              entries: Array.from(node, ([name, child]) => ({
                name,
                stat: stat(child, system.join(realPath, name)),
              })).sort((one, other) => (one.name < other.name ? -1 : 1)),
            })
          : Either.left(new NotAFolder()),
      ),
    readReal: (path, most) =>
      at(path, false, (node, realPath) => {
        if (!isLink(node) && realPath !== path) return Either.left(new Refused())
        if (!(node instanceof Uint8Array)) return Either.left(new NotAFile())
        return node.length > most
          ? Either.left(new TooLarge({ limit: most }))
          : Either.right({ bytes: node.slice(), stat: stat(node, realPath) })
      }),
    read: (path, { most }) =>
      at(path, true, (node) =>
        node instanceof Uint8Array ? Either.right(node.slice(0, most)) : Either.left(new NotAFile()),
      ),
    makeFolder: (path) =>
      put(path, (node) =>
        node === undefined || node instanceof Map
          ? Either.right(node ?? new Map())
          : Either.left(new Unwritable({ cause: new Error("a file is there") })),
      ),
    write: (path, text, over) =>
      put(path, (node) => {
        if (node instanceof Map) return Either.left(new Unwritable({ cause: new Error("a folder is there") }))
        const bytes = node instanceof Uint8Array ? node : undefined
        return over === undefined || isSame(over.bytes, bytes)
          ? Either.right(typeof text === "string" ? new TextEncoder().encode(text) : text)
          : Either.left(new Changed())
      }),
    remove: (path, content) =>
      put(path, (node) => {
        if (node === undefined) return Either.left(new NotFound())
        if (node instanceof Map) return Either.left(new NotAFile())
        return node instanceof Uint8Array && isSame(node, content)
          ? Either.right(undefined)
          : Either.left(new Changed())
      }),
    removeFolder: (path) =>
      put(path, (node) => {
        if (node === undefined) return Either.left(new NotFound())
        if (!(node instanceof Map)) return Either.left(new NotAFolder())
        return node.size === 0
          ? Either.right(undefined)
          : Either.left(new Unwritable({ cause: new Error("the folder is not empty") }))
      }),
  }
}

/**
 * Reads the whole file at a path, links followed. Fails with `TooLarge` if it has more than `most` bytes, and reads no
 * more than that: the reported size may be wrong, and a file of `/proc` may never end.
 */
export const readAll = (path: string, { most, pipes }: Reading): Effect.Effect<Uint8Array, FileError, Files> =>
  Effect.flatMap(Files, (files) => files.read(path, { most: most + 1, pipes })).pipe(
    Effect.filterOrFail(
      ({ length }) => length <= most,
      () => new FileError({ path, reason: new TooLarge({ limit: most }) }),
    ),
  )

/** A file system in memory, by absolute path; parent folders are made. */
export const layerMemory = (contents: Readonly<Record<string, Content>>, owners?: Owners): Layer.Layer<Files> =>
  Layer.sync(Files, () => makeMemory(contents, owners))

/** Returns whether both have the same bytes, or both are `undefined`. */
export const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0

type FileNode = FolderNode | Uint8Array | { readonly link: string }
type FolderNode = Map<string, FileNode>

const isLink = (node: FileNode): node is { readonly link: string } => "link" in node

const toTree = (contents: Readonly<Record<string, Content>>, system: typeof Path.posix): FolderNode => {
  const root: FolderNode = new Map()
  for (const [path, content] of Object.entries(contents)) {
    const names = namesIn(path, system)
    const last = names.pop()
    let folder = root
    for (const name of names) {
      const known = folder.get(name)
      const next: FolderNode = known instanceof Map ? known : new Map()
      folder.set(name, next)
      folder = next
    }
    if (last !== undefined) folder.set(last, typeof content === "string" ? new TextEncoder().encode(content) : content)
  }
  return root
}

/** The most links that are followed in one path, as in Linux. */
const MAX_LINKS = 40

/** Finds the node at a path, and its real path. With `follow`, a link at the end of the path is followed too. */
const resolve = (
  root: FolderNode,
  path: string,
  follow: boolean,
  system: typeof Path.posix,
): Either.Either<readonly [string, FileNode], Reason> => {
  const top = system.parse(system.resolve(path)).root
  let steps = namesIn(path, system)
  const trail: Array<readonly [string, FileNode]> = []
  let links = 0
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [where, folder] = trail.at(-1) ?? [top, root]
    if (!(folder instanceof Map)) return Either.left(new NotAFolder())
    if (step === ".") continue
    if (step === "..") {
      trail.pop()
      continue
    }
    const node = folder.get(step)
    if (node === undefined) return Either.left(new NotFound())
    if (isLink(node) && (follow || steps.length > 0)) {
      links += 1
      if (links > MAX_LINKS) return Either.left(new NotAFile())
      if (system.isAbsolute(node.link)) trail.length = 0
      steps = [...namesIn(node.link, system), ...steps]
    } else {
      trail.push([system.join(where, step), node])
    }
  }
  return Either.right(trail.at(-1) ?? [top, root])
}

/** Splits an absolute path into names; on Windows the drive is left out. */
const namesIn = (path: string, { parse, sep }: typeof Path.posix): Array<string> =>
  (sep === "/" ? path.split("/") : path.slice(parse(path).root.length).split(/[\\/]/)).filter((name) => name !== "")

const statOf = (node: FileNode): Stat =>
  node instanceof Map
    ? { kind: "folder", size: 0, modified: 0 }
    : isLink(node)
      ? { kind: "link", size: node.link.length, modified: 0 }
      : { kind: "file", size: node.length, modified: 0 }
