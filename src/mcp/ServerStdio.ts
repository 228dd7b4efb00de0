/** Serves a client over stdin and stdout, until it is gone. */
import type { Readable, Writable } from "node:stream"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { endWith } from "../message/endWith.ts"
import * as LineTransport from "./internal/LineTransport.ts"
import type { Factory } from "./Server.ts"

/** What connects the server with its client. */
export class Streams extends Context.Tag("vibe/mcp/Streams")<Streams, Service>() {}

export interface Service {
  readonly input: Readable
  /** Nothing else may write to it: a client gives up at a line that is no message. */
  readonly output: Writable
  /** The process that has started this one: another one, once that has ended. */
  readonly parent: Effect.Effect<number>
  /** Run when the client is gone, before anything is closed: whatever closing takes, the process must not stay. */
  readonly onGone: Effect.Effect<void>
}

/** Calls that are under way when the input ends are answered, if they end within this time. */
const GRACE = "600 millis"

const PARENT_INTERVAL = "300 millis"

/**
 * Returns when the client is gone: its end of either stream is closed, or it has ended, at most a second later. Then calls
 * that are still under way are interrupted.
 */
export const serve = Effect.fn("ServerStdio.serve")(function* (factory: Factory) {
  const { input, onGone, output, parent } = yield* Streams
  const transport = LineTransport.make(input, output)
  yield* Effect.acquireUseRelease(
    Effect.sync(() => serveStdio(factory, { transport })),
    () =>
      Effect.promise(() => transport.ended).pipe(
        Effect.zipRight(Effect.promise(transport.whenIdle).pipe(endWith(Effect.sleep(GRACE)))),
        endWith(parentEnds(parent)),
        Effect.zipRight(onGone),
      ),
    (handle) => Effect.promise(() => handle.close()),
  )
})

/** Systems differ in which process takes the place of a parent that has ended. On Windows the number stays. */
const parentEnds = (parent: Effect.Effect<number>): Effect.Effect<void> =>
  Effect.flatMap(parent, (first) =>
    parent.pipe(Effect.delay(PARENT_INTERVAL), Effect.repeat({ while: (now) => now === first }), Effect.asVoid),
  )
