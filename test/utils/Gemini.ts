/** Gemini's adapter with a server of the test, and the answers of such a server. */
import { Effect, Redacted } from "effect"
import { Part } from "../../src/model/Reply.ts"
import * as Gemini from "../../src/provider/gemini/Gemini.ts"
import { hello, key, withoutWaiting } from "./Asking.ts"
import * as FakeServer from "./FakeServer.ts"

export const options = (url: string, apiKey = key): Gemini.Options => ({
  apiKey: Redacted.make(apiKey),
  model: "gemini-2.5-flash",
  baseUrl: url,
})

/** All parts of one attempt. */
export const parts = (url: string, request = hello) =>
  Effect.suspend(() => {
    const said: Array<Part> = []
    const say = (parts: ReadonlyArray<Part>) => Effect.sync(() => void said.push(...parts))
    return Effect.as(Gemini.attempt(options(url))(request, say), said)
  })

/** Why one attempt failed. */
export const failure = (url: string, request = hello) =>
  Effect.map(Effect.flip(parts(url, request)), ({ reason }) => reason)

/** One request with all patience, and no time lost. */
export const answer = (url: string, request = hello) =>
  withoutWaiting((observer) => Effect.either(Gemini.make(options(url)).generate(request, observer)))

export const saying = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, ...(finishReason !== undefined && { finishReason }) }],
})

export const fine: FakeServer.Answer = { body: FakeServer.events(saying("fine", "STOP")) }

export const google = (code: number, message: string, details: ReadonlyArray<unknown> = []) =>
  JSON.stringify({ error: { code, message, status: "SOME_STATUS", details } })

/** A detail of an error: the quota that was exceeded. */
export const quota = (quotaId: string) => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaId }],
})

/** A detail of an error: after how long to try again. */
export const retryIn = (retryDelay: string) => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay })

export const refusing = (status: number, body: string, headers: Record<string, string> = {}): FakeServer.Answer => ({
  status,
  body,
  headers: { "content-type": "application/json", ...headers },
})

export const heard = (text: string) => Part.Text({ text, meta: undefined })
