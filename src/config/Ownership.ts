/**
 * To whom a project's `.vibe` belongs. One of another user is not used unless its folder is named as safe: any user can
 * make a `.vibe` in a shared folder, above the projects of all others, and what is in it would hold for them.
 */
import * as path from "node:path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"
import * as Value from "./internal/value.ts"

/**
 * The id of the other user to whom a folder belongs, or a link to it. None where it is the user's own, where there is
 * none, and where the system has no owners. To root, under sudo, the folders of the user who called sudo are own.
 */
export const findOtherOwner: (folder: string) => Effect.Effect<Option.Option<number>, ConfigError, Files.Files> =
  Effect.fnUntraced(function* (folder) {
    const files = yield* Files.Files
    if (files.user === undefined) return Option.none()
    const link = yield* Effect.option(files.stat(folder))
    const target = yield* Effect.option(Effect.flatMap(files.realPath(folder), files.stat))
    const callers = files.user === 0 ? yield* sudoUser : Option.none()
    const own = [files.user, ...Option.toArray(callers)]
    const owners = [link, target].flatMap((stat) => Option.toArray(stat)).flatMap(({ owner }) => owner ?? [])
    return Option.fromNullable(owners.find((owner) => !own.includes(owner)))
  })

/** What sudo says cannot be read as a number says nothing. */
const sudoUser = Config.option(Value.count("SUDO_UID", { least: 0 })).pipe(Effect.orElseSucceed(() => Option.none()))

/** Whether a folder is named as safe: itself, by a folder above it as `/above/*`, or with all others by `*`. */
export const isSafe = (
  folder: string,
  safeFolders: ReadonlyArray<string>,
): Effect.Effect<boolean, never, Files.Files> =>
  Effect.gen(function* () {
    const { realPath } = yield* Files.Files
    const named = path.resolve(folder)
    const places = [named, yield* Effect.orElseSucceed(realPath(named), () => named)]
    return safeFolders.some((safe) => safe === "*" || (path.isAbsolute(safe) && places.some(covers(safe))))
  })

const covers = (safe: string) => (place: string) =>
  /[/\\]\*$/.test(safe)
    ? place.startsWith(path.join(path.resolve(safe.slice(0, -1)), path.sep))
    : place === path.resolve(safe)
