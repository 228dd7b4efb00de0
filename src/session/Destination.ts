/** The folder for the files of a session, inside or outside the working folder. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Output from "../code/Output.ts"

export interface Destination {
  readonly output: Output.Output
  /** The path to show to the user: tools report paths relative to `output`, which may be outside the working folder. */
  readonly displayPath: (file: string) => string
}

/** Also where Windows, to which case makes no difference, is given another spelling. */
export const isBelow = (
  here: string,
  absolute: string,
  { isAbsolute, relative, sep }: typeof path.posix = path,
): boolean => {
  const to = relative(here, absolute)
  return to !== ".." && !to.startsWith(`..${sep}`) && !isAbsolute(to)
}

/**
 * A folder below this one is written in by its path from here, as tools report it: `jobs/search/jtbd.md`. One elsewhere
 * is written in from the folder above it, so that no tool gets beside it either way. Fails where that is no folder.
 */
export const open = Effect.fn("Destination.open")(function* (folder: string) {
  const here = path.resolve(".")
  const absolute = path.resolve(folder)
  const isHere = isBelow(here, absolute)
  const base = isHere ? here : path.dirname(absolute)
  const destination: Destination = {
    output: yield* Output.open(base, absolute),
    displayPath: (file) => (isHere ? file : path.join(base, file)),
  }
  return destination
})
