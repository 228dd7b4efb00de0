/** Java. */
import { has, imports, isMarkedDoc, type Parameter, type Rules } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import type { Kind } from "../../Symbols.ts"

const declaredNames = (node: SyntaxNode): ReadonlyArray<string> =>
  node.childrenForFieldName("declarator").map((declarator) => declarator.childForFieldName("name")?.text ?? "")

const isModified = (node: SyntaxNode, modifier: string): boolean =>
  node.children.some((child) => child.type === "modifiers" && has(child, modifier))

const bindingKind = (node: SyntaxNode): Kind =>
  isModified(node, "static") && isModified(node, "final") ? "constant" : "field"

/** Returns the components of a record, each of which has an accessor: `record A(int b)`. */
const components = (node: SyntaxNode): ReadonlyArray<Parameter> =>
  (node.childForFieldName("parameters")?.namedChildren ?? []).flatMap((component) => {
    const declarator = component.namedChildren.find(({ type }) => type === "variable_declarator")
    const name = (declarator ?? component).childForFieldName("name")
    return name === null ? [] : [{ node: component, name: name.text }]
  })

const isComponent: ReadonlySet<string> = new Set(["formal_parameter", "spread_parameter"])

export const rules: Rules = {
  identifiers: ["identifier", "type_identifier"],
  comments: ["line_comment", "block_comment"],
  asides: ["annotation", "marker_annotation"],
  closed: ["enum_constant", "block"],
  declarationLine:
    /^(?:(?:public|abstract|final|sealed)[ \t]+){0,3}(?:class|interface|enum|record)[ \t]+(\w+)|^[ \t]+(?:public|private|protected)[ \t][^;={}()\n]{0,200}\b(\w+)[ \t]*\([^;={}()]{0,500}\)[^;={}()]{0,200}\{/gm,
  definitions: {
    // A package spans files: it is a symbol of its own, and holds none.
    package_declaration: { kind: "module", names: (node) => [node.lastNamedChild?.text ?? ""] },
    class_declaration: { kind: "class" },
    record_declaration: { kind: "class", fields: components },
    interface_declaration: { kind: "interface" },
    annotation_type_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    compact_constructor_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method" },
    field_declaration: {
      kind: bindingKind,
      names: declaredNames,
    },
    constant_declaration: { kind: "constant", names: declaredNames },
    // A field of a class that is not named: `void main() {}` may stand in a file without a class.
    local_variable_declaration: {
      kind: (node, { scope }) => (scope.kind === undefined ? bindingKind(node) : "closed"),
      names: declaredNames,
    },
  },
  actions: {
    import_declaration: imports((node) => node.namedChildren.map(({ text }) => text).join(".")),
  },
  isDetachable: isMarkedDoc,
  exported: (node, { scope }) =>
    node.type === "package_declaration" ||
    isComponent.has(node.type) ||
    scope.kind === "interface" ||
    isModified(node, "public"),
}
