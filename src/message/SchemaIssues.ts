/** What does not fit a schema, in lines for people and models: where, and what is wrong there. */
import * as ParseResult from "effect/ParseResult"

/** A line for each place; what the members of a union say of the same place stands on the same line. */
export const fromParseError = (error: ParseResult.ParseError): ReadonlyArray<string> => {
  // Every optional property adds that it may be left out.
  const told = ParseResult.ArrayFormatter.formatErrorSync(error).filter(
    ({ message }) => !message.startsWith("Expected undefined,"),
  )
  const places = Map.groupBy(told, ({ path }) => path.map(String).join("."))
  return Array.from(places.values(), (at) => line(at[0]?.path ?? [], at.map(({ message }) => message).join("; ")))
}

/** The same, each line cut where it is longer than 160 characters: what is expected of a list of blocks is long. */
export const brief = (error: ParseResult.ParseError): ReadonlyArray<string> => fromParseError(error).map(cut)

const cut = (line: string): string => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`)

const LONGEST = 160

/** `user.name: is missing`; what is wrong with the whole is said without a place. */
export const line = (path: ReadonlyArray<PropertyKey>, message: string): string =>
  [...(path.length === 0 ? [] : [path.map(String).join(".")]), message.replaceAll(/(?<!\s)\s*\n\s*/g, " ")].join(": ")
