/** TypeScript, TSX and JavaScript: their grammars share the names of their nodes. */
import type { Kind } from "../../Symbols.ts"
import * as CommonJs from "./CommonJs.ts"
import { bodyOfValue, bound, isAccessor, memberName, ofValue, valueIn } from "./EcmaBinding.ts"
import { type Definition, imports, importsNext, type Mark, type Place, type Rules, textOf, unquoted } from "./Rules.ts"
import type { Node } from "./Syntax.ts"

const inType = ({ scope }: Place): boolean => scope.kind === "class" || scope.kind === "interface"

const member = (kind: (node: Node, place: Place) => Kind, rest: Omit<Definition, "kind"> = {}): Definition => ({
  ...rest,
  kind: (node, place) => (inType(place) || place.scope.kind === "scope" ? kind(node, place) : "closed"),
  names: memberName,
})

const method = (node: Node, { scope }: Place): Kind => {
  // Of the object that a module exports.
  if (scope.kind === "scope") return isAccessor(node) ? "constant" : "function"
  return isAccessor(node) ? "field" : "method"
}

const field = member((node) => (ofValue(valueIn(node)) === "function" ? "method" : "field"), { body: bodyOfValue })

/** An expression is a symbol only as what a module exports by default. */
const byDefault = (kind: Kind): Definition => ({
  kind: (node, place) => {
    if (place.wrapper("export_statement")?.childForFieldName("value")?.id === node.id) return kind
    return kind === "function" && CommonJs.isModule(node, place) ? "scope" : "closed"
  },
  names: (node) => [textOf(node, "name") ?? "default"],
  hides: () => true,
})

/** The members of an ambient module are exported without saying so. */
const namespace: Definition = {
  kind: "module",
  names: memberName,
  hides: (_, { scope, wrapper }) =>
    wrapper("ambient_declaration") === undefined && (scope.kind !== "module" || scope.hides),
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
  closed: ["for_statement", "for_in_statement"],
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
    assignment_expression: CommonJs.assignment,
    internal_module: namespace,
    module: namespace,
    // `declare global { … }`
    statement_block: {
      kind: (_, { wrapper }) => (wrapper("ambient_declaration") === undefined ? "closed" : "scope"),
      body: (node) => node,
    },
    object: CommonJs.object,
    pair: CommonJs.pair,
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
    return_statement: CommonJs.returned,
  },
  words: { require: importsNext, exports: CommonJs.exported },
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
