/** Why a request through `@effect/ai` failed: from its errors to a reason. Pure. */
import type * as AiError from "@effect/ai/AiError"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../message/Json.ts"
import { InvalidRequest, Overloaded, QuotaExhausted, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import * as Endings from "./endings.ts"
import * as Fault from "./fault.ts"
import { Refused } from "./http.ts"
import { onWire } from "./toolNames.ts"

/** `tools`: the names of what the model was offered. */
export const toReason = (error: AiError.AiError, tools: ReadonlyArray<string>): Reason => {
  switch (error._tag) {
    case "HttpRequestError":
      return Fault.toReason(new Error(`fetch failed: ${error.description ?? error.reason}`), noKey, refused)
    case "HttpResponseError": {
      const { body = "", description, reason, response } = error
      if (reason === "StatusCode") {
        return Fault.toReason(new Refused(response.status, body, new Headers(response.headers)), noKey, refused)
      }
      return new StreamIncomplete({ message: `the answer cannot be read: ${described(description ?? reason)}` })
    }
    case "MalformedInput":
      return new InvalidRequest({ message: described(error.description ?? "the request cannot be written") })
    case "MalformedOutput":
      return unread(error, tools)
    case "UnknownError":
      return Fault.toReason(error.cause ?? new Error(error.description), noKey, refused)
  }
}

/** Why an answer broke off: what the provider says of it. */
export const broken = (error: unknown): Reason => {
  const message = described(wordsOf(JSON.stringify({ error })))
  if (Fault.isOverflow(message)) return Fault.byStatus(400, message, undefined)
  return quota.test(message) ? new QuotaExhausted({ message }) : new Overloaded({ message })
}

/** The layer has the key: here it is not known, and only what looks like one is struck out. */
const noKey = ""

const refused: Parameters<typeof Fault.toReason>[2] = ({ body, retryAfter, status }, said) => {
  const message = said(wordsOf(body)) || `HTTP ${status}`
  return quota.test(message) ? new QuotaExhausted({ message }) : Fault.byStatus(status, message, retryAfter)
}

const quota = /insufficient.quota|exceeded your current quota|spend(ing)? limit|usage limit/i

/** One call that cannot be read, or of a tool that was not offered, and the whole answer is lost to us. */
const unread = ({ cause, description }: AiError.MalformedOutput, tools: ReadonlyArray<string>): Reason => {
  if (/parse tool call parameters/i.test(description ?? "")) return Endings.unreadable("its arguments are no JSON")
  const name = ParseResult.isParseError(cause) ? strangeCall(cause.issue, tools) : undefined
  if (name !== undefined) return Endings.unexpected(name, tools)
  const words = description ?? "it is not what the layer of its provider takes for one"
  return new StreamIncomplete({ message: `the answer cannot be read: ${described(words)}` })
}

/** The name of a tool that was called and not offered, where that is what did not fit. */
const strangeCall = (issue: ParseResult.ParseIssue, tools: ReadonlyArray<string>): string | undefined => {
  const { actual } = issue
  if (isObject(actual) && actual.type === "tool-call" && typeof actual.name === "string") {
    return tools.map(onWire).includes(actual.name) ? undefined : actual.name
  }
  return issuesIn(issue)
    .map((inner) => strangeCall(inner, tools))
    .find((name) => name !== undefined)
}

const issuesIn = (issue: ParseResult.ParseIssue): ReadonlyArray<ParseResult.ParseIssue> => {
  switch (issue._tag) {
    case "Composite":
      return "_tag" in issue.issues ? [issue.issues] : issue.issues
    case "Pointer":
    case "Refinement":
    case "Transformation":
      return [issue.issue]
    default:
      return []
  }
}

const described = (words: string): string => Fault.withoutKeys(words, noKey).replaceAll(/\s+/g, " ").slice(0, 1000)

/** Of a body that is JSON, whatever its provider, or JSON of its text; a page says nothing. */
const wordsOf = (body: string): string => {
  const json = Option.getOrUndefined(decode(body))
  if (typeof json === "string") return wordsOf(json)
  if (json !== undefined) return typeof json.error === "string" ? json.error : json.error.message
  const line = body.trim().replaceAll(/\s+/g, " ")
  return line.startsWith("<") ? "" : line
}

const decode = Schema.decodeOption(
  Schema.parseJson(
    Schema.Union(
      Schema.String,
      Schema.Struct({ error: Schema.Union(Schema.String, Schema.Struct({ message: Schema.String })) }),
    ),
  ),
)
