/** Ruby. */
import { addNextLiteral, type Definition, type NodeAction, type Rules } from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"

const nameOf = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("name")

/** `A::B` is B in A. */
const holder: Pick<Definition, "names" | "owner" | "header"> = {
  names: (node) => [nameOf(node)?.childForFieldName("name")?.text ?? nameOf(node)?.text ?? ""],
  owner: (node) => nameOf(node)?.childForFieldName("scope")?.text.replaceAll("::", "."),
  header: (node) => node.childForFieldName("superclass") ?? nameOf(node),
}

const method: Definition = {
  kind: (_, { scope }) => (scope.kind === undefined ? "function" : "method"),
  header: (node) => node.childForFieldName("parameters") ?? nameOf(node),
  names: (node) => [nameOf(node)?.type === "setter" ? `${nameOf(node)?.text}` : (nameOf(node)?.text ?? "")],
}

/**
 * `def self.a`; and `def B.a`, which outside of all classes is a method of B. Within one, B may be any of the classes
 * around, and the method is left to the innermost.
 */
const singletonMethod: Definition = {
  ...method,
  kind: (node, { scope }) => (scope.kind === undefined && constantOf(node) === undefined ? "function" : "method"),
  owner: (node, { scope }) => (scope.kind === undefined ? constantOf(node) : undefined),
}

const constantOf = (node: SyntaxNode): string | undefined => {
  const object = node.childForFieldName("object")
  const isConstant = object?.type === "constant" || object?.type === "scope_resolution"
  return isConstant ? object?.text.replace(/^::/, "").replaceAll("::", ".") : undefined
}

const kinds: Readonly<Record<string, "constant" | "variable" | "field">> = {
  constant: "constant",
  global_variable: "variable",
  class_variable: "field",
}

const targets = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const left = node.childForFieldName("left")
  return (left?.type === "left_assignment_list" ? left.namedChildren : left === null ? [] : [left]).filter(
    ({ type }) => type in kinds,
  )
}

/** `Point = Struct.new(:x) do … end` defines a class. */
const block = (node: SyntaxNode): SyntaxNode | null => {
  const call = node.childForFieldName("right")
  return /^(?:Struct|Class|Module|Data)\.(?:new|define)\b/.test(call?.text ?? "")
    ? (call?.childForFieldName("block") ?? null)
    : null
}

const assignment: Definition = {
  kind: (node) => (block(node) === null ? kinds[targets(node)[0]?.type ?? ""] : "class"),
  names: (node) => targets(node).map(({ text }) => text),
  body: block,
}

/** Returns a call by that word alone, not one of another object's method. */
const callOf = (node: SyntaxNode): SyntaxNode | undefined => {
  const call = node.parent
  const isCall = call?.childForFieldName("method")?.id === node.id && call.childForFieldName("receiver") === null
  return isCall ? call : undefined
}

/** `private` alone affects the definitions that follow; with arguments, it affects those. */
const access =
  (isShown: boolean): NodeAction =>
  (node, { isOpen, scope }) => {
    if (!isOpen) return
    const call = callOf(node)
    for (const argument of call?.childForFieldName("arguments")?.namedChildren ?? []) {
      scope.declaredExports.set(nameOf(argument)?.text ?? argument.text.replace(/^:/, ""), isShown)
    }
    const isAlone = node.parent?.type === "body_statement" || node.parent?.type === "program"
    if (isAlone) scope.hides = !isShown
  }

/**
 * `attr_reader :a, :b` declares the methods a and b, and `define_method(:a)` and `alias_method :a, :b` the method a.
 */
const declaringCall: Definition = {
  kind: (node, { scope, text }) => {
    if (list(node) === null) return undefined
    if (text.startsWith("attr_", node.startIndex)) return "field"
    const isMethod = /^(?:define_method|alias_method)\b/.test(text.slice(node.startIndex, node.startIndex + 15))
    return isMethod && scope.kind !== undefined ? "method" : undefined
  },
  names: (node) => {
    const symbols = (list(node)?.namedChildren ?? []).filter(({ type }) => type === "simple_symbol")
    const isAttribute = node.childForFieldName("method")?.text.startsWith("attr_") ?? false
    return (isAttribute ? symbols : symbols.slice(0, 1)).map(({ text }) => text.slice(1))
  },
}

/** `alias new old` */
const alias: Definition = {
  kind: (_, { scope }) => (scope.kind === undefined ? "function" : "method"),
  names: (node) => [nameOf(node)?.text.replace(/^:/, "") ?? ""],
}

const list = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("arguments")

export const rules: Rules = {
  identifiers: ["identifier", "constant", "instance_variable", "class_variable", "global_variable"],
  comments: ["comment"],
  declarationLine: /^(?:class|module)[ \t]+(?:\w+::){0,9}(\w+)|^ {0,2}def[ \t]+(?:self\.)?(\w+)/gm,
  definitions: {
    module: { ...holder, kind: "module" },
    class: { ...holder, kind: "class" },
    singleton_class: { kind: "scope" },
    method,
    singleton_method: singletonMethod,
    assignment,
    operator_assignment: assignment,
    call: declaringCall,
    alias,
  },
  identifierActions: {
    require: addNextLiteral,
    require_relative: addNextLiteral,
    load: addNextLiteral,
    private: access(false),
    protected: access(false),
    private_class_method: access(false),
    private_constant: access(false),
    public: access(true),
    module_function: access(true),
  },
  isDetachable: (comment) => comment.startsWith("#"),
  exported: (node, { scope }) => !/^(?:method|call|alias)$/.test(node.type) || !scope.hides,
}
