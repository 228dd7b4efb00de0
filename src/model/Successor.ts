/** Switches to the successor of a model once its provider has shut it down. */
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Stream from "effect/Stream"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import * as ModelCatalog from "./ModelCatalog.ts"
import type { ModelError } from "./ModelError.ts"

/**
 * Returns `model` itself if the catalogue has no successor. Otherwise the first `ModelNotFound` opens the successor,
 * which answers this request and all later ones. The observer of the request is notified.
 */
export const withSuccessor = (
  model: LanguageModel.Service,
  open: (id: ModelId) => LanguageModel.Service,
): LanguageModel.Service => {
  const successor = ModelCatalog.successor(model.id)
  if (successor === undefined) return model
  const current = MutableRef.make(model)

  const replace = (error: ModelError, observer: LanguageModel.Observer | undefined) =>
    Effect.gen(function* () {
      if (error.reason._tag !== "ModelNotFound") return yield* error
      const opened = open(successor)
      MutableRef.set(current, opened)
      yield* observer?.replaced?.(successor, error) ?? Effect.void
      return opened
    })

  return {
    id: model.id,
    stream: (request, observer) =>
      Stream.suspend(() => {
        const active = MutableRef.get(current)
        const parts = active.stream(request, observer)
        return active !== model
          ? parts
          : Stream.catchAll(parts, (error) =>
              Stream.unwrap(Effect.map(replace(error, observer), (opened) => opened.stream(request, observer))),
            )
      }),
    generate: (request, observer) =>
      Effect.suspend(() => {
        const active = MutableRef.get(current)
        const reply = active.generate(request, observer)
        return active !== model
          ? reply
          : Effect.catchAll(reply, (error) =>
              Effect.flatMap(replace(error, observer), (opened) => opened.generate(request, observer)),
            )
      }),
  }
}
