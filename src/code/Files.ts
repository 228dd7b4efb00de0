/**
 * The file system as the rest of vibe sees it: one small port with adapters in `Files/` (Node) and here (memory). It
 * knows no root and no rules; `Workspace`, which reads, and `Output`, which writes, do.
 */
import { posix } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Unwritable } from "../disk/DiskError.ts"
import { Changed, FileError, NotAFile, NotAFolder, NotFound, type Reason, TooLarge } from "./FileError.ts"

export class Files extends Context.Tag("vibe/code/Files")<Files, Service>() {}

/** `other`: a FIFO, socket or device. */
export type Kind = "file" | "folder" | "link" | "other"

export interface Stat {
  readonly kind: Kind
  /** In bytes, as the file system tells it: 0 for files that are made up as they are read. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** The id of the user that it belongs to; none where the system has no owners. */
  readonly owner?: number | undefined
}

export interface Entry {
  readonly name: string
  /** Of the entry itself: a link is a link. */
  readonly stat: Stat
}

export interface Folder {
  /** Where what was listed is, links resolved: not what the path names by now. */
  readonly realPath: string
  /** Sorted by name. */
  readonly entries: ReadonlyArray<Entry>
}

export interface OpenFile {
  /** Of what was opened, not of what the path names by now. */
  readonly stat: Stat
  /** Where that is, links resolved. */
  readonly realPath: string
  /** The first `most` bytes. */
  readonly read: (most: number) => Effect.Effect<Uint8Array, FileError>
}

/** All paths are absolute. */
export interface Service {
  /** The id of the user that this program runs as; none where the system has no owners. */
  readonly user?: number | undefined
  /** With every link resolved. */
  readonly realPath: (path: string) => Effect.Effect<string, FileError>
  /** Of the path itself: a link is a link. */
  readonly stat: (path: string) => Effect.Effect<Stat, FileError>
  /** What is directly in a folder. A link at the end of the path is no folder. */
  readonly list: (path: string) => Effect.Effect<Folder, FileError>
  /** Never waits (a FIFO does not hold it) and never follows a link at the end of the path. */
  readonly open: (path: string) => Effect.Effect<OpenFile, FileError, Scope.Scope>
  /**
   * The first bytes of the file that a path leads to, links followed. What is no regular file (a folder, a device) fails
   * with `NotAFile`.
   */
  readonly read: (path: string, reading: Reading) => Effect.Effect<Uint8Array, FileError>
  /**
   * Makes a folder in one that is there; nothing where it is there already. The folder above is named by its real path:
   * a link on the way is no folder.
   */
  readonly makeFolder: (path: string) => Effect.Effect<void, FileError>
  /**
   * Puts `text` in the place of the file, whole or not at all. The folder above is there, and named by its real path, as
   * for `makeFolder`; a link at the end of the path is replaced. A file keeps its permissions; one that nobody may write
   * is `Unwritable`. With `over` only where things are still so, else `Changed`.
   */
  readonly write: (path: string, text: string, over?: Over) => Effect.Effect<void, FileError>
}

export interface Reading {
  /** How many bytes at the most. */
  readonly most: number
  /** Whether a pipe is read, too, until its end, which is waited for: only for a path that the user names. */
  readonly pipes?: boolean | undefined
}

/** What whoever writes a file takes to be there: these bytes, or no file. */
export interface Over {
  readonly bytes: Uint8Array | undefined
}

/** Text, bytes, or a link to a path: absolute, or relative to the link's folder. */
export type Content = string | Uint8Array | { readonly link: string }

/** Owners by absolute path; all else is the user's own. */
export interface Owners {
  readonly user: number
  readonly of: Readonly<Record<string, number>>
}

export const makeMemory = (
  contents: Readonly<Record<string, Content>>,
  { of: owners, user }: Owners = { user: 1000, of: {} },
): Service => {
  const nodes = plant(contents)

  const stat = (node: Node, path: string): Stat => ({ ...statOf(node), owner: owners[path] ?? user })

  const at = <A>(path: string, follow: boolean, use: (node: Node, realPath: string) => Either.Either<A, Reason>) =>
    Effect.mapError(
      Effect.suspend(() => Either.flatMap(resolve(nodes, path, follow), ([realPath, node]) => use(node, realPath))),
      (reason) => new FileError({ path, reason }),
    )

  /** Puts what `replaced` makes of the node at a path in its place. */
  const put = (path: string, replaced: (node: Node | undefined) => Either.Either<Node, Reason>) =>
    Effect.mapError(
      Effect.suspend(() => {
        const above = posix.dirname(path)
        const name = posix.basename(path)
        return resolve(nodes, above, false).pipe(
          Either.filterOrLeft(
            ([realPath]) => realPath === above,
            () => new NotAFolder(),
          ),
          Either.flatMap(([, folder]) =>
            folder instanceof Map
              ? Either.map(replaced(folder.get(name)), (node) => void folder.set(name, node))
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
                stat: stat(child, posix.join(realPath, name)),
              })).sort((one, other) => (one.name < other.name ? -1 : 1)),
            })
          : Either.left(new NotAFolder()),
      ),
    open: (path) =>
      at(path, false, (node, realPath) =>
        isLink(node)
          ? Either.left(new NotAFile())
          : Either.right({
              stat: stat(node, realPath),
              realPath,
              read: (most: number) =>
                node instanceof Map
                  ? Effect.fail(new FileError({ path, reason: new NotAFile() }))
                  : Effect.sync(() => node.slice(0, most)),
            }),
      ),
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
          ? Either.right(new TextEncoder().encode(text))
          : Either.left(new Changed())
      }),
  }
}

/**
 * All of the file that a path leads to, links followed. More than `most` bytes fail with `TooLarge`, and are not read:
 * the size that a file tells may be wrong, and a file of `/proc` may never end.
 */
export const readAll = (path: string, { most, pipes }: Reading): Effect.Effect<Uint8Array, FileError, Files> =>
  Effect.flatMap(Files, (files) => files.read(path, { most: most + 1, pipes })).pipe(
    Effect.filterOrFail(
      ({ length }) => length <= most,
      () => new FileError({ path, reason: new TooLarge({ limit: most }) }),
    ),
  )

/** The same of a file that is open. */
export const readOpened = (
  { read, stat }: OpenFile,
  most: number,
): Effect.Effect<Uint8Array, FileError | NotAFile | TooLarge> =>
  stat.kind === "file"
    ? Effect.filterOrFail(
        read(most + 1),
        ({ length }) => length <= most,
        () => new TooLarge({ limit: most }),
      )
    : Effect.fail(new NotAFile())

/** A file system of its own, by absolute path; the folders above each path are there as well. */
export const layerMemory = (contents: Readonly<Record<string, Content>>, owners?: Owners): Layer.Layer<Files> =>
  Layer.sync(Files, () => makeMemory(contents, owners))

/** Whether both are the same bytes, or none. */
export const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0

type Node = Folders | Uint8Array | { readonly link: string }
type Folders = Map<string, Node>

const isLink = (node: Node): node is { readonly link: string } => "link" in node

const plant = (contents: Readonly<Record<string, Content>>): Folders => {
  const root: Folders = new Map()
  for (const [path, content] of Object.entries(contents)) {
    const names = namesIn(path)
    const last = names.pop()
    let folder = root
    for (const name of names) {
      const known = folder.get(name)
      const next: Folders = known instanceof Map ? known : new Map()
      folder.set(name, next)
      folder = next
    }
    if (last !== undefined) folder.set(last, typeof content === "string" ? new TextEncoder().encode(content) : content)
  }
  return root
}

/** As many links as Linux follows for one path. */
const MOST_LINKS = 40

/** What a path leads to, and where that is; `follow` says whether a link at its end is followed too. */
const resolve = (root: Folders, path: string, follow: boolean): Either.Either<readonly [string, Node], Reason> => {
  let steps = namesIn(path)
  const trail: Array<readonly [string, Node]> = []
  let links = 0
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [where, folder] = trail.at(-1) ?? ["/", root]
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
      if (links > MOST_LINKS) return Either.left(new NotAFile())
      if (node.link.startsWith("/")) trail.length = 0
      steps = [...namesIn(node.link), ...steps]
    } else {
      trail.push([posix.join(where, step), node])
    }
  }
  return Either.right(trail.at(-1) ?? ["/", root])
}

const namesIn = (path: string): Array<string> => path.split("/").filter((name) => name !== "")

const statOf = (node: Node): Stat =>
  node instanceof Map
    ? { kind: "folder", size: 0, modified: 0 }
    : isLink(node)
      ? { kind: "link", size: node.link.length, modified: 0 }
      : { kind: "file", size: node.length, modified: 0 }
