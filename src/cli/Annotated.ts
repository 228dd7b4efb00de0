/** A failure among several: what else failed, and what `--json` prints beside it. */
import * as Data from "effect/Data"
import type * as Render from "./Render.ts"

export class Annotated extends Data.TaggedError("Annotated")<{
  /** The one that decides. */
  readonly failure: Render.Failure
  readonly others: ReadonlyArray<Render.Failure>
  readonly object: object
}> {}
