/** Exports of JavaScript without ES modules: CommonJS, AMD, and functions that are called at once. */

import { type Definition, type NodeAction, type Position, textOf } from "../outline/Rules.ts"
import type { SyntaxNode } from "../outline/SyntaxNode.ts"
import { assignedValue, bodyOfValue, boundNames, kindOfValue, memberName } from "./ecmaBindings.ts"

/** `exports.a = …`, and `A.b = function …` or `A.prototype.b = function …`, which are methods of A. */
export const assignment: Definition = {
  kind: (node) => {
    const [, exports, owner] = memberAssignment.exec(target(node)) ?? []
    const right = node.childForFieldName("right")
    if (isExports(node)) return kindOfValue(right)
    if (exports !== undefined) return right?.type === "identifier" ? undefined : (kindOfValue(right) ?? "constant")
    return owner !== undefined && owner !== "this" && kindOfValue(right) === "function" ? "method" : undefined
  },
  names: (node) => {
    const right = node.childForFieldName("right")
    const [, , , name] = memberAssignment.exec(target(node)) ?? []
    return [isExports(node) ? (right && textOf(right, "name")) || "default" : (name ?? "")]
  },
  owner: (node) => (isExports(node) ? undefined : memberAssignment.exec(target(node))?.[2]),
  body: bodyOfValue,
  isTransparent: (node) => isExports(node) && assignsToParameter(assignedValue(node)),
  hides: () => true,
}

const memberAssignment = /^(?:(?:module\.)?(exports)|([\w$.]+?)(?:\.prototype)?)\.([\w$]+)$/

const target = (node: SyntaxNode): string => textOf(node, "left") ?? ""

const isExports = (node: SyntaxNode): boolean => target(node) === "module.exports"

/** Whether a function assigns functions to members of its parameters: `function (A) { A.b = function …`. */
const assignsToParameter = (value: SyntaxNode | null): boolean => {
  const parameters = value?.childForFieldName("parameters")?.namedChildren.map(({ text }) => text) ?? []
  return (value?.childForFieldName("body")?.namedChildren ?? []).some(({ firstNamedChild, type }) => {
    if (type !== "expression_statement" || firstNamedChild?.type !== "assignment_expression") return false
    const [, , owner = ""] = memberAssignment.exec(target(firstNamedChild)) ?? []
    return parameters.includes(owner) && kindOfValue(assignedValue(firstNamedChild)) === "function"
  })
}

/** The functions and classes in `module.exports = { a() {}, b: () => {} }` are exports. */
export const object: Definition = {
  kind: (node, position) =>
    /(?:^|[^\w$.])(?:module\.)?exports\s*=\s*$/.test(textBefore(node, position)) ? "scope" : "closed",
  body: (node) => node,
}

export const pair: Definition = {
  kind: (node) => kindOfValue(assignedValue(node)) ?? "closed",
  names: memberName,
  body: bodyOfValue,
}

/** A function around a whole module: `(function () { … })()`, and `define("a", ["b"], function (b) { … })` of AMD. */
export const isModule = (node: SyntaxNode, position: Position): boolean =>
  position.scope.kind === undefined && moduleWrapper.test(textBefore(node, position))

const moduleWrapper = /(?:^|\n)(?:[;!(]+|define\((?:["'][^"'\n]*["'],\s*)?(?:\[[^\]]*\],\s*)?)$/

/** The text right before a node. Finding the node's parent would take time in its depth. */
const textBefore = ({ startIndex }: SyntaxNode, { text }: Position): string =>
  text.slice(Math.max(0, startIndex - 1_000), startIndex)

/** What a function around a module returns is exported. */
export const returnStatement: NodeAction = (node, { isOpen, scope }) => {
  if (!isOpen || scope.kind !== "scope") return
  for (const name of namesIn(node.firstNamedChild)) scope.declaredExports.set(name, true)
}

/** Names in `exports = module.exports = { a, b: c }` and `const a = module.exports` are exported. */
export const exportsMention: NodeAction = (node, { scope }) => {
  const target = climb(node, (type) => type === "member_expression")
  const assignment = target.parent
  const isTarget = assignment?.childForFieldName("left")?.id === target.id
  const isNamed = assignment?.type === "variable_declarator" && target.text === "module.exports"
  if (!assignment || !(isTarget || isNamed)) return
  const whole = climb(assignment, (type) => binds.has(type))
  for (const name of [...namesIn(lastValue(whole)), ...boundNames(whole)]) scope.declaredExports.set(name, true)
}

/** The names in a value: `a`, `{ a, b: c }`. */
const namesIn = (value: SyntaxNode | null): ReadonlyArray<string> =>
  (value?.type === "object" ? value.namedChildren : [value])
    .map((entry) => (entry?.type === "pair" ? assignedValue(entry) : entry))
    .flatMap((name) => (name?.type.endsWith("identifier") ? [name.text] : []))

const binds: ReadonlySet<string> = new Set(["assignment_expression", "variable_declarator"])

/** Longer chains are not followed. */
const MAX_CHAINED_ASSIGNMENTS = 5

/** The outermost ancestor that is reached through ancestors of such types alone. */
const climb = (node: SyntaxNode, passes: (type: string) => boolean): SyntaxNode => {
  let outermost = node
  for (let steps = 0; steps < MAX_CHAINED_ASSIGNMENTS; steps++) {
    const { parent } = outermost
    if (parent === null || !passes(parent.type)) break
    outermost = parent
  }
  return outermost
}

/** The value at the end of a chain of assignments. */
const lastValue = (node: SyntaxNode): SyntaxNode | null => {
  let value: SyntaxNode | null = node
  for (let steps = 0; steps <= MAX_CHAINED_ASSIGNMENTS && value !== null && binds.has(value.type); steps++)
    value = assignedValue(value)
  return value
}
