/** Commands that load their implementation when they run, so that one command does not load the modules of the others. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import type { Simplify } from "effect/Types"

/** What the options and arguments of a command are parsed to: the parameter of its `run`. */
export type InputOf<Config extends Command.Command.Config> = Simplify<Command.Command.ParseConfig<Config>>

/**
 * A command that imports the module of its implementation and calls its `run` with the parsed arguments.
 *
 * ```ts
 * // query/command.ts
 * const config = { words, limit }
 * export type Input = InputOf<typeof config>
 * export const query = lazy("query", config, () => import("./run.ts"))
 *
 * // query/run.ts
 * import type { Input } from "./command.ts"
 * export const run = Effect.fn("cli.query")(function* ({ words, limit }: Input) { … })
 * ```
 */
export const lazy = <Name extends string, const Config extends Command.Command.Config, E, R>(
  name: Name,
  config: Config,
  load: () => Promise<{ readonly run: (input: InputOf<Config>) => Effect.Effect<void, E, R> }>,
): Command.Command<Name, R, E, InputOf<Config>> =>
  Command.make(name, config, (input) => Effect.flatMap(Effect.promise(load), ({ run }) => run(input)))
