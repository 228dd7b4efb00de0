/**
 * Ends synchronous work that takes too long. Nothing else can: while such work runs, the event loop stands still, and
 * neither a timer nor Ctrl-C is noticed.
 */
import * as vm from "node:vm"
import * as Option from "effect/Option"

/** Runs `work` and returns its value, or nothing if it was ended at the limit. What `work` throws is thrown. */
export const runWithin = <A>(milliseconds: number, work: () => A): Option.Option<A> => {
  let value: Option.Option<A> = Option.none()
  // The limit of a script holds for all functions that it calls, regular expressions included.
  place.work = () => {
    value = Option.some(work())
  }
  try {
    script.runInContext(context, { timeout: milliseconds })
  } catch (cause) {
    if (!isTimeout(cause)) throw cause
  } finally {
    place.work = nothing
  }
  return value
}

const nothing = () => {}

/** Holds the function that the script calls. */
const place = { work: nothing }

const context = vm.createContext(place)

const script = new vm.Script("work()")

/** The error at the limit is of the context, so that it is no instance of this program's `Error`. */
const isTimeout = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
