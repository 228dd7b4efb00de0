/** Bash, and shells with a similar syntax. */
import { imports, type Rules, unquote } from "../outline/Rules.ts"
import type { SyntaxNode } from "../outline/SyntaxNode.ts"

const isConstant = (name: string | undefined, command: SyntaxNode | undefined): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(name ?? "") || /^(?:readonly|(?:declare|typeset)\s+-\w*r)\b/.test(command?.text ?? "")

const sourced = imports((node) => {
  const name = node.childForFieldName("name")?.text
  const path = node.childForFieldName("argument")?.text
  return name === "source" || name === "." ? (unquote(path) ?? path) : undefined
})

/** Returns the names in `alias ll='ls -l' la='ls -a'`. */
const aliases = (node: SyntaxNode): ReadonlyArray<string> =>
  node.childForFieldName("name")?.text === "alias"
    ? node.childrenForFieldName("argument").flatMap(({ text }) => /^([\w.:-]{1,100})=/.exec(text)?.[1] ?? [])
    : []

export const bash: Rules = {
  identifiers: ["variable_name", "word"],
  comments: ["comment"],
  wrappers: ["declaration_command"],
  // A variable set for one command, or in a process of its own, is no binding.
  closed: ["subshell", "for_statement", "c_style_for_statement", "while_statement"],
  definitions: {
    function_definition: { kind: "function" },
    command: { kind: (node) => (aliases(node).length > 0 ? "function" : "closed"), names: aliases },
    variable_assignment: {
      kind: (node, { wrapper }) =>
        isConstant(node.childForFieldName("name")?.text, wrapper("declaration_command")) ? "constant" : undefined,
    },
  },
  actions: { command: sourced },
  exported: () => true,
}
