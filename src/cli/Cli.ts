/** The whole command line: puts the arguments in order, runs the command, and prints a failure as one line. */
import * as Effect from "effect/Effect"
import { endWith } from "../base/concurrency.ts"
import { sanitizeJson } from "../base/Sanitize.ts"
import { wrap } from "../base/wrap.ts"
import * as Operation from "../forest/Operation.ts"
import * as Position from "../forest/Position.ts"
import * as Arguments from "./arguments/Arguments.ts"
import * as Help from "./arguments/Help.ts"
import { Crash } from "./CommandError.ts"
import * as Failure from "./Failure.ts"
import * as Table from "./Table.ts"
import { Commands, Version } from "./Table.ts"
import * as Screen from "./terminal/Screen.ts"

const summary = "finds the code that answers a question, and keeps what every major symbol is for"

interface Options {
  /** The arguments without the executable and the script. */
  readonly argv: ReadonlyArray<string>
  readonly version: string
  /** The holder of the position that `@` names; none by default. */
  readonly position?: (() => Position.Holder) | undefined
  /** Ends the run from outside: with an exit code, an interruption, or a defect. */
  readonly end?: Effect.Effect<number> | undefined
}

/** Runs the command of a table that `argv` names and returns the exit code; never fails. */
export const run = <E extends Failure.DetailedFailure | Failure.Failure, R>(
  table: Table.Table<E, R>,
  { argv, end = Effect.never, position, version }: Options,
): Effect.Effect<number, never, R | Screen.Screen> =>
  Effect.gen(function* () {
    const screen = yield* Screen.Screen
    const { out } = screen
    const entries = yield* Table.entriesFor(table, argv)
    const commands = entries.map(({ command }) => command)
    const request = yield* Arguments.parse(commands, argv)
    switch (request._tag) {
      case "Version":
        return yield* Screen.line(out, version)
      case "Help": {
        const layout = { style: out.style, columns: yield* out.columns }
        if (request.isOfSettings) {
          const { descriptions } = yield* Effect.promise(() => import("../config/Settings.ts"))
          return yield* Screen.line(out, Help.settings(layout, descriptions))
        }
        return yield* Screen.line(out, help(layout, table, request, version, commands))
      }
      case "Run": {
        const author = request.command.name
        const execute = entries.find(({ command }) => command === request.command)?.execute
        if (execute === undefined) return yield* Effect.dieMessage(`${author} is not in the table`)
        return yield* execute(request.words).pipe(
          Effect.locally(Operation.folder, workingFolder()),
          Effect.locally(Operation.author, author),
          Effect.locally(Position.holder, hasPosition(author) ? position?.() : undefined),
          Effect.provideService(Screen.Screen, Screen.withColor(screen, request.color)),
          Effect.provideService(Version, version),
          Effect.provideService(Commands, Table.allCommands(table)),
        )
      }
    }
  }).pipe(
    Effect.as(0),
    endWith(end),
    Effect.catchAll((error) => fail(error, argv)),
    Effect.catchAllDefect((cause) => fail(new Crash({ cause }), argv)),
  )

/** The working folder; undefined if it was removed. */
const workingFolder = (): string | undefined => {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/**
 * Returns whether `@` is the user's position for this author, as in the commands for conversations. Explorations and
 * other programs move no position.
 */
const hasPosition = (author: string): boolean =>
  ["ask", "chat", "prd", "discover", "completion", "loom"].some((command) => Operation.isBy(author, command))

const help = (
  layout: Help.Layout,
  table: Table.Table<unknown, unknown>,
  { command, group }: Arguments.HelpRequest,
  version: string,
  commands: Help.CommandGroup["commands"],
): string => {
  if (command !== undefined) return Help.command(layout, command)
  const groups = table.map(({ heading, rows }) => ({ heading, commands: rows.map(({ command }) => command) }))
  const head = groups.flatMap(({ commands }) => commands).find(({ name }) => name === group)
  if (head !== undefined) {
    return Help.group(
      layout,
      head,
      commands.filter(({ name }) => name.startsWith(`${head.name} `)),
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
