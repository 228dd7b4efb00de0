/** What a file takes from others, and which of its names it gives to them. */
import type { Branch } from "./Branch.ts"
import { type Growth, sure, Unsure } from "./Growth.ts"
import * as Token from "./Token.ts"
import { afterType } from "./Types.ts"

/** `import …`; the token after it. */
export const importing = (growth: Growth, at: number): number => {
  const node = growth.branch("import_statement", at)
  growth.nodes.push(node)
  const equals = growth.kind(at + 1) === Token.Contextual.type ? at + 3 : at + 2
  if (growth.kind(equals) === Token.EQUALS) {
    if (growth.kind(equals + 1) !== Token.Contextual.require)
      return growth.end(node, sure(afterType(growth.tokens, equals + 1)))
    const clause = node.add(growth.branch("import_require_clause", at + 1))
    clause.add(growth.branch("string", equals + 3), "source")
    return growth.end(node, growth.after(equals + 2, Token.OPEN_PAREN))
  }
  let source = at + 1
  if (growth.kind(source) !== Token.STRING) {
    while (!(growth.kind(source) === Token.Contextual.from && growth.kind(source + 1) === Token.STRING)) {
      const kind = growth.kind(source)
      if (!Token.isWord(kind) && !clauses.has(kind)) throw new Unsure()
      source = Token.after(growth.tokens, source)
    }
    source++
  }
  return sourced(growth, node, source)
}

/** What an import clause is made of, names apart. */
const clauses: ReadonlySet<number> = new Set([Token.COMMA, Token.STAR, Token.OPEN_BRACE])

/** The source that a statement names there, and its end. */
export const sourced = (growth: Growth, node: Branch, at: number): number => {
  if (growth.kind(at) !== Token.STRING) throw new Unsure()
  node.add(growth.branch("string", at), "source")
  const attributes = growth.kind(at + 1)
  const hasAttributes =
    (attributes === Token.Reserved.with || (Token.isNameable(attributes) && growth.is(at + 1, "assert"))) &&
    growth.kind(at + 2) === Token.OPEN_BRACE
  return growth.end(node, hasAttributes ? growth.after(at + 2, Token.OPEN_BRACE) : at + 1)
}

/** `{ a, type b as c }`. */
export const clause = (growth: Growth, from: number, to: number): Branch => {
  const node = growth.branch("export_clause", from, to)
  for (let at = from + 1; at < to; at++) {
    if (growth.kind(at) === Token.COMMA) continue
    const isType =
      growth.kind(at) === Token.Contextual.type &&
      growth.kind(at + 1) !== Token.COMMA &&
      growth.kind(at + 1) !== Token.Contextual.as &&
      at + 1 < to
    const name = isType ? at + 1 : at
    node.add(growth.branch("export_specifier", at)).add(growth.branch("identifier", name), "name")
    at = growth.kind(name + 1) === Token.Contextual.as ? name + 2 : name
  }
  return node
}
