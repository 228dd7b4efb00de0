/** The messages of a conversation that wait for an answer in progress, and the models that are to answer them. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Block from "../../message/Block.ts"
import * as Ids from "../../message/Ids.ts"
import * as ModelId from "../../message/ModelId.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Picture from "../../message/Picture.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { Waiting } from "../api/Conversations.ts"
import * as DraftStore from "../DraftStore.ts"
import * as EventHub from "../EventHub.ts"
import { requireModel, Served } from "../Served.ts"

type Models = ReadonlyArray<LanguageModel.Service>

/** The messages are stored, so that they are sent even if the server ends before. */
export const make = Effect.fnUntraced(function* (conversation: NodeId) {
  const hub = yield* EventHub.EventHub
  const drafts = yield* DraftStore.DraftStore
  const served = yield* Served
  const ids = yield* Ids.Ids

  /** True once the user has stopped the answer that messages wait for: they are not sent before the user goes on. */
  let isHeld = false

  const rows = drafts.waiting(conversation)
  const all = Effect.map(rows, (rows) => rows.map(toWaiting))

  /** Sends pages the messages that wait, and returns them. */
  const publish = Effect.tap(all, (waiting) => hub.publish({ type: "waiting", conversation, waiting }))

  /** Stores a message. If it has no parent, it comes after the end of the answer in progress. */
  const add = Effect.fnUntraced(function* (message: {
    readonly parent: NodeId | undefined
    readonly text: string
    readonly pictures?: ReadonlyArray<Block.Image> | undefined
    readonly models: Models
  }) {
    const { models, parent, pictures = [], text } = message
    const row = { id: (yield* ids.source)(), text, pictures, parent, models: models.map(({ id }) => String(id)) }
    yield* drafts.wait(conversation, row)
    yield* publish
    return toWaiting(row)
  })

  /**
   * Opens the models that were chosen for a message, maybe in an earlier run of the server, except those that it no
   * longer has.
   */
  const openChosen = (names: ReadonlyArray<string>) =>
    Effect.forEach(names, (name) => {
      if (name === String(served.model.id)) return Effect.option(requireModel(served))
      return Effect.option(Effect.flatMap(ModelId.parse(name), served.openModel))
    }).pipe(
      Effect.map(Arr.getSomes),
      Effect.flatMap((models) =>
        models.length === 0 ? Effect.map(requireModel(served), Arr.of) : Effect.succeed(models),
      ),
    )

  return {
    rows,
    all,
    publish,
    add,
    /** Returns the models that answer a message. */
    modelsOf: ({ models }: DraftStore.Waiting) => openChosen(models),
    remove: (id: string) => drafts.unwait(conversation, id),
    isHeld: () => isHeld,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
    },
  }
})

/** Returns a message as pages have it. */
export const toWaiting = ({ id, pictures = [], text }: DraftStore.Waiting): Waiting => ({
  id,
  text,
  ...(pictures.length > 0 && { pictures: pictures.map(Picture.describe) }),
})
