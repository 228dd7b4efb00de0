/** The body of one of Google's errors, as it comes: JSON, JSON inside JSON, JSON behind words, or no JSON at all. */
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fault from "../transport/errors.ts"
import { durationIn } from "../transport/parseDuration.ts"

export interface Body {
  /** The provider's own words, on one line; empty where it said nothing a person could read. */
  readonly message: string
  readonly retryAfter: Duration.Duration | undefined
  /** What limit was hit: one that waiting does not lift soon, one that a minute lifts, or it does not say. */
  readonly quota: "exhausted" | "per-minute" | "unknown"
  /** How many tokens a minute may hold, where that was the limit. */
  readonly tokensPerMinute: number | undefined
  readonly isKeyRefused: boolean
  /** The region, or the plan, is not served. */
  readonly isUnsupported: boolean
}

export const parse = (text: string): Body => {
  const { details, message, statuses } = unwrapped(text, 5)
  const known = details.flatMap((detail) => Option.toArray(decodeDetail(detail)))
  return {
    message: withLinks(message, known),
    retryAfter: retryAfterOf(known, message),
    quota: quotaOf(known, message),
    tokensPerMinute: tokensPerMinuteOf(known),
    isKeyRefused: known.some(({ reason }) => reason === "API_KEY_INVALID") || Fault.isKeyRefused(message),
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

/** It comes alone or, from some back ends that were asked for a stream, as the item of an array. */
const decodeWire = Schema.decodeOption(Schema.parseJson(Schema.Union(Wire, Schema.NonEmptyArray(Wire))))

const Detail = Schema.Struct({
  /** Of a `RetryInfo`. */
  retryDelay: Schema.optional(Schema.String),
  /** Of an `ErrorInfo`. */
  reason: Schema.optional(Schema.String),
  metadata: Schema.optional(Schema.Struct({ quota_limit: Schema.optional(Schema.String) })),
  /** Of a `Help`. */
  links: Schema.optional(Schema.Array(Schema.Struct({ url: Schema.optional(Schema.String) }))),
  /** Of a `QuotaFailure`. */
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

/** What all levels hold, innermost first, and the message of the innermost. */
interface Unwrapped {
  readonly message: string
  readonly statuses: ReadonlyArray<string>
  readonly details: ReadonlyArray<unknown>
}

const unwrapped = (text: string, levels: number): Unwrapped => {
  const json = text.search(/[[{]/)
  const wire = json === -1 || levels === 0 ? Option.none() : decodeWire(text.slice(json))
  if (Option.isNone(wire)) return { message: Fault.presentable(text), statuses: [], details: [] }
  const { error } = "error" in wire.value ? wire.value : wire.value[0]
  const inner = unwrapped(error.message ?? "", levels - 1)
  return {
    message: inner.message,
    statuses: [...inner.statuses, ...(error.status === undefined ? [] : [error.status])],
    details: [...inner.details, ...(error.details ?? [])],
  }
}

/** Where to go about it, unless the message says so itself. */
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
    .map(durationIn)
    .find((duration) => duration !== undefined)

const tokensPerMinuteOf = (details: ReadonlyArray<Detail>): number | undefined =>
  details
    .flatMap(({ violations = [] }) => violations)
    .find(({ quotaId = "" }) => /InputTokens.{0,200}PerMinute/i.test(quotaId))?.quotaValue

/** As gemini-cli's `googleQuotaErrors` has it: a day's limit, and none at all, win over a minute's in the same body. */
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
