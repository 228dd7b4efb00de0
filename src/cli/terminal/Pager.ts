/** Shows long output in the pager of the user: `$PAGER`, or `less`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Screen from "./Screen.ts"

export class Pager extends Context.Tag("vibe/cli/Pager")<Pager, Service>() {}

export interface Service {
  /** Returns once the user has quit it. False where the text fits on the screen, or where there is no pager. */
  readonly show: (text: string) => Effect.Effect<boolean>
}

/** No pager. */
export const layerNone: Layer.Layer<Pager> = Layer.succeed(Pager, { show: () => Effect.succeed(false) })

/** Prints lines, with a final line break; on a terminal through the pager, unless `noPager`. */
export const print = Effect.fn("Pager.print")(function* (
  out: Screen.Stream,
  text: string,
  { noPager }: { readonly noPager: boolean },
) {
  const { show } = yield* Pager
  if (out.canRedraw && !noPager && (yield* show(`${text}\n`))) return
  yield* Screen.line(out, text)
})
