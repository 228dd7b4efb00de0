/** Divides a question into the parts that it asks for. Pure. */

/** Words that begin a question of their own behind a comma or behind "and". */
const ASKING = "how|where|what|when|which|why|who|whether"

/** Verbs that begin one behind "and" alone: "is it cached, and can it be turned off?". */
const VERBS = "is|are|was|were|does|do|did|can|could|will|would|has|have|should|may"

const BORDER = new RegExp(
  [
    "[?;!]+\\s*",
    "\\.\\s+",
    `,?\\s+\\b(?:and|or|but)\\s+(?=(?:${ASKING}|${VERBS})\\b)`,
    `,\\s+(?=(?:${ASKING})\\b)`,
  ].join("|"),
  "i",
)

/** The most parts; what stands behind the last of them is left out. */
const MAX_CLAUSES = 6

/** Returns the parts of a question in their order: `Where is it written, and when?` → `Where is it written`, `when`. */
export const clauses = (question: string): ReadonlyArray<string> =>
  question
    .split(BORDER)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
    .slice(0, MAX_CLAUSES)

/** Returns whether a clause says "it" or "that" for something that stands in another one. */
export const refersBack = (clause: string): boolean =>
  /\b(?:it|its|they|them|their|ones?|there)\b|\b(?:is|are|was|were|does|do|did|can|will|of|to|for|with|from|by|in|on) (?:this|that|these|those)\b/i.test(
    clause,
  )

/** Returns whether a question is how something of one's own is added. */
export const asksHowToAdd = (question: string): boolean =>
  /\b(?:add|own|new|custom|extend|implement|plug|support|write)\b/i.test(question)
