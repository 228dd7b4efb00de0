/** Shows long output in the pager of the user: `$PAGER`, or `less`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Screen from "./Screen.ts"

export class Pager extends Context.Tag("vibe/cli/Pager")<Pager, Service>() {}

export interface Service {
  /**
   * Returns once the user has quit the pager. Returns false if the text fits on the screen, or if there is no pager.
   */
  readonly show: (text: string) => Effect.Effect<boolean>
}

/** A layer without a pager. */
export const layerNone: Layer.Layer<Pager> = Layer.succeed(Pager, { show: () => Effect.succeed(false) })

/** Prints lines, with a final line break. On a terminal they go through the pager, unless `noPager` is set. */
export const print = Effect.fn("Pager.print")(function* (
  out: Screen.Stream,
  text: string,
  { noPager }: { readonly noPager: boolean },
) {
  const { show } = yield* Pager
  if (out.canRedraw && !noPager && (yield* show(`${text}\n`))) return
  yield* Screen.line(out, text)
})
