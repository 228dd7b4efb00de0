/** Something is wrong with what is kept of the forest. */
import * as Schema from "effect/Schema"
import { plural } from "../Plural.ts"

const Problem = Schema.Struct({ subject: Schema.String, what: Schema.String })

export class Unsound extends Schema.TaggedError<Unsound>()("Unsound", { problems: Schema.Array(Problem) }) {
  override get message(): string {
    return `the forest is damaged: ${plural(this.problems.length, "problem")}`
  }
}
