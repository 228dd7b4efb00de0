/** Exports of JavaScript without ES modules: CommonJS, AMD, and functions that are called at once. */

import { type Definition, type NodeAction, type Position, textOf } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import { assignedValue, bodyOfValue, boundNames, kindOfValue, memberName } from "./bindings.ts"
import * as ObjectLiteral from "./ObjectLiteral.ts"

/**
 * Reads `exports.a = …`; `A.b = function …` or `A.prototype.b = function …`, which are methods of A; `A.prototype = { …
 * }`.
 */
export const assignment: Definition = {
  kind: (node) => {
    const [, exports, owner, name] = memberAssignment.exec(target(node)) ?? []
    const value = lastValue(node)
    if (isExports(node)) return kindOfValue(value)
    if (exports !== undefined) return value?.type === "identifier" ? undefined : (kindOfValue(value) ?? "constant")
    if (owner === undefined || owner === "this") return undefined
    // It has no symbol of its own, but its members belong to A.
    if (name === "prototype") return value?.type === "object" ? "class" : undefined
    return kindOfValue(value) === "function" ? "method" : undefined
  },
  names: (node) => {
    if (isExports(node)) return [nameOfValue(lastValue(node))]
    return isPrototype(node) ? [] : memberNames(node)
  },
  owner: (node) => (isExports(node) ? undefined : memberAssignment.exec(target(node))?.[2]),
  body: (node) => {
    const value = lastValue(node)
    if (isPrototype(node)) return value
    return kindOfValue(value) ? value?.childForFieldName("body") : objectOf(node)
  },
  members: (node) => (objectOf(node) === undefined ? undefined : "class"),
  header: (node) => (objectOf(node) === undefined ? undefined : node),
  isTransparent: (node) => isExports(node) && isFactory(lastValue(node)),
  hides: (node) => !isPrototype(node) && objectOf(node) === undefined,
}

/** Returns the object literal in `exports.a = { b() {} }`. */
const objectOf = (node: SyntaxNode): SyntaxNode | undefined =>
  memberAssignment.exec(target(node))?.[1] === undefined ? undefined : ObjectLiteral.ofValue(lastValue(node))

const memberAssignment = /^(?:(?:module\.)?(exports)|([\w$.]+?)(?:\.prototype)?)\.([\w$]+)$/

const target = (node: SyntaxNode): string => textOf(node, "left") ?? ""

const isExports = (node: SyntaxNode): boolean => target(node) === "module.exports"

const isPrototype = (node: SyntaxNode): boolean => /[\w$]\.prototype$/.test(target(node))

/** Returns `default` for an anonymous function or class. */
const nameOfValue = (value: SyntaxNode | null): string => (value && textOf(value, "name")) || "default"

/** Returns the names of `A.b = A.c = value` that have the same owner as the first. */
const memberNames = (node: SyntaxNode): ReadonlyArray<string> => {
  const [, exports, owner] = memberAssignment.exec(target(node)) ?? []
  const names: Array<string> = []
  let next: SyntaxNode | null = node
  for (let steps = 0; steps <= MAX_CHAINED_ASSIGNMENTS && next?.type === "assignment_expression"; steps++) {
    const [, ofExports, ofOwner, name] = memberAssignment.exec(target(next)) ?? []
    if (name !== undefined && ofExports === exports && ofOwner === owner) names.push(name)
    next = assignedValue(next)
  }
  return names
}

/**
 * Returns whether a function that a module exports holds the definitions of the module: function declarations, or
 * functions that are assigned to members of its parameters and variables (`function (A) { A.b.c = function …`).
 */
const isFactory = (value: SyntaxNode | null): boolean => {
  const names = new Set(value?.childForFieldName("parameters")?.namedChildren.map(({ text }) => text))
  return (value?.childForFieldName("body")?.namedChildren ?? []).some((statement) => {
    if (isFunctionDeclaration.has(statement.type)) return true
    if (isVariables.has(statement.type)) for (const name of statement.namedChildren.flatMap(boundNames)) names.add(name)
    const assigned = statement.firstNamedChild
    if (statement.type !== "expression_statement" || assigned?.type !== "assignment_expression") return false
    const [, , owner = ""] = memberAssignment.exec(target(assigned)) ?? []
    return names.has(owner.split(".")[0] ?? "") && kindOfValue(lastValue(assigned)) === "function"
  })
}

const isFunctionDeclaration: ReadonlySet<string> = new Set(["function_declaration", "generator_function_declaration"])
const isVariables: ReadonlySet<string> = new Set(["lexical_declaration", "variable_declaration"])

/**
 * The functions and classes in `module.exports = { a() {}, b: () => {} }` are exports, as are those in an object that a
 * function around a module returns. Those in `Object.assign(A.prototype, { … })` are methods of A.
 */
export const object: Definition = {
  kind: (node, position) => {
    const before = textBefore(node, position)
    if (startsOptions.test(before)) return isOfComponent(position.path) ? "class" : "scope"
    if (extendsPrototype.test(before)) return "class"
    return exportsObject.test(before) || (position.scope.kind === "scope" && returns.test(before)) ? "scope" : "closed"
  },
  names: () => [],
  owner: (node) => {
    const prototype = node.previousNamedSibling
    const path = prototype?.type === "member_expression" ? prototype.text : ""
    return path.endsWith(".prototype") ? path.slice(0, -".prototype".length) : undefined
  },
  body: (node) => node,
}

/**
 * Matches what precedes an object that is the default export, also as the argument of a call: `export default { … }`,
 * `export default defineComponent({ … })`. In a component of Vue its functions are methods.
 */
const startsOptions = /\bexport\s+default\s+(?:[\w.]{1,50}\(\s*)?$/

const exportsObject = /(?:^|[^\w$.])(?:module\.)?exports\s*=\s*$/
const extendsPrototype = /\b(?:assign|extend|mixin)\(\s*[\w$.]{1,200}\.prototype,\s*$/
const returns = /(?:^|[^\w$.])return\s*$/

/** Returns whether a function or class is the value that a function around a module returns: it is exported. */
export const isReturned = (node: SyntaxNode, position: Position): boolean =>
  position.isOpen && position.scope.kind === "scope" && returns.test(textBefore(node, position))

/**
 * A function in an object is a member of it, and one in an object within that of `nested`
 * (`{ nested: { deep() {} } }`); in the options of a component it is a member of the component.
 */
export const pair: Definition = {
  kind: (node, { path, scope }) => {
    const value = assignedValue(node)
    const isMember = scope.kind === "class" || scope.kind === "scope"
    const [name] = memberName(node)
    if (!isMember || name === undefined) return "closed"
    if (ObjectLiteral.ofValue(value) !== undefined) return !isOfComponent(path) || groups.has(name) ? "class" : "closed"
    const kind = kindOfValue(value) ?? "closed"
    return kind === "function" && scope.kind === "class" ? "method" : kind
  },
  names: (node) => (ObjectLiteral.ofValue(assignedValue(node)) === undefined ? memberName(node) : []),
  owner: (node, { path }) =>
    ObjectLiteral.ofValue(assignedValue(node)) === undefined || isOfComponent(path) ? undefined : memberName(node)[0],
  body: (node) => ObjectLiteral.ofValue(assignedValue(node)) ?? bodyOfValue(node),
}

/** Returns whether a script is that of a component of Vue. */
const isOfComponent = (path: string): boolean => /\.vue\.[jt]sx?$/.test(path)

/** The options of a component that hold functions by name. */
const groups: ReadonlySet<string> = new Set(["methods", "computed", "watch", "filters"])

/** Returns the body of the function in `const A = (function () { … })()`: its definitions are those of a module. */
export const bodyOfCalled = (node: SyntaxNode): SyntaxNode | null | undefined => {
  const call = assignedValue(node)
  const callee = call?.type === "call_expression" ? call.childForFieldName("function") : undefined
  const value = callee?.type === "parenthesized_expression" ? callee.firstNamedChild : undefined
  return kindOfValue(value) === "function" ? value?.childForFieldName("body") : undefined
}

/**
 * Returns whether a node is a function around a whole module: `(function () { … })()`, `define("a", ["b"], function (b)
 * { … })` of AMD, the factory that UMD passes to a loader (`(function (factory) { … }(function (a) { … }))`), and
 * `$(function () { … })`.
 */
export const isModule = (node: SyntaxNode, position: Position): boolean =>
  position.scope.kind === undefined && moduleWrapper.test(textBefore(node, position))

const moduleWrapper =
  /(?:^|\n)(?:[;!(]+[ \t]*|(?:define|require|requirejs)\((?:["'][^"'\n]*["'],\s*)?(?:\[[^\]]*\],\s*)?|(?:\$|jQuery)\((?:[^()\n]*\)\.ready\()?|\}\)?[ \t]*\([^;{}\n]*)$/

/** The call that gives a function its name in a text, too: `defineGetter(req, "ip", function ip() {})`. */
interface NamingCall {
  /** The object that has the function as its member, if the call has one. */
  readonly owner: string | undefined
  readonly start: number
}

/** Returns the call at the top level of a file that names a function expression; `undefined` if none does. */
export const namingCall = (node: SyntaxNode, position: Position): NamingCall | undefined => {
  const name = position.scope.kind === undefined ? textOf(node, "name") : undefined
  const [call = "", owner, , literal] =
    (name !== undefined && callBefore.exec(textBefore(node, position))) || ([] satisfies ReadonlyArray<string>)
  return literal === undefined || literal !== name
    ? undefined
    : { owner, start: node.startIndex - call.trimStart().length }
}

const callBefore =
  /(?<=^|[\n;}])[ \t]*[\w$][\w$.]{0,200}\(\s{0,20}(?:([A-Za-z_$][\w$.]{0,200})\s{0,20},\s{0,20})?(["'`])([\w$]{1,200})\2\s{0,20},\s{0,20}$/

/** Returns the text right before a node. Finding the node's parent would take time in its depth. */
const textBefore = ({ startIndex }: SyntaxNode, { text }: Position): string =>
  text.slice(Math.max(0, startIndex - 1_000), startIndex)

/** Exports the value that a function around a module returns. */
export const returnStatement: NodeAction = (node, { isOpen, scope }) => {
  if (!isOpen || scope.kind !== "scope") return
  const value = node.firstNamedChild
  const names = kindOfValue(value) === undefined ? namesIn(value) : [nameOfValue(value)]
  for (const name of names) scope.declaredExports.set(name, true)
}

/** Exports the names in `exports = module.exports = { a, b: c }` and `const a = module.exports`. */
export const exportsMention: NodeAction = (node, { scope }) => {
  const target = climb(node, (type) => type === "member_expression")
  const assignment = target.parent
  const isTarget = assignment?.childForFieldName("left")?.id === target.id
  const isNamed = assignment?.type === "variable_declarator" && target.text === "module.exports"
  if (!assignment || !(isTarget || isNamed)) return
  const whole = climb(assignment, (type) => binds.has(type))
  for (const name of [...namesIn(lastValue(whole)), ...boundNames(whole)]) scope.declaredExports.set(name, true)
}

/** Returns the names in a value: `a`, `{ a, b: c }`. */
const namesIn = (value: SyntaxNode | null): ReadonlyArray<string> =>
  (value?.type === "object" ? value.namedChildren : [value])
    .map((entry) => (entry?.type === "pair" ? assignedValue(entry) : entry))
    .flatMap((name) => (name?.type.endsWith("identifier") ? [name.text] : []))

const binds: ReadonlySet<string> = new Set(["assignment_expression", "variable_declarator"])

/** Longer chains are not followed. */
const MAX_CHAINED_ASSIGNMENTS = 5

/** Returns the outermost ancestor that is reached through ancestors of such types alone. */
const climb = (node: SyntaxNode, passes: (type: string) => boolean): SyntaxNode => {
  let outermost = node
  for (let steps = 0; steps < MAX_CHAINED_ASSIGNMENTS; steps++) {
    const { parent } = outermost
    if (parent === null || !passes(parent.type)) break
    outermost = parent
  }
  return outermost
}

/** Returns the value at the end of a chain of assignments. */
const lastValue = (node: SyntaxNode): SyntaxNode | null => {
  let value: SyntaxNode | null = node
  for (let steps = 0; steps <= MAX_CHAINED_ASSIGNMENTS && value !== null && binds.has(value.type); steps++)
    value = assignedValue(value)
  return value
}
