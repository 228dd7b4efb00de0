/**
 * The rules of the walk for nodes that patterns have found: one for all languages, since the nodes are named by kinds.
 */
import type { Kind } from "../../../Symbols.ts"
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

/** The head of a class with parameters that are members. */
const header = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("header")

const functions: Definition = {
  kind: (node, position) => (owner(node) === undefined ? functionOrMethod(node, position) : "method"),
  owner,
  isTransparent: (node) => has(node, "transparent"),
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
    interface: { kind: "interface", owner },
    enum: { kind: "enum", owner, header },
    type: { kind: "type", owner },
    module: { kind: "module", owner },
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
  isDetachable: isMarkedDoc,
  exported: (node) => !node.children.some(({ type }) => type === "private"),
}
