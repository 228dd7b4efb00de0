/** Maps errors of Anthropic to reasons. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ContextOverflow, QuotaExhausted, type Reason, Unsupported } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import { field } from "../shared/wireJson.ts"
import * as Errors from "../transport/errors.ts"
import { HttpError } from "../transport/http.ts"
import type { Form } from "./request.ts"

/**
 * Redacts `key`, and everything that looks like a key, from the message. `tokens` returns the estimated size of the
 * request.
 */
export const toReason = (cause: unknown, key: string, tokens: () => number): Reason =>
  Errors.toReason(cause, key, ({ body, retryAfter, status }, redact) => {
    const { code, message: words, type } = parse(body)
    const message = redact(words) || `HTTP ${status}`
    if (isQuotaExhausted(status, type, code, words)) return new QuotaExhausted({ message, retryAfter })
    if (status === 403 && (type === "forbidden" || /not allowed|unsupported (country|region)/i.test(words))) {
      return new Unsupported({ message })
    }
    // The request alone exceeds the limit per minute. Waiting does not help, but a shorter request may.
    if (status === 429 && tokens() > tokensPerMinute(words)) return new ContextOverflow({ message })
    return Errors.reasonForStatus(status, words, { message, retryAfter })
  })

/** Maps an error event within a stream, as if the request had failed with it. */
export const fromStreamError = (error: unknown, key: string): Reason => {
  const body = JSON.stringify({ error })
  return toReason(new HttpError(statuses.get(parse(body).type ?? "") ?? 500, body, new Headers()), key, () => 0)
}

/** Returns a changed request that may succeed after this failure, if there is one. */
export const alternativeRequest = (
  request: Request,
  form: Form,
  reason: Reason,
): readonly [Request, Form] | undefined => {
  const { _tag } = reason
  const words = Errors.originalMessage(reason)
  if (_tag === "InvalidRequest" && form === "signed" && /signature|thinking.{0,300}block/i.test(words)) {
    return [request, "unsigned"]
  }
  if (_tag === "ContextOverflow" && request.maxOutputTokens === undefined) {
    const [, input, , window] = /exceed context limit: (\d+) \+ (\d+) > (\d+)/.exec(words) ?? []
    const left = Number(window) - Number(input)
    return left >= MIN_OUTPUT_TOKENS ? [{ ...request, maxOutputTokens: left }, form] : undefined
  }
  return undefined
}

const tokensPerMinute = (words: string): number =>
  Number(/(?<![\d,])([\d,]+) input tokens per minute/.exec(words)?.[1]?.replaceAll(",", "") ?? Number.POSITIVE_INFINITY)

/** The smallest output worth requesting, in tokens. If less fits, the conversation has to become shorter. */
const MIN_OUTPUT_TOKENS = 4096

/**
 * Returns whether a spending limit was reached, as opposed to a rate limit. Some responses have no code, only a
 * message.
 */
const isQuotaExhausted = (status: number, type: string | undefined, code: string | undefined, words: string): boolean =>
  status === 402 ||
  type === "billing_error" ||
  code === "enforced_spend_limit_reached" ||
  /credit balance is too low|(reached|exceeded?) your .{0,300}(usage|spend) limit/i.test(words)

/** docs.anthropic.com/en/api/errors */
const statuses = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
])

interface Body {
  /** The provider's message on one line. It is empty if there is no readable message. */
  readonly message: string
  readonly type: string | undefined
  readonly code: string | undefined
}

/**
 * Parses `{"type":"error","error":{…}}`, whose message may be JSON of an upstream server. The text may also be no JSON
 * at all.
 */
const parse = (text: string, levels = 3): Body => {
  const json = text.search(/\{/)
  const wire = json === -1 || levels === 0 ? Option.none() : decode(text.slice(json))
  if (Option.isNone(wire)) return { message: Errors.toSingleLine(text), type: undefined, code: undefined }
  const { error } = wire.value
  if (typeof error === "string") return parse(error, levels - 1)
  const inner = parse(error.message ?? "", levels - 1)
  return {
    message: inner.message,
    type: inner.type ?? error.type ?? undefined,
    code: inner.code ?? error.details?.error_code ?? undefined,
  }
}

const decode = Schema.decodeOption(
  Schema.parseJson(
    Schema.Struct({
      error: Schema.Union(
        Schema.String,
        Schema.Struct({
          type: field(Schema.String),
          message: field(Schema.String),
          details: field(Schema.Struct({ error_code: field(Schema.String) })),
        }),
      ),
    }),
  ),
)
