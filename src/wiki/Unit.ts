/**
 * The smallest pieces that a plan puts together to parts: deep folders, the files of large ones, and sections of large
 * files.
 */
import type { Extent } from "./Places.ts"

/** A unit of a folder may have only some of its files, if the others are units of their own. */
export interface Unit extends Extent {
  /** Its number in a plan, from 1. */
  readonly number: number
  /** The folder with a slash at its end, or the file. The root is `./`. */
  readonly path: string
  /** How many symbols it has. A section of a file counts its share of those. */
  readonly size: number
  /** True for the hubs (`FileGraph`), which are one unit whatever folders they are in. */
  readonly isHelpers: boolean
}
