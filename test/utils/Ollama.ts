/** Ollama's adapter with a server of the test, and the answers and requests of such a server. */
import { Effect } from "effect"
import type { Part } from "../../src/model/Reply.ts"
import * as Ollama from "../../src/provider/ollama/Ollama.ts"
import { hello } from "./Asking.ts"
import type * as FakeServer from "./FakeServer.ts"

export const options = (url: string, model = "qwen3"): Ollama.Options => ({ model, host: url })

/** All parts of one attempt. */
export const parts = (url: string, request = hello) =>
  Effect.suspend(() => {
    const said: Array<Part> = []
    const say = (parts: ReadonlyArray<Part>) => Effect.sync(() => void said.push(...parts))
    return Effect.as(Ollama.attempt(options(url))(request, say), said)
  })

/** Why one attempt failed. */
export const failure = (url: string, request = hello) =>
  Effect.map(Effect.flip(parts(url, request)), ({ reason }) => reason)

/** A line for each. */
export const lines = (...chunks: ReadonlyArray<object>): FakeServer.Answer => ({
  headers: { "content-type": "application/x-ndjson" },
  body: chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(""),
})

export const message = (message: object) => ({
  model: "qwen3",
  created_at: "2026-11-21T18:00:00Z",
  message: { role: "assistant", content: "", ...message },
  done: false,
})

export const done = (more: object = {}) => ({ ...message({}), done: true, done_reason: "stop", ...more })

export const fine = lines(message({ content: "fine" }), done())

export const refusing = (status: number, error: unknown, headers: Record<string, string> = {}): FakeServer.Answer => ({
  status,
  body: JSON.stringify({ error }),
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
})

export interface Message {
  readonly role: string
  readonly content: string
  readonly thinking?: string
  readonly images?: ReadonlyArray<string>
  readonly tool_calls?: ReadonlyArray<{
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: unknown }
  }>
  readonly tool_call_id?: string
  readonly tool_name?: string
}

export interface Body {
  readonly model: string
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string; readonly parameters: unknown } }>
  readonly format?: unknown
  readonly options: { readonly num_ctx?: number; readonly num_predict?: number; readonly temperature?: number }
  readonly stream: boolean
  readonly truncate?: boolean
}

/** What the adapter has just sent, in the wire shape of Ollama's API. */
export const bodyOf = ({ body }: FakeServer.Received): Body => body as Body
