/** The view on an emulated terminal (xterm.js): what it shows, and keys for it. */
import type { Terminal as PiTerminal } from "@earendil-works/pi-tui/dist/terminal.js"
import xterm from "@xterm/headless"
import { Deferred, Effect, type Scope, TestClock } from "effect"
import { TurnEvent } from "../../../../src/agent/TurnEvent.ts"
import * as Terminal from "../../../../src/cli/View/Terminal.ts"
import type { Devices } from "../../../../src/cli/View/terminal/Devices.ts"
import * as Theme from "../../../../src/cli/View/terminal/Theme.ts"
import { FileError, NotFound } from "../../../../src/code/FileError.ts"
import type { Account, Opened, Options } from "../../../../src/conversation/View.ts"
import { Part } from "../../../../src/model/Reply.ts"

export interface VirtualTerminal {
  readonly view: Opened
  /** The rows of the screen, without trailing white space and trailing empty rows. */
  readonly screen: Effect.Effect<ReadonlyArray<string>>
  /** The same with the scrollback. */
  readonly all: Effect.Effect<ReadonlyArray<string>>
  /** The whole output of the view. */
  readonly raw: Effect.Effect<string>
  /** Sends keys or pastes, each as a terminal encodes it. */
  readonly press: (...data: ReadonlyArray<string>) => Effect.Effect<void>
  readonly type: (text: string) => Effect.Effect<void>
  readonly resize: (columns: number, rows: number) => Effect.Effect<void>
  /** Advances the clock, and draws what is due. */
  readonly wait: (ms?: number) => Effect.Effect<void>
  readonly disconnect: Effect.Effect<void>
  readonly modes: Effect.Effect<{
    readonly isStopped: boolean
    readonly cursor: readonly [column: number, row: number]
  }>
}

export interface Setting
  extends Partial<Options>,
    Partial<Pick<Devices, "theme" | "edit" | "suspend" | "clipboard" | "readFile">> {
  readonly columns?: number
  readonly rows?: number
}

export const keys = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  tab: "\t",
  backspace: "\x7f",
  altEnter: "\x1b\r",
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
  paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
}

/** Completes when pending callbacks have run. */
const settled = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export const open = (setting: Setting = {}): Effect.Effect<VirtualTerminal, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { columns = 80, rows = 24, theme = Theme.plain } = setting
    const xt = new xterm.Terminal({ cols: columns, rows, scrollback: 1_000_000, allowProposedApi: true })
    const lost = yield* Deferred.make<void>()
    let raw = ""
    let isStopped = false
    let input: (data: string) => void = () => {}
    let resized: () => void = () => {}
    const write = (data: string) => {
      raw += data
      xt.write(data)
    }
    const terminal: PiTerminal = {
      start: (onInput, onResize) => {
        input = onInput
        resized = onResize
        isStopped = false
        write("\x1b[?2004h")
      },
      stop: () => {
        isStopped = true
        write("\x1b[?2004l")
      },
      drainInput: () => Promise.resolve(),
      write,
      get columns() {
        return xt.cols
      },
      get rows() {
        return xt.rows
      },
      kittyProtocolActive: true,
      moveBy: () => {},
      hideCursor: () => write("\x1b[?25l"),
      showCursor: () => write("\x1b[?25h"),
      clearLine: () => {},
      clearFromCursor: () => {},
      clearScreen: () => {},
      setTitle: () => {},
      setProgress: () => {},
    }
    const written = Effect.promise(() => new Promise<void>((resolve) => xt.write("", resolve)))
    const lines = (from: number) =>
      Effect.map(Effect.zipRight(settled, written), () => {
        const buffer = xt.buffer.active
        const rows: Array<string> = []
        for (let row = from === 0 ? 0 : buffer.baseY; row < buffer.length; row++)
          rows.push(buffer.getLine(row)?.translateToString(true) ?? "")
        while (rows.at(-1) === "") rows.pop()
        return rows
      })
    const press = (...data: ReadonlyArray<string>) =>
      Effect.forEach(
        data,
        (data) =>
          Effect.zipRight(
            Effect.sync(() => input(data)),
            settled,
          ),
        { discard: true },
      )
    const wait = (ms = 50) => Effect.zipRight(Effect.zipRight(settled, TestClock.adjust(ms)), settled)

    const view = yield* Terminal.make({
      terminal,
      theme,
      edit: setting.edit ?? ((text) => Effect.succeed(text)),
      suspend: setting.suspend,
      readFile: setting.readFile ?? ((path) => Effect.fail(new FileError({ path, reason: new NotFound() }))),
      clipboard: setting.clipboard ?? { write: () => Effect.succeed(false), readPicture: Effect.succeedNone },
      disconnected: Deferred.await(lost),
      atExit: () => Effect.void,
    }).open({
      commands: setting.commands ?? [],
      files: setting.files ?? (() => Effect.succeed([])),
      history: setting.history ?? [],
    })
    return {
      view,
      screen: lines(1),
      all: lines(0),
      raw: Effect.map(written, () => raw),
      press,
      type: (text) => press(...text),
      resize: (columns, rows) =>
        Effect.gen(function* () {
          yield* written
          xt.resize(columns, rows)
          resized()
          yield* wait()
        }),
      wait,
      disconnect: Effect.zipRight(Deferred.succeed(lost, undefined), settled),
      modes: Effect.map(written, () => ({
        isStopped,
        cursor: [xt.buffer.active.cursorX, xt.buffer.active.cursorY] as const,
      })),
    }
  })

/** The account of an answer without known tokens. */
export const account: Account = {
  durationMs: 1000,
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 },
  cost: undefined,
  sessionCost: undefined,
}

/** Adds a text to the answer in progress. */
export const streamText = ({ view }: VirtualTerminal, text: string): Effect.Effect<void> =>
  view.onEvent(TurnEvent.PartReceived({ part: Part.Text({ text }) }))
