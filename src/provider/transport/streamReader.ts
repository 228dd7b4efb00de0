/** Reads a streamed response with idle timeouts. The request is aborted when reading stops early. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { runPeriodically } from "./eventLoop.ts"

/** Sends a request and calls `onChunk` with each chunk until the end. It must stop when the signal is aborted. */
export type OpenStream<A> = (signal: AbortSignal, onChunk: (chunk: A) => void) => Promise<void>

/** The times to wait for the first chunk, since the provider may have to load its model, and for the next. */
export interface IdleTimeouts {
  readonly first: Duration.Duration
  /** Returns the timeout after each delivery. While it returns the identical value, the running timeout goes on. */
  readonly next: () => Duration.Duration
}

/** No chunk arrived within the limit. */
export class IdleTimeout {
  readonly limit: Duration.Duration

  constructor(limit: Duration.Duration) {
    this.limit = limit
  }
}

/** The most chunks in one delivery. The others wait for the next turn of the event loop. */
const MAX_CHUNKS_PER_TURN = 16_384

interface Listener<A, E> {
  /** Receives the chunks since the last call, in order, and whether the stream has ended. Calls do not overlap. */
  readonly onChunks: (chunks: ReadonlyArray<A>, ended: boolean) => Effect.Effect<void, E>
  /** Receives what `open` rejected with, or an `IdleTimeout`, after all chunks before it. */
  readonly onError: (cause: unknown) => Effect.Effect<void, E>
}

/** Opens a request and delivers its answer. Stops and aborts the request if `onChunks` fails. */
export const readStream = <A, E>(
  open: OpenStream<A>,
  timeouts: IdleTimeouts,
  listener: Listener<A, E>,
): Effect.Effect<void, E> =>
  Effect.clockWith((clock) => {
    const controller = new AbortController()
    let chunks: Array<A> = []
    let lastChunkAt = clock.unsafeCurrentTimeMillis()
    let limit = timeouts.first
    let next = timeouts.next()
    let complete = false
    let failure: { readonly cause: unknown } | undefined
    let wake = () => {}
    let stopTimer = () => {}

    const fail = (cause: unknown) => {
      failure ??= { cause }
      wake()
    }

    const deliver: Effect.Effect<void, E> = Effect.suspend(() => {
      const received = chunks
      chunks = received.length > MAX_CHUNKS_PER_TURN ? received.splice(MAX_CHUNKS_PER_TURN) : []
      if (chunks.length > 0) return Effect.flatMap(listener.onChunks(received, false), continueReading)
      if (complete) return listener.onChunks(received, true)
      if (received.length > 0) return Effect.flatMap(listener.onChunks(received, false), continueReading)
      return failure === undefined ? awaitChunks : listener.onError(failure.cause)
    })

    const awaitChunks = Effect.async<void, E>((resume) => {
      let soon: NodeJS.Immediate | undefined
      const now = () => {
        clearImmediate(soon)
        wake = () => {}
        resume(deliver)
      }
      // Chunks that arrive in one turn of the event loop are delivered together, so that many small chunks cost little
      // more than one. At the end nothing else can arrive, and waiting another turn would cost a short answer a tenth
      // of its time. A request within this turn opens another connection, since fetch frees the old one in the next
      // turn.
      wake = () => {
        if (complete || failure !== undefined) now()
        else soon ??= setImmediate(now)
      }
      if (chunks.length > MAX_CHUNKS_PER_TURN) soon = setImmediate(now)
      else if (chunks.length > 0 || complete || failure !== undefined) now()
    })

    /**
     * One timer serves the whole reply: a timer per wait would cost more than the chunk. It fires at least as often as
     * the shorter timeout, since the first chunk may arrive meanwhile.
     */
    const checkIdle = () => {
      const left = lastChunkAt + Duration.toMillis(limit) - clock.unsafeCurrentTimeMillis()
      if (left <= 0) fail(new IdleTimeout(limit))
      return Math.min(left, Duration.toMillis(next))
    }

    /** A changed timeout starts now, and may need an earlier check. */
    const continueReading = () => {
      const wait = timeouts.next()
      if (wait !== next) {
        next = wait
        limit = wait
        lastChunkAt = clock.unsafeCurrentTimeMillis()
        stopTimer()
        stopTimer = runPeriodically(clock, checkIdle(), checkIdle)
      }
      return awaitChunks
    }

    const start = Effect.suspend(() => {
      open(controller.signal, (chunk) => {
        chunks.push(chunk)
        lastChunkAt = clock.unsafeCurrentTimeMillis()
        limit = next
        wake()
      }).then(() => {
        complete = failure === undefined
        wake()
      }, fail)
      stopTimer = runPeriodically(clock, checkIdle(), checkIdle)
      return awaitChunks
    })

    const release = Effect.sync(() => {
      if (!complete) controller.abort()
      stopTimer()
    })

    return Effect.ensuring(start, release)
  })
