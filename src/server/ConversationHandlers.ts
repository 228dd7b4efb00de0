/** Handles requests about conversations. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileError } from "../code/FileError.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import type { DiskError } from "../disk/DiskError.ts"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as ModelId from "../message/ModelId.ts"
import { Api } from "./Api.ts"
import { NotFound, type NotKept, type Outdated, Refused } from "./api/Conversations.ts"
import * as ConversationState from "./ConversationState.ts"
import type * as DraftStore from "./DraftStore.ts"
import { toFailure } from "./Failures.ts"
import * as SentPictures from "./internal/sentPictures.ts"
import { LiveConversations } from "./LiveConversations.ts"
import * as Served from "./Served.ts"
import * as Sessions from "./Sessions.ts"

/** A change is completed even if the page that requested it is closed meanwhile. */
const whole = { uninterruptible: true }

export const layer = HttpApiBuilder.group(Api, "conversations", (handlers) =>
  Effect.gen(function* () {
    const conversations = yield* LiveConversations
    const served = yield* Served.Served
    const port = yield* Served.Port
    const context = yield* Effect.context<DraftStore.DraftStore | Forest.Forest | LiveConversations | Served.Served>()
    const answer = <
      A,
      E extends DiskError | FileError | ForestError | SessionError | NotFound | NotKept | Outdated | Refused,
    >(
      effect: Effect.Effect<A, E, DraftStore.DraftStore | Forest.Forest | LiveConversations | Served.Served>,
    ) => Effect.mapError(Effect.provide(effect, context), toContractFailure)

    /** Returns one model for each answer that the request asks for. */
    const modelsOf = ({ models = [], n = 1 }: Asked) =>
      Effect.gen(function* () {
        if (models.length * n > MAX_ANSWERS_OF_REQUEST) {
          return yield* new Refused({ message: `${MAX_ANSWERS_OF_REQUEST} answers at once are the limit.` })
        }
        const opened = models.length === 0 ? [yield* Served.requireModel(served)] : yield* Effect.forEach(models, open)
        return opened.flatMap((model) => Array.from({ length: n }, () => model))
      })
    const open = (name: string) =>
      Either.match(ModelId.parse(name), {
        onLeft: (message) => new Refused({ message }),
        onRight: (id) => Effect.mapError(served.openModel(id), (message) => new Refused({ message })),
      })

    return handlers
      .handle("session", ({ request }) =>
        answer(
          Effect.map(Sessions.open(request, port), ({ conversation, setCookie }) =>
            setCookie(HttpServerResponse.unsafeJson({ conversation })),
          ),
        ),
      )
      .handle(
        "visit",
        ({ payload, request }) =>
          answer(
            Effect.map(Sessions.visit(request, port, payload.conversation), ({ conversation, setCookie }) =>
              setCookie(HttpServerResponse.unsafeJson({ conversation })),
            ),
          ),
        whole,
      )
      .handle("folder", () => Effect.succeed({ folder: served.folder }))
      .handle("list", ({ urlParams }) => answer(conversations.list(urlParams)))
      .handle("create", () => answer(conversations.create), whole)
      .handle("state", ({ path, urlParams }) =>
        answer(
          Effect.gen(function* () {
            const live = yield* conversations.get(path.id)
            const { leaf, whole: isWhole } = urlParams
            const end = leaf === undefined || isWhole === undefined ? leaf : yield* ConversationState.endOfAnswer(leaf)
            return yield* ConversationState.read(live, end)
          }),
        ),
      )
      .handle("earlier", ({ urlParams }) => answer(ConversationState.before(urlParams.before)))
      .handle("picture", ({ path, urlParams: { message, number, waiting } }) =>
        answer(
          Effect.gen(function* () {
            const live = yield* conversations.get(path.id)
            const pictures =
              message === undefined
                ? yield* live.waitingPictures(waiting ?? "")
                : yield* SentPictures.ofMessage(live.root, message)
            const picture = pictures[number]
            if (picture === undefined) return yield* new NotFound({ message: "There is no such picture." })
            return HttpServerResponse.uint8Array(Buffer.from(picture.data, "base64"), {
              contentType: picture.media_type,
              // A message never changes, and nothing in a picture is run, also if one opens it by itself.
              headers: {
                "cache-control": "private, max-age=31536000, immutable",
                "content-security-policy": "default-src 'none'; sandbox",
              },
            })
          }),
        ),
      )
      .handle(
        "say",
        ({ path, payload }) =>
          answer(
            Effect.gen(function* () {
              const models = yield* modelsOf(payload)
              const live = yield* conversations.get(path.id)
              const { key, parent, pictures = [], text } = payload
              return yield* live.say({ parent, text: text.toWellFormed(), pictures, models, key })
            }),
          ),
        whole,
      )
      .handle(
        "answer",
        ({ path, payload }) =>
          answer(
            Effect.gen(function* () {
              const models = yield* modelsOf(payload)
              const live = yield* conversations.get(path.id)
              return yield* live.answer(payload.after, models)
            }),
          ),
        whole,
      )
      .handle(
        "stop",
        ({ path, payload }) =>
          answer(
            Effect.flatMap(conversations.get(path.id), (live) =>
              Effect.map(live.stop(payload.answer), (stopped) => ({ stopped })),
            ),
          ),
        whole,
      )
      .handle(
        "move",
        ({ path, payload }) =>
          answer(
            Effect.gen(function* () {
              const live = yield* conversations.get(path.id)
              yield* live.move(payload.below ? yield* ConversationState.newestBelow(payload.leaf) : payload.leaf)
              return yield* ConversationState.read(live)
            }),
          ),
        whole,
      )
      .handle("rename", ({ path, payload }) => answer(conversations.rename(path.id, payload.title)), whole)
      .handle(
        "unqueue",
        ({ path }) => answer(Effect.flatMap(conversations.get(path.id), (live) => live.unqueue(path.waiting))),
        whole,
      )
      .handle(
        "edit",
        ({ path, payload }) =>
          answer(
            Effect.flatMap(conversations.get(path.id), (live) =>
              live.edit(payload.text.toWellFormed(), payload.version),
            ),
          ),
        whole,
      )
      .handle("versions", ({ path }) =>
        answer(
          Effect.flatMap(conversations.get(path.id), (live) =>
            Effect.map(live.versions, (versions) =>
              versions
                .map(({ by, node, text }) => ({ message: node.id, by, at: node.createdAt, text }))
                .toReversed()
                .slice(0, MAX_VERSIONS),
            ),
          ),
        ),
      )
      .handle("models", () => served.models)
  }),
)

interface Asked {
  readonly models?: ReadonlyArray<string> | undefined
  readonly n?: number | undefined
}

/** The most answers that one request asks for. */
const MAX_ANSWERS_OF_REQUEST = 8

/** The most versions of a text that a page gets; they are the newest ones. */
const MAX_VERSIONS = 100

type Mapped<E> = Exclude<E, DiskError | FileError | ForestError | SessionError> | NotFound | NotKept | Refused

const toContractFailure = <
  E extends DiskError | FileError | ForestError | SessionError | NotFound | NotKept | Outdated | Refused,
>(
  error: E,
): Mapped<E> => {
  switch (error._tag) {
    case "DiskError":
    case "FileError":
    case "ForestError":
    case "SessionError":
      return toFailure(error)
    default:
      // The failures of the contract stay as they are: TypeScript does not narrow a type parameter.
      return error as Mapped<E>
  }
}
