/** A failure, and what `--json` prints beside it: what became of the others where there were several. */
import * as Data from "effect/Data"
import type * as Render from "./Render.ts"

export class Annotated extends Data.TaggedError("Annotated")<{
  readonly failure: Render.Failure
  readonly object: object
}> {}
