/** Something is wrong with what is kept of the forest. */
import * as Schema from "effect/Schema"
import { plural } from "../../message/Plural.ts"

const Problem = Schema.Struct({
  subject: Schema.String,
  what: Schema.String,
  isMendable: Schema.optionalWith(Schema.Boolean, { exact: true }),
})

export class Unsound extends Schema.TaggedError<Unsound>()("Unsound", { problems: Schema.Array(Problem) }) {
  override get message(): string {
    const what = this.isMendable ? "an index of the forest" : "the forest"
    return `${what} is damaged: ${plural(this.problems.length, "problem")}`
  }

  /** Whether nothing that was said is damaged. */
  get isMendable(): boolean {
    return this.problems.length > 0 && this.problems.every(({ isMendable }) => isMendable)
  }
}
