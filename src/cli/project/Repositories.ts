/** Opens the project that a command looks up in, or several repositories as one. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { mapInParallel } from "../../base/concurrency.ts"
import { isWithin } from "../../base/isWithin.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Files from "../../code/Files.ts"
import * as Workspace from "../../code/Workspace.ts"
import { IndexError } from "../../index/IndexError.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import type { Project as IndexedProject } from "../../lookup/Project.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"
import * as Project from "./Project.ts"
import * as RepositoryFolders from "./RepositoryFolders.ts"
import type * as RepositoryOptions from "./RepositoryOptions.ts"

interface Opened {
  readonly project: IndexedProject
  /** See `RepositoryFolders`. */
  readonly options: string
}

/** The project of `--root`, or the nearest; or several, refreshed side by side, as one. */
export const open = Effect.fn("Repositories.open")(function* (chosen: RepositoryOptions.Chosen, command: string) {
  const several = yield* RepositoryFolders.choose(chosen, command)
  if (Option.isNone(several)) {
    return { project: yield* Project.open(chosen.root), options: "" } satisfies Opened
  }
  const { file, folders, options } = several.value
  const results = yield* mapInParallel(folders, ({ folder, name }) =>
    Effect.map(Effect.either(openOne(folder)), (opened) => ({ name, opened })),
  )
  const members: Array<Member> = []
  for (const { name, opened } of results) {
    if (Either.isRight(opened)) members.push({ name, project: opened.right })
    // A repository of a workspace file that cannot be read is left out, unless it is the last.
    else if (file === undefined || (members.length === 0 && results.every(isFailed)))
      return yield* Effect.fail(opened.left)
    else yield* warn(`${name} is left out: ${Failure.sentence(opened.left)}`)
  }
  const { kept, parts } = yield* separate(members)
  for (const { part, whole } of parts) {
    yield* warn(`${part} is a part of ${whole}, whose index has its files: it is left out`)
  }
  const { joinProjects } = yield* Effect.promise(() => import("../../lookup/repositories/joinProjects.ts"))
  return { project: joinProjects(kept), options } satisfies Opened
})

interface Member {
  readonly name: string
  readonly project: IndexedProject
}

const isFailed = ({ opened }: { readonly opened: Either.Either<unknown, unknown> }): boolean => Either.isLeft(opened)

const warn = (text: string) =>
  Effect.flatMap(Screen.Screen, ({ err }) => Screen.line(err, sanitizeLine(`vibe: ${text}`)))

/**
 * Opens a project as `Project.open` does. If a git repository has no index, its structure is made, which needs no
 * model.
 */
const openOne = Effect.fnUntraced(function* (folder: string) {
  const files = yield* Files.Files
  const store = yield* IndexStore.IndexStore
  return yield* Effect.catchIf(
    Project.open(Option.some(folder)),
    (error) => error instanceof IndexError && error.reason._tag === "NotIndexed",
    (error) =>
      Effect.gen(function* () {
        // A folder that is no repository may be anything, such as a home.
        if (!(yield* Effect.isSuccess(files.stat(path.join(folder, ".git"))))) return yield* Effect.fail(error)
        yield* warn(`${folder} has no index yet: it is made now`)
        const workspace = yield* Workspace.open(folder, yield* Project.selectionFor(folder))
        yield* Effect.scoped(store.open(workspace))
        return yield* Project.open(Option.some(folder))
      }),
  )
})

/** Leaves out a repository within another one whose index has its files: its answers would come twice. */
export const separate = Effect.fnUntraced(function* (members: ReadonlyArray<Member>) {
  const kept: Array<Member> = []
  const parts: Array<{ readonly part: string; readonly whole: string }> = []
  for (const member of members) {
    const { root } = member.project.workspace
    let whole: Member | undefined
    for (const other of members) {
      const above = other.project.workspace.root
      if (other === member || !isWithin(above, root)) continue
      const inside = path.relative(above, root).replaceAll(path.sep, "/")
      if ((yield* other.project.index.filesIn(inside)).length > 0) whole = other
    }
    if (whole === undefined) kept.push(member)
    else parts.push({ part: member.name, whole: whole.name })
  }
  return { kept, parts }
})
