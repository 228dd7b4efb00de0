/**
 * The rules of the walk for nodes that patterns have found: one for all languages, since the nodes are named by kinds.
 */
import type { Kind } from "../../../Symbols.ts"
import * as Comment from "../outline/Comment.ts"
import {
  type Definition,
  functionOrMethod,
  has,
  imports,
  isMarkedDoc,
  oneLine,
  type Position,
  type Rules,
  textOf,
} from "../outline/Rules.ts"
import type { SyntaxNode } from "../outline/SyntaxNode.ts"

const inType = ({ scope }: Position): boolean => scope.kind !== undefined && scope.kind !== "module"

const owner = (node: SyntaxNode): string | undefined => textOf(node, "owner")

/** The text of a comment within the block of a declaration that documents it. */
const doc = (node: SyntaxNode): string | undefined => {
  const comment = textOf(node, "doc")
  return comment === undefined ? undefined : Comment.toPlainText([comment])
}

/** The head of a class with parameters that are members. */
const header = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("header")

const functions: Definition = {
  kind: (node, position) => (owner(node) === undefined ? functionOrMethod(node, position) : "method"),
  owner,
  isTransparent: (node) => has(node, "transparent"),
  doc,
}

const binding = (kind: Kind): Definition => ({ kind: (_, position) => (inType(position) ? "field" : kind), owner })

export const rules: Rules = {
  identifiers: [],
  comments: ["comment"],
  asides: ["annotation"],
  definitions: {
    function: functions,
    method: { kind: "method", owner },
    clause: { ...functions, isOverload: true },
    class: { kind: "class", owner, header },
    interface: { kind: "interface", owner, doc },
    enum: { kind: "enum", owner, header },
    type: { kind: "type", owner },
    module: { kind: "module", owner, doc },
    scope: {
      kind: "scope",
      owner,
      lead: (node) => {
        const lead = textOf(node, "lead")
        return lead === undefined ? undefined : `${oneLine(lead)}:`
      },
    },
    rest: { kind: "module", holdsRest: () => true },
    constant: binding("constant"),
    variable: binding("variable"),
    field: { kind: "field", owner },
  },
  actions: {
    import: imports((node) => textOf(node, "path")),
    export: (node, { scope }) => {
      for (const [name] of (textOf(node, "name") ?? "").matchAll(/\w+/g)) scope.declaredExports.set(name, true)
    },
  },
  // It documents the module around it, not the function below it.
  isDoc: (comment) => !comment.startsWith("@moduledoc"),
  isDetachable: isMarkedDoc,
  exported: (node) => !node.children.some(({ type }) => type === "private"),
}
