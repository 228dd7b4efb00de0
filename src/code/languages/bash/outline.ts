/** Bash, and shells with a similar syntax. */
import { imports, type Rules, unquote } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import { isStopped, type Retry } from "../../Symbols/internal/treeSitter/Grammar.ts"
import * as LostDeclarations from "../../Symbols/internal/treeSitter/LostDeclarations.ts"

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

export const rules: Rules = {
  identifiers: ["variable_name", "word"],
  comments: ["comment"],
  wrappers: ["declaration_command"],
  // A variable set for one command, or in a process of its own, is no binding.
  closed: ["subshell", "for_statement", "c_style_for_statement", "while_statement"],
  declarationLine: /^(?:function[ \t]+)?([\w-]+)[ \t]*\(\)[ \t]*\{/gm,
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

/**
 * Reads a script of a shell once more from the first function on that a syntax error hides: `name() {` at the beginning
 * of a line is certain. The outline still has a note, since other things may be missing.
 */
export const retry: Retry = (first, read) => {
  let { outline } = first
  let reason = outline.note?.split(":")[0]
  let last = first
  for (let times = 0; times < MAX_ERRORS; times++) {
    const lost = LostDeclarations.find(last.tree.rootNode, rules.declarationLine, last.text, outline.symbols).next()
      .value
    if (lost === undefined) break
    const rest = read(first.text.slice(0, lost.start).replace(/[^\n]/g, " ") + first.text.slice(lost.start))
    const found = rest?.outline.symbols.filter(({ start }) => start >= lost.start) ?? []
    if (rest === undefined || isStopped(rest.outline) || !found.some(({ start }) => start === lost.start)) break
    const before = outline.symbols.filter(({ start }) => start < lost.start)
    reason ??= `syntax error at line ${lost.errorLine}`
    outline = { ...outline, symbols: [...before, ...found] }
    last = rest
  }
  if (reason === undefined || last === first) return first
  const lost = Array.from(LostDeclarations.find(last.tree.rootNode, rules.declarationLine, last.text, outline.symbols))
  return { ...first, outline: { ...outline, note: LostDeclarations.noteOf(reason, lost), cut: "syntax" } }
}

/** The most errors after which a script is read again. */
const MAX_ERRORS = 5
