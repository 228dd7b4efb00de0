/** The references by which a command asks about the program that runs it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Command } from "./arguments/Command.ts"

/** The version, for commands that pass it on to other programs. */
export class Version extends Context.Reference<Version>()("vibe/cli/Version", { defaultValue: () => "0.0.0" }) {}

/** All commands, for the command that completes them: an effect, since some are loaded on demand. */
export class Commands extends Context.Reference<Commands>()("vibe/cli/Commands", {
  defaultValue: (): Effect.Effect<ReadonlyArray<Command>> => Effect.succeed([]),
}) {}
