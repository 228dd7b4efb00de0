/**
 * A session on a terminal with cursor control. The answer in progress and the prompt are drawn at the end of the
 * screen; finished text is left to the terminal's own scrollback.
 */
import * as path from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Summary from "../../agent/Summary.ts"
import * as Files from "../../code/Files.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as TerminalConfig from "../../config/TerminalConfig.ts"
import * as View from "../../conversation/View.ts"
import * as Picture from "../../message/Picture.ts"
import type { Environment } from "../../process/Environment.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import * as Autocomplete from "./terminal/Autocomplete.ts"
import { ChatScreen } from "./terminal/ChatScreen.ts"
import * as Clipboard from "./terminal/Clipboard.ts"
import * as Devices from "./terminal/Devices.ts"
import type { LiveRegion } from "./terminal/LiveRegion.ts"
import type { StreamedAnswer } from "./terminal/StreamedAnswer.ts"

/** The shortest time between two frames: fluent to read, and cheap however fast tokens arrive. */
const MIN_FRAME_INTERVAL = Duration.millis(50)

/** The wait from the last letter of a filter to the search for it. */
const SEARCH_DELAY = Duration.millis(150)

/** The time between two updates of the spinner. */
const SPINNER_INTERVAL = Duration.millis(100)

/** The view on the terminal of this process. The editor receives `environment`, which is that of the process. */
export const layer = (environment: Environment): Layer.Layer<View.View, never, Files.Files> =>
  Layer.effect(
    View.View,
    Effect.gen(function* () {
      // Both settings are optional, so that a failure is a defect.
      const [isColourless, editor] = yield* Effect.orDie(Effect.all([TerminalConfig.noColor, AppConfig.editor]))
      const files = yield* Files.Files
      return make(Devices.ofProcess({ isColourless, editor: Option.getOrUndefined(editor), environment, files }))
    }),
  )

export const make = (devices: Devices.Devices): View.Service => ({
  open: (options) => open(devices, options),
})

const open = Effect.fn("View.Terminal.open")(function* (devices: Devices.Devices, options: View.Options) {
  const inputs = yield* Queue.unbounded<View.Input>()
  const frames = yield* Queue.sliding<void>(1)
  /** Actions that keys request, such as an editor or a suspension. They run one after the other. */
  const actions = yield* Queue.unbounded<Effect.Effect<void>>()
  const ticking = yield* Effect.makeLatch(false)
  const runtime = yield* Effect.runtime()
  const screen = new ChatScreen({
    ...options,
    terminal: devices.terminal,
    theme: devices.theme,
    completions: Autocomplete.make({
      commands: options.commands,
      files: (letters, signal) => Runtime.runPromise(runtime)(options.files(letters), { signal }),
      argumentsOf: ({ complete }, typed, signal) =>
        complete === undefined ? Promise.resolve([]) : Runtime.runPromise(runtime)(complete(typed), { signal }),
    }),
    callbacks: {
      onInput: (input) => void inputs.unsafeOffer(input),
      requestFrame: () => void frames.unsafeOffer(undefined),
      setTicking: (isWanted) => void (isWanted ? ticking.unsafeOpen() : ticking.unsafeClose()),
      openEditor: () => void actions.unsafeOffer(editDraft(devices, screen)),
      suspend: () =>
        void actions.unsafeOffer(devices.suspend ? releaseDuring(screen.region, devices.suspend) : Effect.void),
      attachFile: (path, text) => void actions.unsafeOffer(attachFile(devices, screen, path, text)),
      attachClipboard: () => void actions.unsafeOffer(attachClipboard(devices, screen)),
    },
  })
  const draw = Effect.sync(() => screen.region.renderNow())

  yield* Effect.acquireRelease(
    Effect.sync(() => screen.region.start()),
    () => restoreTerminal(devices, screen.region),
  )
  yield* devices.atExit(() => screen.region.stop())
  yield* forkForever(
    Queue.take(frames).pipe(
      Effect.zipRight(Effect.timed(draw)),
      // Drawing takes at most a fifth of the time.
      Effect.flatMap(([duration]) => Effect.sleep(Duration.max(MIN_FRAME_INTERVAL, Duration.times(duration, 4)))),
    ),
  )
  yield* forkForever(Effect.flatten(Queue.take(actions)))
  yield* forkForever(
    ticking.await.pipe(
      Effect.zipRight(Clock.currentTimeMillis),
      Effect.tap((now) => screen.tick(now)),
      Effect.zipRight(Effect.sleep(SPINNER_INTERVAL)),
    ),
  )
  yield* devices.disconnected.pipe(Effect.zipRight(Effect.sync(() => screen.close())), Effect.forkScoped)

  const withAnswer = (update: (answer: StreamedAnswer) => void): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => update(screen.streamedAnswer(now)))

  const opened: View.Opened = {
    isInteractive: true,
    hasMenu: true,
    inputs,
    show: (entry) =>
      Clock.currentTimeMillis.pipe(
        Effect.map((now) => screen.show(entry, now)),
        Effect.zipRight(draw),
      ),
    onEvent: (event) => {
      switch (event._tag) {
        case "PartReceived":
          return withAnswer((answer) => answer.part(event.part))
        case "RetryScheduled":
          return withAnswer((answer) => answer.retry(event))
        case "ModelReplaced":
          return withAnswer((answer) => answer.replaced(String(event.by), event.error))
        case "HistoryCompacted":
          return withAnswer((answer) => answer.compacted(event.leftOut, event.error))
        case "SummaryRequested":
          return withAnswer((answer) =>
            answer.reported({ isDiagnostic: false, text: Summary.progress(event.messages) }),
          )
        case "ReplyReceived": {
          const text = TurnNotices.lineOf(event)
          return text === undefined ? Effect.void : opened.show(View.Entry.Noted({ text }))
        }
        case "HistorySummarized":
          return opened.show(View.Entry.Noted({ text: Summary.notice(event) }))
        case "AgentReported":
          return withAnswer((answer) => answer.reported(event))
        case "ToolStarted":
          return withAnswer((answer) => answer.toolStarted(event.call))
        case "ToolFinished":
          return withAnswer((answer) => answer.toolFinished(event.call, event.result))
        default:
          return Effect.void
      }
    },
    choose: (menu, search) =>
      Effect.async((resume) => {
        const latest = search && searchLatest(runtime, search)
        const onChosen = (index: number | undefined): void => {
          latest?.end()
          resume(Effect.succeed(Option.fromNullable(index)))
        }
        return Effect.sync(screen.choose(menu, onChosen, latest))
      }),
    setDraft: (text) =>
      Effect.zipRight(
        Effect.sync(() => screen.setDraft(text)),
        draw,
      ),
    promptUser: Effect.void,
    draft: Effect.sync(() => screen.prompt.text),
    copy: (text) => Clipboard.copy(devices.clipboard, devices.terminal, text),
  }
  return opened
})

/** Searches for the latest words only, once no letter has come for a moment. */
const searchLatest = (runtime: Runtime.Runtime<never>, { find, label }: View.MenuSearch) => {
  let end = (): void => {}
  return {
    label,
    find: (words: string, onFound: (indices: ReadonlyArray<number>) => void): void => {
      end()
      if (words === "") return
      end = Runtime.runCallback(runtime)(Effect.zipRight(Effect.sleep(SEARCH_DELAY), find(words)), {
        onExit: Exit.match({ onFailure: () => undefined, onSuccess: onFound }),
      })
    },
    end: () => end(),
  }
}

/** Repeats an effect as long as the view is open. */
const forkForever = (effect: Effect.Effect<unknown>): Effect.Effect<unknown, never, Scope.Scope> =>
  Effect.forkScoped(Effect.forever(effect))

/** Runs an effect that uses the terminal itself. */
const releaseDuring = <A, E>(region: LiveRegion, use: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      region.conceal()
      region.stop({ preserveScreen: true })
    }),
    () => use,
    () => Effect.sync(() => region.start()),
  )

/** Opens the draft in the user's editor. It stays as it was if the editor fails. */
const editDraft = (devices: Devices.Devices, screen: ChatScreen): Effect.Effect<void> =>
  Effect.suspend(() => releaseDuring(screen.region, devices.edit(screen.prompt.text))).pipe(
    Effect.map((text) => screen.prompt.write(text)),
    Effect.catchAll(({ message }) => Effect.sync(() => screen.note(message))),
  )

/** Attaches the picture in a file. The pasted text stays text if there is no such file. */
const attachFile = (
  { readFile }: Devices.Devices,
  screen: ChatScreen,
  file: string,
  text: string,
): Effect.Effect<void> =>
  Effect.match(readFile(file), {
    onSuccess: (bytes) => {
      const picture = Picture.decode(bytes)
      if (picture === undefined) {
        screen.prompt.insertPaste(text)
        screen.note(`${path.basename(file)} is no picture; ${Picture.formats} are`)
      } else screen.attach(picture, path.basename(file))
    },
    onFailure: ({ message, reason }) => {
      screen.prompt.insertPaste(text)
      if (reason._tag !== "NotFound") screen.note(message)
    },
  }).pipe(Effect.zipLeft(Effect.sync(() => screen.region.requestRender())))

const attachClipboard = ({ clipboard }: Devices.Devices, screen: ChatScreen): Effect.Effect<void> =>
  Effect.map(clipboard.readPicture, (bytes) => {
    const picture = Option.getOrUndefined(Option.flatMapNullable(bytes, Picture.decode))
    if (picture === undefined) screen.note(noPicture)
    else if (Option.exists(bytes, ({ length }) => length > Picture.MAX_BYTES))
      screen.note(`the picture in the clipboard is larger than ${Picture.MAX_BYTES / 1_000_000} MB`)
    else screen.attach(picture)
  })

const noPicture =
  "there is no picture in the clipboard, or no wl-paste, xclip or pngpaste to read it; a pasted path attaches its picture, too"

/** Restores the modes of the terminal, and drains pending key presses, which the shell would receive otherwise. */
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
    // The terminal is gone.
    Effect.catchAllDefect(() => Effect.void),
  )
