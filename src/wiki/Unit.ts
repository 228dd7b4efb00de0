/** The smallest pieces that a plan puts together to parts: deep folders, and the files of large ones. */

export interface Unit {
  /** Its number in a plan, from 1. */
  readonly number: number
  /** The folder with a slash at its end, or the file. The root is `./`. */
  readonly path: string
  /** Sorted. A unit of a folder may have only some of its files, if the others are units of their own. */
  readonly files: ReadonlyArray<string>
  /** How many symbols its files have. */
  readonly symbols: number
  /** True for the hubs (`FileGraph`), which are one unit whatever folders they are in. */
  readonly isHelpers: boolean
}
