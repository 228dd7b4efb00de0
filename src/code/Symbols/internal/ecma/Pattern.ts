/** What a declaration binds: a name, or a pattern of names. */
import type { Branch } from "./Branch.ts"
import { afterExpression } from "./Expression.ts"
import { type Growth, sure, Unsure } from "./Growth.ts"
import * as Token from "./Token.ts"

/** The name or pattern that begins there; its last token is the one before `next`. */
export const pattern = (growth: Growth, at: number): { readonly node: Branch; readonly next: number } => {
  const kind = growth.kind(at)
  if (Token.isNameable(kind)) return { node: growth.branch("identifier", at), next: at + 1 }
  const isObject = kind === Token.OPEN_BRACE
  if (!isObject && kind !== Token.OPEN_BRACKET) throw new Unsure()
  const next = growth.after(at, kind)
  const node = growth.branch(isObject ? "object_pattern" : "array_pattern", at, next - 1)
  for (let part = at + 1; part < next - 1; ) {
    if (growth.kind(part) === Token.COMMA) part++
    else part = growth.inside(() => (isObject ? property : element)(growth, node, part))
  }
  return { node, next }
}

const property = (growth: Growth, owner: Branch, at: number): number => {
  const key = growth.kind(at)
  if (key === Token.SPREAD) return rest(growth, owner, at)
  const colon = Token.after(growth.tokens, at)
  if (growth.kind(colon) === Token.COLON) {
    const pair = owner.add(growth.branch("pair_pattern", at))
    return withDefault(growth, pair, pattern(growth, colon + 1), "assignment_pattern", "value")
  }
  if (!Token.isNameable(key)) throw new Unsure()
  const node = growth.branch("shorthand_property_identifier_pattern", at)
  return withDefault(growth, owner, { node, next: at + 1 }, "object_assignment_pattern")
}

const element = (growth: Growth, owner: Branch, at: number): number =>
  growth.kind(at) === Token.SPREAD
    ? rest(growth, owner, at)
    : withDefault(growth, owner, pattern(growth, at), "assignment_pattern")

const rest = (growth: Growth, owner: Branch, at: number): number => {
  const { next, node } = pattern(growth, at + 1)
  owner.add(growth.branch("rest_pattern", at)).add(node)
  return next
}

/** The token after a bound name or pattern and its default, if it has one. */
const withDefault = (
  growth: Growth,
  owner: Branch,
  { next, node }: { readonly node: Branch; readonly next: number },
  type: string,
  field?: string,
): number => {
  if (growth.kind(next) !== Token.EQUALS) {
    owner.add(node, field)
    return next
  }
  const end = sure(afterExpression(growth.tokens, next + 1))
  const assignment = growth.branch(type, next, end - 1)
  assignment.add(node, "left")
  owner.add(assignment, field)
  return end
}
