/** Lets the user choose: by a number after the command, or from a menu. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import type { Session } from "../Session.ts"
import type { Menu } from "../View.ts"

/** Returns none if the user cancels, or if the argument is not a number. */
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
