/** Sources of symbols that a request shows. Pure. */
import * as Material from "./Material.ts"

/** Sources of symbols by their keys. */
export type Sources = ReadonlyMap<string, Source>

export interface Source {
  readonly item: Material.Item
  /** All of its text. */
  readonly text: string
  /** The lines that are shown, as a quotation. */
  readonly lines: ReadonlyArray<string>
}

/** Returns the tokens of sources as they are shown. */
export const sizeOf = (sources: Sources): number =>
  Array.from(sources.values()).reduce((sum, { lines }) => sum + sizeOfLines(lines), 0)

const sizeOfLines = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + Material.sizeOf(line), 0)
