/** Reads the routes of a text as lines, for the tests of each language. */
import * as Effect from "effect/Effect"
import { entries } from "../../../src/code/languages/table.ts"
import * as Routes from "../../../src/code/Routes.ts"

// Once the readers of all languages are loaded, none is waited for.
for (const { extensions } of entries) await Effect.runPromise(Routes.read(`a.${extensions.split(" ")[0]}`, ""))

/** Reads the routes of a text at once. */
export const read = (path: string, text: string): ReadonlyArray<Routes.Route> => Effect.runSync(Routes.read(path, text))

/** `2-4 GET /x -> handler`; without a handler for a function that is written in place. */
export const routesIn = (path: string, ...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  read(path, lines.join("\n")).map(
    ({ endLine, handler, path, startLine, verb }) =>
      `${startLine === endLine ? startLine : `${startLine}-${endLine}`} ${verb} ${path}${handler === undefined ? "" : ` -> ${handler}`}`,
  )
