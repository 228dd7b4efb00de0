/** Finds the functions of a flow that only pass a call on to another one, and so are no step of it. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { CallTree } from "./CallTree.ts"

/** A function whose body is one call has at most so many lines and characters. */
const MAX_LINES = 6
const MAX_LENGTH = 600

/**
 * Returns the positions of the calls in a tree whose functions only pass them on. `sourceOf` returns the source of a
 * symbol, if it can be read. The start is never one of them.
 */
export const find: <E>(
  tree: Pick<CallTree, "calls">,
  sourceOf: (entry: IndexEntry) => Effect.Effect<string | undefined, E>,
) => Effect.Effect<ReadonlySet<number>, E> = Effect.fnUntraced(function* ({ calls }, sourceOf) {
  const found = new Set<number>()
  const below = new Map<number, number>()
  for (const { caller } of calls) if (caller !== undefined) below.set(caller, (below.get(caller) ?? 0) + 1)
  for (const [at, { depth, entry, variants }] of calls.entries()) {
    // A function that calls nothing that is known ends the flow, and so is a step. One of several definitions, of which
    // each build has another, may do more there.
    if (depth === 0 || below.get(at) !== 1 || !canForward(entry) || variants.length > 0) continue
    const source = yield* sourceOf(entry)
    if (source !== undefined && isForwarding(entry, source)) found.add(at)
  }
  return found
})

const canForward = ({ endLine, kind, startLine }: IndexEntry): boolean =>
  (kind === "function" || kind === "method") && endLine - startLine < MAX_LINES

/**
 * Returns whether the body of a function is a single call with plain arguments, such as `return engine().Group(path)`.
 * A condition, an operator or a call among the arguments makes it more than that.
 */
export const isForwarding = (entry: IndexEntry, source: string): boolean => {
  if (!canForward(entry) || source.length > MAX_LENGTH) return false
  const text = source
    .replaceAll(/^\s*(?:\/\/|#|--).*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  const signature = entry.signature.replaceAll(/\s+/g, " ").replace(/(?:=>|[\s{:=])+$/, "")
  const at = text.indexOf(signature)
  if (at === -1 || signature === "") return false
  const body = text
    .slice(at + signature.length)
    .replace(/^\s*(?:=>|[{:=])?\s*/, "")
    .replace(/[\s;]*(?:\}|\bend)?[\s;]*$/, "")
  return CALL.test(body)
}

/** One call: words before it, a receiver, which may be the result of a call without arguments, and plain arguments. */
const CALL =
  /^(?:(?:return|await|yield\*?|go|defer|try|self|super) )*(?:[\w$]+(?:\(\))?(?:\??\.|::|->|:))*[\w$]+[!?]?(?:::<[^()<>]*>|<[^()<>]*>)?\([^()]*\)(?:\.await|\?)*$/
