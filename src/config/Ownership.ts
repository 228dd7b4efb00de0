/**
 * The owner of a project's `.vibe`. A `.vibe` of another user is not used unless its folder is named as safe: any user
 * can make one in a shared folder above the projects of others, and its settings would apply to them.
 */
import * as path from "node:path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"

/**
 * Returns the id of the other user who owns a folder, or a link to it. There is none if the user owns both, if there is
 * no such folder, or if the system has no owners. For root under sudo, the folders of the user who ran sudo count as
 * own.
 */
export const findOtherOwner: (folder: string) => Effect.Effect<Option.Option<number>, ConfigError, Files.Files> =
  Effect.fnUntraced(function* (folder) {
    const files = yield* Files.Files
    if (files.user === undefined) return Option.none()
    const link = yield* Effect.option(files.stat(folder))
    const target = yield* Effect.option(Effect.flatMap(files.realPath(folder), files.stat))
    const caller = files.user === 0 ? yield* sudoUser : Option.none()
    const own = [files.user, ...Option.toArray(caller)]
    const owners = [link, target].flatMap((stat) => Option.toArray(stat)).flatMap(({ owner }) => owner ?? [])
    return Option.fromNullable(owners.find((owner) => !own.includes(owner)))
  })

/** The user who ran sudo; none if the variable is not the number of a user. */
const sudoUser = Config.option(Config.integer("SUDO_UID")).pipe(
  Effect.map(Option.filter((user) => user >= 0)),
  Effect.orElseSucceed(() => Option.none()),
)

/**
 * Returns whether a list of safe folders covers a folder: by its own path, by `/above/*` of a folder above it, or by
 * `*`.
 */
export const isSafe = (
  folder: string,
  safeFolders: ReadonlyArray<string>,
): Effect.Effect<boolean, never, Files.Files> =>
  Effect.gen(function* () {
    const { realPath } = yield* Files.Files
    const resolved = path.resolve(folder)
    const paths = [resolved, yield* Effect.orElseSucceed(realPath(resolved), () => resolved)]
    return safeFolders.some((safe) => safe === "*" || (path.isAbsolute(safe) && paths.some(covers(safe))))
  })

const covers = (safe: string) => (folder: string) =>
  /[/\\]\*$/.test(safe)
    ? folder.startsWith(path.join(path.resolve(safe.slice(0, -1)), path.sep))
    : folder === path.resolve(safe)
