/** The pictures that a page sends with a message: reads them, and refuses those that cannot be sent. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as Block from "../../message/Block.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Picture from "../../message/Picture.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Refused, type SentPicture } from "../api/Conversations.ts"
import type * as DraftStore from "../DraftStore.ts"
import * as Messages from "../Messages.ts"

/** Returns the pictures of a message, of which there are none if it is in another tree. */
export const ofMessage = (
  root: NodeId,
  message: NodeId,
): Effect.Effect<ReadonlyArray<Block.Image>, ForestError, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const node = yield* forest.node(message)
    return node.root === root ? Messages.picturesOf(node) : []
  })

/** Reads the pictures of a new message. `root` is the root of the tree whose messages it may repeat pictures of. */
export const read = Effect.fnUntraced(function* (root: NodeId, sent: ReadonlyArray<SentPicture>) {
  const pictures = yield* Effect.forEach(sent, (picture, index) =>
    "data" in picture ? decode(picture.data, index + 1) : repeat(root, picture),
  )
  const excess = Picture.excess(pictures.map(Picture.sizeOf))
  if (excess !== undefined) return yield* new Refused({ message: excess })
  return pictures
})

const repeat = (root: NodeId, { message, number }: Extract<SentPicture, { readonly message: NodeId }>) =>
  Effect.flatMap(ofMessage(root, message), (pictures) => {
    const picture = pictures[number]
    return picture === undefined
      ? new Refused({ message: `message ${message} has no picture ${number}` })
      : Effect.succeed(picture)
  })

/** The first bytes of a picture, as base64, by which its format is recognised. */
const HEAD = 16

const decode = (data: string, number: number): Effect.Effect<Block.Image, Refused> => {
  const format = Picture.formatOf(Buffer.from(data.slice(0, HEAD), "base64"))
  // Providers refuse base64 with other characters, or without its padding.
  const isBase64 = Buffer.from(data, "base64").toString("base64") === data
  return format === undefined || !isBase64
    ? new Refused({ message: `picture ${number} cannot be sent: ${Picture.formats} in base64 can` })
    : Effect.succeed(Block.image(format, data))
}

/** Fails if one of the models is known to read no pictures. */
export const requireReaders = (
  models: ReadonlyArray<LanguageModel.Service>,
  pictures: ReadonlyArray<Block.Image>,
): Effect.Effect<void, Refused> => {
  const blind = pictures.length === 0 ? undefined : models.find((model) => !LanguageModel.mayReadPictures(model))
  return blind === undefined
    ? Effect.void
    : new Refused({ message: `${blind.id} reads no pictures: choose another model, or leave them out` })
}

/** Fails if messages that wait would have more pictures together than a single message may have. */
export const requireRoom = (
  waiting: ReadonlyArray<DraftStore.Waiting>,
  pictures: ReadonlyArray<Block.Image>,
): Effect.Effect<void, Refused> => {
  const all = [...waiting.flatMap((message) => message.pictures ?? []), ...pictures]
  return pictures.length === 0 || Picture.excess(all.map(Picture.sizeOf)) === undefined
    ? Effect.void
    : new Refused({ message: "too many pictures wait already: send this message when the answer has ended" })
}
