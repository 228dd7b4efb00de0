import { assert } from "@effect/vitest"
import { Duration, Effect, Either } from "effect"
import type * as Block from "../../src/message/Block.ts"
import type { FinishReason } from "../../src/message/Usage.ts"
import * as Usage from "../../src/message/Usage.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Reason } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { hello } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"

export interface Adapter {
  /** The provider in model ids. */
  readonly name: string
  /** Two models that may follow one another in a conversation. */
  readonly models: readonly [string, string]
  /** A model that sends its requests to `url`, with `key` where it needs one. */
  readonly open: (model: string, url: string) => LanguageModel.Service
  readonly wire: Wire
}

export interface Wire {
  /** A streamed answer with one event per part. Without a `Finish` it is incomplete. */
  readonly streamed: (parts: ReadonlyArray<Part>) => FakeServer.Answer
  /** The same answer as one document; `undefined` where servers never send that. */
  readonly whole: ((parts: ReadonlyArray<Part>) => FakeServer.Answer) | undefined
  /** The error of an overloaded server within a stream; `undefined` where there is none. */
  readonly breakdown: ((message: string) => string) | undefined
  /** `undefined` where such a server never fails with that reason. */
  readonly refusal: (why: Refusal, message: string) => FakeServer.Answer | undefined
  /** A request, as decoded by the server. */
  readonly sent: (request: FakeServer.Received) => Sent
  /** The rule that a request breaks, if any. */
  readonly broken: (request: FakeServer.Received) => string | undefined
  /** What the wire does not support. */
  readonly lacks: ReadonlyArray<Lack>
}

/**
 * - `new endings`: unknown finish reasons
 * - `pages`: recognising HTML pages
 * - `key in mid-stream`: redacting the key in errors within an answer
 * - `calls not offered`: calls of tools that were not offered
 * - `pictures shown`: images of the user
 * - `late ends`: reusing connections whose body ends a moment after the answer
 * - `long refusals`: limiting error responses that do not end
 * - `redirects`: refusing redirects: the HTTP client is not vibe's own
 * - `thousands of calls`: in one answer, which takes it too long
 * - `answer schemas`: structured output
 * - `its own reader`: reading the bytes, which another library does
 */
export type Lack =
  | "thinking"
  | "cachedTokens"
  | "thinkingTokens"
  | "content_filter"
  | "images drawn"
  | "new endings"
  | "pages"
  | "key in mid-stream"
  | "calls not offered"
  | "pictures shown"
  | "late ends"
  | "long refusals"
  | "redirects"
  | "thousands of calls"
  | "answer schemas"
  | "its own reader"

/** `rate` includes a delay of five seconds. */
export type Refusal = "key" | "model" | "quota" | "rate" | "overload" | "invalid" | "overflow"

export interface Sent {
  readonly system: string
  readonly tools: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly turns: ReadonlyArray<SentTurn>
  /** The schema of the answer. */
  readonly schema: unknown
}

export interface SentTurn {
  readonly role: "user" | "assistant"
  readonly texts: ReadonlyArray<string>
  /** Base64. */
  readonly images: ReadonlyArray<string>
  readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: unknown }>
  /** In the order of their calls. */
  readonly results: ReadonlyArray<string>
}

export const finish = (reason: FinishReason, usage = Usage.none) => Part.Finish({ reason, usage })

export const text = (text: string) => Part.Text({ text })

export const call = (id: string, parameters: Block.ToolUse["parameters"], name = "look") =>
  Part.ToolUse({ id, name, parameters })

export const tool = (name: string, parameters: Tool.Tool["parameters"]) =>
  Tool.fromJsonSchema({ name, description: "Looks.", parameters, run: () => Effect.succeed("") })

export const look = tool("look", {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
})

/** Without retries. */
export const once = Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero })

export const reasonOf = <A>(outcome: Either.Either<A, { readonly reason: Reason }>): Reason =>
  Either.getOrThrow(Either.flip(outcome)).reason

/** Asks the models of an adapter, each time at a server of its own. */
export const askThrough = ({ models: [model], open, wire }: Adapter) => {
  const has = (what: Lack) => !wire.lacks.includes(what)

  /** A greeting, which offers a tool if the wire emits no calls of tools that were not offered. */
  const anything = has("calls not offered") ? hello : { ...hello, tools: [look] }

  /** Asks a server that gives this answer alone, without a retry. */
  const ask = (answer: FakeServer.Answer, request = anything) =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([answer])
      const outcome = yield* once(Effect.either(open(model, url).generate(request)))
      return { outcome, requests }
    })

  const blocksOf = (answer: FakeServer.Answer, request = anything) =>
    Effect.map(ask(answer, request), ({ outcome }) => Either.getOrThrow(outcome).blocks)

  const failure = (answer: FakeServer.Answer) => Effect.map(ask(answer), ({ outcome }) => reasonOf(outcome))

  /** Returns the request, as a server that answers anything receives it. */
  const requestFor = (request: Request, asked = model) =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
      yield* open(asked, url).generate(request)
      const [received = assert.fail("nothing was sent")] = requests
      assert.isUndefined(wire.broken(received))
      return { ...wire.sent(received), body: JSON.stringify(received.body) }
    })

  const refusals = (kinds: ReadonlyArray<Refusal>, message: string) =>
    kinds.flatMap((why) => {
      const answer = wire.refusal(why, message)
      return answer === undefined ? [] : [{ why, answer }]
    })

  return { anything, ask, blocksOf, failure, has, refusals, requestFor }
}
