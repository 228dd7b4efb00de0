/**
 * Exchanges with providers, kept so that they can be had again without a network or a key: for tests, and to show
 * others what went wrong. A cassette is a folder with one JSON file an exchange. Those with servers are here, those
 * with programs in `AgentCassette`.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Misconfigured } from "../../model/ModelError.ts"
import { inTurns } from "./eventLoop.ts"
import { type Fetch, NotSent } from "./http.ts"
import * as Redaction from "./redaction.ts"

/** One request and what came of it, without secrets. */
export const Exchange = Schema.Struct({
  /** That was asked, as users write it. */
  model: Schema.optional(Schema.String),
  request: Schema.Struct({
    /** `RUN` for a program. */
    method: Schema.String,
    /** With the query: where the server is does not matter. Of a program its name and flags. */
    path: Schema.String,
    /** As it was sent but for what may be a secret. */
    body: Schema.String,
  }),
  /** None where no server was reached. */
  response: Schema.NullOr(
    Schema.Struct({
      /** Of a program its exit code. */
      status: Schema.Int,
      headers: Schema.Record({ key: Schema.String, value: Schema.String }),
      /** As far as it came, letter for letter but for secrets. */
      body: Schema.String,
      /** What a program said beside its answer. */
      stderr: Schema.optional(Schema.String),
    }),
  ),
  /** Why it broke off, where it did. */
  failure: Schema.optional(Schema.String),
})
export type Exchange = typeof Exchange.Type

const ExchangeJson = Schema.parseJson(Exchange, { space: 2 })

/** `Left` says what is wrong with it. */
export const decode = Schema.decodeUnknownEither(ExchangeJson)

export const encode = Schema.encodeSync(ExchangeJson)

/**
 * `keep` is told of every exchange once it is over, also of one that was broken off. `secrets` are struck out beside the
 * keys that are sent.
 */
export const recording =
  (fetch: Fetch, keep: (exchange: Exchange) => void, secrets: ReadonlyArray<string> = []): Fetch =>
  async (input, init) => {
    const { kept, request } = await sent(input, init, secrets)
    try {
      const response = await fetch(input, init)
      const { headers, ok, status } = response
      const heard = (body: string, failure?: unknown) =>
        keep({
          request,
          response: { status, headers: keptHeaders(headers), body },
          ...(failure !== undefined && { failure: kept.asked(String(failure)) }),
        })
      if (response.body === null) {
        heard("")
        return response
      }
      // What a server refuses it may repeat, and no answer is in it.
      const collector = kept.collect(ok ? "answered" : "asked")
      return new Response(ReadableStream.from(listened(response.body, collector, heard)), { status, headers })
    } catch (failure) {
      keep({ request, response: null, failure: kept.asked(faultOf(failure)) })
      throw failure
    }
  }

/** Finds what was recorded for the very same request: in the order of the recording where it was made several times. */
export const finder = (
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
 * Answers a request with what was recorded for it. A request that is not in the recording fails, and is not sent.
 * `secrets` are those of the recording, so that requests compare equal.
 */
export const replaying = (exchanges: ReadonlyArray<Exchange>, secrets: ReadonlyArray<string> = []): Fetch => {
  const find = finder(exchanges)
  return async (input, init) => {
    const { request } = await sent(input, init, secrets)
    const found = find(request)
    if (Either.isLeft(found)) throw new NotSent(found.left)
    const { failure, response } = found.right
    if (response === null) throw new TypeError("fetch failed", { cause: new Error(failure ?? "no connection") })
    return new Response(ReadableStream.from(said(response.body, failure)), response)
  }
}

/** In characters: pictures of 12 MB fit. To write much more at its end would take longer than a Ctrl-C may. */
const longestKept = 16_777_216

async function* listened(
  body: ReadableStream<Uint8Array>,
  collector: Redaction.Collector,
  heard: (body: string, failure?: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let failure: unknown = "the rest was not wanted"
  let length = 0
  const add = (text: string) => {
    if (length <= longestKept) collector.add(text)
    length += text.length
  }
  try {
    for await (const bytes of body) {
      add(decoder.decode(bytes, { stream: true }))
      yield bytes
    }
    failure = length > longestKept ? `the rest was not kept: it has ${length} characters` : undefined
  } catch (cause) {
    failure = faultOf(cause)
    throw cause
  } finally {
    add(decoder.decode())
    heard(await inTurns(collector.end()), failure)
  }
}

async function* said(body: string, failure: string | undefined): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(body)
  if (failure !== undefined) throw new TypeError("terminated", { cause: new Error(failure) })
}

interface Sent {
  readonly request: Exchange["request"]
  /** Of an exchange with these keys. */
  readonly kept: Redaction.Redaction
}

const sent = async (
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
  secrets: ReadonlyArray<string>,
): Promise<Sent> => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const kept = Redaction.without([...keysIn(init.headers), ...secrets])
  const [path, body] = [`${pathname}${search}`, await new Response(init.body ?? "").text()]
  const collector = kept.collect("asked")
  collector.add(body)
  const request = {
    method: init.method ?? "GET",
    path: kept.asked(path),
    body: await inTurns(collector.end()),
  }
  return { request, kept }
}

/** What stands in the headers that carry keys, without the word before it. */
const keysIn = (headers: RequestInit["headers"]): ReadonlyArray<string> => {
  const all = new Headers(headers)
  return ["authorization", "x-api-key", "x-goog-api-key", "api-key"].map(
    (name) => all.get(name)?.replace(/^(?:bearer|basic)\s+/i, "") ?? "",
  )
}

/** What adapters read. Others name people, accounts and machines. */
const keptHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    ["content-type", "retry-after", "retry-after-ms", "date"].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

const faultOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause)

const isSame = (one: Exchange["request"], other: Exchange["request"]): boolean =>
  one.method === other.method && one.path === other.path && one.body === other.body

/**
 * Why there is no answer left: it was asked less often, or never. Then beside the one that it is most like: the first
 * character at which they part says what is new.
 */
const mismatch = (request: Exchange["request"], exchanges: ReadonlyArray<Exchange>): string => {
  const what = `${request.method} ${request.path}`
  const times = exchanges.filter((exchange) => isSame(exchange.request, request)).length
  if (times > 0) return `the recording has no further answer to this ${what}: it was asked ${often(times)}`
  const alike = exchanges.filter((exchange) => exchange.request.path === request.path)
  if (alike.length === 0) return `the recording has no answer to ${what}`
  const at = Math.max(...alike.map((exchange) => commonLength(exchange.request.body, request.body)))
  const near = request.body.slice(Math.max(0, at - 30), at + 30)
  return `the recording has no answer to this ${what}: its body differs from character ${at} on, near ${JSON.stringify(near)}`
}

const often = (times: number): string => (times === 1 ? "once" : `${times} times`)

const commonLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
