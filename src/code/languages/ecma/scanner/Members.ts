/** The members of classes and interfaces. */

import type { ScannedNode } from "../../../Symbols/internal/outline/ScannedNode.ts"
import { afterExpression, afterHeader, functionOrClass, isEnd } from "./Expression.ts"
import { type ParserState, requireToken, Unsure } from "./ParserState.ts"
import * as Token from "./Token.ts"
import { afterArguments, afterType } from "./Types.ts"

/** Reads the members of a class; `body` is the token of its `{`. */
export const classMembers = (state: ParserState, body: number): void =>
  state.nested(() => {
    const last = state.tokens.match[body] ?? body
    for (let at = body + 1; at < last; ) at = state.kind(at) === Token.SEMICOLON ? at + 1 : member(state, at)
  })

/** Reads the members of an interface; `body` is the token of its `{`. */
export const interfaceMembers = (state: ParserState, body: number): void => {
  const last = state.tokens.match[body] ?? body
  for (let at = body + 1; at < last; )
    at = state.kind(at) === Token.SEMICOLON || state.kind(at) === Token.COMMA ? at + 1 : signature(state, at)
}

const member = (state: ParserState, from: number): number => {
  const decorated = decorators(state, from)
  const { at, isAbstract, marks } = modifiers(state, decorated)
  if (state.kind(at) === Token.OPEN_BRACE && marks.length === 1) return state.after(at, Token.OPEN_BRACE)
  if (isIndex(state, at))
    return requireEnd(state, requireToken(afterAnnotation(state, state.after(at, Token.OPEN_BRACKET))))
  const { name, next } = memberName(state, at)
  if (state.kind(next) === Token.OPEN_PAREN || state.kind(next) === Token.LESS) {
    const body = requireToken(afterHeader(state.tokens, next))
    const isDefinition = state.kind(body) === Token.OPEN_BRACE
    const type = isDefinition ? "method_definition" : isAbstract ? "abstract_method_signature" : "method_signature"
    const method = state.node(type, decorated, body - 1)
    for (const mark of marks) method.add(mark)
    method.add(name, "name")
    state.found.push(method)
    parameterDecorators(state, next, body)
    if (state.textIs(at, "constructor")) method.add(parameters(state, next), "parameters")
    if (!isDefinition) return requireEnd(state, body)
    const after = state.after(body, Token.OPEN_BRACE)
    method.add(state.node("statement_block", body, after - 1), "body")
    return after
  }
  const field = state.node("public_field_definition", from, next - 1)
  for (const mark of marks) field.add(mark)
  field.add(name, "name")
  state.found.push(field)
  let end = requireToken(afterAnnotation(state, next))
  if (state.kind(end) === Token.EQUALS) {
    const start = end + 1
    end = requireToken(afterExpression(state.tokens, start))
    value(state, field, start, end)
  }
  field.endIndex = state.tokens.end[end - 1] ?? 0
  return requireEnd(state, end)
}

/** Returns the node of a constructor's parameters, with those that declare a field. `open`: the token of their `(`. */
const parameters = (state: ParserState, open: number): ScannedNode => {
  const close = state.after(open, Token.OPEN_PAREN) - 1
  const node = state.node("formal_parameters", open, close)
  for (let from = open + 1; from < close; ) {
    let at = from
    while (state.kind(at) === Token.AT) at = afterDecorator(state, at)
    const { at: start, marks } = modifiers(state, at)
    at = state.kind(start) === Token.SPREAD ? start + 1 : start
    const name = Token.isNameable(state.kind(at)) ? at : undefined
    at = Token.after(state.tokens, at)
    if (state.kind(at) === Token.QUESTION) at++
    at = requireToken(afterAnnotation(state, at))
    if (state.kind(at) === Token.EQUALS) at = requireToken(afterExpression(state.tokens, at + 1))
    if (at < close && state.kind(at) !== Token.COMMA) throw new Unsure()
    if (marks.length > 0 && name !== undefined) {
      const parameter = node.add(state.node("required_parameter", from, at - 1))
      for (const mark of marks) parameter.add(mark)
      parameter.add(state.node("identifier", name), "pattern")
    }
    from = at + 1
  }
  return node
}

/** Adds the value from `from` up to `to`, with its body and members if it is a function or a class. */
export const value = (
  state: ParserState,
  owner: ScannedNode,
  from: number,
  to: number,
  field = "value",
): ScannedNode => {
  const found = functionOrClass(state.tokens, from, to)
  const node = owner.add(state.node(found?.type ?? typeOf(state, from, to), from, to - 1), field)
  if (found === undefined) return node
  const name = found.name === -1 ? undefined : state.node("identifier", found.name)
  if (name !== undefined) node.add(name, "name")
  const type = found.type === "class" ? "class_body" : "statement_block"
  node.add(state.node(type, found.body, found.last), "body")
  if (found.type === "class") classMembers(state, found.body)
  else parameterDecorators(state, from, found.body)
  return node
}

/** Returns the node type of a value that is neither a function nor a class, as far as the rules distinguish it. */
const typeOf = (state: ParserState, from: number, to: number): string => {
  if (to === from + 1 && Token.isNameable(state.kind(from))) {
    return state.kind(from) === Token.Predefined.undefined ? "undefined" : "identifier"
  }
  return state.kind(from) === Token.OPEN_BRACE && state.tokens.match[from] === to - 1 ? "object" : "expression"
}

const signature = (state: ParserState, from: number): number => {
  const { at, marks } = modifiers(state, from)
  const isCall = state.kind(at) === Token.OPEN_PAREN || state.kind(at) === Token.LESS
  const isNew =
    state.kind(at) === Token.Reserved.new &&
    (state.kind(at + 1) === Token.OPEN_PAREN || state.kind(at + 1) === Token.LESS)
  if (isCall || isNew) return requireEnd(state, requireToken(afterHeader(state.tokens, isNew ? at + 1 : at)))
  if (isIndex(state, at))
    return requireEnd(state, requireToken(afterAnnotation(state, state.after(at, Token.OPEN_BRACKET))))
  const { name, next } = memberName(state, at)
  const isMethod = state.kind(next) === Token.OPEN_PAREN || state.kind(next) === Token.LESS
  const end = requireToken(isMethod ? afterHeader(state.tokens, next) : afterAnnotation(state, next))
  const node = state.node(isMethod ? "method_signature" : "property_signature", from, end - 1)
  for (const mark of marks) node.add(mark)
  node.add(name, "name")
  state.found.push(node)
  return requireEnd(state, end)
}

/** Returns the token after `: type`, if there is one. */
export const afterAnnotation = (state: ParserState, at: number): number =>
  state.kind(at) === Token.COLON ? afterType(state.tokens, at + 1) : at

/**
 * Returns whether this is an index signature or a mapped type, `[key: string]` or `[key in keyof A]`, which define no
 * member.
 */
const isIndex = (state: ParserState, at: number): boolean =>
  state.kind(at) === Token.OPEN_BRACKET &&
  Token.isWord(state.kind(at + 1)) &&
  (state.kind(at + 2) === Token.COLON || state.kind(at + 2) === Token.Reserved.in)

/** Returns `at` if a member can end there, and is unsure otherwise. */
const requireEnd = (state: ParserState, at: number): number => {
  if (!isEnd(state.tokens, at)) throw new Unsure()
  return at
}

/** Reads the name of a member; returns it with the token after it and after a `?` or `!`. */
export const memberName = (state: ParserState, at: number): { readonly name: ScannedNode; readonly next: number } => {
  const kind = state.kind(at)
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
  const last = state.tokens.match[at] ?? at
  const mark = state.kind(last + 1)
  return {
    name: state.node(type, at, last),
    next: mark === Token.QUESTION || mark === Token.NOT ? last + 2 : last + 1,
  }
}

/** Reads the modifiers of a member: `static`, `private`, `async`, `*`. */
export const modifiers = (state: ParserState, from: number) => {
  const marks: Array<ScannedNode> = []
  let isAbstract = false
  let at = from
  for (;;) {
    const kind = state.kind(at)
    if (kind !== Token.STAR && !(isModifier.has(kind) && !endsMemberName.has(state.kind(at + 1)))) break
    // `static` on a line of its own may be a field with that name.
    if (kind !== Token.STAR && state.startsLine(at + 1)) throw new Unsure()
    marks.push(isAccess.has(kind) ? state.node("accessibility_modifier", at) : state.keyword(at))
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

/** Tokens that follow the name of a member and never a modifier. */
export const endsMemberName: ReadonlySet<number> = new Set([
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

/** Reads decorators, and returns the token after them. */
export const decorators = (state: ParserState, from: number): number => {
  let at = from
  while (state.kind(at) === Token.AT) {
    const start = at
    at = afterDecorator(state, at)
    state.found.push(state.node("decorator", start, at - 1))
  }
  return at
}

const afterDecorator = (state: ParserState, from: number): number => {
  let at = from + 1
  if (state.kind(at) === Token.OPEN_PAREN) at = state.after(at, Token.OPEN_PAREN)
  else if (Token.isWord(state.kind(at))) at++
  else throw new Unsure()
  while (state.kind(at) === Token.DOT) at += 2
  if (state.kind(at) === Token.LESS) at = requireToken(afterArguments(state.tokens, at))
  return state.kind(at) === Token.OPEN_PAREN ? state.after(at, Token.OPEN_PAREN) : at
}

/** Reads the decorators of parameters, which are left out of signatures. */
export const parameterDecorators = (state: ParserState, from: number, to: number): void => {
  for (let at = from; at < to; at++) {
    if (state.kind(at) === Token.AT) at = decorators(state, at) - 1
  }
}
