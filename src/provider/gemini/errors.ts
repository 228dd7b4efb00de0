/** Maps errors of Gemini to reasons. Pure. */
import * as Duration from "effect/Duration"
import type { JsonObject } from "../../base/Json.ts"
import {
  ContextOverflow,
  ModelNotFound,
  QuotaExhausted,
  RateLimited,
  type Reason,
  Unauthorized,
  Unsupported,
} from "../../model/ModelError.ts"
import * as Errors from "../transport/errors.ts"
import * as Body from "./errorBody.ts"
import type { Form } from "./request.ts"

/**
 * Redacts `key`, and everything that looks like a key, from the message. `tokens` is the estimated size of the request.
 */
export const toReason = (cause: unknown, key: string, tokens: number): Reason => {
  const reason = Errors.toReason(cause, key, (response, redact) => fromErrorResponse(response, redact, tokens))
  if (reason._tag !== "InvalidRequest") return reason
  const { message } = reason
  const words = Errors.originalMessage(reason)
  if (/default credentials|credential file|invalid_grant/.test(words)) return new Unauthorized({ message })
  return words.includes("invalid model") ? new ModelNotFound({ message }) : reason
}

/**
 * Returns the HTTP status of an error within a stream, or `undefined` if there is no error. Some back ends write the
 * status as a string, or give only its name.
 */
export const statusOf = ({ code, message, status }: JsonObject): number | undefined => {
  if (Number(code) >= 400) return Number(code)
  return message || status ? (statuses.get(status) ?? 500) : undefined
}

/** The HTTP statuses by the names in google.rpc.Code. */
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

/** Returns the form in which a rejected request may succeed, if there is one. */
export const alternativeForm = (reason: Reason): Form | undefined => {
  if (reason._tag !== "InvalidRequest") return undefined
  const words = Errors.originalMessage(reason)
  if (/thought.?signature/i.test(words)) return "unsigned"
  return /number of function response parts|function (call|response) turn comes immediately/i.test(words)
    ? "asText"
    : undefined
}

const fromErrorResponse = (
  { body: text, retryAfter, status }: Errors.ErrorResponse,
  redact: (words: string) => string,
  tokens: number,
) => {
  const body = Body.parse(text)
  const message = redact(body.message === "" ? `HTTP ${status}` : body.message)
  return reasonFor(status, { ...body, retryAfter: body.retryAfter ?? retryAfter }, message, tokens)
}

/** `message` is the redacted message of the body. */
const reasonFor = (status: number, body: Body.Body, message: string, tokens: number): Reason => {
  const { retryAfter } = body
  if (status === 429) {
    if (body.quota === "exhausted") return new QuotaExhausted({ message, retryAfter })
    // The request alone exceeds the limit per minute. Waiting does not help, but a shorter request may.
    if (tokens > (body.tokensPerMinute ?? tokens)) return new ContextOverflow({ message })
    const minute = body.quota === "per-minute" ? Duration.seconds(60) : undefined
    return new RateLimited({ message, retryAfter: retryAfter ?? minute })
  }
  if (body.isKeyRejected) return new Unauthorized({ message })
  const reason = Errors.reasonForStatus(status, body.message, { message, retryAfter })
  return reason._tag === "InvalidRequest" && body.isUnsupported ? new Unsupported({ message }) : reason
}
