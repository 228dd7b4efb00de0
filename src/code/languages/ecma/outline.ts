/** The rules of TypeScript, TSX and JavaScript: their grammars have node types of the same names. */

import {
  addNextLiteral,
  type Definition,
  imports,
  isMarkedDoc,
  type NodeAction,
  type Parameter,
  type Position,
  type Rules,
  textOf,
  unquote,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import type { Kind } from "../../Symbols.ts"
import { assignedValue, bodyOfValue, boundNames, isAccessor, kindOfValue, memberName } from "./bindings.ts"
import * as CommonJs from "./CommonJs.ts"
import * as ObjectLiteral from "./ObjectLiteral.ts"

const inType = ({ scope }: Position): boolean => scope.kind === "class" || scope.kind === "interface"

const member = (
  kind: (node: SyntaxNode, position: Position) => Kind,
  rest: Omit<Definition, "kind"> = {},
): Definition => ({
  ...rest,
  kind: (node, position) => {
    const isMember = inType(position) || position.scope.kind === "scope"
    return isMember && memberName(node).length > 0 ? kind(node, position) : "closed"
  },
  names: memberName,
})

const method = (node: SyntaxNode, { scope }: Position): Kind => {
  // Here the method is in an object that a module exports.
  if (scope.kind === "scope") return isAccessor(node) ? "constant" : "function"
  return isAccessor(node) ? "field" : "method"
}

const field = member((node) => (kindOfValue(assignedValue(node)) === "function" ? "method" : "field"), {
  body: bodyOfValue,
})

/**
 * Functions and classes in expressions are symbols only as default exports, and as the value that a module's function
 * returns.
 */
const defaultExport = (kind: Kind): Definition => ({
  kind: (node, position) => {
    if (position.wrapper("export_statement")?.childForFieldName("value")?.id === node.id) return kind
    if (CommonJs.isReturned(node, position)) return kind
    const call = kind === "function" && position.isOpen ? CommonJs.namingCall(node, position) : undefined
    if (call !== undefined) return call.owner === undefined ? "function" : "method"
    return kind === "function" && CommonJs.isModule(node, position) ? "scope" : "closed"
  },
  names: (node) => [textOf(node, "name") ?? "default"],
  owner: (node, position) => CommonJs.namingCall(node, position)?.owner,
  start: (node, position) => CommonJs.namingCall(node, position)?.start,
  hides: () => true,
})

/** Returns the parameters of a constructor that declare fields: `constructor(private readonly a: A)`. */
const parameterProperties = (node: SyntaxNode): ReadonlyArray<Parameter> =>
  textOf(node, "name") !== "constructor"
    ? []
    : (node.childForFieldName("parameters")?.namedChildren ?? []).flatMap((parameter) => {
        const name = parameter.childForFieldName("pattern")
        const isField = parameter.children.some(({ type }) => fieldModifiers.has(type))
        return isField && name?.type === "identifier" ? [{ node: parameter, name: name.text }] : []
      })

const fieldModifiers: ReadonlySet<string> = new Set([
  "accessibility_modifier",
  "override_modifier",
  "override",
  "readonly",
])

/** Members of an ambient module are exported implicitly. */
const namespace: Definition = {
  kind: "module",
  names: memberName,
  hides: (_, { scope, wrapper }) =>
    wrapper("ambient_declaration") === undefined && (scope.kind !== "module" || scope.hides),
}

/** Reads `export … from`, `export { a, b as c }`, `export default a`, `export = a`. */
const exportStatement: NodeAction = (node, position) => {
  const source = node.childForFieldName("source")
  if (source !== null) return imports(() => unquote(source.text))(node, position)
  const value = node.childForFieldName("value")
  const names = value === null ? node.namedChildren : [value]
  for (const child of names) {
    if (child.type === "identifier") position.scope.declaredExports.set(child.text, true)
    if (child.type !== "export_clause") continue
    for (const one of child.namedChildren) position.scope.declaredExports.set(textOf(one, "name") ?? "", true)
  }
}

export const rules: Rules = {
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
  declarationLine:
    /^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:(?:async[ \t]+)?function[ \t]*\*?|class|interface|enum|namespace)[ \t]+([A-Za-z_$][\w$]*)/gm,
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
        const value = assignedValue(node)
        // Names bound by an import are defined elsewhere.
        if (/^(?:require|await import)\b/.test(value?.text ?? "")) return "closed"
        const isConstant = wrapper("lexical_declaration")?.firstChild?.type === "const"
        return kindOfValue(value) ?? (isConstant ? "constant" : "variable")
      },
      names: boundNames,
      body: (node) => bodyOfValue(node) ?? CommonJs.bodyOfCalled(node) ?? ObjectLiteral.ofValue(assignedValue(node)),
      members: (node) => (ObjectLiteral.ofValue(assignedValue(node)) === undefined ? undefined : "class"),
      header: (node) => (ObjectLiteral.ofValue(assignedValue(node)) === undefined ? undefined : node),
      isTransparent: (node) => CommonJs.bodyOfCalled(node) != null,
      hides: (node) => ObjectLiteral.ofValue(assignedValue(node)) === undefined,
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
    class: defaultExport("class"),
    arrow_function: defaultExport("function"),
    function_expression: defaultExport("function"),
    generator_function: defaultExport("function"),
    method_definition: member(method, { fields: parameterProperties }),
    method_signature: member(method, { isOverload: true }),
    abstract_method_signature: member(method, { isOverload: true }),
    property_signature: member(() => "field"),
    public_field_definition: field,
    field_definition: field,
  },
  actions: {
    import_statement: imports((node) =>
      unquote(
        (node.childForFieldName("source") ?? node.firstNamedChild?.childForFieldName("source") ?? undefined)?.text,
      ),
    ),
    export_statement: exportStatement,
    import: addNextLiteral,
    return_statement: CommonJs.returnStatement,
  },
  identifierActions: { require: addNextLiteral, exports: CommonJs.exportsMention },
  exported: (node, position) => {
    if (inType(position)) {
      const access = node.children.find(({ type }) => type === "accessibility_modifier")?.text
      return access !== "private" && access !== "protected"
    }
    return (
      position.wrapper("export_statement") !== undefined ||
      node.type === "assignment_expression" ||
      CommonJs.namingCall(node, position) !== undefined ||
      // `declare module "name"` is visible to all importers of that name.
      node.childForFieldName("name")?.type === "string" ||
      (position.scope.kind !== undefined && !position.scope.hides)
    )
  },
  isDetachable: isMarkedDoc,
  isPrivate: (name) => name.startsWith("#"),
}
