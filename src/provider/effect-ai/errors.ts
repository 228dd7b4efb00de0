/** Maps errors of `@effect/ai` to reasons. Pure. */
import type * as AiError from "@effect/ai/AiError"
import * as ParseResult from "effect/ParseResult"
import { isObject } from "../../base/Json.ts"
import { InvalidRequest, QuotaExhausted, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import * as OpenAiErrors from "../shared/openAiErrors.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as Errors from "../transport/errors.ts"
import { HttpError } from "../transport/http.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"

/** `tools` are the names of the offered tools. */
export const toReason = (error: AiError.AiError, tools: ReadonlyArray<string>): Reason => {
  switch (error._tag) {
    case "HttpRequestError":
      return fromCause(new Error(`fetch failed: ${error.description ?? error.reason}`), keyOf(error.request))
    case "HttpResponseError": {
      const { body = "", description, reason, request, response } = error
      if (reason === "StatusCode") {
        return fromCause(new HttpError(response.status, body, new Headers(response.headers)), keyOf(request))
      }
      return new StreamIncomplete({ message: `the answer cannot be read: ${toMessage(description ?? reason)}` })
    }
    case "MalformedInput":
      return new InvalidRequest({ message: toMessage(error.description ?? "the request cannot be written") })
    case "MalformedOutput":
      return fromMalformedOutput(error, tools)
    case "UnknownError":
      return fromCause(error.cause ?? new Error(error.description), noKey)
  }
}

/** Maps an error within an answer. */
export const fromStreamError = (error: unknown): Reason =>
  fromCause(new HttpError(OpenAiErrors.statusOf(error), JSON.stringify({ error }), new Headers()), noKey)

/** The layer holds the key. If the request is not available, only what looks like a key is redacted. */
const noKey = ""

/** Returns the key as it was sent. */
const keyOf = ({ headers }: AiError.HttpResponseError["request"]): string => {
  const [, sent = noKey] = Object.entries(headers).find(([name]) => /^(authorization|.*api-key)$/i.test(name)) ?? []
  // A redacted header is an object, despite its type.
  return String(sent).replace(/^bearer\s+/i, "")
}

/** Most such providers use OpenAI's error format. Spending limits have other messages. */
const fromCause = (cause: unknown, key: string): Reason => {
  const reason = OpenAiErrors.toReason(cause, key)
  const mayBeSpent = reason._tag === "RateLimited" || reason._tag === "InvalidRequest"
  return mayBeSpent && cause instanceof HttpError && quotaMessage.test(cause.message)
    ? new QuotaExhausted({ message: reason.message })
    : reason
}

const quotaMessage = /spend(ing)?[ _]limit|usage limit|credit balance is too low/i

/** A malformed call, or one of an unknown tool, fails the whole answer. */
const fromMalformedOutput = ({ cause, description }: AiError.MalformedOutput, tools: ReadonlyArray<string>): Reason => {
  if (/parse tool call parameters/i.test(description ?? ""))
    return UnusableAnswer.malformedCall("its arguments are no JSON")
  const name = ParseResult.isParseError(cause) ? findUnknownTool(cause.issue, tools) : undefined
  if (name !== undefined) return UnusableAnswer.unknownTool(name, tools)
  const words = description ?? "it is not what the layer of its provider takes for one"
  return new StreamIncomplete({ message: `the answer cannot be read: ${toMessage(words)}` })
}

/** Returns the name of an unknown tool, if a call of one is what failed to decode. */
const findUnknownTool = (issue: ParseResult.ParseIssue, tools: ReadonlyArray<string>): string | undefined => {
  const { actual } = issue
  if (isObject(actual) && actual.type === "tool-call" && typeof actual.name === "string") {
    return tools.map(toWireName).includes(actual.name) ? undefined : actual.name
  }
  return issuesIn(issue)
    .map((inner) => findUnknownTool(inner, tools))
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

const toMessage = (words: string): string => Errors.redactKey(words, noKey).replaceAll(/\s+/g, " ").slice(0, 1000)
