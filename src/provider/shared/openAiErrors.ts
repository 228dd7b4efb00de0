/** Why a request to OpenAI, or to a server that speaks like it, failed. Pure. */
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isObject, tryParse } from "../../message/Json.ts"
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
import * as Fault from "../transport/errors.ts"
import { durationIn } from "../transport/parseDuration.ts"

/** `key` and everything that looks like one is struck out of the message. */
export const toReason = (cause: unknown, key: string): Reason => Fault.toReason(cause, key, refused)

/**
 * Whether a request that was refused may pass without what the model is to get back of its own, where it has some of
 * that, which is kept under the provider's name (FAULTS E3).
 */
export const mayPassPlain = (reason: Reason, { messages }: Request, provider: string): boolean =>
  reason._tag === "InvalidRequest" &&
  /reasoning|thinking|encrypted.?content|signature|required following item|extra_content/i.test(
    Fault.wordsOf(reason),
  ) &&
  messages.some(({ content }) => content.some(({ meta }) => meta?.[provider] !== undefined))

/** What a refusal said, or an error within a stream. */
interface Body {
  /** On one line; empty where it said nothing a person could read. */
  readonly message: string
  /** All codes and types that it names, of whoever stands behind the server too. */
  readonly codes: string
  /** The status, where it is told apart from HTTP's. */
  readonly status: number | undefined
  /** The prompt was not let through. */
  readonly isFlagged: boolean
}

/** The status of an error that came where an answer was due: as it says itself, or by its code. */
export const statusOf = (error: unknown): number => {
  const { codes, message, status } = parse(JSON.stringify({ error }))
  if (status !== undefined) return status
  if (quota.test(codes) || /rate.?limit|too_many_requests/i.test(codes)) return 429
  if (/invalid_api_key|authentication/i.test(codes)) return 401
  if (/model_not_found/i.test(codes)) return 404
  return /invalid|bad_?request|context_length|not_supported/i.test(codes) || Fault.isOverflow(message) ? 400 : 500
}

const refused = ({ body, retryAfter, status }: Fault.Refusal, said: (words: string) => string): Reason => {
  const { codes, isFlagged, message: words } = parse(body)
  const message = said(words === "" ? `HTTP ${status}` : words)
  const wait = retryAfter ?? waitIn(words)
  if (isFlagged || /content_policy|content_filter/i.test(codes)) return new Blocked({ message: `blocked: ${message}` })
  if (/unsupported_country/i.test(codes)) return new Unsupported({ message })
  if (status === 402 || quota.test(`${codes} ${words}`)) return new QuotaExhausted({ message, retryAfter: wait })
  // llama.cpp says it with 500.
  if (/context_(length|size)|string_above_max/i.test(codes) || Fault.isOverflow(words)) {
    return new ContextOverflow({ message })
  }
  // No minute holds this request: waiting does not help, a shorter one may.
  if (status === 429 && /request too large/i.test(words)) return new ContextOverflow({ message })
  if (status === 429) return new RateLimited({ message, retryAfter: wait })
  if (status === 400 && Fault.isKeyRefused(`${codes} ${words}`)) return new Unauthorized({ message })
  if (status < 500 && unknownModel.test(`${codes} ${words}`)) return new ModelNotFound({ message })
  return status === 422 ? new InvalidRequest({ message }) : Fault.byStatus(status, words, { message, retryAfter: wait })
}

/** What waiting a minute does not lift: money, and a day's limit. */
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
  message: Schema.optional(Schema.NullOr(Schema.Unknown)),
  detail: Schema.optional(Schema.NullOr(Schema.Unknown)),
  code: Schema.optional(Schema.NullOr(Schema.Union(Schema.Number, Schema.String))),
  type: Schema.optional(Schema.NullOr(Schema.String)),
  metadata: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        /** What the provider behind OpenRouter said. */
        raw: Schema.optional(Schema.NullOr(Schema.Unknown)),
        flagged_input: Schema.optional(Schema.NullOr(Schema.String)),
      }),
    ),
  ),
})

const decodeWire = Schema.decodeUnknownOption(Wire)

const parse = (text: string): Body => {
  const json = tryParse(text)
  // Google's server for this wire sends a list of one.
  const document: unknown = Array.isArray(json) ? json[0] : json
  const error: unknown = isObject(document) && document.error != null ? document.error : document
  const wire = Option.getOrUndefined(decodeWire(error))
  if (wire === undefined)
    return { message: presentable(wordsOf(error) ?? text), codes: "", status: undefined, isFlagged: false }
  const { code, detail, message, metadata, type } = wire
  const own = presentable(wordsOf(message) ?? wordsOf(detail) ?? "")
  const behind = presentable(wordsOf(metadata?.raw) ?? "")
  return {
    message: [own, ...(behind === "" || own.includes(behind) ? [] : [behind])]
      .filter((words) => words !== "")
      .join(": "),
    codes: [code, type].filter((code) => typeof code === "string").join(" "),
    status: statusIn(code),
    isFlagged: metadata?.flagged_input != null,
  }
}

/** HTTP's among the codes: some servers write them as text. */
const statusIn = (code: string | number | null | undefined): number | undefined => {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined
}

/** A text; the message within JSON, or within what a validator lists; `undefined` where there are no words. */
const wordsOf = (value: unknown): string | undefined => {
  if (typeof value === "string") {
    const inner = value.trimStart().startsWith("{") ? tryParse(value) : undefined
    return wordsOf(inner) ?? value
  }
  if (Array.isArray(value)) {
    const words = value.flatMap((item) => wordsOf(item) ?? [])
    return words.length === 0 ? undefined : words.join("; ")
  }
  if (!isObject(value)) return undefined
  return wordsOf(value.error) ?? wordsOf(value.message) ?? wordsOf(value.detail) ?? wordsOf(value.msg)
}

/** On one line. JSON that holds nothing says nothing. */
const presentable = (text: string): string => {
  const line = Fault.presentable(text)
  return line === "{}" || line === "null" ? "" : line
}

/** `try again in 6m0s`, `retry after 20s`. */
const waitIn = (words: string): Duration.Duration | undefined =>
  durationIn(/(?:try again|retry) (?:in|after) ([\d.hms]+)/i.exec(words)?.[1] ?? "")
