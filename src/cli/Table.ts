/**
 * Tables of commands: each row joins a declaration, an implementation and a layer, which
 * are loaded when the command runs.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Optimiser from "../app/Optimiser.ts"
import type { UsageError } from "../base/UsageError.ts"
import { SETTINGS } from "./arguments/Arguments.ts"
import type { Command } from "./arguments/Command.ts"
import { decodeWords } from "./arguments/readWords.ts"
import type * as Failure from "./Failure.ts"
import type * as Screen from "./terminal/Screen.ts"

/** The commands of a program, grouped by the tasks of a user, in the order in which help lists them. */
export type Table<E = Failure.DetailedFailure | Failure.Failure, R = Screen.Screen> = ReadonlyArray<Group<E, R>>

export interface Group<out E, out R> {
  readonly heading: string
  readonly rows: ReadonlyArray<Entry<E, R> | Subcommands<E, R>>
}

/**
 * A command. By default it needs a screen at most, which the program provides, and fails only as `Failure` can show.
 */
export interface Entry<out E = Failure.DetailedFailure | Failure.Failure, out R = Screen.Screen> {
  readonly command: Command
  /** Runs the command with the words that `Arguments.parse` has put in order for it. */
  readonly execute: (words: ReadonlyArray<string>) => Effect.Effect<void, E | UsageError, R>
}

/**
 * Commands with the same first word, such as `loom log`. They are many, and are loaded only if a command line may name
 * one.
 */
interface Subcommands<out E = Failure.DetailedFailure | Failure.Failure, out R = Screen.Screen> {
  /** The one entry for all of them in the help of the program. */
  readonly command: Command
  readonly load: () => Promise<{ readonly entries: ReadonlyArray<Entry<E, R>> }>
}

interface Declaration<Input, E, R> {
  readonly command: Command<Input>
  readonly run: () => Promise<{ readonly run: (input: Input) => Effect.Effect<void, E, R> }>
  /**
   * True for a command that answers in less time than @effect/cli takes to load and to parse: its words are read by
   * `readWords`. Otherwise @effect/cli parses them. Both give the same input.
   */
  readonly isQuick?: boolean | undefined
  /** True for a command that ends, or answers first, within a fraction of a second: nothing is optimised for that. */
  readonly isShort?: boolean | undefined
}

type LayerFor<Input, A, E, R> = Layer.Layer<A, E, R> | ((input: Input) => Layer.Layer<A, E, R>)

interface WithLayer<Input, E, R, A, LayerE, LayerR> extends Declaration<Input, E, R> {
  readonly layer: () => Promise<{ readonly layer: LayerFor<Input, A, LayerE, LayerR> }>
}

/** A command with the layer that it runs on, which is built from its input after the arguments have been checked. */
export const entry = <Input, E, R, A, LayerE, LayerR>({
  command,
  isQuick,
  isShort = false,
  layer,
  run,
}: WithLayer<Input, E, R, A, LayerE, LayerR>): Entry<E | LayerE, LayerR | Exclude<R, A>> =>
  entryWithoutLayer({
    command,
    isQuick,
    run: async () => {
      const [implementation, { layer: found }] = await Promise.all([run(), layer()])
      return {
        run: (input: Input) =>
          Effect.provide(
            // The layer may load modules.
            isShort ? Effect.zipRight(Optimiser.postpone, implementation.run(input)) : implementation.run(input),
            typeof found === "function" ? found(input) : found,
          ),
      }
    },
  })

/** A command that runs on what the program provides. */
export const entryWithoutLayer = <Input, E, R>({
  command,
  isQuick = false,
  run,
}: Declaration<Input, E, R>): Entry<E, R> => {
  const runLoaded = (input: Input) => Effect.flatMap(Effect.promise(run), ({ run }) => run(input))
  return {
    command,
    execute: (words) =>
      isQuick
        ? Effect.flatMap(decodeWords(command, words), runLoaded)
        : Effect.flatMap(
            Effect.promise(() => import("./arguments/effectCli.ts")),
            ({ execute }) => execute(command, words, runLoaded),
          ),
  }
}

/**
 * Returns the entries that are needed to understand a command line. It loads a group of commands only if the line may
 * name one of them.
 */
export const entriesFor = <E, R>(
  table: Table<E, R>,
  argv: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<Entry<E, R>>> => {
  const rows = table.flatMap(({ rows }) => rows)
  const words = argv.filter((word) => !word.startsWith("-") && !["help", "version", SETTINGS].includes(word))
  const isKnown = words.length === 0 || rows.some((row) => "execute" in row && words.includes(row.command.name))
  return Effect.map(
    Effect.forEach(rows, (row) =>
      "execute" in row
        ? Effect.succeed([row])
        : isKnown && !words.includes(row.command.name)
          ? Effect.succeed([])
          : Effect.map(Effect.promise(row.load), ({ entries }) => entries),
    ),
    (entries) => entries.flat(),
  )
}

/** The declarations of all commands, loaded on demand. */
export const allCommands = (table: Table<unknown, unknown>): Effect.Effect<ReadonlyArray<Command>> =>
  Effect.map(
    Effect.forEach(
      table.flatMap(({ rows }) => rows),
      (row) =>
        "execute" in row
          ? Effect.succeed([row.command])
          : Effect.map(Effect.promise(row.load), ({ entries }) => entries.map(({ command }) => command)),
    ),
    (commands) => commands.flat(),
  )

/** Returns a layer that loads its module when it is built, so that a command loads only what it runs on. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  layer: (loaded: M) => Layer.Layer<A, E, R>,
): Layer.Layer<A, E, R> => Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))

/** The version, for commands that pass it on to other programs. */
export class Version extends Context.Reference<Version>()("vibe/cli/Version", { defaultValue: () => "0.0.0" }) {}

/** All commands, for the command that completes them: an effect, since some are loaded on demand. */
export class Commands extends Context.Reference<Commands>()("vibe/cli/Commands", {
  defaultValue: (): Effect.Effect<ReadonlyArray<Command>> => Effect.succeed([]),
}) {}
