/** Why a request to Gemini failed: from whatever the SDK throws to a reason. Pure. */
import * as Duration from "effect/Duration"
import type { JsonObject } from "../../message/Json.ts"
import {
  ContextOverflow,
  ModelNotFound,
  QuotaExhausted,
  RateLimited,
  type Reason,
  Unauthorized,
  Unsupported,
} from "../../model/ModelError.ts"
import * as Fault from "../transport/errors.ts"
import * as Body from "./errorBody.ts"
import type { Form } from "./request.ts"

/** `key` and everything that looks like one is struck out of the message. `tokens`: of the request, estimated. */
export const toReason = (cause: unknown, key: string, tokens: number): Reason => {
  const reason = Fault.toReason(cause, key, (refusal, said) => refused(refusal, said, tokens))
  if (reason._tag !== "InvalidRequest") return reason
  const { message } = reason
  const words = Fault.wordsOf(reason)
  if (/default credentials|credential file|invalid_grant/.test(words)) return new Unauthorized({ message })
  return words.includes("invalid model") ? new ModelNotFound({ message }) : reason
}

/**
 * HTTP's status of an error that came within an answer. Some back ends write it as text, or say its name alone.
 * `undefined` where nothing is said to be wrong.
 */
export const statusOf = ({ code, message, status }: JsonObject): number | undefined => {
  if (Number(code) >= 400) return Number(code)
  return message || status ? (statuses.get(status) ?? 500) : undefined
}

/** google.rpc.Code */
const statuses = new Map<unknown, number>([
  ["INVALID_ARGUMENT", 400],
  ["FAILED_PRECONDITION", 400],
  ["OUT_OF_RANGE", 400],
  ["UNAUTHENTICATED", 401],
  ["PERMISSION_DENIED", 403],
  ["NOT_FOUND", 404],
  ["RESOURCE_EXHAUSTED", 429],
  ["CANCELLED", 499],
  ["UNIMPLEMENTED", 501],
  ["UNAVAILABLE", 503],
  ["DEADLINE_EXCEEDED", 504],
])

/** In what form a request that was refused may pass after all, where there is one (FAULTS E3, E5). */
export const otherForm = (reason: Reason): Form | undefined => {
  if (reason._tag !== "InvalidRequest") return undefined
  const words = Fault.wordsOf(reason)
  if (/thought.?signature/i.test(words)) return "unsigned"
  return /number of function response parts|function (call|response) turn comes immediately/i.test(words)
    ? "told"
    : undefined
}

const refused = (
  { body: text, retryAfter, status }: Fault.Refusal,
  said: (words: string) => string,
  tokens: number,
) => {
  const body = Body.parse(text)
  const message = said(body.message === "" ? `HTTP ${status}` : body.message)
  return refusal(status, { ...body, retryAfter: body.retryAfter ?? retryAfter }, message, tokens)
}

/** `message` is what may be shown of the words of the body. */
const refusal = (status: number, body: Body.Body, message: string, tokens: number): Reason => {
  const { retryAfter } = body
  if (status === 429) {
    if (body.quota === "exhausted") return new QuotaExhausted({ message, retryAfter })
    // No minute holds this request: waiting does not help, a shorter one may.
    if (tokens > (body.tokensPerMinute ?? tokens)) return new ContextOverflow({ message })
    const minute = body.quota === "per-minute" ? Duration.seconds(60) : undefined
    return new RateLimited({ message, retryAfter: retryAfter ?? minute })
  }
  if (body.isKeyRefused) return new Unauthorized({ message })
  const reason = Fault.byStatus(status, body.message, { message, retryAfter })
  return reason._tag === "InvalidRequest" && body.isUnsupported ? new Unsupported({ message }) : reason
}
