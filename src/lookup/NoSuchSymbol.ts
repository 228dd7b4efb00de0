/** The error of an argument that names no symbol, file or folder. */
import * as Schema from "effect/Schema"

/** An argument names nothing in the index. */
export class NoSuchSymbol extends Schema.TaggedError<NoSuchSymbol>()("NoSuchSymbol", {
  symbol: Schema.String,
  /** The message: what the argument names instead, or what is missing; "there is no such symbol" by default. */
  problem: Schema.optionalWith(Schema.String, { exact: true }),
  /** The most similar names, best first, as `vibe show` takes them. */
  nearest: Schema.Array(Schema.String),
}) {
  override get message(): string {
    const near = this.nearest.length === 0 ? "" : `; near it: ${this.nearest.join(", ")}`
    return `${this.problem ?? `no symbol '${this.symbol}' in the index`}${near}`
  }
}
