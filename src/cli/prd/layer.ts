/** The layer of `vibe prd`: that of every chat, and Beads, in which it creates issues. */
import * as Layer from "effect/Layer"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as ChatLayer from "../chat/layer.ts"
import * as Beads from "./Beads/Node.ts"

export const layer = (options: ChatLayer.Options) =>
  Layer.provideMerge(
    Layer.suspend(() => Beads.layer(processEnvironment())),
    ChatLayer.layer(options),
  )
