/** How JavaScript said what a file exports before it had modules: CommonJS, AMD, and functions called at once. */
import { bodyOfValue, bound, memberName, ofValue, valueIn } from "./EcmaBinding.ts"
import { type Definition, type Mark, type Place, textOf } from "./Rules.ts"
import type { Node } from "./Syntax.ts"

/** `exports.a = …`, and `A.b = function …` or `A.prototype.b = function …`, which are methods of A. */
export const assignment: Definition = {
  kind: (node) => {
    const [, exports, owner] = assigned.exec(target(node)) ?? []
    const right = node.childForFieldName("right")
    if (isExports(node)) return ofValue(right)
    if (exports !== undefined) return right?.type === "identifier" ? undefined : (ofValue(right) ?? "constant")
    return owner !== undefined && owner !== "this" && ofValue(right) === "function" ? "method" : undefined
  },
  names: (node) => {
    const right = node.childForFieldName("right")
    const [, , , name] = assigned.exec(target(node)) ?? []
    return [isExports(node) ? (right && textOf(right, "name")) || "default" : (name ?? "")]
  },
  owner: (node) => (isExports(node) ? undefined : assigned.exec(target(node))?.[2]),
  body: bodyOfValue,
  isTransparent: (node) => isExports(node) && givesMembers(valueIn(node)),
  hides: () => true,
}

const assigned = /^(?:(?:module\.)?(exports)|([\w$.]+?)(?:\.prototype)?)\.([\w$]+)$/

const target = (node: Node): string => textOf(node, "left") ?? ""

const isExports = (node: Node): boolean => target(node) === "module.exports"

/** `function (A) { A.b = function …`: it adds to what it is given. */
const givesMembers = (value: Node | null): boolean => {
  const parameters = value?.childForFieldName("parameters")?.namedChildren.map(({ text }) => text) ?? []
  return (value?.childForFieldName("body")?.namedChildren ?? []).some(({ firstNamedChild, type }) => {
    if (type !== "expression_statement" || firstNamedChild?.type !== "assignment_expression") return false
    const [, , owner = ""] = assigned.exec(target(firstNamedChild)) ?? []
    return parameters.includes(owner) && ofValue(valueIn(firstNamedChild)) === "function"
  })
}

/** Of `module.exports = { a() {}, b: () => {} }` the functions and classes are what the module exports. */
export const object: Definition = {
  kind: (node, place) => (/(?:^|[^\w$.])(?:module\.)?exports\s*=\s*$/.test(before(node, place)) ? "scope" : "closed"),
  body: (node) => node,
}

export const pair: Definition = {
  kind: (node) => ofValue(valueIn(node)) ?? "closed",
  names: memberName,
  body: bodyOfValue,
}

/** A function around a whole module: `(function () { … })()`, and `define("a", ["b"], function (b) { … })` of AMD. */
export const isModule = (node: Node, place: Place): boolean =>
  place.scope.kind === undefined && modular.test(before(node, place))

const modular = /(?:^|\n)(?:[;!(]+|define\((?:["'][^"'\n]*["'],\s*)?(?:\[[^\]]*\],\s*)?)$/

/** The text right before a node: its parent takes the longer to find the deeper the node stands. */
const before = ({ startIndex }: Node, { text }: Place): string =>
  text.slice(Math.max(0, startIndex - 1_000), startIndex)

/** What a function around a module returns is what the module exports. */
export const returned: Mark = (node, { isOpen, scope }) => {
  if (!isOpen || scope.kind !== "scope") return
  for (const name of mentioned(node.firstNamedChild)) scope.said.set(name, true)
}

/** `exports = module.exports = { a, b: c }` and `const a = module.exports`: what is named there is exported. */
export const exported: Mark = (node, { scope }) => {
  const target = climb(node, (type) => type === "member_expression")
  const assignment = target.parent
  const isTarget = assignment?.childForFieldName("left")?.id === target.id
  const isNamed = assignment?.type === "variable_declarator" && target.text === "module.exports"
  if (!assignment || !(isTarget || isNamed)) return
  const whole = climb(assignment, (type) => binds.has(type))
  for (const name of [...mentioned(lastValue(whole)), ...bound(whole)]) scope.said.set(name, true)
}

/** The names that a value is, or is made of: `a`, `{ a, b: c }`. */
const mentioned = (value: Node | null): ReadonlyArray<string> =>
  (value?.type === "object" ? value.namedChildren : [value])
    .map((entry) => (entry?.type === "pair" ? valueIn(entry) : entry))
    .flatMap((name) => (name?.type.endsWith("identifier") ? [name.text] : []))

const binds: ReadonlySet<string> = new Set(["assignment_expression", "variable_declarator"])

/** Nobody chains more assignments than this. */
const most = 5

/** The outermost node around it with nothing but nodes of such types in between. */
const climb = (node: Node, passes: (type: string) => boolean): Node => {
  let outermost = node
  for (let steps = 0; steps < most; steps++) {
    const { parent } = outermost
    if (parent === null || !passes(parent.type)) break
    outermost = parent
  }
  return outermost
}

/** The value at the end of a chain of assignments. */
const lastValue = (node: Node): Node | null => {
  let value: Node | null = node
  for (let steps = 0; steps <= most && value !== null && binds.has(value.type); steps++) value = valueIn(value)
  return value
}
