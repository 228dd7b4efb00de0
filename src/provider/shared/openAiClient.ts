/** Sends requests in both of OpenAI's formats. */

import { isObject } from "../../base/Json.ts"
import * as Url from "../../base/Url.ts"
import { Unsupported } from "../../model/ModelError.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import type { OpenStream } from "../transport/streamReader.ts"
import { statusOf } from "./openAiErrors.ts"
import { isFirstChoice } from "./wireJson.ts"

export interface Options {
  /** The key. It is empty if the server requires none. */
  readonly key: string
  readonly baseUrl: string
  readonly fetch: Http.Fetch
  /** The name of the server in error messages. */
  readonly title: string
}

interface Client {
  /** Posts to a path below the base URL, and reads the events of the response. Rejects like `Http.strictFetch`. */
  readonly post: (path: string, body: object) => OpenStream<unknown>
  /** Posts to a path below the base URL, and reads the one JSON document of the response. Rejects like `post`. */
  readonly postForJson: (path: string, body: object) => (signal: AbortSignal) => Promise<unknown>
  /** Gets the JSON document at a path below the base URL. Rejects like `post`. */
  readonly getJson: (path: string) => (signal: AbortSignal) => Promise<unknown>
}

export const make = ({ baseUrl, fetch, key, title }: Options): Client => {
  const fetchStrictly = explainConnectionRefused(Http.strictFetch(fetch), baseUrl, title)
  const send = (path: string, body: object | undefined, signal: AbortSignal) =>
    fetchStrictly(Http.endpoint(baseUrl, path), {
      method: body === undefined ? "GET" : "POST",
      headers: Http.headersFor(key),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
  const sendForJson = async (path: string, body: object | undefined, signal: AbortSignal): Promise<unknown> => {
    const response = await send(path, body, signal)
    const json = await Http.readJson(response)
    throwOnError(response, () => {})(json)
    return json
  }
  return {
    post: (path, body) => async (signal, onEvent) => {
      const response = await send(path, body, signal)
      await Sse.readEvents(response, throwOnError(response, onEvent), Sse.DONE)
    },
    postForJson: (path, body) => (signal) => sendForJson(path, body, signal),
    getJson: (path) => (signal) => sendForJson(path, undefined, signal),
  }
}

/** A refused connection to this machine is not retried: a server that is not running does not start by itself. */
const explainConnectionRefused =
  (fetch: Http.Fetch, baseUrl: string, title: string): Http.Fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (cause) {
      if (!isLocal(baseUrl) || !isConnectionRefused(cause)) throw cause
      throw new Http.RequestNotSent(
        new Unsupported({ message: `no connection: is ${title} running at ${Url.withoutSecrets(baseUrl)}?` }),
      )
    }
  }

const isLocal = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(URL.parse(url)?.hostname ?? "")

/** A name may have several addresses, each with an error of its own. */
const isConnectionRefused = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  if ("code" in cause && cause.code === "ECONNREFUSED") return true
  return isConnectionRefused(cause.cause) || (cause instanceof AggregateError && cause.errors.some(isConnectionRefused))
}

/** Throws if an event is an error: servers send status 200 before they know whether they can answer. */
const throwOnError =
  ({ headers }: Response, onEvent: (event: unknown) => void) =>
  (event: unknown): void => {
    const error = errorIn(event)
    if (error !== undefined) throw new Http.HttpError(statusOf(error), JSON.stringify({ error }), headers)
    onEvent(event)
  }

/** Returns `undefined` if the event is no error. */
const errorIn = (event: unknown): unknown => {
  if (!isObject(event)) return undefined
  if (event.object === "error" || event.type === "error") return event.error ?? event
  if (event.type === "response.failed") return isObject(event.response) ? (event.response.error ?? {}) : {}
  if (event.object === "response") return event.status === "failed" ? (event.error ?? {}) : undefined
  // An empty error does not count.
  if (event.error) return event.error
  // Groq sends its errors here.
  if (isObject(event.x_groq) && event.x_groq.error) return event.x_groq.error
  if (typeof event.message === "string" && event.choices === undefined) return event
  for (const choice of Array.isArray(event.choices) ? event.choices : []) {
    if (isObject(choice) && isFirstChoice(choice) && choice.error) return choice.error
  }
  return undefined
}
