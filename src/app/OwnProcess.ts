/**
 * The settings that the program makes for its whole process, and the environment of that process. A program that embeds
 * the library keeps its process as it is.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Environment } from "../process/Environment.ts"

/** True if the process is vibe's own. The layers may then change settings of V8, which hold for all threads. */
export class IsOwnProcess extends Context.Reference<IsOwnProcess>()("vibe/app/OwnProcess/IsOwnProcess", {
  defaultValue: () => false,
}) {}

/** Limits the young generation of a server that stays, if the process is vibe's own. */
export const limitMemory: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    if (yield* IsOwnProcess) yield* Effect.promise(() => import("./YoungGeneration.ts"))
  }),
)

/**
 * Hides warnings that do not help a user of the program: that `node:sqlite` and SOCKS5 proxies are experimental,
 * and those of Google's SDK and its credentials library, which then fail with the same reason. The program itself
 * does not write to the console.
 */
export const hideWarnings = (): void => {
  Object.assign(console, { debug: () => {}, warn: () => {} })
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>) => {
    const isHidden =
      rest[0] === "MetadataLookupWarning" || /^(?:SQLite|SOCKS5 proxy).* experimental/.test(String(warning))
    if (!isHidden) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
}

/**
 * Returns the environment of this process as it is now, for programs that inherit it, and for secrets that are
 * redacted. Settings are read by `Config`, which cannot return all variables.
 */
export const processEnvironment = (): Environment =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

// An import of node:process would make all that this module exports, stdin and a table of options included: 2 ms.
const { env } = process
