/**
 * Runs one attempt of a request: opens the stream, decodes it as it arrives, and releases it. Common to all providers.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ModelId } from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import * as Reply from "../../model/Reply.ts"
import { BodyTooLong } from "./http.ts"
import * as StreamReader from "./streamReader.ts"
import * as UnusableAnswer from "./unusableAnswer.ts"

/**
 * The state of a streamed answer:
 * - `streaming`: not known to be complete
 * - `complete`: the finish reason has arrived; only usage or the end of the stream may follow
 * - `closed`: nothing follows
 */
export type StreamState = "streaming" | "complete" | "closed"

/** Decodes the chunks of an answer into parts, as a pure function of parser state and chunk. */
export interface Decoder<State, Chunk> {
  readonly initial: State
  readonly decodeChunk: (
    state: State,
    chunk: Chunk,
  ) => Either.Either<readonly [state: State, parts: ReadonlyArray<Reply.Part>], Reason>
  readonly streamState: (state: State) => StreamState
  /**
   * Counts the incomplete blocks that a state holds, at most `UnusableAnswer.MAX_BLOCKS`. Absent if the decoder holds
   * none.
   */
  readonly pendingBlocks?: ((state: State) => number) | undefined
  /** Returns the last parts once the stream has ended, or why the answer cannot be used. */
  readonly end: (state: State) => Either.Either<ReadonlyArray<Reply.Part>, Reason>
}

export interface Options<State, Chunk> {
  readonly id: ModelId
  readonly open: StreamReader.OpenStream<Chunk>
  readonly decoder: Decoder<State, Chunk>
  /** Maps the rejection of `open` to a reason. */
  readonly toReason: (cause: unknown) => Reason
  /** The time to wait for the first chunk. The default is `idleTimeout`. */
  readonly firstChunkTimeout?: Duration.Duration | undefined
}

/** The time to wait for the next chunk of a streaming answer. */
export const idleTimeout: Duration.Duration = Duration.seconds(90)

/** The time to wait for the first chunk of a server that may load its model. The global `fetch` waits no longer. */
export const loadingTimeout: Duration.Duration = Duration.minutes(5)

/**
 * The time to wait for more, by state. The rest of a complete answer is sent together with its end; two seconds allow
 * for one retransmission. A closed answer is read on only so that its connection can be reused. This needs the body to
 * end by itself, and it does so at once or never.
 */
const idleTimeouts: Readonly<Record<StreamState, Duration.Duration>> = {
  streaming: idleTimeout,
  complete: Duration.seconds(2),
  closed: Duration.millis(100),
}

/** Returns whether the connection failed, as opposed to an error that the provider reported. */
const isConnectionFailure = ({ _tag }: Reason): boolean => _tag === "Unreachable" || _tag === "StreamIncomplete"

/** Emits the parts of an answer. Fails with the usage so far. A complete answer succeeds even if the stream breaks. */
export const run = <State extends { readonly usage: Usage }, Chunk>(
  { decoder, firstChunkTimeout = idleTimeout, id, open, toReason }: Options<State, Chunk>,
  emit: LanguageModel.Emit,
): Effect.Effect<void, ModelError> =>
  Effect.suspend(() => {
    let state = decoder.initial
    let streamState = decoder.streamState(state)
    let receivedMore = false
    const checkSize = UnusableAnswer.makeSizeCheck()

    /** A server that continued after its finish reason may send one with every chunk, as Gemini once did. */
    const effectiveState = (): StreamState => (streamState === "complete" && receivedMore ? "streaming" : streamState)

    const decode = (chunks: ReadonlyArray<Chunk>): Either.Either<ReadonlyArray<Reply.Part>, Reason> => {
      const decoded: Array<Reply.Part> = []
      for (const chunk of chunks) {
        if (streamState === "closed") break
        const result = decoder.decodeChunk(state, chunk)
        if (Either.isLeft(result)) return Either.left(result.left)
        const [next, parts] = result.right
        if (decoder.pendingBlocks !== undefined && decoder.pendingBlocks(next) > UnusableAnswer.MAX_BLOCKS) {
          return Either.left(UnusableAnswer.tooManyBlocks)
        }
        for (const part of parts) Reply.join(decoded, part)
        receivedMore ||= streamState === "complete" && parts.length > 0
        state = next
        streamState = decoder.streamState(next)
      }
      const excess = checkSize(decoded)
      return excess === undefined ? Either.right(decoded) : Either.left(excess)
    }

    const failed = (reason: Reason) => new ModelError({ model: String(id), reason, usage: state.usage })

    const end = (parts: ReadonlyArray<Reply.Part>): Effect.Effect<void, ModelError> => {
      const last = decoder.end(state)
      return Either.isRight(last) ? emit([...parts, ...last.right]) : Effect.zipRight(emit(parts), failed(last.left))
    }

    return StreamReader.readStream<Chunk, ModelError>(
      // Chunks after the end must not extend the timeout.
      (signal, onChunk) => open(signal, (chunk) => (streamState === "closed" ? undefined : onChunk(chunk))),
      { first: firstChunkTimeout, next: () => idleTimeouts[effectiveState()] },
      {
        onChunks: (chunks, ended) => {
          const parts = decode(chunks)
          if (Either.isLeft(parts)) return failed(parts.left)
          return ended ? end(parts.right) : emit(parts.right)
        },
        onError: (cause) => {
          const reason = failureOnThisSide(cause) ?? toReason(cause)
          return streamState === "closed" || (effectiveState() === "complete" && isConnectionFailure(reason))
            ? end([])
            : failed(reason)
        },
      },
    )
  })

/** Returns the reason if this side stopped reading. */
export const failureOnThisSide = (cause: unknown): Reason | undefined => {
  if (cause instanceof BodyTooLong) return UnusableAnswer.answerTooLong(cause.limit)
  return cause instanceof StreamReader.IdleTimeout
    ? new StreamIncomplete({ message: `no data arrived for ${Duration.format(cause.limit)}` })
    : undefined
}
