/** The layer of `vibe completion`: the forest that the command line names, and git. Where there is no forest, none is made. */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { unprefix } from "../cli/completion/Completion.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as Program from "../review/Git/Program.ts"
import * as ForestLayer from "./ForestLayer.ts"
import { processEnvironment } from "./processEnvironment.ts"

export const layer = ({ words }: { readonly words: ReadonlyArray<string> }) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const line = unprefix(words)
      const named = line.includes("--forest") ? line[line.indexOf("--forest") + 1] : undefined
      const file = named ?? (yield* Effect.option(UserFiles.forestFile).pipe(Effect.map(Option.getOrUndefined)))
      const forest = Option.liftPredicate(file ?? "", (file) => fs.existsSync(file))
      return ForestLayer.layer({ forest, ephemeral: Option.isNone(forest) }).pipe(
        Layer.provideMerge(Program.layer(processEnvironment())),
      )
    }),
  )
