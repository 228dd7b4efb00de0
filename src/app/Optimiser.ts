/**
 * When V8 optimises the code of vibe's own process, and collects the garbage of its whole heap in steps: not while a
 * command runs that ends before that pays.
 */
import type * as V8 from "node:v8"
import * as Effect from "effect/Effect"
import { IsOwnProcess, processEnvironment } from "./OwnProcess.ts"

/** Longer than most answers take, and short beside what takes longer. */
const DELAY_MS = 1_000

/**
 * V8's optimising compilers, before which its interpreter and its baseline compiler run all code; and the marking of
 * the whole heap in steps, which V8 begins from 19 MB on. A first answer of `vibe mcp` takes 25 MB, and a tenth more
 * processor time with a collection that finds little. A heap that does reach its limit is still collected, at once.
 */
const postponed = ["maglev", "turbofan", "incremental-marking"]

/**
 * Returns whether V8 optimises functions in two stages, of which Maglev is the first, as from the version of Node 24
 * on. Node 22 has only the second one, without which functions would be interpreted.
 */
export const hasMaglev = (): boolean => Number.parseInt(process.versions.v8, 10) >= 13

/**
 * Keeps V8 from optimising for a second, if the process is vibe's own. A question of 0.2 s would have 130 functions
 * optimised, on other threads, which takes a seventh of its processor time and saves less.
 *
 * Compiled code that was stored under other flags is refused by V8. So this is for the time after all modules are
 * loaded, and `allow` comes before more of them.
 */
export const postpone: Effect.Effect<void> = Effect.map(IsOwnProcess, (isOwnProcess) => {
  if (!isOwnProcess || !hasMaglev() || isChosenByUser()) return
  setPostponed(false)
  timer = setTimeout(allow, DELAY_MS).unref()
})

/** Lets V8 optimise again, if `postpone` has stopped it. */
export const allow = (): void => {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  setPostponed(true)
}

let timer: NodeJS.Timeout | undefined

// An import of node:v8 would load it with each start.
const setPostponed = (isOn: boolean): void => {
  const v8: typeof V8 = process.getBuiltinModule("node:v8")
  for (const flag of postponed) v8.setFlagsFromString(isOn ? `--${flag}` : `--no-${flag}`)
}

/**
 * A process without executable memory, for one, must not have its compilers turned on. V8 reads `_` as `-`, and `no`
 * without either.
 */
const isChosenByUser = (): boolean =>
  [...process.execArgv, processEnvironment().NODE_OPTIONS ?? ""].some((option) =>
    /jitless|maglev|turbofan|incremental[-_]marking/.test(option),
  )
