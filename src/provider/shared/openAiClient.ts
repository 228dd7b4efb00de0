/** OpenAI's SDK, as the adapters of both of its wires use it. The only module that loads it. */
import type OpenAI from "openai"
import * as Address from "../../message/Address.ts"
import { isObject } from "../../message/Json.ts"
import { Unsupported } from "../../model/ModelError.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import type { OpenStream } from "../transport/streamReader.ts"
import { isFirstChoice } from "./alternatives.ts"
import { statusOf } from "./openAiErrors.ts"

export interface Options {
  /** Empty where the server wants none. */
  readonly key: string
  readonly baseUrl: string
  readonly fetch: Http.Fetch
  /** The server, as people call it. */
  readonly title: string
}

export interface Client {
  /** A request to this path below the base URL, which hears the events of its answer. Rejects as `Http.refusing` does. */
  readonly ask: (path: string, body: object) => OpenStream<unknown>
}

/** Neither the SDK nor a client is loaded before the first request. */
export const make = (options: Options): Client => {
  let client: Promise<OpenAI> | undefined
  return {
    ask: (path, body) => async (signal, hear) => {
      client ??= connect(options)
      const response = await (await client).post(path, { body, signal }).asResponse()
      await Sse.readEvents(response, withoutErrors(response, hear), Sse.DONE)
    },
  }
}

/** Neither retries nor a time limit: those are the port's. */
const connect = async ({ baseUrl, fetch, key, title }: Options): Promise<OpenAI> => {
  const { OpenAI } = await import("openai")
  return new OpenAI({
    // The SDK wants one; a server that wants none is not shown it.
    apiKey: key === "" ? "none" : key,
    adminAPIKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    // The longest that a timer takes.
    timeout: 2_147_483_647,
    logLevel: "off",
    fetch: reaching(Http.strictFetch(plain(fetch, key)), baseUrl, title),
  })
}

/**
 * The SDK would have every server know the machine it runs on, and what the environment says of OpenAI: organizations,
 * headers of the user's own, which may hold a secret.
 */
const plain = (fetch: Http.Fetch, key: string): Http.Fetch => {
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    ...(key !== "" && { authorization: `Bearer ${key}` }),
  }
  return (input, init) => fetch(input, { ...init, headers })
}

/** A server on this machine that is not started does not start by itself: nobody waits for it. */
const reaching =
  (fetch: Http.Fetch, baseUrl: string, title: string): Http.Fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (cause) {
      if (!isLocal(baseUrl) || !isRefused(cause)) throw cause
      throw new Http.RequestNotSent(
        new Unsupported({ message: `no connection: is ${title} running at ${Address.withoutSecrets(baseUrl)}?` }),
      )
    }
  }

const isLocal = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(URL.parse(url)?.hostname ?? "")

/** Of the addresses that a name has, each may have refused. */
const isRefused = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  if ("code" in cause && cause.code === "ECONNREFUSED") return true
  return isRefused(cause.cause) || (cause instanceof AggregateError && cause.errors.some(isRefused))
}

/** Throws where an error comes in place of an answer, or in its midst: servers say 200 first, and see then. */
const withoutErrors =
  ({ headers }: Response, hear: (event: unknown) => void) =>
  (event: unknown): void => {
    const error = errorIn(event)
    if (error !== undefined) throw new Http.HttpError(statusOf(error), JSON.stringify({ error }), headers)
    hear(event)
  }

/** `undefined` where there is none. */
const errorIn = (event: unknown): unknown => {
  if (!isObject(event)) return undefined
  if (event.object === "error" || event.type === "error") return event.error ?? event
  if (event.type === "response.failed") return isObject(event.response) ? (event.response.error ?? {}) : {}
  if (event.object === "response") return event.status === "failed" ? (event.error ?? {}) : undefined
  // An empty one is none.
  if (event.error) return event.error
  // Groq's.
  if (isObject(event.x_groq) && event.x_groq.error) return event.x_groq.error
  if (typeof event.message === "string" && event.choices === undefined) return event
  for (const choice of Array.isArray(event.choices) ? event.choices : []) {
    if (isObject(choice) && isFirstChoice(choice) && choice.error) return choice.error
  }
  return undefined
}
