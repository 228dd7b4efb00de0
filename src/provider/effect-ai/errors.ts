/** Why a request through `@effect/ai` failed: from its errors to a reason. Pure. */
import type * as AiError from "@effect/ai/AiError"
import * as ParseResult from "effect/ParseResult"
import { isObject } from "../../message/Json.ts"
import { InvalidRequest, QuotaExhausted, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import * as OpenAiError from "../shared/openAiErrors.ts"
import { onWire } from "../shared/toolNames.ts"
import * as Endings from "../shared/unusable.ts"
import * as Fault from "../transport/errors.ts"
import { Refused } from "../transport/http.ts"

/** `tools`: the names of what the model was offered. */
export const toReason = (error: AiError.AiError, tools: ReadonlyArray<string>): Reason => {
  switch (error._tag) {
    case "HttpRequestError":
      return refused(new Error(`fetch failed: ${error.description ?? error.reason}`), keyOf(error.request))
    case "HttpResponseError": {
      const { body = "", description, reason, request, response } = error
      if (reason === "StatusCode") {
        return refused(new Refused(response.status, body, new Headers(response.headers)), keyOf(request))
      }
      return new StreamIncomplete({ message: `the answer cannot be read: ${described(description ?? reason)}` })
    }
    case "MalformedInput":
      return new InvalidRequest({ message: described(error.description ?? "the request cannot be written") })
    case "MalformedOutput":
      return unread(error, tools)
    case "UnknownError":
      return refused(error.cause ?? new Error(error.description), noKey)
  }
}

/** Why an answer broke off: what the provider says of it. */
export const broken = (error: unknown): Reason =>
  refused(new Refused(OpenAiError.statusOf(error), JSON.stringify({ error }), new Headers()), noKey)

/** The layer has the key. Where it does not show its request, only what looks like a key is struck out. */
const noKey = ""

/** As it was sent. */
const keyOf = ({ headers }: AiError.HttpResponseError["request"]): string => {
  const [, sent = noKey] = Object.entries(headers).find(([name]) => /^(authorization|.*api-key)$/i.test(name)) ?? []
  // Hidden, it would be an object, whatever its type says.
  return String(sent).replace(/^bearer\s+/i, "")
}

/** Most who stand behind such a layer refuse as OpenAI does. What may be spent they say in words of their own. */
const refused = (cause: unknown, key: string): Reason => {
  const reason = OpenAiError.toReason(cause, key)
  const mayBeSpent = reason._tag === "RateLimited" || reason._tag === "InvalidRequest"
  return mayBeSpent && cause instanceof Refused && spent.test(cause.message)
    ? new QuotaExhausted({ message: reason.message })
    : reason
}

const spent = /spend(ing)?[ _]limit|usage limit|credit balance is too low/i

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
