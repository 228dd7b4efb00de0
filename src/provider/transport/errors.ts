/** Why a request failed, as far as every provider is alike: from whatever an SDK throws to a reason. Pure. */
import * as Duration from "effect/Duration"
import { printable } from "../../message/Printable.ts"
import * as Secret from "../../message/Secret.ts"
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
import { NotSent, Redirected } from "./http.ts"
import { Unreadable } from "./sse.ts"

export interface Refusal {
  readonly status: number
  /** As it came, or what the SDK made of an error within a stream. */
  readonly body: string
  /** By the header, where there is one. */
  readonly retryAfter: Duration.Duration | undefined
}

/**
 * `refused` is what the provider's own words mean, which it reads as they came; `said` makes them fit to be shown:
 * without the key and everything that looks like one, and not for ever.
 */
export const toReason = (
  cause: unknown,
  key: string,
  refused: (refusal: Refusal, said: (words: string) => string) => Reason,
): Reason => {
  let original = ""
  const said = (words: string) => {
    original = beginning(words)
    return cut(withoutKeys(original, key))
  }
  const reason = reasonOf(cause, said, refused)
  if (original !== "") originals.set(reason, original)
  return reason
}

/** Beside the reason and not in it: what a reason holds is shown, logged and stored. */
const originals = new WeakMap<Reason, string>()

/**
 * The words that a reason was made of, to be interpreted and never shown. They may hold the key, and what is struck out
 * of its message may be what matters: with the key `signature`, `thought_signature` is `thought_[key]` there.
 */
export const wordsOf = (reason: Reason): string => originals.get(reason) ?? reason.message

const reasonOf = (
  cause: unknown,
  said: (words: string) => string,
  refused: (refusal: Refusal, said: (words: string) => string) => Reason,
): Reason => {
  if (cause instanceof Unreadable || cause instanceof SyntaxError) {
    return new StreamIncomplete({ message: said(`the answer cannot be read: ${messageOf(cause)}`) })
  }
  const notSent = causesOf(cause).find((cause) => cause instanceof NotSent)
  if (notSent !== undefined) return notSent.reason
  const redirected = causesOf(cause).find((cause) => cause instanceof Redirected)
  if (redirected !== undefined) {
    const message = `the provider ${redirected.message}, which is not followed: if you trust that address, set it as the provider's`
    return new Misconfigured({ message: said(message) })
  }
  const refusal = causesOf(cause).flatMap((cause) => refusalOf(cause) ?? [])[0]
  if (refusal !== undefined) return refused(refusal, said)
  const broken = connectionFault(cause)
  if (broken !== undefined) return new Unreachable({ message: said(`no connection: ${broken}`) })
  if (codeOf(cause) === "ERR_INVALID_URL") return new Misconfigured({ message: "the provider's address is not a URL" })
  return new InvalidRequest({ message: said(messageOf(cause)) })
}

/** The beginning of a provider's words, on one line. A proxy's page says nothing; `<400> …` is no page. */
export const presentable = (text: string): string => {
  const line = beginning(text.trim()).replaceAll(/\s+/g, " ")
  return /^<[!?a-z]/i.test(line) ? "" : line
}

/** What a status means where the provider's words, as they came, say nothing else. */
export const byStatus = (
  status: number,
  words: string,
  { message, retryAfter }: { readonly message: string; readonly retryAfter: Duration.Duration | undefined },
): Reason => {
  if (status === 401 || status === 403) return new Unauthorized({ message })
  if (status === 404) return new ModelNotFound({ message })
  if (status >= 500 && unheld.test(words)) return new InvalidRequest({ message })
  if (status === 413 || isOverflow(words)) return new ContextOverflow({ message })
  if (status === 408 || status === 499 || status >= 500) return new Overloaded({ message, retryAfter })
  if (status === 429) return new RateLimited({ message, retryAfter })
  return new InvalidRequest({ message })
}

/** Of a server that can make no grammar of a schema, as Ollama and llama.cpp say it: waiting does not help. */
const unheld = /invalid json schema|pars(e|ing) grammar|initialize samplers/i

/** Whether a provider says that the key is none of its own, or no longer: some do with 400. */
export const isKeyRefused = (words: string): boolean =>
  /(invalid|incorrect).?api.?key|api.?key.(not valid|not found|invalid|expired)/i.test(words)

/** Whether a provider says that the conversation does not fit its model (FAULTS 1.8). */
export const isOverflow = (words: string): boolean => overflow.test(words)

const overflow = new RegExp(
  [
    // Google
    "input token count.{0,200}(exceeds the maximum|only supports up to)",
    "payload size exceeds the limit",
    // Anthropic, Ollama's cloud
    "prompt( is)? too long",
    "input length and .?max_tokens.? exceed context limit",
    // OpenAI, and those who speak like it
    "context_length_exceeded",
    "exceeds the context window",
    "maximum context length",
    "too_many_prompt_tokens",
    // Ollama: server/routes.go, where it is asked not to cut
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
    // Bedrock, Copilot
    "input is too long for requested model",
    "prompt token count of \\d+ exceeds the limit of",
  ].join("|"),
  "is",
)

/** The same as `withoutSecrets`, of one key. */
export const withoutKeys = (text: string, key: string): string => withoutSecrets(text, [key])

/**
 * A text that is to be shown: safe for a terminal, and without these secrets, whatever looks like a provider's key, and
 * whatever stands where keys and passwords stand. In this order: a key with invisible characters in it is put together
 * by dropping them. To be done before a text is cut: half a key is no longer found.
 */
export const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string =>
  withoutCredentials(withoutKnown(printable(text), secrets))

/** Strikes out what stands where keys and passwords stand. A string of JSON stays one, also within another. */
export const withoutCredentials = (text: string): string =>
  text
    .replaceAll(/(\w:\/\/)[^\s/@"'\\]+@/g, `$1${struck}@`)
    .replaceAll(/([?&](?:api[_-]?)?key=)[^&\s"'\\]+/gi, `$1${struck}`)
    .replaceAll(
      /(x-goog-api-key|x-api-key|authorization)(\\*["']?\s*[:=]\s*\\*["']?)(?![{[])(?:(?:bearer|basic)\s+)?[^\s"',\\]+/gi,
      `$1$2${struck}`,
    )

/**
 * Strikes out these secrets, in a URL and in JSON as well, and whatever looks like a provider's key: no more, so that
 * code stays what it is. `sk-` begins other names, too, but those are short, or have no digit.
 */
export const withoutKnown = (text: string, secrets: ReadonlyArray<string>): string =>
  withoutForms(text, formsOf(secrets))

/** How these secrets may be written. */
export const formsOf = (secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  secrets
    .filter((secret) => secret.length >= Secret.SHORTEST)
    // One may be a part of another.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
    .filter((form, index, forms) => forms.indexOf(form) === index)

/** The same as `withoutKnown`, of secrets whose forms are known. */
export const withoutForms = (text: string, forms: ReadonlyArray<string>): string =>
  forms
    .reduce((text, secret) => text.replaceAll(secret, struck), text)
    .replaceAll(/\b(?:AIza|gsk_|xai-|sk-)[\w-]*/g, withoutKey)

/**
 * Of a word that begins as keys do, looked at as a whole: to look for a digit behind each `sk-` of it would take time
 * quadratic to its length.
 */
const withoutKey = (word: string): string => {
  if (!word.startsWith("sk-")) return word.length < 12 ? word : struck
  return word.length < 19 || !/\d/.test(word) ? word.replaceAll(/\b(?:AIza|gsk_|xai-)[\w-]{8,}/g, struck) : struck
}

const struck = "[key]"

/** In characters. What a refusal is about stands at its beginning, and no more of it is looked through. */
const longestWords = 16_384

/** The first `longestWords` of a text, without the word that the cut falls into: half a key would not be found. */
const beginning = (text: string): string => {
  if (text.length <= longestWords) return text
  let end = longestWords
  while (end > 0 && isVisibleAscii(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Keys are of such characters. */
const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f

/** A provider that goes on and on. */
const cut = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)

/** Milliseconds, seconds, or a date, which is measured against the server's own clock. Anything else says nothing. */
const retryAfterOf = (headers: Headers): Duration.Duration | undefined => {
  const value = headers.get("retry-after")?.trim() ?? ""
  const millis = [
    numberIn(headers.get("retry-after-ms")?.trim() ?? ""),
    numberIn(value) * 1000,
    Date.parse(value) - Date.parse(headers.get("date") ?? ""),
  ].find((millis) => millis >= 0)
  return millis === undefined ? undefined : Duration.millis(millis)
}

const numberIn = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

/** What broke on the way, in the words of the innermost cause that has any. */
const connectionFault = (cause: unknown): string | undefined => {
  const causes = causesOf(cause)
  if (!causes.some((cause) => networkCode.test(codeOf(cause)) || networkWords.test(messageOf(cause)))) return undefined
  return causes.map((cause) => messageOf(cause) || codeOf(cause)).findLast((words) => words !== "")
}

const networkCode = /^(E(CONN|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOST|NET)\w*|UND_ERR_\w+|ERR_SSL_\w+|\w*CERT\w*)$/

const networkWords = /fetch failed|terminated|other side closed|socket hang up|timed out/i

/** A fault in the network lies some causes deep; five levels are FAULTS R3's. */
const causesOf = (cause: unknown, levels = 5): ReadonlyArray<unknown> =>
  levels === 0 || cause === undefined
    ? []
    : [cause, ...causesOf(cause instanceof Error ? cause.cause : undefined, levels - 1)]

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Our own fetch's, or an SDK's. */
const refusalOf = (cause: unknown): Refusal | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number"
    ? {
        status: cause.status,
        body: messageOf(cause),
        retryAfter: "headers" in cause && cause.headers instanceof Headers ? retryAfterOf(cause.headers) : undefined,
      }
    : undefined
