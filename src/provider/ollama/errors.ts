/** Why a request to Ollama failed: from whatever its client throws to a reason. Pure. */
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
import * as Endings from "../shared/unusable.ts"
import * as Fault from "../transport/errors.ts"

export interface Asked {
  readonly model: string
  /** Where the server was to be, without anything secret. */
  readonly url: string
  /** Struck out of what is said; empty where there is none. */
  readonly key: string
}

/** Nobody who does not answer at all is asked again: a server that is not started does not start by itself. */
export const toReason = (cause: unknown, asked: Asked): Reason => {
  const reason = Fault.toReason(cause, asked.key, ({ body, retryAfter, status }, said) => {
    const words = wordsOf(body)
    const message = said(words) || `HTTP ${status}`
    return byWords(words, message, asked, status) ?? Fault.byStatus(status, words, { message, retryAfter })
  })
  return reason._tag === "Unreachable" && /ECONNREFUSED|ENOTFOUND|bad port/.test(Fault.wordsOf(reason))
    ? new Unsupported({ message: `${reason.message}: is Ollama running at ${asked.url}?` })
    : reason
}

/** Why an answer broke off: what the server says of it, which may be an object. Nothing else is known of it. */
export const broken = (error: unknown, asked: Asked): Reason => {
  const words = wordsOf(JSON.stringify({ error }))
  const message = Fault.withoutKeys(words, asked.key)
  return byWords(words, message, asked, undefined) ?? new Overloaded({ message })
}

/** What the words mean, as they came; `message` is what may be shown of them. */
const byWords = (words: string, message: string, { model }: Asked, status: number | undefined): Reason | undefined => {
  if (Fault.isOverflow(words)) return new ContextOverflow({ message })
  if (/\bmodel\b.{0,300}\bnot found\b|pull(ing)? (it|model) first/i.test(words)) {
    return new ModelNotFound({ message: `${message}: 'ollama pull ${model}' gets it` })
  }
  if (/does not support/i.test(words)) {
    return new Unsupported({ message: `${message}: 'ollama show ${model}' says what it can do` })
  }
  if (/requires more (system )?memory|subscription/i.test(words)) return new Unsupported({ message })
  if (/error parsing tool call/i.test(words)) return Endings.unreadable(message)
  if (/usage limit|quota/i.test(words)) return new QuotaExhausted({ message })
  if (status === undefined && /unauthorized/i.test(words)) return new Unauthorized({ message })
  return undefined
}

/** `{"error": "…"}`, whose words may be JSON themselves, of a server behind it; or no JSON. */
const wordsOf = (body: string, levels = 3): string => {
  const error = levels === 0 ? undefined : errorIn(body)
  if (typeof error === "string") return wordsOf(error, levels - 1)
  if (error !== undefined) return wordsOf(error.message, levels - 1)
  return Fault.presentable(body)
}

const errorIn = (body: string) => {
  const decoded = decode(body)
  return decoded._tag === "Some" ? decoded.value.error : undefined
}

const decode = Schema.decodeOption(
  Schema.parseJson(Schema.Struct({ error: Schema.Union(Schema.String, Schema.Struct({ message: Schema.String })) })),
)
