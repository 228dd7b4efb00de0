/** Gemini's adapter pointed at a server of the test's own, and what such a server says. */
import { type Duration, Effect, Fiber, Queue, Redacted, TestClock } from "effect"
import * as Message from "../../src/message/Message.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Gemini from "../../src/provider/Gemini.ts"
import * as FakeServer from "./FakeServer.ts"

export const key = "test-key-0123456789"

export const options = (url: string, apiKey = key): Gemini.Options => ({
  apiKey: Redacted.make(apiKey),
  model: "gemini-2.5-flash",
  baseUrl: url,
})

export const asking = (text: string): Request => ({ system: "", messages: [Message.user(text)], tools: [] })

export const hello = asking("hello")

/** All that one attempt says. */
export const parts = (url: string, request = hello) =>
  Effect.suspend(() => {
    const said: Array<Part> = []
    const say = (parts: ReadonlyArray<Part>) => Effect.sync(() => void said.push(...parts))
    return Effect.as(Gemini.attempt(options(url))(request, say), said)
  })

/** Why one attempt failed. */
export const failure = (url: string, request = hello) =>
  Effect.map(Effect.flip(parts(url, request)), ({ reason }) => reason)

/** Runs with an observer that has the clock jump over every wait; with the retries that were made. */
export const withoutWaiting = <A, E, R>(
  run: (observer: { readonly retry: NonNullable<LanguageModel.Observer["retry"]> }) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const retries: Array<LanguageModel.Retrying> = []
    const waits = yield* Queue.unbounded<Duration.Duration>()
    const retry = (retry: LanguageModel.Retrying) =>
      Effect.suspend(() => {
        retries.push(retry)
        return Queue.offer(waits, retry.delay)
      })
    const fiber = yield* Effect.fork(run({ retry }))
    const exit = yield* Effect.raceFirst(
      Fiber.await(fiber),
      Effect.forever(Effect.flatMap(Queue.take(waits), (delay) => TestClock.adjust(delay))),
    )
    return { result: yield* exit, retries }
  })

/** One request with all patience, and no time lost. */
export const answer = (url: string, request = hello) =>
  withoutWaiting((observer) => Effect.either(Gemini.make(options(url)).generate(request, observer)))

export const saying = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, ...(finishReason !== undefined && { finishReason }) }],
})

export const fine: FakeServer.Answer = { body: FakeServer.events(saying("fine", "STOP")) }

export const google = (code: number, message: string, details: ReadonlyArray<unknown> = []) =>
  JSON.stringify({ error: { code, message, status: "SOME_STATUS", details } })

export const refusing = (status: number, body: string, headers: Record<string, string> = {}): FakeServer.Answer => ({
  status,
  body,
  headers: { "content-type": "application/json", ...headers },
})

export const heard = (text: string) => Part.Text({ text, meta: undefined })
