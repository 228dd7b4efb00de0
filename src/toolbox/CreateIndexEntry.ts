/** `create_index_entry`: records purposes of symbols in the index. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { Index, NewPurpose } from "../indexing/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"
import { locate } from "./internal/locate.ts"

const Entry = Schema.Struct({
  path: Schema.String.annotations({ description: "The file, relative to the root" }),
  symbol: Schema.String.annotations({ description: "Its name, or its qualified name: Container.name" }),
  purpose: Schema.String.pipe(Schema.maxLength(1000)).annotations({
    description: "One or two sentences: what it is for and why it is there, not how it is written",
  }),
})

/** Records valid entries and reports the others, each with its reason. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "create_index_entry",
    description:
      "Records what symbols are for. Call it whenever you have understood some, with many entries at once. An entry for a symbol that does not exist is refused with the nearest names; the others are kept.",
    parameters: Schema.Struct({ entries: Schema.Array(Entry) }),
    run: ({ entries }, context) =>
      Effect.gen(function* () {
        const checked = yield* Effect.forEach(entries, ({ path, purpose, symbol }) => {
          const text = storable(purpose)
          return text === ""
            ? Effect.succeed(Either.left(`${path} ${symbol}: the purpose is empty`))
            : workspace.read(path).pipe(
                Effect.flatMap((file) => locate(index, file.path, symbol)),
                Effect.map((found) =>
                  found.map(
                    (entry): NewPurpose => ({
                      entry,
                      text,
                      model: String(context.model),
                      node: context.node,
                    }),
                  ),
                ),
                Effect.mapError(({ message }) => message),
                Effect.either,
              )
        })
        const kept = checked.flatMap((result) => (Either.isRight(result) ? result.right : []))
        const refused = checked.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))
        if (kept.length > 0) yield* index.record(kept)
        const recorded = entries.length - refused.length
        return {
          text: [
            `recorded ${recorded} of ${entries.length} ${entries.length === 1 ? "entry" : "entries"}`,
            ...refused.map((reason) => `refused: ${reason}`),
          ].join("\n"),
          isError: recorded === 0 && entries.length > 0,
          data: { recorded, refused },
        }
      }).pipe(Tool.orFail),
  })

/** Without lone surrogates and NULs, which SQLite does not return as they were stored. */
const storable = (purpose: string): string => purpose.toWellFormed().replaceAll("\0", "").trim()
