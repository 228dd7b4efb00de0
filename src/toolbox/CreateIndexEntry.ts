/** `create_index_entry`: a model says what symbols are for, and vibe keeps it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry, Origin } from "../indexing/IndexEntry.ts"
import type { Index, NewPurpose } from "../indexing/IndexStore.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Tool from "../tool/Tool.ts"
import { locate } from "./internal/locate.ts"

const Entry = Schema.Struct({
  path: Schema.String.annotations({ description: "The file, relative to the root" }),
  symbol: Schema.String.annotations({ description: "Its name, or its qualified name: Container.name" }),
  purpose: Schema.String.pipe(Schema.maxLength(1000)).annotations({
    description: "One or two sentences: what it is for and why it is there, not how it is written",
  }),
})

/** Keeps what is right and refuses the rest, entry by entry. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "create_index_entry",
    description:
      "Records what symbols are for. Call it whenever you have understood some, with many entries at once. An entry for a symbol that does not exist is refused with the nearest names; the others are kept.",
    parameters: Schema.Struct({ entries: Schema.Array(Entry) }),
    run: ({ entries }, { model, node }) =>
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
                      origin: originOf(model, entry, text),
                      model: String(model),
                      node,
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

/** Half a character and NUL are no words, and no database gives them back. */
const storable = (purpose: string): string => purpose.toWellFormed().replaceAll("\0", "").trim()

/** The built-in guide writes no purpose of its own: it reads comments, or derives (DESIGN decision 5). */
const originOf = (model: ModelId, entry: IndexEntry, purpose: string): Origin => {
  if (model.provider !== "offline") return "model"
  const doc = entry.doc?.replaceAll(/\s+/g, " ") ?? ""
  return doc.includes(purpose.replace(/…$/, "")) ? "comment" : "derived"
}
