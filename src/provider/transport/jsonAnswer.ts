/** Runs a request that is answered with one JSON document. Common to the providers of embeddings. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ModelId } from "../../message/ModelId.ts"
import { ModelError, type Reason } from "../../model/ModelError.ts"
import { failureOnThisSide, idleTimeout } from "./attempt.ts"
import * as StreamReader from "./streamReader.ts"
import { endedEarly } from "./unusableAnswer.ts"

export interface Options<A> {
  readonly id: ModelId
  /** Sends the request and reads its JSON. It must stop when the signal is aborted. */
  readonly open: (signal: AbortSignal) => Promise<unknown>
  readonly decode: (json: unknown) => Either.Either<A, Reason>
  /** Maps the rejection of `open` to a reason. */
  readonly toReason: (cause: unknown) => Reason
  /** The time to wait for the answer. The default is `idleTimeout`. */
  readonly timeout?: Duration.Duration | undefined
}

/** Makes one attempt, without retries. An interrupt aborts the request. */
export const run = <A>({
  decode,
  id,
  open,
  timeout = idleTimeout,
  toReason,
}: Options<A>): Effect.Effect<A, ModelError> =>
  Effect.suspend(() => {
    const fail = (reason: Reason): Effect.Effect<A, ModelError> => new ModelError({ model: String(id), reason })
    let answer: Either.Either<A, Reason> | undefined
    return StreamReader.readStream<unknown, ModelError>(
      async (signal, onChunk) => onChunk(await open(signal)),
      { first: timeout, next: () => timeout },
      {
        onChunks: (chunks) => {
          if (chunks.length > 0) answer = decode(chunks[0])
          return Effect.void
        },
        onError: (cause) => Effect.asVoid(fail(failureOnThisSide(cause) ?? toReason(cause))),
      },
    ).pipe(
      Effect.flatMap(() =>
        answer === undefined ? fail(endedEarly) : Either.match(answer, { onLeft: fail, onRight: Effect.succeed }),
      ),
    )
  })
