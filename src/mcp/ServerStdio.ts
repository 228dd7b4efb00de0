/** Serves a client over stdin and stdout, until it is gone. */
import type { Readable, Writable } from "node:stream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { endWith } from "../base/concurrency.ts"
import * as LineTransport from "./internal/LineTransport.ts"
import * as UsualMessages from "./internal/UsualMessages.ts"
import type { ServedTools } from "./ServedTools.ts"

/** The streams between the server and its client. */
export class Streams extends Context.Tag("vibe/mcp/Streams")<Streams, Service>() {}

interface Service {
  readonly input: Readable
  /** Nothing else may write to this stream: a client gives up at a line that is no message. */
  readonly output: Writable
  /** The id of the parent process. It changes when the process that has started this one ends. */
  readonly parent: Effect.Effect<number>
  /** Runs when the client is gone, before anything is closed: the process must not stay, however long closing takes. */
  readonly onGone: Effect.Effect<void>
}

/** Calls that are under way when the input ends are answered if they end within this time. */
const GRACE = "600 millis"

const PARENT_INTERVAL = "300 millis"

/**
 * Returns when the client is gone, at most a second later. A client is gone if its end of either stream is closed, or
 * if it has ended. Calls that are still under way are then interrupted.
 */
export const serve = Effect.fn("ServerStdio.serve")(function* (tools: ServedTools) {
  const { input, onGone, output, parent } = yield* Streams
  const transport = LineTransport.make(input, output)
  yield* Effect.acquireUseRelease(
    Effect.sync(() =>
      UsualMessages.serve(tools, transport, async () => (await import("./internal/sdkConnection.ts")).connect),
    ),
    () =>
      Effect.promise(() => transport.ended).pipe(
        Effect.zipRight(Effect.promise(transport.whenIdle).pipe(endWith(Effect.sleep(GRACE)))),
        endWith(parentEnds(parent)),
        Effect.zipRight(onGone),
      ),
    (handle) => Effect.promise(() => handle.close()),
  )
})

/**
 * Waits until the parent has ended. Systems differ in the process that takes its place. On Windows the id stays the
 * same.
 */
const parentEnds = (parent: Effect.Effect<number>): Effect.Effect<void> =>
  Effect.flatMap(parent, (first) =>
    parent.pipe(Effect.delay(PARENT_INTERVAL), Effect.repeat({ while: (now) => now === first }), Effect.asVoid),
  )
