/** The members of classes and interfaces. */
import type { Branch } from "./Branch.ts"
import { afterExpression, afterHeader, definedBy, isEnd } from "./Expression.ts"
import { type Growth, sure, Unsure } from "./Growth.ts"
import * as Token from "./Token.ts"
import { afterArguments, afterType } from "./Types.ts"

/** `body` is the token of its `{`. */
export const ofClass = (growth: Growth, body: number): void =>
  growth.inside(() => {
    const last = growth.tokens.match[body] ?? body
    for (let at = body + 1; at < last; ) at = growth.kind(at) === Token.SEMICOLON ? at + 1 : member(growth, at)
  })

/** `body` is the token of its `{`. */
export const ofInterface = (growth: Growth, body: number): void => {
  const last = growth.tokens.match[body] ?? body
  for (let at = body + 1; at < last; )
    at = growth.kind(at) === Token.SEMICOLON || growth.kind(at) === Token.COMMA ? at + 1 : signature(growth, at)
}

const member = (growth: Growth, from: number): number => {
  const decorated = decorators(growth, from)
  const { at, isAbstract, marks } = modifiers(growth, decorated)
  if (growth.kind(at) === Token.OPEN_BRACE && marks.length === 1) return growth.after(at, Token.OPEN_BRACE)
  if (isIndex(growth, at)) return separated(growth, sure(afterAnnotation(growth, growth.after(at, Token.OPEN_BRACKET))))
  const { name, next } = named(growth, at)
  if (growth.kind(next) === Token.OPEN_PAREN || growth.kind(next) === Token.LESS) {
    const body = sure(afterHeader(growth.tokens, next))
    const isDefinition = growth.kind(body) === Token.OPEN_BRACE
    const type = isDefinition ? "method_definition" : isAbstract ? "abstract_method_signature" : "method_signature"
    const method = growth.branch(type, decorated, body - 1)
    for (const mark of marks) method.add(mark)
    method.add(name, "name")
    growth.nodes.push(method)
    parameters(growth, next, body)
    if (!isDefinition) return separated(growth, body)
    const after = growth.after(body, Token.OPEN_BRACE)
    method.add(growth.branch("statement_block", body, after - 1), "body")
    return after
  }
  const field = growth.branch("public_field_definition", from, next - 1)
  for (const mark of marks) field.add(mark)
  field.add(name, "name")
  growth.nodes.push(field)
  let end = sure(afterAnnotation(growth, next))
  if (growth.kind(end) === Token.EQUALS) {
    const start = end + 1
    end = sure(afterExpression(growth.tokens, start))
    value(growth, field, start, end)
  }
  field.endIndex = growth.tokens.end[end - 1] ?? 0
  return separated(growth, end)
}

/** A value that ends before a token, with its body and members where it is a function or a class. */
export const value = (growth: Growth, owner: Branch, from: number, to: number, field = "value"): Branch => {
  const found = definedBy(growth.tokens, from, to)
  const node = owner.add(growth.branch(found?.type ?? typeOf(growth, from, to), from, to - 1), field)
  if (found === undefined) return node
  const name = found.name === -1 ? undefined : growth.branch("identifier", found.name)
  if (name !== undefined) node.add(name, "name")
  const type = found.type === "class" ? "class_body" : "statement_block"
  node.add(growth.branch(type, found.body, found.last), "body")
  if (found.type === "class") ofClass(growth, found.body)
  else parameters(growth, from, found.body)
  return node
}

/** Of a value that is neither a function nor a class, as far as anybody asks. */
const typeOf = (growth: Growth, from: number, to: number): string => {
  if (to === from + 1 && Token.isNameable(growth.kind(from))) {
    return growth.kind(from) === Token.Predefined.undefined ? "undefined" : "identifier"
  }
  return growth.kind(from) === Token.OPEN_BRACE && growth.tokens.match[from] === to - 1 ? "object" : "expression"
}

/** The members of an object literal; `body` is the token of its `{`. */
export const ofObject = (growth: Growth, object: Branch, body: number): void => {
  const last = growth.tokens.match[body] ?? body
  for (let at = body + 1; at < last; ) at = growth.kind(at) === Token.COMMA ? at + 1 : entry(growth, object, at)
}

const entry = (growth: Growth, object: Branch, from: number): number => {
  if (growth.kind(from) === Token.SPREAD) {
    const end = sure(afterExpression(growth.tokens, from + 1))
    object.add(growth.branch("spread_element", from, end - 1))
    return end
  }
  const isAlone = growth.kind(from + 1) === Token.COMMA || growth.kind(from + 1) === Token.CLOSE_BRACE
  if (isAlone && Token.isNameable(growth.kind(from))) {
    object.add(growth.branch("shorthand_property_identifier", from))
    return from + 1
  }
  const { at, marks } = modifiers(growth, from)
  const { name, next } = named(growth, at)
  if (growth.kind(next) === Token.OPEN_PAREN) {
    const method = object.add(growth.branch("method_definition", from, next))
    for (const mark of marks) method.add(mark)
    method.add(name, "name")
    growth.nodes.push(method)
    const start = sure(afterHeader(growth.tokens, next))
    const after = growth.after(start, Token.OPEN_BRACE)
    method.add(growth.branch("statement_block", start, after - 1), "body")
    return after
  }
  if (growth.kind(next) !== Token.COLON || marks.length > 0) throw new Unsure()
  const end = sure(afterExpression(growth.tokens, next + 1))
  const pair = object.add(growth.branch("pair", from, end - 1))
  pair.add(name, "key")
  growth.nodes.push(pair)
  value(growth, pair, next + 1, end)
  return end
}

const signature = (growth: Growth, from: number): number => {
  const { at, marks } = modifiers(growth, from)
  const isCall = growth.kind(at) === Token.OPEN_PAREN || growth.kind(at) === Token.LESS
  const isNew =
    growth.kind(at) === Token.Reserved.new &&
    (growth.kind(at + 1) === Token.OPEN_PAREN || growth.kind(at + 1) === Token.LESS)
  if (isCall || isNew) return separated(growth, sure(afterHeader(growth.tokens, isNew ? at + 1 : at)))
  if (isIndex(growth, at)) return separated(growth, sure(afterAnnotation(growth, growth.after(at, Token.OPEN_BRACKET))))
  const { name, next } = named(growth, at)
  const isMethod = growth.kind(next) === Token.OPEN_PAREN || growth.kind(next) === Token.LESS
  const end = sure(isMethod ? afterHeader(growth.tokens, next) : afterAnnotation(growth, next))
  const node = growth.branch(isMethod ? "method_signature" : "property_signature", from, end - 1)
  for (const mark of marks) node.add(mark)
  node.add(name, "name")
  growth.nodes.push(node)
  return separated(growth, end)
}

/** `: type`, if it stands there. */
export const afterAnnotation = (growth: Growth, at: number): number =>
  growth.kind(at) === Token.COLON ? afterType(growth.tokens, at + 1) : at

/** `[key: string]` and `[key in keyof A]`, which are no names. */
const isIndex = (growth: Growth, at: number): boolean =>
  growth.kind(at) === Token.OPEN_BRACKET &&
  Token.isWord(growth.kind(at + 1)) &&
  (growth.kind(at + 2) === Token.COLON || growth.kind(at + 2) === Token.Reserved.in)

/** The token after what stands between two members. */
const separated = (growth: Growth, at: number): number => {
  if (!isEnd(growth.tokens, at)) throw new Unsure()
  return at
}

/** The name of a member, and the token after it and its `?` or `!`. */
const named = (growth: Growth, at: number): { readonly name: Branch; readonly next: number } => {
  const kind = growth.kind(at)
  const type =
    kind === Token.OPEN_BRACKET
      ? "computed_property_name"
      : kind === Token.STRING
        ? "string"
        : kind === Token.NUMBER
          ? "number"
          : kind === Token.PRIVATE
            ? "private_property_identifier"
            : Token.isWord(kind)
              ? "property_identifier"
              : undefined
  if (type === undefined) throw new Unsure()
  const last = growth.tokens.match[at] ?? at
  const mark = growth.kind(last + 1)
  return {
    name: growth.branch(type, at, last),
    next: mark === Token.QUESTION || mark === Token.NOT ? last + 2 : last + 1,
  }
}

/** What stands before the name of a member. */
const modifiers = (growth: Growth, from: number) => {
  const marks: Array<Branch> = []
  let isAbstract = false
  let at = from
  for (;;) {
    const kind = growth.kind(at)
    if (kind !== Token.STAR && !(isModifier.has(kind) && !nameEnds.has(growth.kind(at + 1)))) break
    // `static` on a line of its own may be a name.
    if (kind !== Token.STAR && growth.isFirst(at + 1)) throw new Unsure()
    marks.push(isAccess.has(kind) ? growth.branch("accessibility_modifier", at) : growth.mark(at))
    isAbstract ||= kind === Token.Contextual.abstract
    at++
  }
  return { at, isAbstract, marks }
}

const isAccess: ReadonlySet<number> = new Set([
  Token.Contextual.public,
  Token.Contextual.private,
  Token.Contextual.protected,
])

const isModifier: ReadonlySet<number> = new Set([
  ...isAccess,
  Token.Contextual.abstract,
  Token.Contextual.accessor,
  Token.Contextual.async,
  Token.Contextual.declare,
  Token.Contextual.get,
  Token.Contextual.override,
  Token.Contextual.readonly,
  Token.Contextual.set,
  Token.Contextual.static,
])

/** What follows a name, and no modifier. */
const nameEnds: ReadonlySet<number> = new Set([
  Token.END,
  Token.OPEN_PAREN,
  Token.LESS,
  Token.EQUALS,
  Token.COLON,
  Token.SEMICOLON,
  Token.COMMA,
  Token.QUESTION,
  Token.NOT,
  Token.CLOSE_BRACE,
])

/** The token after the decorators that stand there. */
export const decorators = (growth: Growth, from: number): number => {
  let at = from
  while (growth.kind(at) === Token.AT) {
    const start = at++
    if (growth.kind(at) === Token.OPEN_PAREN) at = growth.after(at, Token.OPEN_PAREN)
    else if (Token.isWord(growth.kind(at))) at++
    else throw new Unsure()
    while (growth.kind(at) === Token.DOT) at += 2
    if (growth.kind(at) === Token.LESS) at = sure(afterArguments(growth.tokens, at))
    if (growth.kind(at) === Token.OPEN_PAREN) at = growth.after(at, Token.OPEN_PAREN)
    growth.nodes.push(growth.branch("decorator", start, at - 1))
  }
  return at
}

/** The decorators among parameters, which are no part of a signature. */
export const parameters = (growth: Growth, from: number, to: number): void => {
  for (let at = from; at < to; at++) {
    if (growth.kind(at) === Token.AT) at = decorators(growth, at) - 1
  }
}
