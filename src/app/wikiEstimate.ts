/** Estimates what the model of a run takes for the wiki. */
import * as Effect from "effect/Effect"
import * as WikiFolder from "../wiki/WikiStore/Folder.ts"
import * as WikiRun from "../wiki/writing/WikiRun.ts"

export const wikiEstimate = (...settings: Parameters<typeof WikiRun.estimate>) =>
  Effect.provide(WikiRun.estimate(...settings), WikiFolder.layer)
