/** The map of a project, as commands print it. */
import * as Effect from "effect/Effect"
import { wrap } from "../../base/wrap.ts"
import type * as Screen from "../terminal/Screen.ts"

/** The lines of a map (`index/ProjectMap`), wrapped to `columns`. */
export const lines = (map: string, columns: number): ReadonlyArray<string> =>
  map.split("\n").flatMap((line) => (line === "" ? [""] : wrap(line, columns)))

/** The same as one text: wrapped on a terminal, and as it is in a pipe. */
export const wrapFor = (stream: Screen.Stream, map: string): Effect.Effect<string> =>
  stream.isTerminal ? Effect.map(stream.columns, (columns) => lines(map, columns).join("\n")) : Effect.succeed(map)
