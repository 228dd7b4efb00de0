/** Python. */
import { dedentDocstring } from "../../Symbols/internal/outline/Comment.ts"
import {
  functionOrMethod,
  imports,
  type NodeAction,
  oneLine,
  type Rules,
  unquote,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

/**
 * Returns the identifiers that an assignment binds, also for `a = b = 1` and `a, b = 1, 2`. Attributes and items are
 * not among them.
 */
const boundNames = (node: SyntaxNode): ReadonlyArray<string> => {
  const targets: Array<SyntaxNode> = []
  for (let assigned: SyntaxNode | null = node; assigned?.type === "assignment"; ) {
    const left = assigned.childForFieldName("left")
    targets.push(...(left?.type.endsWith("_list") ? left.namedChildren : left === null ? [] : [left]))
    assigned = assigned.childForFieldName("right")
  }
  return targets.filter(({ text, type }) => type === "identifier" && text !== "__all__").map(({ text }) => text)
}

const isConstant = (name: string | undefined): boolean => name !== undefined && /^_*[A-Z][A-Z0-9_]*$/.test(name)

/** Returns the string that a body begins with. */
const docstring = (node: SyntaxNode): string | undefined => {
  const first = node.childForFieldName("body")?.namedChildren.find(({ type }) => type !== "comment")
  return textOf(first)
}

/** Returns the string that stands below an assignment, which documents it as a docstring does a function. */
const docstringBelow = (node: SyntaxNode): string | undefined => textOf(node.parent?.nextNamedSibling)

/** Returns the text of a statement that is only a string. */
const textOf = (statement: SyntaxNode | null | undefined): string | undefined => {
  const literal = statement?.type === "expression_statement" ? statement.firstNamedChild : undefined
  const [, , text] = literal?.type === "string" ? (/^\w*("""|'''|"|')(.*)\1$/s.exec(literal.text) ?? []) : []
  return text === undefined ? undefined : dedentDocstring(text)
}

/** Reads `__all__ = ["a", "b"]` and `__all__ += ["c"]`. */
const all: NodeAction = (node, { scope }) => {
  const assignment = node.parent
  if (!assignment?.type.endsWith("assignment") || scope.kind !== undefined) return
  for (const element of assignment.childForFieldName("right")?.namedChildren ?? []) {
    scope.exportList ??= new Set()
    scope.exportList.add(unquote(element.text) ?? "")
  }
}

export const rules: Rules = {
  identifiers: ["identifier"],
  comments: ["comment"],
  asides: ["decorator"],
  wrappers: ["decorated_definition"],
  // Names that a loop or a `with` statement binds at the top level are no symbols.
  closed: ["for_statement", "while_statement", "with_statement"],
  declarationLine: /^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)/gm,
  definitions: {
    class_definition: { kind: "class", doc: docstring },
    function_definition: { kind: functionOrMethod, doc: docstring },
    type_alias_statement: {
      kind: "type",
      names: (node) => [/^\w+/.exec(node.childForFieldName("left")?.text ?? "")?.[0] ?? ""],
    },
    assignment: {
      kind: (node, position) =>
        node.childForFieldName("right")?.type === "lambda"
          ? functionOrMethod(node, position)
          : isConstant(boundNames(node)[0])
            ? "constant"
            : position.scope.kind === "class"
              ? "field"
              : "variable",
      names: boundNames,
      doc: docstringBelow,
    },
    if_statement: {
      kind: (node) => (node.childForFieldName("condition")?.text.startsWith("__name__") ? "closed" : undefined),
    },
  },
  actions: {
    import_statement: (node, { imports }) => {
      for (const name of node.childrenForFieldName("name")) {
        imports.push((name.childForFieldName("name") ?? name).text)
      }
    },
    import_from_statement: imports((node) => oneLine(node.childForFieldName("module_name")?.text ?? "")),
    future_import_statement: imports(() => "__future__"),
  },
  identifierActions: { __all__: all },
  exported: () => true,
  isPrivate: (name) => name.startsWith("_") && !/^__\w+__$/.test(name),
}
