/** The smallest pieces that a plan puts together to parts: deep folders, and the files of large ones. */

export interface Unit {
  /** Its number in a plan, from 1. */
  readonly number: number
  /** The folder with a slash at its end, or the file. */
  readonly path: string
  readonly files: ReadonlyArray<string>
  /** How many symbols its files have. */
  readonly symbols: number
}
