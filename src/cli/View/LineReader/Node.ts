/** The lines of this process's standard input. At a terminal they are edited with Node's `readline`. */
import * as readline from "node:readline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { LineReader, type OpenReader, ReaderEvent } from "../LineReader.ts"

export const layer: Layer.Layer<LineReader> = Layer.succeed(LineReader, {
  open: (history) =>
    Effect.flatMap(Queue.unbounded<ReaderEvent>(), (lines) => Effect.map(acquire(history, lines), makeReader(lines))),
})

const acquire = (history: ReadonlyArray<string>, lines: Queue.Enqueue<ReaderEvent>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { stderr, stdin } = process
      const isInteractive = stdin.isTTY === true
      const editor = readline.createInterface({
        input: stdin,
        ...(isInteractive && { output: stderr, terminal: true, history: history.filter(isOneLine).reverse() }),
        prompt: "> ",
        crlfDelay: Number.POSITIVE_INFINITY,
      })
      const state: State = { isClosed: false, unsent: "" }
      editor
        .on("line", (text) => Queue.unsafeOffer(lines, ReaderEvent.Line({ text })))
        .on("SIGINT", () => {
          if (editor.line === "") Queue.unsafeOffer(lines, ReaderEvent.Interrupted())
          else {
            // Moves the cursor to the end of the line, then deletes back to its start.
            editor.write(null, { ctrl: true, name: "e" })
            editor.write(null, { ctrl: true, name: "u" })
          }
        })
        .on("close", () => {
          state.isClosed = true
          Queue.unsafeOffer(lines, ReaderEvent.Ended())
        })
      // An input that cannot be read has ended.
      stdin.on("error", () => editor.close())
      return { editor, isInteractive, state }
    }),
    ({ editor }) =>
      Effect.sync(() => {
        editor.close()
        process.stdin.destroy()
      }),
  )

/**
 * The session goes on for a while after the end of the input, and from Node 24 on a closed editor throws if it is used.
 */
interface State {
  isClosed: boolean
  /** The text that came too late for the editor. */
  unsent: string
}

const makeReader =
  (lines: Queue.Dequeue<ReaderEvent>) =>
  ({
    editor,
    isInteractive,
    state,
  }: {
    readonly editor: readline.Interface
    readonly isInteractive: boolean
    readonly state: State
  }): OpenReader => ({
    isInteractive,
    lines,
    showPrompt: Effect.sync(() => {
      if (isInteractive && !state.isClosed) editor.prompt(true)
    }),
    setDraft: (text) =>
      Effect.sync(() => {
        if (!isInteractive) return
        if (!isOneLine(text)) process.stderr.write(`${text}\n`)
        else if (state.isClosed) state.unsent += text
        else editor.write(text)
      }),
    draft: Effect.sync(() => editor.line + state.unsent),
  })

const isOneLine = (text: string): boolean => !text.includes("\n")
