/** A conversation for programs: what there is to tell, a JSON object a line on stdout; what they say, as in plain lines. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Render from "../../Render.ts"
import * as Screen from "../../Screen.ts"
import * as View from "../View.ts"
import { listen } from "./listen.ts"
import * as Reader from "./Reader.ts"

export const layer: Layer.Layer<View.View, never, Reader.Reader | Screen.Screen> = Layer.effect(
  View.View,
  Effect.gen(function* () {
    const { out } = yield* Screen.Screen
    const reader = yield* Reader.Reader
    const tell = ({ _tag, ...facts }: View.Entry) =>
      Screen.line(out, Render.json({ type: _tag.toLowerCase(), ...facts }))
    return View.View.of({
      open: ({ history }) =>
        Effect.gen(function* () {
          const { lines } = yield* reader.open(history)
          const inputs = yield* Queue.unbounded<View.Input>()
          yield* Effect.forkScoped(listen(lines, inputs))
          return {
            isInteractive: false,
            inputs,
            tell,
            rest: Effect.void,
            observer: {},
            choose: ({ choices }) =>
              Effect.as(Screen.line(out, Render.json({ type: "choices", choices })), Option.none()),
            draft: () => Effect.void,
            unsent: Effect.succeed(""),
          }
        }),
    })
  }),
)
