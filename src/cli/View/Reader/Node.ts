/** The lines on this process's standard input, edited as Node's `readline` does where a person types them. */
import * as readline from "node:readline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { type Open, Reader, ReaderEvent } from "../Reader.ts"

export const layer: Layer.Layer<Reader> = Layer.succeed(Reader, {
  open: (history) =>
    Effect.flatMap(Queue.unbounded<ReaderEvent>(), (lines) => Effect.map(opened(history, lines), open(lines))),
})

const opened = (history: ReadonlyArray<string>, lines: Queue.Enqueue<ReaderEvent>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { stderr, stdin } = process
      const isInteractive = stdin.isTTY === true
      const typed = readline.createInterface({
        input: stdin,
        ...(isInteractive && { output: stderr, terminal: true, history: history.filter(isOneLine).reverse() }),
        prompt: "> ",
        crlfDelay: Number.POSITIVE_INFINITY,
      })
      typed
        .on("line", (text) => Queue.unsafeOffer(lines, ReaderEvent.Line({ text })))
        .on("SIGINT", () => Queue.unsafeOffer(lines, ReaderEvent.Interrupted()))
        .on("close", () => Queue.unsafeOffer(lines, ReaderEvent.Ended()))
      // What cannot be read has been said to its end.
      stdin.on("error", () => typed.close())
      return { typed, isInteractive }
    }),
    ({ typed }) =>
      Effect.sync(() => {
        typed.close()
        process.stdin.destroy()
      }),
  )

const open =
  (lines: Queue.Dequeue<ReaderEvent>) =>
  ({ isInteractive, typed }: { readonly typed: readline.Interface; readonly isInteractive: boolean }): Open => ({
    isInteractive,
    lines,
    prompt: Effect.sync(() => (isInteractive ? typed.prompt(true) : undefined)),
    draft: (text) =>
      Effect.sync(() => {
        if (!isInteractive) return
        if (isOneLine(text)) typed.write(text)
        else process.stderr.write(`${text}\n`)
      }),
    unsent: Effect.sync(() => typed.line),
  })

const isOneLine = (text: string): boolean => !text.includes("\n")
