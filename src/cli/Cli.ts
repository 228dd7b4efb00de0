/** The whole command line: parses the arguments, runs the command, and prints a failure as one line. */

import type * as CliApp from "@effect/cli/CliApp"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Settings from "../config/Settings.ts"
import * as Operation from "../forest/Operation.ts"
import * as Position from "../forest/Position.ts"
import { endWith } from "../message/endWith.ts"
import { sanitizeJson } from "../message/Sanitize.ts"
import { UsageError } from "../message/UsageError.ts"
import { wrap } from "../message/wrap.ts"
import * as Arguments from "./arguments/Arguments.ts"
import * as Help from "./arguments/Help.ts"
import { paragraphs } from "./arguments/HelpDocText.ts"
import * as Spec from "./arguments/Spec.ts"
import * as Ask from "./ask/command.ts"
import { Crash } from "./CommandError.ts"
import * as Chat from "./chat/command.ts"
import * as Check from "./check/command.ts"
import * as Completion from "./completion/command.ts"
import * as Config from "./config/command.ts"
import * as Diff from "./diff/command.ts"
import * as Discover from "./discover/command.ts"
import * as Failure from "./Failure.ts"
import * as Index from "./index/command.ts"
import * as Install from "./install/command.ts"
import * as ProjectMap from "./map/command.ts"
import * as Mcp from "./mcp/command.ts"
import * as MergeDriver from "./merge-driver/command.ts"
import * as Models from "./models/command.ts"
import * as Prd from "./prd/command.ts"
import * as Query from "./query/command.ts"
import * as Serve from "./serve/command.ts"
import * as Show from "./show/command.ts"
import * as Status from "./status/command.ts"
import * as Screen from "./terminal/Screen.ts"
import { Version } from "./Version.ts"
import * as Watch from "./watch/command.ts"
import * as Worker from "./worker/command.ts"

/** Stands for the commands of `vibe loom`: they are many, and loaded only where a command line may name one. */
const loom = Spec.group("loom", "Read, branch, search and continue stored conversations")

/** By what people do with them, in the order in which help lists them. */
const groups: ReadonlyArray<Help.CommandGroup> = [
  {
    heading: "Index and find",
    specs: [
      Spec.of(Index.index, Index.examples),
      Spec.of(Query.query, Query.examples),
      Spec.of(Show.show, Show.examples),
      Spec.of(ProjectMap.map, ProjectMap.examples),
      Spec.of(Diff.diff, Diff.examples),
    ],
  },
  {
    heading: "Talk",
    specs: [
      Spec.of(Ask.ask, Ask.examples),
      Spec.of(Chat.chat, Chat.examples),
      Spec.of(Prd.prd, Prd.examples),
      Spec.of(Discover.discover, Discover.examples),
      loom,
    ],
  },
  {
    heading: "Share and serve",
    specs: [
      Spec.of(Serve.serve, Serve.examples),
      Spec.of(Mcp.mcp, Mcp.examples),
      Spec.of(Install.install, Install.examples),
      Spec.of(Worker.worker, Worker.examples),
      Spec.of(MergeDriver.mergeDriver, MergeDriver.examples),
    ],
  },
  {
    heading: "Look after",
    specs: [
      Spec.of(Status.status, Status.examples),
      Spec.of(Watch.watch, Watch.examples),
      Spec.of(Check.check, Check.examples),
      Spec.of(Models.models, Models.examples),
      Spec.of(Config.config, Config.examples),
      Spec.of(Completion.completion, Completion.examples),
    ],
  },
]

export const specs: ReadonlyArray<Spec.Spec> = groups.flatMap(({ specs }) => specs)

/**
 * Whether a command line may name a command of `vibe loom`, perhaps without its first word: then `run` needs those
 * commands too.
 */
export const isAboutLoom = (argv: ReadonlyArray<string>): boolean => {
  const words = argv.filter((word) => !word.startsWith("-") && !["help", "version", Arguments.SETTINGS].includes(word))
  return words.includes(loom.name) || (words.length > 0 && !specs.some(({ name }) => words.includes(name)))
}

/** With the commands of `vibe loom` in place of their name. */
export const withLoom = (commands: ReadonlyArray<Spec.Spec>): ReadonlyArray<Spec.Spec> => [
  ...specs.filter((spec) => spec !== loom),
  ...commands,
]

const summary = "lets a language model explore a codebase, and keeps what every major symbol is for"

export interface Options {
  /** Without the executable and the script. */
  readonly argv: ReadonlyArray<string>
  readonly version: string
  /** All commands of `vibe`; `specs` by default. */
  readonly commands?: ReadonlyArray<Spec.Spec> | undefined
  /** The holder of the position that `@` names; none by default. */
  readonly position?: (() => Position.Holder) | undefined
  /** Ends the run from outside: with an exit code, an interruption, or a defect. */
  readonly end?: Effect.Effect<number> | undefined
}

/**
 * Runs the command that `argv` names and returns the exit code; never fails. `vibe` is the command tree with its
 * layers, which are built after the arguments have been checked.
 */
export const run = <Name extends string, R, E extends Failure.DetailedFailure | Failure.Failure, A>(
  vibe: Command.Command<Name, R, E, A>,
  { argv, commands = specs, end = Effect.never, position, version }: Options,
): Effect.Effect<number, never, R | CliApp.CliApp.Environment | Screen.Screen> =>
  Effect.gen(function* () {
    const screen = yield* Screen.Screen
    const { out } = screen
    const request = yield* Arguments.parse(commands, argv)
    const author = Arguments.commandOf(commands, argv).spec?.name ?? "vibe"
    switch (request._tag) {
      case "Version":
        return yield* Screen.line(out, version)
      case "Help":
        return yield* Screen.line(
          out,
          help({ style: out.style, columns: yield* out.columns }, commands, request, version),
        )
      case "Run":
        return yield* withoutConsoleErrors(
          Command.run(vibe, { name: "vibe", version })(["", "", ...request.argv]),
        ).pipe(
          Effect.locally(Operation.folder, workingFolder()),
          Effect.locally(Operation.author, author),
          Effect.locally(Position.holder, hasPosition(author) ? position?.() : undefined),
          Effect.provideService(Screen.Screen, Screen.withColor(screen, request.color)),
          Effect.provideService(Version, version),
        )
    }
  }).pipe(
    Effect.as(0),
    endWith(end),
    Effect.catchAll((error) =>
      fail(ValidationError.isValidationError(error) ? toUsageError(error, commands, argv) : error, argv),
    ),
    Effect.catchAllDefect((cause) => fail(new Crash({ cause }), argv)),
  )

/** Undefined where it was removed. */
const workingFolder = (): string | undefined => {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/** Whether `@` is the position of the user: in the commands for conversations. Explorations and other programs move none. */
const hasPosition = (author: string): boolean =>
  ["ask", "chat", "prd", "discover", "completion", loom.name].some((command) => Operation.isBy(author, command))

const help = (
  layout: Help.Layout,
  commands: ReadonlyArray<Spec.Spec>,
  { group, isOfSettings, spec }: Arguments.HelpRequest,
  version: string,
): string => {
  if (isOfSettings) return Help.settings(layout, Settings.descriptions)
  if (spec !== undefined) return Help.command(layout, spec)
  if (group === loom.name) {
    return Help.group(
      layout,
      loom,
      commands.filter((spec) => spec.name.startsWith(`${loom.name} `)),
    )
  }
  return Help.program(layout, {
    version,
    summary,
    groups,
    examples: ["vibe index .", "vibe query where are passwords hashed"],
  })
}

const fail = Effect.fnUntraced(function* (
  error: Failure.DetailedFailure | Failure.Failure,
  argv: ReadonlyArray<string>,
) {
  const { err, out } = yield* Screen.Screen
  const { failure, object, others } =
    error instanceof Failure.DetailedFailure ? error : { failure: error, object: {}, others: [] }
  const columns = err.isTerminal ? yield* err.columns : Number.POSITIVE_INFINITY
  for (const each of [failure, ...others]) yield* Screen.line(err, wrap(Failure.line(each), columns).join("\n"))
  if (Arguments.wantsJson(argv)) yield* Screen.line(out, sanitizeJson({ ...object, ...Failure.toJson(failure) }))
  return Failure.exitCode(failure)
})

const toUsageError = (
  { error }: ValidationError.ValidationError,
  commands: ReadonlyArray<Spec.Spec>,
  argv: ReadonlyArray<string>,
): UsageError =>
  new UsageError({
    message: paragraphs(error).join(" "),
    command: Arguments.commandOf(commands, argv).spec?.name,
  })

/** @effect/cli prints its errors itself, in colour on any stream; here `fail` prints them. */
const withoutConsoleErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.consoleWith((console) => Effect.withConsole(effect, { ...console, error: () => Effect.void }))
