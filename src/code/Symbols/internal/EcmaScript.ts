/** TypeScript, TSX and JavaScript: their grammars share the names of their nodes. */
import type { Node } from "web-tree-sitter"
import type { Kind } from "../../Symbols.ts"
import {
  type Definition,
  has,
  imports,
  importsNext,
  type Mark,
  type Place,
  type Rules,
  textOf,
  unquoted,
} from "./Rules.ts"

/** What a value makes of the name it is bound to. */
const ofValue = (value: Node | null | undefined): Kind | undefined =>
  functions.has(value?.type ?? "") ? "function" : value?.type === "class" ? "class" : undefined

const functions: ReadonlySet<string> = new Set(["arrow_function", "function_expression", "generator_function"])

const valueIn = (node: Node): Node | null => node.childForFieldName("value") ?? node.childForFieldName("right")

const bodyOfValue = (node: Node): Node | null | undefined => {
  const value = valueIn(node)
  return ofValue(value) && value?.childForFieldName("body")
}

/** Identifiers, private names, string literals and `[Symbol.iterator]`; other computed names are no names. */
const memberName = (node: Node): ReadonlyArray<string> => {
  const name = node.childForFieldName("name") ?? node.childForFieldName("property")
  const text = name?.text ?? ""
  return name?.type === "computed_property_name" && !/^\[[\w.$]+\]$/.test(text) ? [] : [unquoted(text) ?? text]
}

const bindings: ReadonlySet<string> = new Set(["identifier", "shorthand_property_identifier_pattern"])

/** The names that a pattern binds: `{ a, b: [c = 1], ...rest }` binds a, c and rest. */
const bound = (node: Node): ReadonlyArray<string> => {
  const names: Array<string> = []
  const open = [node.childForFieldName("name")]
  for (let pattern = open.pop(); pattern; pattern = open.pop()) {
    if (bindings.has(pattern.type)) names.push(pattern.text)
    else if (pattern.type === "pair_pattern") open.push(pattern.childForFieldName("value"))
    else if (pattern.type.endsWith("assignment_pattern")) open.push(pattern.childForFieldName("left"))
    else if (pattern.type.endsWith("_pattern")) open.push(...pattern.namedChildren.toReversed())
  }
  return names
}

const inType = ({ scope }: Place): boolean => scope.kind === "class" || scope.kind === "interface"

const member = (kind: (node: Node) => Kind, rest: Omit<Definition, "kind"> = {}): Definition => ({
  ...rest,
  kind: (node, place) => (inType(place) ? kind(node) : "closed"),
  names: memberName,
})

const method = (node: Node): Kind => (has(node, "get") || has(node, "set") ? "field" : "method")

const field = member((node) => (ofValue(valueIn(node)) === "function" ? "method" : "field"), { body: bodyOfValue })

/** An expression is a symbol only as what a module exports by default. */
const byDefault = (kind: Kind): Definition => ({
  kind: (node, { wrapper }) =>
    wrapper("export_statement")?.childForFieldName("value")?.id === node.id ? kind : "closed",
  names: (node) => [textOf(node, "name") ?? "default"],
})

/** The members of an ambient module are exported without saying so. */
const namespace: Definition = {
  kind: "module",
  names: memberName,
  hides: (_, { scope, wrapper }) =>
    wrapper("ambient_declaration") === undefined && (scope.kind !== "module" || scope.hides),
}

const assigned = /^(?:(?:module\.)?(exports)|([\w$.]+?)(?:\.prototype)?)\.([\w$]+)$/

/** `exports.a = …`, and `A.b = function …` or `A.prototype.b = function …`, which are methods of A. */
const assignment: Definition = {
  kind: (node) => {
    const [, exports, owner] = assigned.exec(target(node)) ?? []
    const right = node.childForFieldName("right")
    if (target(node) === "module.exports") return ofValue(right)
    if (exports !== undefined) return right?.type === "identifier" ? undefined : (ofValue(right) ?? "constant")
    return owner !== undefined && owner !== "this" && ofValue(right) === "function" ? "method" : undefined
  },
  names: (node) => {
    const right = node.childForFieldName("right")
    const [, , , name] = assigned.exec(target(node)) ?? []
    return [target(node) === "module.exports" ? (right && textOf(right, "name")) || "default" : (name ?? "")]
  },
  owner: (node) => (target(node) === "module.exports" ? undefined : assigned.exec(target(node))?.[2]),
  body: bodyOfValue,
}

const target = (node: Node): string => textOf(node, "left") ?? ""

/** `exports = module.exports = { a, b: c }`: what is named there is exported. */
const exported: Mark = (node, { scope }) => {
  const target = climb(node, (type) => type === "member_expression")
  const assignment = target.parent
  if (assignment?.childForFieldName("left")?.id !== target.id) return
  const whole = climb(assignment, (type) => binds.has(type))
  const value = lastValue(whole)
  const entries = value?.type === "object" ? value.namedChildren : value === null ? [] : [value]
  const names = entries
    .map((entry) => (entry.type === "pair" ? entry.childForFieldName("value") : entry))
    .flatMap((name) => (name?.type.endsWith("identifier") ? [name.text] : []))
  for (const name of [...names, ...bound(whole)]) scope.said.set(name, true)
}

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

/** `export … from`, `export { a, b as c }`, `export default a`, `export = a`. */
const exporting: Mark = (node, place) => {
  const source = node.childForFieldName("source")
  if (source !== null) return imports(() => unquoted(source.text))(node, place)
  const value = node.childForFieldName("value")
  const names = value === null ? node.namedChildren : [value]
  for (const child of names) {
    if (child.type === "identifier") place.scope.said.set(child.text, true)
    if (child.type !== "export_clause") continue
    for (const one of child.namedChildren) place.scope.said.set(textOf(one, "name") ?? "", true)
  }
}

export const ecmaScript: Rules = {
  identifiers: [
    "identifier",
    "type_identifier",
    "property_identifier",
    "private_property_identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
  ],
  comments: ["comment"],
  asides: ["decorator"],
  wrappers: ["export_statement", "ambient_declaration"],
  lists: ["lexical_declaration", "variable_declaration"],
  closed: ["object", "for_statement", "for_in_statement"],
  definitions: {
    class_declaration: { kind: "class" },
    abstract_class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    type_alias_declaration: { kind: "type" },
    enum_declaration: { kind: "enum" },
    function_declaration: { kind: "function" },
    generator_function_declaration: { kind: "function" },
    function_signature: { kind: "function", isOverload: true },
    variable_declarator: {
      kind: (node, { wrapper }) => {
        const value = valueIn(node)
        // What it binds is defined elsewhere.
        if (/^(?:require|await import)\b/.test(value?.text ?? "")) return "closed"
        const isConstant = wrapper("lexical_declaration")?.firstChild?.type === "const"
        return ofValue(value) ?? (isConstant ? "constant" : "variable")
      },
      names: bound,
      body: bodyOfValue,
    },
    assignment_expression: assignment,
    internal_module: namespace,
    module: namespace,
    // `declare global { … }`
    statement_block: {
      kind: (_, { wrapper }) => (wrapper("ambient_declaration") === undefined ? "closed" : "scope"),
      body: (node) => node,
    },
    class: byDefault("class"),
    arrow_function: byDefault("function"),
    function_expression: byDefault("function"),
    generator_function: byDefault("function"),
    method_definition: member(method),
    method_signature: member(method, { isOverload: true }),
    abstract_method_signature: member(method, { isOverload: true }),
    property_signature: member(() => "field"),
    public_field_definition: field,
    field_definition: field,
  },
  marks: {
    import_statement: imports((node) =>
      unquoted(
        (node.childForFieldName("source") ?? node.firstNamedChild?.childForFieldName("source") ?? undefined)?.text,
      ),
    ),
    export_statement: exporting,
    import: importsNext,
  },
  words: { require: importsNext, exports: exported },
  exported: (node, place) => {
    if (inType(place)) {
      const access = node.children.find(({ type }) => type === "accessibility_modifier")?.text
      return access !== "private" && access !== "protected"
    }
    return (
      place.wrapper("export_statement") !== undefined ||
      node.type === "assignment_expression" ||
      // `declare module "name"` is for whoever imports that name.
      node.childForFieldName("name")?.type === "string" ||
      (place.scope.kind !== undefined && !place.scope.hides)
    )
  },
  isPrivate: (name) => name.startsWith("#"),
}
