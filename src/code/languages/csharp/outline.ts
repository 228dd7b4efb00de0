/** C#. */
import {
  type Definition,
  imports,
  isMarkedDoc,
  oneLine,
  type Parameter,
  type Rules,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

export { withoutDirectives as retry } from "./Directives.ts"

const isModified = (node: SyntaxNode, modifier: string): boolean =>
  node.children.some(({ text, type }) => type === "modifier" && text === modifier)

const declaredNames = (node: SyntaxNode): ReadonlyArray<string> =>
  (node.namedChildren.find(({ type }) => type === "variable_declaration")?.namedChildren ?? [])
    .filter(({ type }) => type === "variable_declarator")
    .map((declarator) => declarator.childForFieldName("name")?.text ?? "")

/** Returns the parameters of a record, each of which declares a public property: `record A(int B)`. */
const positionalProperties = (node: SyntaxNode): ReadonlyArray<Parameter> =>
  (node.namedChildren.find(({ type }) => type === "parameter_list")?.namedChildren ?? []).flatMap((parameter) => {
    const name = parameter.type === "parameter" ? parameter.childForFieldName("name") : null
    return name === null ? [] : [{ node: parameter, name: name.text }]
  })

/** Properties and events. */
const property: Definition = {
  kind: "field",
  body: (node) => node.childForFieldName("accessors") ?? node.childForFieldName("value"),
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

/** Returns the text of documentation XML: the reference in an empty tag stays, all other tags go. */
const xmlText = (doc: string): string =>
  doc
    .replace(/<\w+\s+(?:cref|name|langword|href)="(?:[A-Z]:)?([^"]*)"\s*\/>/g, "$1")
    .replace(/<(?:type)?param\s+name="([^"]*)"\s*>/g, "$1: ")
    .replace(/<\/?\w[^<>]*>/g, "")
    .replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")

export const rules: Rules = {
  identifiers: ["identifier"],
  comments: ["comment"],
  asides: ["attribute_list", "constructor_initializer"],
  declarationLine:
    /^[ \t]*(?:(?:public|internal|private|protected|abstract|sealed|static|partial)[ \t]+){1,5}(?:class|interface|enum|struct|record)[ \t]+(\w+)|^[ \t]+(?:public|private|protected|internal)[ \t][^;={}()\n]{0,200}\b(\w+)[ \t]*\([^;{}()]{0,500}\)\s{0,100}\{/gm,
  definitions: {
    namespace_declaration: { kind: "module" },
    file_scoped_namespace_declaration: { kind: "module", holdsRest: () => true },
    class_declaration: { kind: "class" },
    struct_declaration: { kind: "class" },
    record_declaration: { kind: "class", fields: positionalProperties },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    delegate_declaration: { kind: "type" },
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    destructor_declaration: { kind: "method", names: (node) => [`~${node.childForFieldName("name")?.text ?? ""}`] },
    operator_declaration: {
      kind: "method",
      names: (node) => [oneLine(/\boperator\s*[^(]+/.exec(node.text)?.[0] ?? "")],
    },
    conversion_operator_declaration: {
      kind: "method",
      names: (node) => [`operator ${oneLine(node.childForFieldName("type")?.text ?? "")}`],
    },
    indexer_declaration: { ...property, names: () => ["this"] },
    property_declaration: property,
    event_declaration: property,
    field_declaration: { kind: (node) => (isModified(node, "const") ? "constant" : "field"), names: declaredNames },
    event_field_declaration: { kind: "field", names: declaredNames },
    // A program without a class has such functions.
    local_function_statement: { kind: "function" },
  },
  actions: { using_directive: imports((node) => oneLine(node.lastNamedChild?.text ?? "")) },
  exported: (node, { scope }) =>
    scope.kind === "interface" ||
    node.type === "parameter" ||
    node.type.endsWith("namespace_declaration") ||
    isModified(node, "public"),
  isDetachable: isMarkedDoc,
  plain: xmlText,
}
