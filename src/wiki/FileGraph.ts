/** Which files use which, by resolved references. */

export interface FileGraph {
  /** All files of the code, sorted. */
  readonly files: ReadonlyArray<string>
  /** How often the symbols of one file are used by those of another: `uses.get(from)?.get(to)`. No file uses itself. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Files that more than a quarter of the files use. They say nothing about who belongs together. */
  readonly hubs: ReadonlySet<string>
}
