/** Parses the body of a Google error: JSON, nested JSON, JSON after other text, or no JSON. */
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Errors from "../transport/errors.ts"
import { parseDuration } from "../transport/errors.ts"

export interface Body {
  /** The provider's message on one line. It is empty if there is no readable message. */
  readonly message: string
  readonly retryAfter: Duration.Duration | undefined
  /** The limit that was reached: one that lasts, one per minute, or one that is not stated. */
  readonly quota: "exhausted" | "per-minute" | "unknown"
  /** The limit of tokens per minute, if that limit was reached. */
  readonly tokensPerMinute: number | undefined
  readonly isKeyRejected: boolean
  /** True if the region or the plan is not supported. */
  readonly isUnsupported: boolean
}

export const parse = (text: string): Body => {
  const { details, message, statuses } = unwrap(text, 5)
  const known = details.flatMap((detail) => Option.toArray(decodeDetail(detail)))
  return {
    message: withLinks(message, known),
    retryAfter: retryAfterOf(known, message),
    quota: quotaOf(known, message),
    tokensPerMinute: tokensPerMinuteOf(known),
    isKeyRejected: known.some(({ reason }) => reason === "API_KEY_INVALID") || Errors.isKeyRejected(message),
    isUnsupported: statuses.includes("FAILED_PRECONDITION"),
  }
}

const Wire = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optional(Schema.String),
    status: Schema.optional(Schema.String),
    details: Schema.optional(Schema.Array(Schema.Unknown)),
  }),
})

/** Decodes an error that stands alone or, from some back ends after a streaming request, as the item of an array. */
const decodeWire = Schema.decodeOption(Schema.parseJson(Schema.Union(Wire, Schema.NonEmptyArray(Wire))))

const Detail = Schema.Struct({
  /** The field of a `RetryInfo`. */
  retryDelay: Schema.optional(Schema.String),
  /** The field of an `ErrorInfo`. */
  reason: Schema.optional(Schema.String),
  metadata: Schema.optional(Schema.Struct({ quota_limit: Schema.optional(Schema.String) })),
  /** The field of a `Help`. */
  links: Schema.optional(Schema.Array(Schema.Struct({ url: Schema.optional(Schema.String) }))),
  /** The field of a `QuotaFailure`. */
  violations: Schema.optional(
    Schema.Array(
      Schema.Struct({
        quotaId: Schema.optional(Schema.String),
        quotaValue: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString)),
      }),
    ),
  ),
})
type Detail = typeof Detail.Type

const decodeDetail = Schema.decodeUnknownOption(Detail)

/** The details of all levels, innermost first, and the innermost message. */
interface Unwrapped {
  readonly message: string
  readonly statuses: ReadonlyArray<string>
  readonly details: ReadonlyArray<unknown>
}

const unwrap = (text: string, levels: number): Unwrapped => {
  const json = text.search(/[[{]/)
  const wire = json === -1 || levels === 0 ? Option.none() : decodeWire(text.slice(json))
  if (Option.isNone(wire)) return { message: Errors.toSingleLine(text), statuses: [], details: [] }
  const { error } = "error" in wire.value ? wire.value : wire.value[0]
  const inner = unwrap(error.message ?? "", levels - 1)
  return {
    message: inner.message,
    statuses: [...inner.statuses, ...(error.status === undefined ? [] : [error.status])],
    details: [...inner.details, ...(error.details ?? [])],
  }
}

/** Appends the links of the details, unless the message has one. */
const withLinks = (message: string, details: ReadonlyArray<Detail>): string =>
  /https?:/.test(message)
    ? message
    : [message, ...details.flatMap(({ links = [] }) => links.flatMap(({ url }) => (url === undefined ? [] : [url])))]
        .filter((words) => words !== "")
        .join(" ")

const retryAfterOf = (details: ReadonlyArray<Detail>, message: string): Duration.Duration | undefined =>
  [
    ...details.flatMap(({ retryDelay }) => (retryDelay === undefined ? [] : [retryDelay])),
    /(?:re)?try (?:again )?in ([\dhms.]+)/i.exec(message)?.[1] ?? "",
  ]
    .map(parseDuration)
    .find((duration) => duration !== undefined)

const tokensPerMinuteOf = (details: ReadonlyArray<Detail>): number | undefined =>
  details
    .flatMap(({ violations = [] }) => violations)
    .find(({ quotaId = "" }) => /InputTokens.{0,200}PerMinute/i.test(quotaId))?.quotaValue

/** Follows `googleQuotaErrors` of gemini-cli: a daily or zero limit takes precedence over one per minute. */
const quotaOf = (details: ReadonlyArray<Detail>, message: string): Body["quota"] => {
  const violations = details.flatMap(({ violations = [] }) => violations)
  const limits = [
    ...violations.map(({ quotaId = "" }) => quotaId),
    ...details.map(({ metadata }) => metadata?.quota_limit ?? ""),
  ].join(" ")
  const isNone = violations.some(({ quotaValue }) => quotaValue === 0) || /\blimit:\s*0(?![\d.])/i.test(message)
  if (isNone || /PerDay|Daily/i.test(limits) || /daily quota|per day/i.test(message)) return "exhausted"
  return /PerMinute/i.test(limits) || /per minute/i.test(message) ? "per-minute" : "unknown"
}
