/** The work of `vibe loom search`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import { isReadable } from "../../../forest/Node.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import * as NodeText from "../../../forest/NodeText.ts"
import * as Query from "../../../forest/Query.ts"
import type { Message } from "../../../message/Message.ts"
import type { ModelId } from "../../../message/ModelId.ts"
import { sanitizeJson, sanitizeLine } from "../../../message/Sanitize.ts"
import { UsageError } from "../../../message/UsageError.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly words: ReadonlyArray<string>
  readonly role: Option.Option<Message["role"]>
  readonly model: Option.Option<ModelId>
  readonly root: Option.Option<string>
  readonly since: Option.Option<number>
  readonly until: Option.Option<number>
  readonly limit: Option.Option<number>
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.search")(function* ({ json, words, ...input }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const text = words.join(" ")
  if (Query.queryTerms(text).length === 0) {
    return yield* new UsageError({ message: `'${text}' has no word in it to look for`, command: "loom search" })
  }
  const all = yield* forest.search({
    text,
    unreadable: true,
    root: Option.isNone(input.root)
      ? undefined
      : (yield* forest.path(yield* NodeName.resolve(input.root.value))).root.id,
    role: Option.getOrUndefined(input.role),
    model: Option.getOrUndefined(Option.map(input.model, String)),
    since: Option.getOrUndefined(input.since),
    until: Option.getOrUndefined(input.until),
    limit: Option.getOrUndefined(input.limit),
  })
  const found = all.filter(isReadable)
  const skipped = all.slice(found.length)
  if (skipped.length > 0) yield* Screen.line(err, `not searched: ${NodeText.unreadable(skipped)}`)
  const names = yield* Naming.of(found)
  if (json) {
    const nodes = found.map((node) => Conversation.object(node, names.titles))
    return yield* Screen.line(out, sanitizeJson({ nodes }))
  }
  if (found.length === 0) return yield* Screen.line(err, `nothing in the forest says: ${sanitizeLine(text)}`)
  yield* Screen.line(out, found.map((node) => Conversation.hit(node, text, names, out.style)).join("\n"))
})
