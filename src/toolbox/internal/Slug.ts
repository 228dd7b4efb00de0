/** The name of a folder or file that a model chooses. */
import * as Schema from "effect/Schema"

const rule = "must be lower-case letters and digits in words joined by single hyphens, such as sign-in"

/** Not made fit: the model is told what is wrong, so that it knows afterwards where its file is. */
export const schema = Schema.String.pipe(
  Schema.maxLength(80),
  Schema.pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, { message: () => rule }),
)
