/** Maps errors of Ollama to reasons. Pure. */
import * as Schema from "effect/Schema"
import {
  ContextOverflow,
  ModelNotFound,
  Overloaded,
  QuotaExhausted,
  type Reason,
  Unauthorized,
  Unsupported,
} from "../../model/ModelError.ts"
import * as Errors from "../transport/errors.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"

interface Target {
  readonly model: string
  /** The address of the server, without secrets. */
  readonly url: string
  /** The key, which is redacted from messages. It is empty if there is none. */
  readonly key: string
}

/** A refused connection is not retried: a server that is not running does not start by itself. */
export const toReason = (cause: unknown, target: Target): Reason => {
  const reason = Errors.toReason(cause, target.key, ({ body, retryAfter, status }, redact) => {
    const words = messageIn(body)
    const message = redact(words) || `HTTP ${status}`
    return (
      reasonForMessage(words, message, target, status) ?? Errors.reasonForStatus(status, words, { message, retryAfter })
    )
  })
  return reason._tag === "Unreachable" &&
    /^no connection: .*(?:ECONNREFUSED|ENOTFOUND|bad port)/.test(Errors.originalMessage(reason))
    ? new Unsupported({ message: `${reason.message}: is Ollama running at ${target.url}?` })
    : reason
}

/** Maps an error within a stream, which has no status and may be an object. */
export const fromStreamError = (error: unknown, target: Target): Reason => {
  const words = messageIn(JSON.stringify({ error }))
  const message = Errors.redactKey(words, target.key)
  return reasonForMessage(words, message, target, undefined) ?? new Overloaded({ message })
}

/** Interprets the original message; `message` is the redacted one. */
const reasonForMessage = (
  words: string,
  message: string,
  { model }: Target,
  status: number | undefined,
): Reason | undefined => {
  if (Errors.isOverflow(words)) return new ContextOverflow({ message })
  if (/\bmodel\b.{0,300}\bnot found\b|pull(ing)? (it|model) first/i.test(words)) {
    return new ModelNotFound({ message: `${message}: 'ollama pull ${model}' gets it` })
  }
  if (/does not support/i.test(words)) {
    return new Unsupported({ message: `${message}: 'ollama show ${model}' says what it can do` })
  }
  if (/requires more (system )?memory|subscription/i.test(words)) return new Unsupported({ message })
  if (/error parsing tool call/i.test(words)) return UnusableAnswer.malformedCall(message)
  if (/usage limit|quota/i.test(words)) return new QuotaExhausted({ message })
  if (status === undefined && /unauthorized/i.test(words)) return new Unauthorized({ message })
  return undefined
}

/**
 * Finds the message in `{"error": "…"}`, which may be JSON of an upstream server. The body may also be no JSON at all.
 */
const messageIn = (body: string, levels = 3): string => {
  const error = levels === 0 ? undefined : errorIn(body)
  if (typeof error === "string") return messageIn(error, levels - 1)
  if (error !== undefined) return messageIn(error.message, levels - 1)
  return Errors.toSingleLine(body)
}

const errorIn = (body: string) => {
  const decoded = decode(body)
  return decoded._tag === "Some" ? decoded.value.error : undefined
}

const decode = Schema.decodeOption(
  Schema.parseJson(Schema.Struct({ error: Schema.Union(Schema.String, Schema.Struct({ message: Schema.String })) })),
)
