/** Decoding errors of a schema as lines of text, for users and models. */
import * as ParseResult from "effect/ParseResult"

/** Returns a line for each path. The errors of all members of a union at one path are on one line. */
export const fromParseError = (error: ParseResult.ParseError): ReadonlyArray<string> => {
  // Each optional property adds an alternative, undefined.
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error).filter(
    ({ message }) => !message.startsWith("Expected undefined,"),
  )
  const places = Map.groupBy(issues, ({ path }) => path.map(String).join("."))
  return Array.from(places.values(), (at) => line(at[0]?.path ?? [], at.map(({ message }) => message).join("; ")))
}

/** Like `lines`, with at most 160 characters a line: the expected type of a list of blocks is long. */
export const brief = (error: ParseResult.ParseError): ReadonlyArray<string> =>
  fromParseError(error).map((line) => cut(line))

/** Returns the beginning of a line, by default 160 characters: an error quotes the value, however long that is. */
export const cut = (line: string, chars: number = MAX_LINE_CHARS): string =>
  line.length <= chars ? line : `${line.slice(0, chars - 1)}…`

const MAX_LINE_CHARS = 160

/** Returns `user.name: is missing`; an error of the whole value has no path. */
export const line = (path: ReadonlyArray<PropertyKey>, message: string): string =>
  [...(path.length === 0 ? [] : [path.map(String).join(".")]), message.replaceAll(/(?<!\s)\s*\n\s*/g, " ")].join(": ")
