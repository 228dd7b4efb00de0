/**
 * Says of all symbols of a file when they are major: by what an outline has of them (`majorWhen`) and by their source.
 */
import * as FileClass from "../code/FileClass.ts"
import * as Boilerplate from "./Boilerplate.ts"
import { type MajorWhen, majorWhen, qualify } from "./IndexEntry.ts"

/** `path` and `text` are those of the file. O(the length of the text). */
export const majorIn = <Symbol extends Boilerplate.Placed>(
  path: string,
  symbols: ReadonlyArray<Symbol>,
  text: string,
): ((symbol: Symbol) => MajorWhen) => {
  const kinds = new Map(symbols.map((symbol) => [qualify(symbol.name, symbol.container), symbol.kind]))
  const boilerplate = Boilerplate.find(symbols, text, { isTest: FileClass.of(path) === "test" })
  return (symbol) =>
    boilerplate.has(symbol)
      ? "never"
      : majorWhen(symbol, symbol.container === undefined ? undefined : kinds.get(symbol.container))
}
