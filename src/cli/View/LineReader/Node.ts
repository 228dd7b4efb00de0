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
      editor
        .on("line", (text) => Queue.unsafeOffer(lines, ReaderEvent.Line({ text })))
        .on("SIGINT", () => Queue.unsafeOffer(lines, ReaderEvent.Interrupted()))
        .on("close", () => Queue.unsafeOffer(lines, ReaderEvent.Ended()))
      // An input that cannot be read has ended.
      stdin.on("error", () => editor.close())
      return { editor, isInteractive }
    }),
    ({ editor }) =>
      Effect.sync(() => {
        editor.close()
        process.stdin.destroy()
      }),
  )

const makeReader =
  (lines: Queue.Dequeue<ReaderEvent>) =>
  ({
    editor,
    isInteractive,
  }: {
    readonly editor: readline.Interface
    readonly isInteractive: boolean
  }): OpenReader => ({
    isInteractive,
    lines,
    showPrompt: Effect.sync(() => (isInteractive ? editor.prompt(true) : undefined)),
    setDraft: (text) =>
      Effect.sync(() => {
        if (!isInteractive) return
        if (isOneLine(text)) editor.write(text)
        else process.stderr.write(`${text}\n`)
      }),
    draft: Effect.sync(() => editor.line),
  })

const isOneLine = (text: string): boolean => !text.includes("\n")
