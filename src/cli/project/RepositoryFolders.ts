/** Chooses the folders that a command looks up in, by its options and the workspace file. It opens none of them. */
import * as path from "node:path"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isWithin } from "../../base/isWithin.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { FileError } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import * as Ownership from "../../config/Ownership.ts"
import * as Screen from "../terminal/Screen.ts"
import * as RepositoryOptions from "./RepositoryOptions.ts"

export interface RepositoryFolder {
  readonly name: string
  /** The absolute path, with links resolved. */
  readonly folder: string
}

export interface RepositoryFolders {
  /** Each once; there is at least one. */
  readonly folders: ReadonlyArray<RepositoryFolder>
  /**
   * The options by which another command looks up in the same folders, with a space behind them; empty if it finds them
   * itself.
   */
  readonly options: string
  /** The workspace file; undefined for repositories that were named one by one, which must all be there. */
  readonly file: string | undefined
}

/** Returns `None` if one project is meant: that of `--root`, or the nearest index. */
export const choose = Effect.fn("RepositoryFolders.choose")(function* (
  chosen: RepositoryOptions.Chosen,
  command: string,
) {
  const conflict = RepositoryOptions.conflict(chosen)
  if (conflict !== undefined) return yield* new UsageError({ message: conflict, command })
  const { repo, root, workspace } = chosen
  if (Option.isSome(root)) return Option.none<RepositoryFolders>()
  if (repo.length > 0) return Option.some(yield* readNamed(repo, command))
  if (Option.isSome(workspace)) {
    const file = path.resolve(workspace.value)
    const options = `--workspace ${quote(workspace.value)} `
    return Option.some({ folders: yield* readFile(file), options, file } satisfies RepositoryFolders)
  }
  return yield* nearest
})

/** Reads `DIR`, or `NAME=DIR` if the part before the sign is a name. */
const readNamed = Effect.fnUntraced(function* (typed: ReadonlyArray<string>, command: string) {
  const files = yield* Files.Files
  const WorkspaceFile = yield* loadWorkspaceFile
  const found: Array<Found> = []
  for (const one of typed) {
    const [, name, rest] = /^([^=/\\]+)=(.+)$/.exec(one) ?? []
    const isNamed = name !== undefined && WorkspaceFile.isName(name)
    const folder = isNamed && rest !== undefined ? rest : one
    if (folder.trim() === "") return yield* new UsageError({ message: "option '--repo' takes a folder", command })
    // The error has the path as the user typed it.
    const real = yield* Effect.mapError(
      files.realPath(path.resolve(folder)),
      ({ reason }) => new FileError({ path: folder, reason }),
    )
    found.push({ name: isNamed ? name : undefined, folder: real })
  }
  const folders = yield* Effect.mapError(
    withNames(found),
    (twice) =>
      new UsageError({
        message: `two repositories are named '${twice.name}' (${twice.folders.join(" and ")}): name one of them as '--repo NAME=DIR'`,
        command,
      }),
  )
  const options = typed.map((one) => `--repo ${quote(one)} `).join("")
  return { folders, options, file: undefined } satisfies RepositoryFolders
})

interface Found {
  readonly name: string | undefined
  readonly folder: string
}

/** Leaves out, with a warning, a folder that was named before. Fails if two have the same name, and says which. */
const withNames = Effect.fnUntraced(function* (found: ReadonlyArray<Found>) {
  const { err } = yield* Screen.Screen
  const named: Array<RepositoryFolder> = []
  for (const { folder, name: given } of found) {
    const same = named.find((other) => other.folder === folder)
    if (same !== undefined) {
      yield* Screen.line(err, sanitizeLine(`vibe: ${folder} is named twice, and is taken once, as ${same.name}`))
      continue
    }
    const name = given ?? nameOf(folder)
    const other = named.find((other) => other.name === name)
    if (other !== undefined) return yield* Effect.fail({ name, folders: [other.folder, folder] })
    named.push({ name, folder })
  }
  return named
})

/** Makes a name of the folder's own, with a dash for each character that no name has. */
const nameOf = (folder: string): string =>
  path
    .basename(folder)
    .replace(/[^A-Za-z0-9_.-]/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 64) || "root"

/**
 * Finds the nearest workspace file from the current folder upwards, unless a project that it does not name is nearer.
 * The file may have come with anything that was put there, so it counts only if it belongs to the user, and names only
 * folders below its own: otherwise a foreign repository could have vibe read, and write an index into, any other
 * folder.
 */
const nearest = Effect.gen(function* () {
  const files = yield* Files.Files
  const { err } = yield* Screen.Screen
  const isKind = (file: string, kind: Files.Kind) =>
    Effect.map(
      Effect.option(files.stat(file)),
      Option.exists((stat) => stat.kind === kind),
    )
  const start = path.resolve(".")
  let project: string | undefined
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, FILE_NAME)
    if (yield* isKind(file, "file")) {
      const owner = yield* Ownership.findOtherOwner(file)
      if (Option.isSome(owner)) {
        yield* say(`${file} belongs to another user (${owner.value}), and is not used unless '--workspace' names it`)
      } else {
        const top = yield* files.realPath(folder)
        const folders = yield* readFile(file, top)
        const here = yield* Effect.orElseSucceed(files.realPath(project ?? folder), () => folder)
        const isNamed = project === undefined || folders.some((named) => isWithin(named.folder, here))
        return isNamed ? Option.some({ folders, options: "", file } satisfies RepositoryFolders) : Option.none()
      }
    }
    if (project === undefined && (yield* isKind(path.join(folder, ".vibe"), "folder"))) project = folder
    if (folder === path.dirname(folder)) return Option.none<RepositoryFolders>()
  }
  function say(text: string) {
    return Screen.line(err, sanitizeLine(`vibe: ${text}`))
  }
})

/** The named folders must be below `top`, which is set if the user has not asked for the file. */
const readFile = Effect.fnUntraced(function* (file: string, top?: string) {
  const files = yield* Files.Files
  const { err } = yield* Screen.Screen
  const WorkspaceFile = yield* loadWorkspaceFile
  const fail = (message: string, line?: number) =>
    Effect.fail(ConfigError.InvalidData([line === undefined ? file : `${file}:${line}`], message))
  const bytes = yield* Files.readAll(file, { most: WorkspaceFile.MAX_BYTES })
  const repositories = yield* Either.match(WorkspaceFile.read(new TextDecoder().decode(bytes)), {
    onLeft: ({ line, message }) => fail(message, line),
    onRight: Effect.succeed,
  })
  const found: Array<Found> = []
  for (const { line, name, path: written } of repositories) {
    const asked = path.resolve(path.dirname(file), written)
    const real = yield* Effect.option(files.realPath(asked))
    if (Option.isNone(real)) {
      yield* Screen.line(err, sanitizeLine(`vibe: ${file}:${line}: there is no folder ${written}: it is left out`))
    } else if (top !== undefined && !isWithin(top, real.value)) {
      const why = `is outside of the folder of this file: 'vibe … --workspace ${quote(path.relative(".", file))}' allows that`
      return yield* fail(`${written} ${why}`, line)
    } else found.push({ name: name ?? nameOf(asked), folder: real.value })
  }
  if (found.length === 0) return yield* fail("none of its folders is there")
  return yield* Effect.catchAll(withNames(found), ({ name }) =>
    fail(`two repositories are named '${name}': give one of them another name = "…"`),
  )
})

/** The module decodes TOML, so it is loaded only if there is a file. */
const loadWorkspaceFile = Effect.promise(() => import("../../config/WorkspaceFile.ts"))

/** Quotes a word for a POSIX shell. */
const quote = (word: string): string => (/^[\w./=~:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/**
 * The name of a workspace file. It has no dot in front, so that it is seen beside the folders that it names. See
 * `WorkspaceFile`.
 */
const FILE_NAME = "vibe-workspace.toml"
