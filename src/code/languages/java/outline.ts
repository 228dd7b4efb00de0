/** Java. */
import { has, imports, isMarkedDoc, type Rules } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

const declaredNames = (node: SyntaxNode): ReadonlyArray<string> =>
  node.childrenForFieldName("declarator").map((declarator) => declarator.childForFieldName("name")?.text ?? "")

const isModified = (node: SyntaxNode, modifier: string): boolean =>
  node.children.some((child) => child.type === "modifiers" && has(child, modifier))

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
    record_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    annotation_type_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    compact_constructor_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method" },
    field_declaration: {
      kind: (node) => (isModified(node, "static") && isModified(node, "final") ? "constant" : "field"),
      names: declaredNames,
    },
    constant_declaration: { kind: "constant", names: declaredNames },
  },
  actions: {
    import_declaration: imports((node) => node.namedChildren.map(({ text }) => text).join(".")),
  },
  isDetachable: isMarkedDoc,
  exported: (node, { scope }) =>
    node.type === "package_declaration" || scope.kind === "interface" || isModified(node, "public"),
}
