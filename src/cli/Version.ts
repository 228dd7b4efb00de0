/** The version of the program, for commands that tell it to others. */
import * as Context from "effect/Context"

export class Version extends Context.Reference<Version>()("vibe/cli/Version", { defaultValue: () => "0.0.0" }) {}
