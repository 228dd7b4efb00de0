/**
 * A conversation on a terminal that is drawn on: the answer as it comes, the person's words as they are written, and
 * all that is said in the terminal's own scrollback.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as AppConfig from "../../config/AppConfig.ts"
import type { Environment } from "../../process/Environment.ts"
import * as View from "../../session/View.ts"
import type { Answering } from "./terminal/Answering.ts"
import { ChatScreen } from "./terminal/ChatScreen.ts"
import * as Completions from "./terminal/Completions.ts"
import * as Devices from "./terminal/Devices.ts"
import type { LiveRegion } from "./terminal/LiveRegion.ts"

/** The least time between two frames: words can be read as they come, and a token costs little. */
const FRAME = Duration.millis(50)

/** Of the spinner. */
const TICK = Duration.millis(100)

/** On the terminal of this process, whose environment is given. */
export const layer = (environment: Environment): Layer.Layer<View.View> =>
  Layer.effect(
    View.View,
    // An environment can lack a setting, and these do without.
    Effect.orDie(Effect.all([AppConfig.noColor, AppConfig.editor])).pipe(
      Effect.map(([isColourless, editor]) =>
        make(Devices.ofProcess({ isColourless, editor: Option.getOrUndefined(editor), environment })),
      ),
    ),
  )

export const make = (devices: Devices.Devices): View.Service => ({
  open: (options) => open(devices, options),
})

const open = Effect.fn("View.Terminal.open")(function* (devices: Devices.Devices, options: View.Options) {
  const inputs = yield* Queue.unbounded<View.Input>()
  const frames = yield* Queue.sliding<void>(1)
  /** What a key has asked for that takes its time. */
  const deeds = yield* Queue.unbounded<Effect.Effect<void>>()
  const clock = yield* Effect.makeLatch(false)
  const runtime = yield* Effect.runtime()
  const stage = new ChatScreen({
    ...options,
    terminal: devices.terminal,
    theme: devices.theme,
    completions: Completions.make({
      commands: options.commands,
      files: (letters, signal) => Runtime.runPromise(runtime)(options.files(letters), { signal }),
    }),
    callbacks: {
      onInput: (input) => void inputs.unsafeOffer(input),
      requestFrame: () => void frames.unsafeOffer(undefined),
      setTicking: (isWanted) => void (isWanted ? clock.unsafeOpen() : clock.unsafeClose()),
      openEditor: () => void deeds.unsafeOffer(editDraft(devices, stage)),
      suspend: () =>
        void deeds.unsafeOffer(devices.suspend ? releaseDuring(stage.region, devices.suspend) : Effect.void),
    },
  })
  const draw = Effect.sync(() => stage.region.renderNow())

  yield* Effect.acquireRelease(
    Effect.sync(() => stage.region.start()),
    () => restoreTerminal(devices, stage.region),
  )
  yield* devices.atExit(() => stage.region.stop())
  yield* forever(
    Queue.take(frames).pipe(
      Effect.zipRight(Effect.timed(draw)),
      // What takes long to draw is drawn less often.
      Effect.flatMap(([took]) => Effect.sleep(Duration.max(FRAME, Duration.times(took, 4)))),
    ),
  )
  yield* forever(Effect.flatten(Queue.take(deeds)))
  yield* forever(
    clock.await.pipe(
      Effect.zipRight(Clock.currentTimeMillis),
      Effect.tap((now) => stage.tick(now)),
      Effect.zipRight(Effect.sleep(TICK)),
    ),
  )
  yield* devices.lost.pipe(Effect.zipRight(Effect.sync(() => stage.leave())), Effect.forkScoped)

  const hear = (tell: (answering: Answering) => void): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => tell(stage.answering(now)))

  const opened: View.Opened = {
    isInteractive: true,
    inputs,
    show: (entry) =>
      Clock.currentTimeMillis.pipe(
        Effect.map((now) => stage.show(entry, now)),
        Effect.zipRight(draw),
      ),
    onEvent: (event) => {
      switch (event._tag) {
        case "PartReceived":
          return hear((answering) => answering.part(event.part))
        case "RetryScheduled":
          return hear((answering) => answering.retry(event))
        case "ModelReplaced":
          return hear((answering) => answering.replaced(String(event.by), event.error))
        case "HistoryCompacted":
          return hear((answering) => answering.compacted(event.leftOut, event.error))
        case "ToolStarted":
          return hear((answering) => answering.toolStarted(event.call))
        case "ToolFinished":
          return hear((answering) => answering.toolFinished(event.call, event.result))
        default:
          return Effect.void
      }
    },
    choose: (menu) =>
      Effect.async((resume) => {
        const close = stage.choose(menu, (place) => resume(Effect.succeed(Option.fromNullable(place))))
        return Effect.sync(close)
      }),
    setDraft: (text) =>
      Effect.zipRight(
        Effect.sync(() => stage.draft(text)),
        draw,
      ),
    promptUser: Effect.void,
    draft: Effect.sync(() => stage.prompt.words),
  }
  return opened
})

/** As long as the view is open. */
const forever = (effect: Effect.Effect<unknown>): Effect.Effect<unknown, never, Scope.Scope> =>
  Effect.forkScoped(Effect.forever(effect))

/** The terminal is another's for a while. */
const releaseDuring = <A, E>(region: LiveRegion, use: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      region.conceal()
      region.stop({ preserveScreen: true })
    }),
    () => use,
    () => Effect.sync(() => region.start()),
  )

/** The words as the person's own editor leaves them; as they were, where it fails. */
const editDraft = (devices: Devices.Devices, stage: ChatScreen): Effect.Effect<void> =>
  Effect.suspend(() => releaseDuring(stage.region, devices.edit(stage.prompt.words))).pipe(
    Effect.map((text) => stage.prompt.write(text)),
    Effect.catchAll(({ message }) => Effect.sync(() => stage.note(message))),
  )

/** As the terminal was, whatever happens on the way; keys that are still on theirs are not typed into the shell. */
const restoreTerminal = ({ terminal }: Devices.Devices, region: LiveRegion): Effect.Effect<void> =>
  Effect.suspend(() =>
    terminal.kittyProtocolActive ? Effect.promise(() => terminal.drainInput(500)) : Effect.void,
  ).pipe(
    Effect.zipRight(Effect.sync(() => region.stop())),
    Effect.catchAllDefect(() =>
      Effect.sync(() => {
        terminal.showCursor()
        terminal.stop()
      }),
    ),
    // A terminal that is gone needs nothing.
    Effect.catchAllDefect(() => Effect.void),
  )
