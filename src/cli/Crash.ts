/** vibe itself made a mistake: no input, setting, file or provider is to blame. */
import * as Schema from "effect/Schema"

export class Crash extends Schema.TaggedError<Crash>()("Crash", { cause: Schema.Defect }) {
  override get message(): string {
    const { cause } = this
    return `a mistake in vibe itself: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`
  }
}
