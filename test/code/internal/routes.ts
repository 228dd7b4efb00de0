/** Reads the routes of a text as lines, for the tests of each language. */
import * as Routes from "../../../src/code/Routes.ts"

/** `2-4 GET /x -> handler`; without a handler for a function that is written in place. */
export const routesIn = (path: string, ...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  Routes.read(path, lines.join("\n")).map(
    ({ endLine, handler, path, startLine, verb }) =>
      `${startLine === endLine ? startLine : `${startLine}-${endLine}`} ${verb} ${path}${handler === undefined ? "" : ` -> ${handler}`}`,
  )
