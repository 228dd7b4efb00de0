/** Why a request to Gemini failed: from whatever the SDK throws to a reason. Pure. */
import * as Duration from "effect/Duration"
import {
  ContextOverflow,
  InvalidRequest,
  Misconfigured,
  ModelNotFound,
  Overloaded,
  QuotaExhausted,
  RateLimited,
  type Reason,
  StreamIncomplete,
  Unauthorized,
  Unreachable,
  Unsupported,
} from "../../model/ModelError.ts"
import * as Body from "./geminiErrorBody.ts"
import { Refused, Unreadable } from "./geminiFetch.ts"
import type { Form } from "./geminiRequest.ts"

/** `key` and everything that looks like one is struck out of the message. `tokens`: of the request, estimated. */
export const toReason = (cause: unknown, key: string, tokens: number): Reason => {
  const said = (words: string) => cut(withoutKeys(words, key))
  if (cause instanceof Unreadable || cause instanceof SyntaxError || messageOf(cause).includes("Incomplete JSON")) {
    return new StreamIncomplete({ message: said(`the answer cannot be read: ${messageOf(cause)}`) })
  }
  const status = statusOf(cause)
  if (status !== undefined) {
    const body = Body.parse(messageOf(cause))
    const message = said(body.message === "" ? `HTTP ${status}` : body.message)
    const header = cause instanceof Refused ? retryAfterOf(cause.headers) : undefined
    return refusal(status, { ...body, message, retryAfter: body.retryAfter ?? header }, tokens)
  }
  const broken = connectionFault(cause)
  if (broken !== undefined) return new Unreachable({ message: said(`no connection: ${broken}`) })
  if (codeOf(cause) === "ERR_INVALID_URL") return new Misconfigured({ message: "the provider's address is not a URL" })
  const message = said(messageOf(cause))
  return message.includes("invalid model") ? new ModelNotFound({ message }) : new InvalidRequest({ message })
}

/** In what form a request that was refused may pass after all, where there is one (FAULTS E3, E5). */
export const otherForm = (reason: Reason): Form | undefined => {
  if (reason._tag !== "InvalidRequest") return undefined
  if (/thought.?signature/i.test(reason.message)) return "unsigned"
  return /number of function response parts|function (call|response) turn comes immediately/i.test(reason.message)
    ? "told"
    : undefined
}

/**
 * Strikes out the key, whatever looks like one of Google's, and whatever stands where keys and passwords stand. To be
 * done before a text is cut: half a key is no longer found.
 */
export const withoutKeys = (text: string, key: string): string =>
  [key, encodeURIComponent(key)]
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, struck), text)
    .replaceAll(/(\w:\/\/)[^\s/@"']+@/g, `$1${struck}@`)
    .replaceAll(/\bAIza[\w-]{8,}/g, struck)
    .replaceAll(/\b((?:api[_-]?)?key=)[^&\s"']+/gi, `$1${struck}`)
    .replaceAll(/\b(x-goog-api-key|authorization)(["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',]+/gi, `$1$2${struck}`)

const struck = "[key]"

/** A provider that goes on and on. */
const cut = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)

const refusal = (status: number, body: Body.Body, tokens: number): Reason => {
  const { message, retryAfter } = body
  if (status === 429) {
    if (body.quota === "exhausted") return new QuotaExhausted({ message, retryAfter })
    // No minute holds this request: waiting does not help, a shorter one may.
    if (tokens > (body.tokensPerMinute ?? tokens)) return new ContextOverflow({ message })
    const minute = body.quota === "per-minute" ? Duration.seconds(60) : undefined
    return new RateLimited({ message, retryAfter: retryAfter ?? minute })
  }
  if (status === 401 || status === 403 || body.isKeyRefused) return new Unauthorized({ message })
  if (status === 404) return new ModelNotFound({ message })
  if (status === 408 || status === 499 || status >= 500) return new Overloaded({ message, retryAfter })
  if (status === 413 || tooLong.test(message)) return new ContextOverflow({ message })
  return body.isUnsupported ? new Unsupported({ message }) : new InvalidRequest({ message })
}

const tooLong = /input token count.*(exceeds the maximum|only supports up to)|payload size exceeds the limit/is

/** Milliseconds, seconds, or a date, which is measured against the server's own clock. Anything else says nothing. */
const retryAfterOf = (headers: Headers): Duration.Duration | undefined => {
  const value = headers.get("retry-after")?.trim() ?? ""
  const millis = [
    numberIn(headers.get("retry-after-ms")?.trim() ?? ""),
    numberIn(value) * 1000,
    Date.parse(value) - Date.parse(headers.get("date") ?? ""),
  ].find((millis) => millis >= 0)
  return millis === undefined ? undefined : Duration.millis(millis)
}

const numberIn = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

/** What broke on the way, in the words of the innermost cause that has any. */
const connectionFault = (cause: unknown): string | undefined => {
  const causes = causesOf(cause)
  if (!causes.some((cause) => networkCode.test(codeOf(cause)) || networkWords.test(messageOf(cause)))) return undefined
  return causes.map((cause) => messageOf(cause) || codeOf(cause)).findLast((words) => words !== "")
}

const networkCode = /^(E(CONN|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOST|NET)\w*|UND_ERR_\w+|ERR_SSL_\w+|\w*CERT\w*)$/

const networkWords = /fetch failed|terminated|other side closed|socket hang up/i

/** A fault in the network lies some causes deep; five levels are FAULTS R3's. */
const causesOf = (cause: unknown, levels = 5): ReadonlyArray<unknown> =>
  levels === 0 || cause === undefined
    ? []
    : [cause, ...causesOf(cause instanceof Error ? cause.cause : undefined, levels - 1)]

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

const statusOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number" ? cause.status : undefined
