/** PHP. */
import {
  type Definition,
  imports,
  isMarkedDoc,
  type NodeAction,
  oneLine,
  type Parameter,
  type Rules,
  unquote,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

/** Returns the names of the elements of `const A = 1, B = 2` and `public $a, $b`. */
const elements = (node: SyntaxNode): ReadonlyArray<string> =>
  node.namedChildren
    .filter(({ type }) => type === "const_element" || type === "property_element")
    .map((element) => plainName(element.firstNamedChild))

const plainName = (node: SyntaxNode | null): string => node?.text.replace(/^\$/, "") ?? ""

/** Returns the parameters of a constructor that declare fields: `__construct(private string $a)`. */
const promotedParameters = (node: SyntaxNode): ReadonlyArray<Parameter> =>
  (node.childForFieldName("parameters")?.namedChildren ?? [])
    .filter(({ type }) => type === "property_promotion_parameter")
    .map((parameter) => ({ node: parameter, name: plainName(parameter.childForFieldName("name")) }))

/** Returns whether a node limits who reads a member. `private(set)` limits who writes it. */
const hides = ({ text, type }: SyntaxNode): boolean =>
  type === "visibility_modifier" && text !== "public" && !text.endsWith("(set)")

const functions: ReadonlySet<string> = new Set(["anonymous_function", "arrow_function"])

const assignment: Definition = {
  kind: (node) => {
    if (node.childForFieldName("left")?.type !== "variable_name") return undefined
    return functions.has(node.childForFieldName("right")?.type ?? "") ? "function" : "variable"
  },
  names: (node) => [plainName(node.childForFieldName("left"))],
  body: (node) => {
    const value = node.childForFieldName("right")
    return functions.has(value?.type ?? "") ? value?.childForFieldName("body") : undefined
  },
}

/** Reads `use A\B`, `use A\B as C`, `use A\{B, C}`. */
const use: NodeAction = (node, { imports }) => {
  const group = node.childForFieldName("body")
  const prefix = group && node.namedChildren.find(({ type }) => type === "namespace_name")
  for (const clause of (group ?? node).namedChildren) {
    if (clause.type !== "namespace_use_clause") continue
    const name = clause.namedChildren.find(({ type }) => type === "name" || type === "qualified_name")?.text ?? ""
    imports.push(oneLine(prefix ? `${prefix.text}\\${name}` : name))
  }
}

/** Reads `require "a.php"` and `require __DIR__ . "/a.php"`. */
const included = imports((node) => unquote(/(["'])[^"']*\1(?=\s*\)?$)/.exec(node.text)?.[0]))

export const rules: Rules = {
  identifiers: ["name"],
  comments: ["comment"],
  asides: ["attribute_list"],
  closed: [
    "anonymous_class",
    "anonymous_function",
    "arrow_function",
    "do_statement",
    "for_statement",
    "foreach_statement",
    "while_statement",
  ],
  declarationLine:
    /^(?:(?:abstract|final|readonly)[ \t]+){0,3}(?:class|interface|trait|enum)[ \t]+(\w+)|^function[ \t]+&?(\w+)|^[ \t]+(?:(?:abstract|final|public|private|protected|static)[ \t]+){1,4}function[ \t]+&?(\w+)/gm,
  definitions: {
    namespace_definition: { kind: "module", holdsRest: (node) => node.childForFieldName("body") === null },
    class_declaration: { kind: "class" },
    trait_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    function_definition: { kind: "function" },
    method_declaration: { kind: "method", fields: promotedParameters },
    const_declaration: { kind: "constant", names: elements },
    property_declaration: {
      kind: "field",
      names: elements,
      body: (node) => node.namedChildren.find(({ type }) => type === "property_hook_list"),
    },
    assignment_expression: assignment,
  },
  actions: {
    namespace_use_declaration: use,
    require_expression: included,
    require_once_expression: included,
    include_expression: included,
    include_once_expression: included,
  },
  isDetachable: isMarkedDoc,
  exported: (node) => !node.children.some(hides),
}
