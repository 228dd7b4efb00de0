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
} from "../../model/ModelError.ts"
import * as Body from "./geminiErrorBody.ts"
import { Refused, Unreadable } from "./geminiFetch.ts"

/** `key` and everything that looks like one is struck out of the message. */
export const toReason = (cause: unknown, key: string): Reason => {
  if (cause instanceof Unreadable || cause instanceof SyntaxError || messageOf(cause).includes("Incomplete JSON")) {
    return new StreamIncomplete({ message: withoutKeys(`the answer cannot be read: ${messageOf(cause)}`, key) })
  }
  const status = statusOf(cause)
  if (status !== undefined) {
    const body = Body.parse(messageOf(cause))
    const message = withoutKeys(`${body.message === "" ? `HTTP ${status}` : body.message}`, key)
    return refusal(status, { ...body, message }, cause instanceof Refused ? retryAfterOf(cause.headers) : undefined)
  }
  const broken = connectionFault(cause)
  if (broken !== undefined) return new Unreachable({ message: withoutKeys(`no connection: ${broken}`, key) })
  const message = withoutKeys(messageOf(cause), key)
  if (codeOf(cause) === "ERR_INVALID_URL") return new Misconfigured({ message: "the provider's address is not a URL" })
  return message.includes("invalid model") ? new ModelNotFound({ message }) : new InvalidRequest({ message })
}

/** Whether the provider refuses a signature of its own, as it does after a change of key or route. */
export const isSignatureRefused = (reason: Reason): boolean =>
  reason._tag === "InvalidRequest" && /thought.?signature/i.test(reason.message)

/** Strikes out the key, whatever looks like one of Google's, and whatever stands where keys stand. */
export const withoutKeys = (text: string, key: string): string =>
  [key, encodeURIComponent(key)]
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, struck), text)
    .replaceAll(/\bAIza[\w-]{8,}/g, struck)
    .replaceAll(/\b((?:api[_-]?)?key=)[^&\s"']+/gi, `$1${struck}`)
    .replaceAll(/\b(x-goog-api-key|authorization)(["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',]+/gi, `$1$2${struck}`)

const struck = "[key]"

const refusal = (status: number, body: Body.Body, header: Duration.Duration | undefined): Reason => {
  const { message } = body
  const retryAfter = body.retryAfter ?? header
  if (status === 429) {
    return body.quota === "exhausted"
      ? new QuotaExhausted({ message, retryAfter })
      : new RateLimited({
          message,
          retryAfter: retryAfter ?? (body.quota === "per-minute" ? Duration.seconds(60) : undefined),
        })
  }
  if (status === 401 || status === 403 || body.isKeyRefused) return new Unauthorized({ message })
  if (status === 404) return new ModelNotFound({ message })
  if (status === 408 || status === 499 || status >= 500) return new Overloaded({ message, retryAfter })
  return /input token count.*exceeds the maximum/is.test(message)
    ? new ContextOverflow({ message })
    : new InvalidRequest({ message })
}

/** Seconds, or a date, which is measured against the server's own clock. Anything else says nothing. */
const retryAfterOf = (headers: Headers): Duration.Duration | undefined => {
  const value = headers.get("retry-after")?.trim() ?? ""
  const millis = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.get("date") ?? "")
  return millis >= 0 ? Duration.millis(millis) : undefined
}

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
