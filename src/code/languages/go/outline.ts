/** Go. */

import { imports, type Rules, unquote } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import type { Kind } from "../../Symbols.ts"

const names = (node: SyntaxNode): ReadonlyArray<string> =>
  node
    .childrenForFieldName("name")
    .filter(({ isNamed }) => isNamed)
    .map(({ text }) => text)

const typeOf = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("type")

const kinds: Readonly<Record<string, Kind>> = { struct_type: "class", interface_type: "interface" }

/** Returns `T` for `T`, `*T`, `T[K]` and `pkg.T`. */
const typeName = (node: SyntaxNode | null | undefined): string => {
  let type = node
  while (type?.type === "pointer_type" || type?.type === "generic_type" || type?.type === "qualified_type") {
    type = typeOf(type) ?? type.childForFieldName("name") ?? type.firstNamedChild
  }
  return type?.text ?? ""
}

const receiver = (node: SyntaxNode): string =>
  typeName(node.childForFieldName("receiver")?.firstNamedChild?.childForFieldName("type"))

const binding = (kind: Kind) => ({
  kind: (node: SyntaxNode): Kind =>
    node.childForFieldName("value")?.firstNamedChild?.type === "func_literal" ? "function" : kind,
  names,
  body: (node: SyntaxNode) => node.childForFieldName("value")?.firstNamedChild?.childForFieldName("body"),
})

export const rules: Rules = {
  identifiers: ["identifier", "type_identifier", "field_identifier", "package_identifier"],
  comments: ["comment"],
  lists: ["const_declaration", "var_declaration", "var_spec_list", "type_declaration"],
  declarationLine: /^func[ \t]+(?:\([^)\n]{0,200}\)[ \t]*)?(\w+)|^type[ \t]+(\w+)/gm,
  definitions: {
    package_clause: { kind: "module", names: (node) => [node.firstNamedChild?.text ?? ""] },
    function_declaration: { kind: "function" },
    method_declaration: { kind: "method", owner: receiver },
    type_spec: {
      kind: (node) => kinds[typeOf(node)?.type ?? ""] ?? "type",
      body: (node) => {
        const type = typeOf(node)
        return type?.children.find((child) => child.type === "{" || child.type === "field_declaration_list")
      },
    },
    type_alias: { kind: "type" },
    const_spec: binding("constant"),
    var_spec: binding("variable"),
    field_declaration: {
      kind: (_, { scope }) => (scope.kind === "class" ? "field" : "closed"),
      // An embedded type is a field of its own name.
      names: (node) => (node.childForFieldName("name") === null ? [typeName(typeOf(node))] : names(node)),
    },
    method_elem: { kind: (_, { scope }) => (scope.kind === "interface" ? "method" : "closed") },
  },
  actions: { import_spec: imports((node) => unquote(node.childForFieldName("path")?.text)) },
  exported: () => true,
  isPrivate: (name, kind) => kind !== "module" && !/^\p{Lu}/u.test(name),
}
