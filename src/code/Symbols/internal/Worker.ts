/** What a thread of `Threads` runs: it outlines the texts that it is given, one after the other. */
import { parentPort } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type { Outline } from "../../Symbols.ts"
import * as TreeSitter from "../TreeSitter.ts"

export interface Question {
  readonly number: number
  readonly path: string
  readonly text: string
}

/** The first one has number 0 and answers nothing: the thread is ready. */
export interface Answer {
  readonly number: number
  readonly outline: Outline | undefined
}

const symbols = await Effect.runPromise(TreeSitter.make)

const answer = (answer: Answer) => parentPort?.postMessage(answer)

parentPort?.on("message", ({ number, path, text }: Question) => {
  Effect.runFork(Effect.map(symbols.outline(path, text), (outline) => answer({ number, outline })))
})
answer({ number: 0, outline: undefined })
