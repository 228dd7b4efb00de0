/**
 * TypeScript and JavaScript as the walk wants them, read several times faster than by a grammar: types, bodies of
 * functions and most expressions are passed over. It says nothing where it is not sure, and then a parser must.
 */
import { ecmaScript } from "./EcmaScript.ts"
import type { Branch } from "./ecma/Branch.ts"
import { Growth, Unsure } from "./ecma/Growth.ts"
import * as Lexer from "./ecma/Lexer.ts"
import * as Names from "./ecma/Names.ts"
import { statements } from "./ecma/Statements.ts"
import * as Token from "./ecma/Token.ts"
import * as Roles from "./Roles.ts"
import type * as Walk from "./Walk.ts"

/** None where it is not sure. `hasElements`: whether it may hold elements of JSX, and no types in front of values. */
export const make = (): ((text: string, hasElements: boolean) => Walk.Tree | undefined) => {
  const lex = Lexer.make()
  return (text, hasElements) => {
    const tokens = lex(text, hasElements)
    if (tokens === undefined) return undefined
    const growth = new Growth(tokens)
    try {
      statements(growth, 0, tokens.count)
      return { nodes: meaningful(growth), names: Names.count(tokens) }
    } catch (cause) {
      if (cause instanceof Unsure) return undefined
      throw cause
    }
  }
}

const roles = Roles.ofTypes(ecmaScript)
const words = Roles.ofWords(ecmaScript)

const meaningful = (growth: Growth): ReadonlyArray<Walk.Meaningful> => {
  const { comments, count, kind } = growth.tokens
  const meaningful: Array<Walk.Meaningful> = []
  const add = (node: Branch, role = roles.get(node.type)) => {
    if (role !== undefined) meaningful.push({ node, role })
  }
  for (const node of growth.nodes) add(node)
  for (let at = 0; at < comments.length; at += 2) add(growth.comment(comments[at] ?? 0, comments[at + 1] ?? 0))
  for (let at = 0; at < count; at++) {
    if (kind[at] === Token.Reserved.import && kind[at + 1] === Token.OPEN_PAREN) add(growth.branch("import", at))
    else if (kind[at] === Token.Contextual.require) add(growth.branch("identifier", at), words.get("require"))
    else if (kind[at] === Token.NAME && growth.is(at, "exports")) {
      const mention = growth.exports.get(at)
      if (mention !== undefined) add(mention, words.get("exports"))
      else if (mayExport(growth, at)) throw new Unsure()
    }
  }
  return meaningful.sort((one, other) => one.node.startIndex - other.node.startIndex)
}

/** Whether something is assigned to it, or it is given a name, where only the whole tree tells what that means. */
const mayExport = (growth: Growth, at: number): boolean => {
  let last = at
  while (growth.kind(last + 1) === Token.DOT) last += 2
  return growth.kind(last + 1) === Token.EQUALS || growth.kind(at - 3) === Token.EQUALS
}
