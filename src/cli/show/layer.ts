/** The layer of `vibe show`: the index, and for `--why` the conversations that purposes come from. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as CodeLayer from "../layers/CodeLayer.ts"
import { lazily } from "../Table.ts"
import type { Input } from "./command.ts"
import { PurposeExchanges } from "./PurposeExchanges.ts"

const none = Layer.succeed(PurposeExchanges, Option.none())

/** Conversations are read only with `--why`: to load what reads them takes longer than all the rest. */
export const layer = ({ why }: Input) =>
  Layer.provideMerge(
    CodeLayer.layer,
    why
      ? lazily(
          () => import("./exchangesLayer.ts"),
          ({ layer }) => layer,
        )
      : none,
  )
