/** Why a request to Anthropic failed: from whatever its SDK throws to a reason. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ContextOverflow, QuotaExhausted, type Reason, Unsupported } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as Fault from "../transport/errors.ts"
import { Refused } from "../transport/http.ts"
import type { Form } from "./request.ts"

/** `key` and everything that looks like one is struck out of the message. `tokens`: of the request, estimated. */
export const toReason = (cause: unknown, key: string, tokens: () => number): Reason =>
  Fault.toReason(cause, key, ({ body, retryAfter, status }, said) => {
    const { code, message: words, type } = parse(body)
    const message = said(words) || `HTTP ${status}`
    if (isSpent(status, type, code, words)) return new QuotaExhausted({ message, retryAfter })
    if (status === 403 && (type === "forbidden" || /not allowed|unsupported (country|region)/i.test(words))) {
      return new Unsupported({ message })
    }
    // No minute holds this request: waiting does not help, a shorter one may.
    if (status === 429 && tokens() > tokensPerMinute(words)) return new ContextOverflow({ message })
    return Fault.byStatus(status, words, { message, retryAfter })
  })

/** The same of an error that comes in an answer: as if the server had refused the request for it. */
export const inAnswer = (error: unknown, key: string): Reason => {
  const body = JSON.stringify({ error })
  return toReason(new Refused(statuses.get(parse(body).type ?? "") ?? 500, body, new Headers()), key, () => 0)
}

/** A request that may pass after all in place of the one that was refused, where there is one. */
export const otherwise = (request: Request, form: Form, reason: Reason): readonly [Request, Form] | undefined => {
  const { _tag } = reason
  const words = Fault.wordsOf(reason)
  if (_tag === "InvalidRequest" && form === "signed" && /signature|thinking.{0,300}block/i.test(words)) {
    return [request, "unsigned"]
  }
  if (_tag === "ContextOverflow" && request.maxOutputTokens === undefined) {
    const [, input, , window] = /exceed context limit: (\d+) \+ (\d+) > (\d+)/.exec(words) ?? []
    const left = Number(window) - Number(input)
    return left >= ample ? [{ ...request, maxOutputTokens: left }, form] : undefined
  }
  return undefined
}

const tokensPerMinute = (words: string): number =>
  Number(/(?<![\d,])([\d,]+) input tokens per minute/.exec(words)?.[1]?.replaceAll(",", "") ?? Number.POSITIVE_INFINITY)

/** Tokens of an answer that is worth asking for. Where fewer are left, the conversation has to become shorter. */
const ample = 4096

/** What the key may spend, not how fast it may. Without a code it is told by its words alone. */
const isSpent = (status: number, type: string | undefined, code: string | undefined, words: string): boolean =>
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
  /** The provider's own words, on one line; empty where it said nothing a person could read. */
  readonly message: string
  readonly type: string | undefined
  readonly code: string | undefined
}

/** `{"type":"error","error":{…}}`, whose words may be JSON themselves, of a server behind it; or no JSON. */
const parse = (text: string, levels = 3): Body => {
  const json = text.search(/\{/)
  const wire = json === -1 || levels === 0 ? Option.none() : decode(text.slice(json))
  if (Option.isNone(wire)) return { message: Fault.presentable(text), type: undefined, code: undefined }
  const { error } = wire.value
  if (typeof error === "string") return parse(error, levels - 1)
  const inner = parse(error.message ?? "", levels - 1)
  return {
    message: inner.message,
    type: inner.type ?? error.type ?? undefined,
    code: inner.code ?? error.details?.error_code ?? undefined,
  }
}

const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

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
