/** The whole program: each command with the layers it runs on, loaded when it runs. The only module that chooses. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { index } from "../cli/command/Index.ts"
import { query } from "../cli/command/Query.ts"
import { show } from "../cli/command/Show.ts"
import { status } from "../cli/command/Status.ts"
import type * as Exploring from "./Exploring.ts"

const lazily = <M, A, E, R>(load: () => Promise<M>, layer: (module: M) => Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))

const exploring = (options: Exploring.Options) =>
  lazily(
    () => import("./Exploring.ts"),
    ({ layer }) => layer(options),
  )

const reading = lazily(
  () => import("./Reading.ts"),
  ({ layer }) => layer,
)

export const vibe = Command.make("vibe").pipe(
  Command.withSubcommands([
    Command.provide(index, exploring),
    Command.provide(query, reading),
    Command.provide(show, reading),
    Command.provide(status, reading),
  ]),
)
