/** There is no symbol of that name in the index. */
import * as Schema from "effect/Schema"

export class NoSuchSymbol extends Schema.TaggedError<NoSuchSymbol>()("NoSuchSymbol", {
  symbol: Schema.String,
  /** Names most like it, best first, as `vibe show` takes them. */
  nearest: Schema.Array(Schema.String),
}) {
  override get message(): string {
    const near = this.nearest.length === 0 ? "" : `; near it: ${this.nearest.join(", ")}`
    return `no symbol '${this.symbol}' in the index${near}`
  }
}
