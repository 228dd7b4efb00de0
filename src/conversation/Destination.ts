/** The folder for the files of a session, inside or outside the working folder. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Output from "../code/Output.ts"

export interface Destination {
  readonly output: Output.Output
  /** The path to show to the user: tools report paths relative to `output`, which may be outside the working folder. */
  readonly displayPath: (file: string) => string
}

/**
 * Returns true if a path is below `here`. This also holds on Windows, which ignores case, if the path is spelt
 * differently.
 */
export const isBelow = (
  here: string,
  absolute: string,
  { isAbsolute, relative, sep }: typeof path.posix = path,
): boolean => {
  const to = relative(here, absolute)
  return to !== ".." && !to.startsWith(`..${sep}`) && !isAbsolute(to)
}

/**
 * Opens a folder to write in. Tools report paths in a folder below this one from here: `jobs/search/jtbd.md`. A folder
 * elsewhere is written in from the folder above it. Either way no tool can write beside it. Fails if that is not a
 * folder.
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
