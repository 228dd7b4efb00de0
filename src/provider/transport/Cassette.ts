/**
 * Records exchanges with providers and replays them without a network or a key, for tests and bug reports. A cassette
 * is a folder with one JSON file per exchange. This module covers HTTP; `AgentCassette` covers programs.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Misconfigured } from "../../model/ModelError.ts"
import { runInTurns } from "./eventLoop.ts"
import { type Fetch, RequestNotSent, slicesOf } from "./http.ts"
import * as Redaction from "./redaction.ts"

/** A request and its response, without secrets. */
export const Exchange = Schema.Struct({
  /** The model as users write it. */
  model: Schema.optional(Schema.String),
  request: Schema.Struct({
    /** The HTTP method, or `RUN` for a program. */
    method: Schema.String,
    /** The path and query without the host, or the name and flags of a program. */
    path: Schema.String,
    /** The request body, redacted. */
    body: Schema.String,
  }),
  /** The response, or `null` if no server was reached. */
  response: Schema.NullOr(
    Schema.Struct({
      /** The HTTP status, or the exit code of a program. */
      status: Schema.Int,
      headers: Schema.Record({ key: Schema.String, value: Schema.String }),
      /** The part of the body that was received, unchanged except for secrets. */
      body: Schema.String,
      /** The standard error of a program. */
      stderr: Schema.optional(Schema.String),
    }),
  ),
  /** The reason why the exchange broke off, if it did. */
  failure: Schema.optional(Schema.String),
})
export type Exchange = typeof Exchange.Type

const ExchangeJson = Schema.parseJson(Exchange, { space: 2 })

/** `Left` describes what is wrong with the file. */
export const decode = Schema.decodeUnknownEither(ExchangeJson)

export const encode = Schema.encodeSync(ExchangeJson)

/**
 * Calls `keep` with every finished exchange, including interrupted ones. `secrets` are redacted in addition to the
 * keys in the request's headers.
 */
export const record =
  (fetch: Fetch, keep: (exchange: Exchange) => void, secrets: ReadonlyArray<string> = []): Fetch =>
  async (input, init) => {
    const { redaction, request } = await describeRequest(input, init, secrets)
    try {
      const response = await fetch(input, init)
      const { headers, ok, status } = response
      const finish = (body: string, failure?: unknown) =>
        keep({
          request,
          response: { status, headers: selectHeaders(headers), body },
          ...(failure !== undefined && { failure: redaction.redactRequest(String(failure)) }),
        })
      if (response.body === null) {
        finish("")
        return response
      }
      // An error response may repeat the request, and holds no answer.
      const collector = redaction.makeCollector(ok ? "response" : "request")
      return new Response(ReadableStream.from(teeBody(response.body, collector, finish, signalOf(input, init))), {
        status,
        headers,
      })
    } catch (failure) {
      keep({ request, response: null, failure: redaction.redactRequest(failureOf(failure)) })
      throw failure
    }
  }

/** Finds the recorded exchange of an identical request. Repeated requests match in recorded order. */
export const makeFinder = (
  exchanges: ReadonlyArray<Exchange>,
): ((request: Exchange["request"]) => Either.Either<Exchange, Misconfigured>) => {
  const left = [...exchanges]
  return (request) => {
    const at = left.findIndex((exchange) => isSame(exchange.request, request))
    const [exchange] = at === -1 ? [] : left.splice(at, 1)
    return Either.fromNullable(exchange, () => new Misconfigured({ message: mismatch(request, exchanges) }))
  }
}

/**
 * Answers requests from a recording. A request that is not recorded fails and is not sent. `secrets` must be those of
 * the recording, so that redacted requests compare equal.
 */
export const replay = (exchanges: ReadonlyArray<Exchange>, secrets: ReadonlyArray<string> = []): Fetch => {
  const find = makeFinder(exchanges)
  return async (input, init) => {
    const { request } = await describeRequest(input, init, secrets)
    const found = find(request)
    if (Either.isLeft(found)) throw new RequestNotSent(found.left)
    const { failure, response } = found.right
    if (response === null) throw new TypeError("fetch failed", { cause: new Error(failure ?? "no connection") })
    return new Response(ReadableStream.from(replayBody(response.body, failure)), response)
  }
}

/**
 * The most characters of a recorded body; images of 12 MB fit. Writing a longer one when the exchange ends would take
 * longer than the program may take to exit after Ctrl-C.
 */
const MAX_RECORDED_CHARS = 16_777_216

const signalOf = (input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): AbortSignal | undefined =>
  init?.signal ?? (input instanceof Request ? input.signal : undefined)

/** Yields the bytes of a body and records their text. It fails once the signal is aborted. */
async function* teeBody(
  body: ReadableStream<Uint8Array>,
  collector: Redaction.Collector,
  onEnd: (body: string, failure?: unknown) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let failure: unknown = "the rest was not read"
  let length = 0
  const add = (text: string) => {
    if (length <= MAX_RECORDED_CHARS) collector.add(text)
    length += text.length
  }
  try {
    for await (const bytes of body) {
      // The reader lets the event loop turn between them, so that a signal is noticed.
      for (const slice of slicesOf(bytes)) {
        // The body itself notices it only when the next chunk is asked for.
        signal?.throwIfAborted()
        add(decoder.decode(slice, { stream: true }))
        yield slice
      }
    }
    failure = length > MAX_RECORDED_CHARS ? `the body has ${length} characters; the rest was not recorded` : undefined
  } catch (cause) {
    failure = failureOf(cause)
    throw cause
  } finally {
    add(decoder.decode())
    onEnd(await runInTurns(collector.end()), failure)
  }
}

async function* replayBody(body: string, failure: string | undefined): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(body)
  if (failure !== undefined) throw new TypeError("terminated", { cause: new Error(failure) })
}

interface DescribedRequest {
  readonly request: Exchange["request"]
  /** Redacts the keys of this exchange and the other secrets. */
  readonly redaction: Redaction.Redaction
}

const describeRequest = async (
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
  secrets: ReadonlyArray<string>,
): Promise<DescribedRequest> => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const redaction = Redaction.makeRedaction([...keysInHeaders(init.headers), ...secrets])
  const [path, body] = [`${pathname}${search}`, await new Response(init.body ?? "").text()]
  const collector = redaction.makeCollector("request")
  collector.add(body)
  const request = {
    method: init.method ?? "GET",
    path: redaction.redactRequest(path),
    body: await runInTurns(collector.end()),
  }
  return { request, redaction }
}

/** Returns the keys in the headers, without the authentication scheme. */
const keysInHeaders = (headers: RequestInit["headers"]): ReadonlyArray<string> => {
  const all = new Headers(headers)
  return ["authorization", "x-api-key", "x-goog-api-key", "api-key"].map(
    (name) => all.get(name)?.replace(/^(?:bearer|basic)\s+/i, "") ?? "",
  )
}

/** Keeps the headers that adapters read. Others identify people, accounts and machines. */
const selectHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    ["content-type", "retry-after", "retry-after-ms", "date"].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

const failureOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause)

const isSame = (one: Exchange["request"], other: Exchange["request"]): boolean =>
  one.method === other.method && one.path === other.path && one.body === other.body

/**
 * Explains a missing match. Either the request was recorded fewer times, or it was never recorded. The message then
 * names the first character that differs from the most similar recorded body.
 */
const mismatch = (request: Exchange["request"], exchanges: ReadonlyArray<Exchange>): string => {
  const what = `${request.method} ${request.path}`
  const times = exchanges.filter((exchange) => isSame(exchange.request, request)).length
  if (times > 0) return `the recording has no further answer to this ${what}: it was recorded ${countTimes(times)}`
  const alike = exchanges.filter((exchange) => exchange.request.path === request.path)
  if (alike.length === 0) return `the recording has no answer to ${what}`
  const at = Math.max(...alike.map((exchange) => commonLength(exchange.request.body, request.body)))
  const near = request.body.slice(Math.max(0, at - 30), at + 30)
  return `the recording has no answer to this ${what}: its body differs from character ${at} on, near ${JSON.stringify(near)}`
}

const countTimes = (times: number): string => (times === 1 ? "once" : `${times} times`)

const commonLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
