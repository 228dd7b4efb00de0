/** Joins the folders of several repositories into one workspace, in which each is a folder by its name. */
import * as Effect from "effect/Effect"
import { FileError, NotFound } from "../../code/FileError.ts"
import * as Selection from "../../code/Selection.ts"
import type { Entry, File, Folder, Listing, Workspace } from "../../code/Workspace.ts"
import * as RepositoryPath from "./RepositoryPath.ts"

export interface Member {
  readonly name: string
  readonly workspace: Workspace
}

/** `root`: a folder that stands for all of them; nothing is read in it. Each repository keeps its own selection. */
export const make = (root: string, members: ReadonlyArray<Member>): Workspace => {
  // A workspace recognizes the entries of its listings by identity, so each entry is kept beside the renamed one.
  const listed = new WeakMap<Entry, Entry>()

  const within = <A, Asked extends string | Entry>(
    asked: Asked,
    run: (workspace: Workspace, inside: Asked | string, name: string) => Effect.Effect<A, FileError>,
  ): Effect.Effect<A, FileError> => {
    const joined = typeof asked === "string" ? asked : asked.path
    const [, inside] = RepositoryPath.split(joined)
    const member = RepositoryPath.repositoryOf(members, joined)
    if (member === undefined) return Effect.fail(new FileError({ path: joined, reason: new NotFound() }))
    return Effect.mapError(run(member.workspace, inside, member.name), (error) =>
      error.path === inside ? new FileError({ path: joined, reason: error.reason }) : error,
    )
  }

  const renamed = (name: string, entry: Entry): Entry => {
    const outer = { ...entry, path: RepositoryPath.join(name, entry.path) }
    listed.set(outer, entry)
    return outer
  }

  const all: Listing = {
    entries: members
      .map(({ name }): Entry => ({ kind: "folder", path: name }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    hidden: 0,
  }

  const list = (folder: string | Folder): Effect.Effect<Listing, FileError> =>
    folder === RepositoryPath.ALL || folder === ""
      ? Effect.succeed(all)
      : within(folder, (workspace, inside, name) => {
          const known = typeof folder === "string" ? undefined : listed.get(folder)
          return Effect.map(
            workspace.list(known?.kind === "folder" ? known : inside),
            ({ entries, hidden, nameless }) => ({
              entries: entries.map((entry) => renamed(name, entry)),
              hidden,
              nameless: nameless?.map((path) => RepositoryPath.join(name, path)),
            }),
          )
        })

  const read = (file: string | File) =>
    within(file, (workspace, inside, name) => {
      const known = typeof file === "string" ? undefined : listed.get(file)
      return Effect.map(workspace.read(known?.kind === "file" ? known : inside), (content) => ({
        ...content,
        path: RepositoryPath.join(name, content.path),
      }))
    })

  const workspace: Workspace = {
    root,
    list,
    read,
    readBytes: (file, limit) => within(file, (workspace, inside) => workspace.readBytes(inside, limit)),
    selection: Selection.none,
    select: (selection) =>
      make(
        root,
        members.map(({ name, workspace }) => ({ name, workspace: workspace.select(selection) })),
      ),
    rereadIgnoreFiles: Effect.forEach(members, ({ workspace }) => workspace.rereadIgnoreFiles, { discard: true }),
  }
  return workspace
}
