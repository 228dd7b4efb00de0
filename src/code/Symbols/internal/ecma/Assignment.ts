/** What is assigned to a member of something, `exports` of CommonJS among it. */
import type { Branch } from "./Branch.ts"
import { type Growth, Unsure } from "./Growth.ts"
import { ofObject, value } from "./Members.ts"
import * as Token from "./Token.ts"

/** `a.b = …` and `exports = …`, which ends before a token; none where there is something else. */
export const assignment = (growth: Growth, from: number, to: number, isExported = false): Branch | undefined => {
  const target = assigned(growth, from)
  if (target === undefined) return undefined
  return growth.inside(() => assigning(growth, from, target, to, isExported || startsWithExports(growth, from)))
}

/** `isExported`: whether it is one of several that are assigned the same, and one of those is exported. */
const assigning = (growth: Growth, from: number, target: number, to: number, isExported: boolean): Branch => {
  const node = growth.branch("assignment_expression", from, to - 1)
  growth.nodes.push(node)
  node.add(mentioning(growth, from, target), "left")
  const start = target + 2
  const next = assignment(growth, start, to, isExported)
  if (next !== undefined) {
    node.add(next, "right")
    return node
  }
  const right = value(growth, node, start, to, "right")
  const isModule = target > from && growth.is(target, "exports") && growth.is(from, "module")
  if (isModule && givesMembers(growth, start, to)) throw new Unsure()
  if (isExported && right.type === "object") {
    growth.nodes.push(right)
    ofObject(growth, right, start)
  }
  return node
}

/** The last token of what is assigned to. */
const assigned = (growth: Growth, from: number): number | undefined => {
  let target = from
  while (growth.kind(target + 1) === Token.DOT) target += 2
  if (growth.kind(target + 1) !== Token.EQUALS) return undefined
  return target > from || growth.is(from, "exports") ? target : undefined
}

/** `exports`, `module.exports` and what is a member of one of them, with a node for the word; other members without. */
export const mentioning = (growth: Growth, from: number, last: number): Branch => {
  const node = growth.branch(from === last ? "identifier" : "member_expression", from, last)
  const word = growth.is(from, "exports") ? from : growth.is(from, "module") ? from + 2 : undefined
  if (word === undefined || word > last || !growth.is(word, "exports")) return node
  growth.exports.set(word, from === last ? node : node.add(growth.branch("identifier", word)))
  return node
}

export const startsWithExports = (growth: Growth, at: number): boolean =>
  growth.is(at, "exports") ||
  (growth.is(at, "module") && growth.kind(at + 1) === Token.DOT && growth.is(at + 2, "exports"))

/** `function (A) { A.b = …`: what it adds to what it is given only the whole tree tells. */
const givesMembers = (growth: Growth, from: number, to: number): boolean => {
  const given = new Set<string>()
  for (let at = from; at < to; at++) {
    if (growth.kind(at) !== Token.OPEN_BRACE) {
      given.add(growth.textOf(at))
      continue
    }
    const last = growth.tokens.match[at] ?? at
    for (at++; at < last; at = Token.after(growth.tokens, at)) {
      const isMember = growth.kind(at + 1) === Token.DOT && growth.kind(at + 3) === Token.EQUALS
      if (isMember && given.has(growth.textOf(at))) return true
    }
  }
  return false
}
