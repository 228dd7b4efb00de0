/**
 * Makes the functions that all adapters of language models have: a model, its layer, its key, and an attempt over the
 * wire of its provider, which sends a request once more in another form after some refusals.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { ModelId } from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Misconfigured, ModelError, type Reason, Unauthorized } from "../../model/ModelError.ts"
import type * as Reply from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import * as Attempt from "./attempt.ts"

/** A model of a provider. A form is a way to encode a request: the provider may refuse one and accept another. */
export interface Wire<Credentials, Form, State, Chunk> {
  readonly id: ModelId
  /** The validated key or address, or why it cannot be used. */
  readonly credentials: Either.Either<Credentials, Reason>
  /**
   * Makes what all requests share, such as the client. Returns how one request is sent and its answer decoded, by
   * default in the form that is tried first.
   */
  readonly open: (credentials: Credentials) => (request: Request, form?: Form) => Exchange<State, Chunk>
  /** Returns what is sent once more after this refusal, if anything. */
  readonly alternative?: ((request: Request, refusal: Reason) => readonly [Request, Form] | undefined) | undefined
  /** Returns why a request is not sent at all; undefined if it is. */
  readonly unsupported?: ((request: Request) => Reason | undefined) | undefined
}

/** One request and its answer. */
interface Exchange<State, Chunk> extends Omit<Attempt.Options<State, Chunk>, "id"> {
  /** Runs before these parts are emitted. */
  readonly beforeEmit?: ((parts: ReadonlyArray<Reply.Part>) => Effect.Effect<void>) | undefined
}

/** The functions of an adapter, by the options of its model. */
interface Adapter<Options> {
  /** Makes the model. It sends nothing before the first request; invalid credentials fail that request. */
  readonly make: (options: Options) => LanguageModel.Service
  /** The model as a layer without requirements. */
  readonly layer: (options: Options) => Layer.Layer<LanguageModel.LanguageModel>
  /** Makes one attempt, without the retries that `make` adds. */
  readonly attempt: (options: Options) => LanguageModel.Attempt
}

export const adapter = <Options, Credentials, Form, State extends { readonly usage: Usage }, Chunk>(
  wireOf: (options: Options) => Wire<Credentials, Form, State, Chunk>,
): Adapter<Options> => {
  const make = (options: Options) => {
    const wire = wireOf(options)
    return LanguageModel.make(wire.id, attemptOver(wire))
  }
  return {
    make,
    layer: (options) => Layer.succeed(LanguageModel.LanguageModel, make(options)),
    attempt: (options) => attemptOver(wireOf(options)),
  }
}

/** Every attempt fails, and sends nothing, if the credentials cannot be used. */
const attemptOver = <Credentials, Form, State extends { readonly usage: Usage }, Chunk>({
  alternative,
  credentials,
  id,
  open,
  unsupported,
}: Wire<Credentials, Form, State, Chunk>): LanguageModel.Attempt => {
  const refuse = (reason: Reason) => Effect.fail(new ModelError({ model: String(id), reason }))
  if (Either.isLeft(credentials)) return () => refuse(credentials.left)
  const exchange = open(credentials.right)
  const send = (request: Request, form: Form | undefined, emit: LanguageModel.Emit): Effect.Effect<void, ModelError> =>
    Effect.suspend(() => {
      const { beforeEmit, ...options } = exchange(request, form)
      return Attempt.run(
        { id, ...options },
        beforeEmit === undefined ? emit : (parts) => Effect.zipRight(beforeEmit(parts), emit(parts)),
      )
    })
  return (request, emit) => {
    const reason = unsupported?.(request)
    if (reason !== undefined) return refuse(reason)
    if (alternative === undefined) return send(request, undefined, emit)
    return Effect.catchAll(send(request, undefined, emit), (error) => {
      const other = alternative(request, error.reason)
      return other === undefined ? Effect.fail(error) : send(...other, emit)
    })
  }
}

/**
 * Returns the key without surrounding white space and quotes, which shells and `.env` files leave. `variable` is the
 * environment variable named in errors.
 */
export const parseApiKey = (
  apiKey: Redacted.Redacted,
  variable: string,
): Either.Either<string, Unauthorized | Misconfigured> => {
  const key = Redacted.value(apiKey)
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim()
  if (key === "") return Either.left(new Unauthorized({ message: `there is no key: ${variable} is not set` }))
  return /^[\x21-\x7e]+$/.test(key)
    ? Either.right(key)
    : Either.left(new Misconfigured({ message: `${variable} holds a character that no key has` }))
}
