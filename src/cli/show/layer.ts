/** The layer of `vibe show`: the index, and for `--why` the conversations that purposes come from. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { lazily } from "../../app/Lazy.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import type { Input } from "./command.ts"

/** Conversations are read only with `--why`. */
export const layer = ({ why }: Input) =>
  Layer.provideMerge(
    CodeLayer.layer,
    lazily(
      () => import("../layers/ForestLayer.ts"),
      ({ layer }) => layer({ forest: Option.none(), ephemeral: !why }),
    ),
  )
