/** Maps errors of OpenAI, and of servers compatible with it, to reasons. Pure. */
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject, tryParse } from "../../base/Json.ts"
import {
  Blocked,
  ContextOverflow,
  InvalidRequest,
  ModelNotFound,
  QuotaExhausted,
  RateLimited,
  type Reason,
  Unauthorized,
  Unsupported,
} from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as Errors from "../transport/errors.ts"
import { parseDuration } from "../transport/errors.ts"

/** Redacts `key`, and everything that looks like a key, from the message. */
export const toReason = (cause: unknown, key: string): Reason => Errors.toReason(cause, key, fromErrorResponse)

/**
 * Returns whether a rejected request may succeed without the provider metadata that its messages carry. The error must
 * be about that metadata, and there must be some under the provider's name.
 */
export const isAcceptedPlain = (reason: Reason, { messages }: Request, provider: string): boolean =>
  reason._tag === "InvalidRequest" &&
  /reasoning|thinking|encrypted.?content|signature|required following item|extra_content/i.test(
    Errors.originalMessage(reason),
  ) &&
  messages.some(({ content }) => content.some(({ meta }) => meta?.[provider] !== undefined))

/** An error response, or an error within a stream. */
interface Body {
  /** The message on one line. It is empty if there is no readable message. */
  readonly message: string
  /** All error codes and types, including those of an upstream provider, separated by spaces. */
  readonly codes: string
  /** The status in the body, if the body has one. */
  readonly status: number | undefined
  /** True if moderation blocked the prompt. */
  readonly isFlagged: boolean
}

/**
 * Returns the HTTP status of an error that arrived with status 200. It is taken from the body or derived from the code.
 */
export const statusOf = (error: unknown): number => {
  const { codes, message, status } = parse(JSON.stringify({ error }))
  if (status !== undefined) return status
  if (quota.test(codes) || /rate.?limit|too_many_requests/i.test(codes)) return 429
  if (/invalid_api_key|authentication/i.test(codes)) return 401
  if (/model_not_found/i.test(codes)) return 404
  return /invalid|bad_?request|context_length|not_supported/i.test(codes) || Errors.isOverflow(message) ? 400 : 500
}

const fromErrorResponse = (
  { body, retryAfter, status }: Errors.ErrorResponse,
  redact: (words: string) => string,
): Reason => {
  const { codes, isFlagged, message: words } = parse(body)
  const message = redact(words === "" ? `HTTP ${status}` : words)
  const wait = retryAfter ?? retryDelayIn(words)
  if (isFlagged || /content_policy|content_filter/i.test(codes)) return new Blocked({ message: `blocked: ${message}` })
  if (/unsupported_country/i.test(codes)) return new Unsupported({ message })
  if (status === 402 || quota.test(`${codes} ${words}`)) return new QuotaExhausted({ message, retryAfter: wait })
  // llama.cpp reports an overflow with status 500.
  if (/context_(length|size)|string_above_max/i.test(codes) || Errors.isOverflow(words)) {
    return new ContextOverflow({ message })
  }
  // The request alone exceeds the limit per minute. Waiting does not help, but a shorter request may.
  if (status === 429 && /request too large/i.test(words)) return new ContextOverflow({ message })
  if (status === 429) return new RateLimited({ message, retryAfter: wait })
  if (status === 400 && Errors.isKeyRejected(`${codes} ${words}`)) return new Unauthorized({ message })
  if (status < 500 && unknownModel.test(`${codes} ${words}`)) return new ModelNotFound({ message })
  return status === 422
    ? new InvalidRequest({ message })
    : Errors.reasonForStatus(status, words, { message, retryAfter: wait })
}

/** Matches limits that waiting a minute does not lift: spending limits and limits per day. */
const quota = new RegExp(
  [
    "insufficient_quota|exceeded your current quota|billing_hard_limit|billing_not_active",
    "insufficient (balance|credits|funds)|requires more credits|key limit exceeded|out of credits|used all available credits",
    "per.day|\\((TPD|RPD|ASPD)\\)|daily (limit|quota)",
  ].join("|"),
  "i",
)

const unknownModel =
  /model_not_found|model not exist|not a valid model|invalid[_ ]model|no models? loaded|model .{0,200}(does not exist|not found)|unknown model/i

const Wire = Schema.Struct({
  code: Schema.optional(Schema.NullOr(Schema.Union(Schema.Number, Schema.String))),
  type: Schema.optional(Schema.NullOr(Schema.String)),
  metadata: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        /** The message of the provider behind OpenRouter. */
        raw: Schema.optional(Schema.NullOr(Schema.Unknown)),
        flagged_input: Schema.optional(Schema.NullOr(Schema.String)),
      }),
    ),
  ),
})

const decodeWire = Schema.decodeUnknownOption(Wire)

const parse = (text: string): Body => {
  const json = tryParse(text)
  // Google's compatible server sends an array with one error.
  const document: unknown = Array.isArray(json) ? json[0] : json
  // Frameworks for servers write the name of the status or a code as `error`, and what happened beside it.
  const name = isObject(document) && typeof document.error === "string" ? document.error : undefined
  const said =
    isObject(document) && name !== undefined ? messageIn(document.message ?? document.error_description) : undefined
  const error: unknown = isObject(document) && document.error != null && said === undefined ? document.error : document
  const wire = Option.getOrUndefined(decodeWire(error))
  if (wire === undefined)
    return { message: toMessage(messageIn(error) ?? text), codes: "", status: undefined, isFlagged: false }
  const { code, metadata, type } = wire
  const own = toMessage(said ?? messageIn(error) ?? "")
  const behind = toMessage(messageIn(metadata?.raw) ?? "")
  return {
    message: [own, ...(behind === "" || own.includes(behind) ? [] : [behind])]
      .filter((words) => words !== "")
      .join(": "),
    codes: [code, type, said === undefined ? undefined : name].filter((code) => typeof code === "string").join(" "),
    status: statusIn(code),
    isFlagged: metadata?.flagged_input != null,
  }
}

/** Returns the HTTP status in a code. Some servers write it as a string. */
const statusIn = (code: string | number | null | undefined): number | undefined => {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined
}

/**
 * Returns the message in a value: a string, JSON within a string, or a list of validation errors. Returns `undefined`
 * if there is no message.
 */
const messageIn = (value: unknown): string | undefined => {
  if (typeof value === "string") {
    const inner = value.trimStart().startsWith("{") ? tryParse(value) : undefined
    return messageIn(inner) ?? value
  }
  if (Array.isArray(value)) {
    const words = value.flatMap((item) => messageIn(item) ?? [])
    return words.length === 0 ? undefined : words.join("; ")
  }
  if (!isObject(value)) return undefined
  for (const name of messageNames) {
    const words = messageIn(value[name])
    if (words !== undefined && words !== "") return words
  }
  return undefined
}

/** The names under which servers write what happened, those first that say most. */
const messageNames = ["error", "message", "detail", "msg", "errors", "error_msg", "error_description", "title"]

/** Returns a message on one line. Empty JSON gives an empty message. */
const toMessage = (text: string): string => {
  const line = Errors.toSingleLine(text)
  return line === "{}" || line === "null" ? "" : line
}

/** Reads the delay in messages such as `try again in 6m0s` or `retry after 20s`. */
const retryDelayIn = (words: string): Duration.Duration | undefined =>
  parseDuration(/(?:try again|retry) (?:in|after) ([\d.hms]+)/i.exec(words)?.[1] ?? "")
