/** Pictures of a message: those that it mentions, and those that the user has pasted. */
import * as Effect from "effect/Effect"
import { UsageError } from "../base/UsageError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type * as Block from "../message/Block.ts"
import * as Picture from "../message/Picture.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as Mentions from "./Mentions.ts"
import type { SessionMode } from "./SessionMode.ts"
import type { QueuedMessage } from "./SessionState.ts"

/** Expands a queued message as it is sent. The pictures that were pasted come before those that it mentions. */
export const expand = ({ hasFiles, pictures = [], text }: QueuedMessage, workspace: Workspace) =>
  hasFiles
    ? Effect.succeed<Mentions.Expanded>({ text, pictures, missing: [] })
    : Effect.map(
        Mentions.expand(workspace, text),
        (expanded): Mentions.Expanded => ({ ...expanded, pictures: [...pictures, ...expanded.pictures] }),
      )

/** Expands a message without pictures; fails for one with a picture. */
export const expandText = (workspace: Workspace, text: string) =>
  Effect.flatMap(Mentions.expand(workspace, text), (expanded) =>
    expanded.pictures.length === 0 ? Effect.succeed(expanded) : Effect.fail("picture" as const),
  )

/** Fails if the model would not see the pictures, or if they are too many, before anything is stored or sent. */
export const requireReader = (
  { takesPictures = false }: SessionMode,
  model: LanguageModel.Service,
  pictures: ReadonlyArray<Block.Image>,
): Effect.Effect<void, UsageError> => {
  if (!takesPictures)
    return new UsageError({ message: "this conversation takes no pictures; vibe chat and vibe prd do" })
  const excess = Picture.excess(pictures.map(Picture.sizeOf))
  if (excess !== undefined) return new UsageError({ message: excess })
  return LanguageModel.mayReadPictures(model)
    ? Effect.void
    : new UsageError({ message: `${model.id} reads no pictures: choose another model with /model, or leave them out` })
}
