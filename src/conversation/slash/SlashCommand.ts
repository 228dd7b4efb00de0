/**
 * A command that the user types after a slash: how it is written, found and declared, and what several commands need.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import type { Node } from "../../forest/Node.ts"
import type { Next, Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import type { CommandName, Menu } from "../View.ts"

/** A command that the user types after a slash. */
export interface SlashCommand extends CommandName {
  readonly aliases?: ReadonlyArray<string> | undefined
  /** True if the command runs at once, even while an answer is in progress. */
  readonly isImmediate?: boolean | undefined
  /** Runs the command. `argument` is the text after the name, without white space around it. */
  readonly run: (session: Session, argument: string) => Effect.Effect<Next, SessionFailure>
}

/** Returns true for a command. A path such as `/usr/bin/env` is not one, since it has a second slash. */
export const isCommand = (text: string): boolean => /^\s*\/[^\s/]*(\s|$)/.test(text)

/** Splits a line into the name without its slash, and the text after it without white space around it. */
export const parse = (line: string): { readonly name: string; readonly argument: string } => {
  const [, name = "", argument = ""] = /^\s*\/(\S*)\s*(.*)$/s.exec(line) ?? []
  return { name, argument: argument.trim() }
}

/** Finds a command by its name, or by an alias. */
export const find = (commands: ReadonlyArray<SlashCommand>, name: string): SlashCommand | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name) === true)

/** Finds the last message of the user, for the commands that need one. */
export const noMessage = new UsageError({ message: "there is no message yet" })

export const lastUserMessage = ({ lastUserMessage: lastSaid }: Session): Effect.Effect<Node, SessionFailure> =>
  Effect.flatMap(lastSaid, (node) => (node === undefined ? noMessage : Effect.succeed(node)))

/**
 * Lets the user choose: by a number after the command, or from a menu. Returns none if the user cancels, or if the
 * argument is not a number.
 */
export const pickChoice = (
  { view }: Session,
  words: string,
  menu: Menu,
): Effect.Effect<Option.Option<number>, UsageError> => {
  if (words === "") return view.choose(menu)
  if (!/^\d{1,6}$/.test(words)) return Effect.succeedNone
  const place = Number(words) - 1
  return place >= 0 && place < menu.choices.length
    ? Effect.succeedSome(place)
    : Effect.fail(new UsageError({ message: `there is no ${words} to choose; there are ${menu.choices.length}` }))
}
