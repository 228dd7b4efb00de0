/** Rust. */
import { toPlainText } from "../../Symbols/internal/outline/Comment.ts"
import {
  functionOrMethod,
  has,
  imports,
  isMarkedDoc,
  oneLine,
  type Rules,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

/** Returns `S` for `S`, `S<T>`, `a::S` and `&S`. */
const typeName = (node: SyntaxNode | null): string => {
  let type = node
  for (let inner = type; inner !== null; inner = inner.childForFieldName("type") ?? inner.childForFieldName("name")) {
    type = inner
  }
  return oneLine(type?.text ?? "")
}

/** Returns whether this is an inner doc comment, which documents the item that contains it. */
const isInner = (comment: string): boolean => /^\/(?:\/!|\*!)/.test(comment)

const innerDoc = (node: SyntaxNode): string | undefined => {
  const first = node.childForFieldName("body")?.namedChildren ?? []
  const end = first.findIndex(({ text, type }) => !type.endsWith("comment") || !isInner(text))
  return toPlainText(first.slice(0, end === -1 ? first.length : end).map(({ text }) => text.trimEnd()))
}

export { withItemMacros as retry } from "./ItemMacros.ts"

export const rules: Rules = {
  identifiers: ["identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"],
  comments: ["line_comment", "block_comment"],
  asides: ["attribute_item"],
  closed: ["enum_variant", "macro_invocation"],
  declarationLine:
    /^(?:pub(?:\([^)\n]{0,100}\))?[ \t]+)?(?:(?:async|const|unsafe|extern(?:[ \t]+"[^"\n]{0,20}")?)[ \t]+){0,4}(?:fn|struct|enum|trait|mod)[ \t]+(\w+)/gm,
  definitions: {
    mod_item: { kind: "module", doc: innerDoc },
    struct_item: {
      kind: "class",
      // `struct A(u8, u8);` has no names in it, and is its own signature.
      body: (node) => node.children.find(({ type }) => type === "field_declaration_list"),
    },
    union_item: { kind: "class" },
    enum_item: { kind: "enum" },
    trait_item: { kind: "interface" },
    impl_item: {
      kind: "scope",
      owner: (node) => typeName(node.childForFieldName("type")),
      hides: (node) => node.childForFieldName("trait") === null,
      // A search for the trait finds its members here, too.
      lead: (node) => {
        const trait = node.childForFieldName("trait")
        return trait === null ? undefined : `impl ${typeName(trait)}:`
      },
    },
    function_item: { kind: functionOrMethod },
    function_signature_item: { kind: functionOrMethod },
    macro_definition: { kind: "function", body: (node) => node.children.find(({ type }) => /^[({[]$/.test(type)) },
    const_item: { kind: "constant" },
    static_item: { kind: "variable" },
    type_item: { kind: "type" },
    associated_type: { kind: "type" },
    field_declaration: { kind: (_, { scope }) => (scope.kind === "class" ? "field" : "closed") },
  },
  actions: {
    use_declaration: imports((node) => oneLine(node.childForFieldName("argument")?.text ?? "")),
    extern_crate_declaration: imports((node) => node.childForFieldName("name")?.text),
  },
  exported: (node, { scope }) =>
    has(node, "visibility_modifier") ||
    scope.kind === "interface" ||
    // The items in an implementation of a trait are as visible as the trait.
    (scope.kind === "scope" && !scope.hides) ||
    (node.type === "macro_definition" && (node.previousNamedSibling?.text.includes("macro_export") ?? false)),
  isDetachable: isMarkedDoc,
  isDoc: (comment) => !isInner(comment),
}
