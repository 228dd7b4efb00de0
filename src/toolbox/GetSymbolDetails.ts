/** `get_symbol_details`: one symbol, with its source. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"
import { locate } from "./internal/locate.ts"
import * as ListSymbolsInFile from "./ListSymbolsInFile.ts"

export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "get_symbol_details",
    description: "Shows one symbol of a file: what list_symbols_in_file says of it, its whole comment and its source.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
      symbolName: Schema.String.annotations({ description: "Its name, or its qualified name: Container.name" }),
    }),
    readOnly: true,
    run: ({ path, symbolName }) =>
      Effect.gen(function* () {
        const file = yield* workspace.read(path)
        const entries = yield* locate(index, file.path, symbolName)
        const lines = file.text.split(/\r?\n/)
        const details = entries.map((entry) => ({
          ...ListSymbolsInFile.summary(entry),
          path: entry.path,
          doc: entry.doc,
          content: lines.slice(entry.startLine - 1, entry.endLine).join("\n"),
        }))
        return { text: details.map((detail) => JSON.stringify(detail, null, 1)).join("\n"), data: details }
      }).pipe(Tool.orFail),
  })
