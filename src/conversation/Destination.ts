/** The folder for the files of a session, inside or outside the working folder. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { isWithin } from "../base/isWithin.ts"
import * as Output from "../code/Output.ts"

export interface Destination {
  readonly output: Output.Output
  /** The path to show to the user: tools report paths relative to `output`, which may be outside the working folder. */
  readonly displayPath: (file: string) => string
}

/**
 * Opens a folder to write in. Tools report paths in a folder below this one from here: `jobs/search/jtbd.md`. A folder
 * elsewhere is written in from the folder above it. Either way no tool can write beside it. Fails if that is not a
 * folder.
 */
export const open = Effect.fn("Destination.open")(function* (folder: string) {
  const here = path.resolve(".")
  const absolute = path.resolve(folder)
  const isHere = isWithin(here, absolute)
  const base = isHere ? here : path.dirname(absolute)
  const destination: Destination = {
    output: yield* Output.open(base, absolute),
    displayPath: (file) => (isHere ? file : path.join(base, file)),
  }
  return destination
})
