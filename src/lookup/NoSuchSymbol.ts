/** The failure of a lookup that finds nothing by the name that was typed; programs that embed vibe get it, too. */
import * as Data from "effect/Data"

/** An argument names nothing in the index. */
export class NoSuchSymbol extends Data.TaggedError("NoSuchSymbol")<{
  readonly symbol: string
  /** The message: what the argument names instead, or what is missing; "there is no such symbol" by default. */
  readonly problem?: string
  /** The most similar names, best first, as `vibe show` takes them. */
  readonly nearest: ReadonlyArray<string>
}> {
  override get message(): string {
    const near = this.nearest.length === 0 ? "" : `; near it: ${this.nearest.join(", ")}`
    return `${this.problem ?? `no symbol '${this.symbol}' in the index`}${near}`
  }
}
