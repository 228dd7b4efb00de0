/** Maps failed requests to reasons, as far as all providers agree. Pure. */
import * as Duration from "effect/Duration"
import * as CodedSecrets from "../../base/CodedSecrets.ts"
import { sanitize } from "../../base/Sanitize.ts"
import * as Secret from "../../base/Secret.ts"
import {
  ContextOverflow,
  InvalidRequest,
  Misconfigured,
  ModelNotFound,
  Overloaded,
  RateLimited,
  type Reason,
  StreamIncomplete,
  Unauthorized,
  Unreachable,
} from "../../model/ModelError.ts"
import { ProxyError } from "../../process/Fetch.ts"
import { HttpError, RedirectRefused, RequestNotSent, UnreadableBody } from "./http.ts"

export interface ErrorResponse {
  readonly status: number
  /** The body as received, or the JSON of an error within a stream. */
  readonly body: string
  /** The delay that the headers ask for, if they have one. */
  readonly retryAfter: Duration.Duration | undefined
  /** The address of the request without secrets, if it is known. */
  readonly address?: string | undefined
}

/**
 * Maps the failure of a request to a reason. `fromResponse` interprets an error response. It reads the provider's
 * original message, and calls `redact` for the version that may be shown, which has no keys and a limited length.
 */
export const toReason = (
  cause: unknown,
  key: string,
  fromResponse: (response: ErrorResponse, redact: (words: string) => string) => Reason,
): Reason => {
  let original = ""
  const redact = (words: string) => {
    original = truncateAtWord(words)
    return truncate(redactKey(original, key))
  }
  const reason = reasonOf(cause, redact, fromResponse)
  if (original !== "") originalMessages.set(reason, original)
  return reason
}

/** Original messages are stored beside the reason, since the contents of a reason are shown, logged and stored. */
const originalMessages = new WeakMap<Reason, string>()

/**
 * Returns the provider's original message, for interpretation only: never show it. It may contain the key. The redacted
 * message is not enough, since redaction may hide what matters: with the key `signature`, `thought_signature` becomes
 * `thought_[key]`.
 */
export const originalMessage = (reason: Reason): string => originalMessages.get(reason) ?? reason.message

const reasonOf = (
  cause: unknown,
  redact: (words: string) => string,
  fromResponse: (response: ErrorResponse, redact: (words: string) => string) => Reason,
): Reason => {
  if (cause instanceof UnreadableBody || cause instanceof SyntaxError) {
    return new StreamIncomplete({ message: redact(`the answer cannot be read: ${messageOf(cause)}`) })
  }
  const notSent = causesOf(cause).find((cause) => cause instanceof RequestNotSent)
  if (notSent !== undefined) return notSent.reason
  const redirected = causesOf(cause).find((cause) => cause instanceof RedirectRefused)
  if (redirected !== undefined) {
    const message = `the provider ${redirected.message}, which is not followed: if you trust that address, set it as the provider's`
    return new Misconfigured({ message: redact(message) })
  }
  const response = causesOf(cause).flatMap((cause) => errorResponseIn(cause) ?? [])[0]
  if (response !== undefined) {
    let words = ""
    const reason = fromResponse(response, (text) => {
      words ||= text
      return redact(text)
    })
    const message = wrongAddress(response, reason, words)
    return message === undefined ? reason : new Misconfigured({ message: redact(message) })
  }
  const proxyError = causesOf(cause).find((cause) => cause instanceof ProxyError)
  if (proxyError !== undefined) return new Unreachable({ message: redact(proxyError.message) })
  const connectionMessage = connectionError(cause)
  if (connectionMessage === "bad port")
    return new Misconfigured({
      message: "its port is one that HTTP clients do not ask: let the server listen on another",
    })
  if (connectionMessage !== undefined)
    return new Unreachable({ message: redact(`no connection: ${connectionMessage}`) })
  if (codeOf(cause) === "ERR_INVALID_URL") return new Misconfigured({ message: "the provider's address is not a URL" })
  return new InvalidRequest({ message: redact(messageOf(cause)) })
}

/**
 * Returns the message for a response to a wrong address: the server does not have the path, and its words do not
 * mention a model. Returns `undefined` for other responses.
 */
const wrongAddress = ({ address, status }: ErrorResponse, { _tag }: Reason, words: string): string | undefined => {
  if (address === undefined || (status !== 404 && status !== 405)) return undefined
  if (_tag !== "ModelNotFound" && _tag !== "InvalidRequest") return undefined
  if (aboutModel.test(words) || !aboutPath.test(words)) return undefined
  const hint = /\/v\d/.test(address) ? "is the address of the provider right?" : "most addresses end in /v1"
  return `${address} is no address of an API (${words || `HTTP ${status}`}): ${hint}`
}

const aboutModel = /model|deployment|engine|publisher|endpoints? found/i

const aboutPath =
  /^\W*(?:(?:http )?40[45])?\W*(?:not.?found)?\W*$|\b(?:page|path|route|ur[il]|endpoint|resource|method|cannot post)\b/i

/**
 * Returns the beginning of a message on one line. An HTML page of a proxy gives an empty message; `<400> …` is not
 * HTML.
 */
export const toSingleLine = (text: string): string => {
  const line = truncateAtWord(text.trim()).replaceAll(/\s+/g, " ")
  return /^<[!?a-z]/i.test(line) ? "" : line
}

/** Maps an HTTP status, if the error has no more specific message. */
export const reasonForStatus = (
  status: number,
  words: string,
  { message, retryAfter }: { readonly message: string; readonly retryAfter: Duration.Duration | undefined },
): Reason => {
  if (status === 401 || status === 403) return new Unauthorized({ message })
  if (status === 404) return new ModelNotFound({ message })
  if (status >= 500 && schemaNotSupported.test(words)) return new InvalidRequest({ message })
  if (status === 413 || isOverflow(words)) return new ContextOverflow({ message })
  if (status === 408 || status === 499 || status >= 500) return new Overloaded({ message, retryAfter })
  if (status === 429) return new RateLimited({ message, retryAfter })
  return new InvalidRequest({ message })
}

/**
 * Matches messages of a server that cannot compile the schema to a grammar (Ollama, llama.cpp). A retry does not help.
 */
const schemaNotSupported = /invalid json schema|pars(e|ing) grammar|initialize samplers/i

/** Returns whether the provider rejects the key as invalid or expired, which some do with status 400. */
export const isKeyRejected = (words: string): boolean =>
  /(invalid|incorrect).?api.?key|api.?key.(not valid|not found|invalid|expired)/i.test(words)

/** Returns whether the provider reports that the conversation exceeds the model's context. */
export const isOverflow = (words: string): boolean => overflow.test(words)

const overflow = new RegExp(
  [
    // Google
    "input token count.{0,200}(exceeds the maximum|only supports up to)",
    "payload size exceeds the limit",
    // Anthropic, Ollama's cloud
    "prompt( is)? too long",
    "input length and .?max_tokens.? exceed context limit",
    // OpenAI and compatible servers
    "context_length_exceeded",
    "context (length|window) (has been )?exceeded",
    "exceeds the context window",
    "maximum context length",
    "too_many_prompt_tokens",
    // Ollama (server/routes.go), when asked not to truncate
    "input length exceeds the context length",
    // Groq
    "reduce the length of the (messages|prompt|input)",
    // llama.cpp, LM Studio, vLLM, SGLang, TGI
    "exceeds the available context size",
    "context size has been exceeded",
    "greater than the context length",
    "tokens when context (the )?overflows",
    "longer than the maximum model length",
    "longer than the model's context length",
    "inputs.? tokens \\+ .?max_new_tokens.? must be <=",
    // xAI, Mistral
    "maximum prompt length",
    "too large for model with .{0,200} maximum context length",
    // Moonshot, MiniMax, Z.ai, Alibaba
    "exceeded model token limit",
    "context window exceeds limit",
    "prompt exceeds max length",
    "range of input length should be",
    "exceeds? the max(imum)? context (window|size|length)",
    // llama-cpp-python, LiteLLM
    "exceeds? context window of",
    "ContextWindowExceeded",
    "exceeds? (the|your) (model.?s )?(maximum )?context( length| window| size|\\b)",
    // Cohere, Together
    "too many tokens: (size|total)",
    "inputs.? must have less than \\d+ tokens",
    "prompt is too large",
    // Ollama says this if the chat template finds no message of the user after the prompt was cut.
    "no user query found in messages",
    // Bedrock, Copilot
    "input is too long for requested model",
    "prompt token count of \\d+ exceeds the limit of",
  ].join("|"),
  "is",
)

/** Does the same as `redactSecrets` for one key. */
export const redactKey = (text: string, key: string): string => redactSecrets(text, [key])

/**
 * Makes a text safe to show: no control characters, none of these secrets, nothing that looks like a key, and nothing
 * in places where keys and passwords stand. The order matters: dropping invisible characters may put a key together,
 * and if a key is split, only its first half looks like one. Call it before truncating, since half a key is not
 * recognised.
 */
export const redactSecrets = (text: string, secrets: ReadonlyArray<string>): string =>
  redactCredentials(Secret.redactForms(CodedSecrets.redactCoded(sanitize(text), secrets), Secret.formsOf(secrets)))

/** Redacts the places where keys and passwords stand. Strings of JSON stay valid, even if they are nested. */
export const redactCredentials = (text: string): string =>
  text
    .replaceAll(/(\w:\/\/)[^\s/@"'\\]+@/g, `$1${Secret.REDACTED}@`)
    .replaceAll(/([?&](?:api[_-]?)?key=)[^&\s"'\\]+/gi, `$1${Secret.REDACTED}`)
    .replaceAll(
      /(x-goog-api-key|x-api-key|authorization)(\\*["']?\s*[:=]\s*\\*["']?)(?![{[])(?:(?:bearer|basic)\s+)?[^\s"',\\]+/gi,
      `$1$2${Secret.REDACTED}`,
    )

/** The most characters of a message that are examined. The cause of an error stands at the beginning of its message. */
const MAX_MESSAGE_CHARS = 16_384

/**
 * Returns the first `MAX_MESSAGE_CHARS` of a text, without the word at the cut, since half a key would not be
 * recognised.
 */
const truncateAtWord = (text: string): string => {
  if (text.length <= MAX_MESSAGE_CHARS) return text
  let end = MAX_MESSAGE_CHARS
  while (end > 0 && isVisibleAscii(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Returns whether keys may contain the character. */
const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f

/** Limits the length of a message that is shown. */
const truncate = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)

/**
 * Parses `retry-after-ms`, or `retry-after` in seconds, as a date or as `2m30s`. A date is compared with the server's
 * own `date`. Of a header that a gateway has repeated, the first value counts.
 */
const parseRetryAfter = (headers: Headers): Duration.Duration | undefined => {
  const value = headers.get("retry-after")?.trim() ?? ""
  const first = /^[^,\s]*/.exec(value)?.[0] ?? ""
  const millis = [
    numberIn(headers.get("retry-after-ms")?.trim() ?? ""),
    numberIn(first) * 1000,
    /^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(first) ? Duration.toMillis(parseDuration(first) ?? 0) : Number.NaN,
    Date.parse(value) - Date.parse(headers.get("date") ?? ""),
  ].find((millis) => millis >= 0)
  return millis === undefined || millis > LONGEST_WAIT ? undefined : Duration.millis(millis)
}

/** A year in milliseconds. A server that names a longer wait has written something else. */
const LONGEST_WAIT = 365 * 24 * 3_600_000

const numberIn = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

/**
 * Returns the sum of all durations in `text` as providers write them: `34.4s`, `16h13m42.99s`. Returns `undefined` if
 * there is none.
 */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const millis = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  const units = [...text.matchAll(/(?<![-\d.])(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  return units.length === 0
    ? undefined
    : Duration.millis(
        // The pattern matches no other unit.
        units.reduce((sum, [, count, unit]) => sum + Number(count) * millis[unit as keyof typeof millis], 0),
      )
}

/** Returns the message of the innermost cause of a connection error, or `undefined` for other errors. */
const connectionError = (cause: unknown): string | undefined => {
  const causes = causesOf(cause)
  if (!causes.some((cause) => networkCode.test(codeOf(cause)) || networkWords.test(messageOf(cause)))) return undefined
  return causes.map((cause) => messageOf(cause) || codeOf(cause)).findLast((words) => words !== "")
}

const networkCode = /^(E(CONN|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOST|NET)\w*|UND_ERR_\w+|ERR_SSL_\w+|\w*CERT\w*)$/

const networkWords = /fetch failed|terminated|other side closed|socket hang up|timed out/i

/** Returns an error and its causes, up to five levels, since network errors are nested that deep. */
const causesOf = (cause: unknown, levels = 5): ReadonlyArray<unknown> =>
  levels === 0 || cause === undefined
    ? []
    : [cause, ...causesOf(cause instanceof Error ? cause.cause : undefined, levels - 1)]

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Reads an `HttpError`, or any error with a `status`. */
const errorResponseIn = (cause: unknown): ErrorResponse | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number"
    ? {
        status: cause.status,
        body: messageOf(cause),
        address: cause instanceof HttpError ? cause.address : undefined,
        retryAfter: "headers" in cause && cause.headers instanceof Headers ? parseRetryAfter(cause.headers) : undefined,
      }
    : undefined
