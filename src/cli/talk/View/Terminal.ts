/**
 * A conversation on a terminal that is drawn on: the answer as it comes, the person's words as they are written, and
 * all that is said in the terminal's own scrollback.
 */
import { isKeyRelease, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js"
import type { TuiInputListenerResult } from "@earendil-works/pi-tui/dist/tui.js"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import * as AppConfig from "../../../config/AppConfig.ts"
import type { TurnObserver } from "../../../loom/TurnObserver.ts"
import * as View from "../View.ts"
import { Answering, type Details } from "./terminal/Answering.ts"
import * as Completions from "./terminal/Completions.ts"
import * as Devices from "./terminal/Devices.ts"
import { LiveRegion } from "./terminal/LiveRegion.ts"
import { Menu } from "./terminal/Menu.ts"
import * as Pieces from "./terminal/Pieces.ts"
import { Prompt } from "./terminal/Prompt.ts"
import * as Surroundings from "./terminal/Surroundings.ts"
import * as Theme from "./terminal/Theme.ts"

/** The least time between two frames: words can be read as they come, and a token costs little. */
const FRAME = Duration.millis(50)

/** Of the spinner. */
const TICK = Duration.millis(100)

/** On the terminal of this process. */
export const layer: Layer.Layer<View.View> = Layer.effect(
  View.View,
  // An environment can lack a setting, and these do without.
  Effect.orDie(Effect.all([AppConfig.colourless, AppConfig.editor])).pipe(
    Effect.map(([isColourless, editor]) =>
      make(Devices.ofProcess({ isColourless, editor: Option.getOrUndefined(editor) })),
    ),
  ),
)

export const make = (devices: Devices.Devices): View.Service => ({
  open: (options) => open(devices, options),
})

const open = Effect.fn("View.Terminal.open")(function* (devices: Devices.Devices, options: View.Options) {
  const { terminal, theme } = devices
  const runtime = yield* Effect.runtime()
  const inputs = yield* Queue.unbounded<View.Input>()
  const frames = yield* Queue.sliding<void>(1)
  /** What a key has asked for that takes its time. */
  const deeds = yield* Queue.unbounded<Effect.Effect<void>>()
  const answers = yield* Effect.makeLatch(false)

  const details: Details = { isOpen: false }
  let state: Surroundings.State = { answering: undefined, queued: [], model: undefined }
  let answering: Answering | undefined
  let since = 0
  let hasLeft = false
  let menu: { readonly component: Menu; readonly close: (place: number | undefined) => void } | undefined

  // Pictures and links would be sequences that a model has a say in.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false })
  const region = new LiveRegion(
    terminal,
    Surroundings.make(
      () => state,
      () => (menu === undefined ? [prompt] : [menu.component, prompt]),
      theme,
    ),
    () => void frames.unsafeOffer(undefined),
  )
  const prompt = new Prompt(region, Theme.editor(theme), {
    history: options.history,
    hints: () => Surroundings.hints(state),
  })
  prompt.setAutocompleteProvider(
    Completions.make({
      commands: options.commands,
      files: (letters, signal) => Runtime.runPromise(runtime)(options.files(letters), { signal }),
    }),
  )

  const offer = (input: View.Input): void => {
    if (hasLeft) return
    hasLeft = input._tag === "Left"
    if (hasLeft) menu?.close(undefined)
    inputs.unsafeOffer(input)
  }

  const isCommand = (text: string): boolean =>
    options.commands.some(({ name }) => text === `/${name}` || text.startsWith(`/${name} `))

  prompt.onSubmit = (text) => {
    if (text === "") return
    prompt.remember(text)
    if (isCommand(text)) region.add(Pieces.line(text, theme))
    offer(View.Input.Said({ text }))
  }

  /** The terminal is another's for a while. */
  const lend = <A, E>(use: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        region.conceal()
        region.stop({ preserveScreen: true })
      }),
      () => use,
      () => Effect.sync(() => region.start()),
    )

  const edit = Effect.suspend(() => lend(devices.edit(prompt.words))).pipe(
    Effect.map((text) => prompt.write(text)),
    Effect.catchAll(({ message }) => Effect.sync(() => region.add(Pieces.noted(message, theme)))),
  )

  const suspend = devices.suspend === undefined ? Effect.void : lend(devices.suspend)

  const isChoosing = (): boolean => menu !== undefined

  const isCompleting = (): boolean => prompt.isShowingAutocomplete()

  const unfold = (): void => {
    details.isOpen = !details.isOpen
    for (const piece of region.pieces) piece.invalidate()
    region.requestRender()
  }

  const keys: ReadonlyArray<readonly [key: KeyId, act: () => void, isMeant: () => boolean]> = [
    ["escape", () => offer(View.Input.Interrupted({ by: "escape" })), () => !isChoosing() && !isCompleting()],
    ["ctrl+c", () => offer(View.Input.Interrupted({ by: "ctrl-c" })), () => !isChoosing()],
    ["ctrl+d", () => offer(View.Input.Left()), () => prompt.getText() === ""],
    ["ctrl+o", unfold, () => true],
    ["ctrl+g", () => deeds.unsafeOffer(edit), () => true],
    ["ctrl+z", () => deeds.unsafeOffer(suspend), () => true],
  ]

  /** Those that are meant for what is focused go there. */
  const press = (data: string): TuiInputListenerResult => {
    // Pastes are no keys.
    if (data.length > 32 || isKeyRelease(data)) return undefined
    if (matchesKey(data, "alt+enter")) return { data: "\n" }
    const found = keys.find(([key, , isMeant]) => matchesKey(data, key) && isMeant())
    if (found === undefined) return undefined
    found[1]()
    return { consume: true }
  }

  const draw = Effect.sync(() => region.renderNow())

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      region.addInputListener(press)
      region.setFocus(prompt)
      region.start()
    }),
    () => restored(devices, region),
  )
  yield* devices.atExit(() => region.stop())
  yield* Queue.take(frames).pipe(
    Effect.zipRight(Effect.timed(draw)),
    // What takes long to draw is drawn less often.
    Effect.flatMap(([took]) => Effect.sleep(Duration.max(FRAME, Duration.times(took, 4)))),
    Effect.forever,
    Effect.forkScoped,
  )
  yield* Queue.take(deeds).pipe(Effect.flatten, Effect.forever, Effect.forkScoped)
  yield* devices.lost.pipe(Effect.zipRight(Effect.sync(() => offer(View.Input.Left()))), Effect.forkScoped)
  yield* answers.await.pipe(
    Effect.zipRight(Clock.currentTimeMillis),
    Effect.tap((now) => {
      if (answering === undefined) return
      const elapsedMs = now - since
      state = { ...state, answering: { elapsedMs, tokens: answering.tokens, frame: Math.floor(elapsedMs / 100) } }
      region.requestRender()
    }),
    Effect.zipRight(Effect.sleep(TICK)),
    Effect.forever,
    Effect.forkScoped,
  )

  const begin = Effect.map(Clock.currentTimeMillis, (now) => {
    since = now
    answering = new Answering(region, theme, details)
    state = { ...state, answering: { elapsedMs: 0, tokens: 0, frame: 0 } }
    answers.unsafeOpen()
  })

  /** Nothing more is heard of the answer. */
  const end = (text?: string): void => {
    const ending = answering ?? new Answering(region, theme, details)
    ending.end(text)
    answering = undefined
    state = { ...state, answering: undefined }
    answers.unsafeClose()
  }

  const show = View.Entry.$match({
    Titled: ({ facts, title }) => Effect.sync(() => region.add(Pieces.titled(title, facts, theme))),
    Earlier: ({ more, nodes }) =>
      Effect.sync(() => {
        if (more) region.add(Pieces.line("earlier messages are in the forest: /tree", theme))
        region.add(...nodes.flatMap((node) => Pieces.earlier(node, theme)))
      }),
    Asked: ({ model, text }) =>
      Effect.zipRight(
        Effect.sync(() => {
          answering?.end()
          state = { ...state, model, queued: withoutFirst(state.queued, text) }
          region.add(Pieces.said(text, theme))
          region.settle()
        }),
        begin,
      ),
    Queued: ({ text }) =>
      Effect.sync(() => {
        state = { ...state, queued: [...state.queued, text] }
      }),
    Steered: ({ text }) =>
      Effect.sync(() => {
        state = { ...state, queued: withoutFirst(state.queued, text) }
        region.add(Pieces.said(text, theme))
      }),
    Answered: ({ account, text }) =>
      Effect.sync(() => {
        end(text)
        region.add(Pieces.line(Pieces.account(account), theme))
      }),
    Stopped: ({ account }) =>
      Effect.sync(() => {
        end()
        region.add(Pieces.line(`stopped · ${Pieces.account(account)}`, theme))
      }),
    Failed: ({ text }) =>
      Effect.sync(() => {
        end()
        region.add(Pieces.failed(text, theme))
      }),
    Noted: ({ text }) => Effect.sync(() => region.add(Pieces.noted(text, theme))),
    Printed: ({ form, text }) => Effect.sync(() => region.add(...Pieces.printed(text, form, theme))),
  })

  /** An answer of which something else has been told goes on. */
  const hear = (tell: (answering: Answering) => void): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (answering === undefined) return Effect.zipRight(begin, hear(tell))
      tell(answering)
      return Effect.void
    })

  const opened: View.Opened = {
    isInteractive: true,
    inputs,
    tell: (entry) => Effect.zipRight(show(entry), draw),
    observer: {
      part: (part) => hear((answering) => answering.part(part)),
      retry: (retry) => hear((answering) => answering.retry(retry)),
      replaced: (by, error) => hear((answering) => answering.replaced(String(by), error)),
      compacted: (leftOut, error) => hear((answering) => answering.compacted(leftOut, error)),
      toolStarted: (call) => hear((answering) => answering.toolStarted(call)),
      toolFinished: (call, result) => hear((answering) => answering.toolFinished(call, result)),
    } satisfies TurnObserver,
    choose: (choices) =>
      Effect.async<Option.Option<number>>((resume) => {
        if (hasLeft) return resume(Effect.succeedNone)
        const close = (place: number | undefined): void => {
          menu = undefined
          region.setFocus(prompt)
          region.requestRender()
          resume(Effect.succeed(Option.fromNullable(place)))
        }
        const component = new Menu(choices, theme, () => terminal.rows, close)
        menu = { component, close }
        region.setFocus(component)
        region.requestRender()
        return Effect.sync(() => close(undefined))
      }),
    draft: (text) =>
      Effect.zipRight(
        Effect.sync(() => prompt.write(text)),
        draw,
      ),
    rest: Effect.void,
    unsent: Effect.sync(() => prompt.words),
  }
  return opened
})

/** As the terminal was, whatever happens on the way; keys that are still on theirs are not typed into the shell. */
const restored = ({ terminal }: Devices.Devices, region: LiveRegion): Effect.Effect<void> =>
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

const withoutFirst = (queued: ReadonlyArray<string>, text: string): ReadonlyArray<string> => {
  const place = queued.indexOf(text)
  return place === -1 ? queued : queued.toSpliced(place, 1)
}
