/** The whole text of a file that a model writes. */
import * as Schema from "effect/Schema"

/** Something at least: an empty file is a model that forgot the rest. */
export const schema = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "", { message: () => "is empty", jsonSchema: { minLength: 1 } }),
  Schema.annotations({ description: "The whole text of the file" }),
)
