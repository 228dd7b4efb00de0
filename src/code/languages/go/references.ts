/** Reads references of Go off its syntax tree. The module specifier `.` is the package of the file. */

import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  type Binding,
  bind,
  type Expression,
  extend,
  makeScope,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { child, childrenOf, type Handler, TreeReader } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

/** Names of the language itself that a package hardly ever declares again. */
const predeclared: ReadonlySet<string> = new Set(
  `any append bool byte cap close complex128 complex64 copy delete error false float32 float64 imag int int16 int32 int64 int8
   iota len make map nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr _`.split(
    /\s+/,
  ),
)

class Reader extends TreeReader {
  /** The packages of which all names are imported: `import . "x"`. */
  private readonly dotted: Array<string> = []

  protected nameElsewhere(name: string): Binding {
    if (predeclared.has(name)) return null
    return this.firstOf(
      name,
      [".", ...(/^\p{Lu}/u.test(name) ? this.dotted : [])].map((each) => extend(ofModule(each), `.${name}`)),
    )
  }

  private readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    switch (node?.type) {
      case "type_identifier":
        return predeclared.has(this.textOf(node)) ? null : extend(this.name(node, scope), "@")
      case "qualified_type":
        return extend(this.qualified(node, scope), "@")
      case "pointer_type":
      case "parenthesized_type":
        return this.type(node.children[0], scope)
      case "slice_type":
      case "array_type":
      case "implicit_length_array_type":
        this.visit(child(node, "length"), scope)
        return extend(this.type(child(node, "element"), scope), "[")
      case "map_type":
        this.type(child(node, "key"), scope)
        return extend(this.type(child(node, "value"), scope), "[")
      case "channel_type":
        return extend(this.type(child(node, "value"), scope), "[")
      case "generic_type": {
        const of = this.type(child(node, "type"), scope)
        this.visit(child(node, "type_arguments"), scope)
        return of
      }
      case "function_type":
        this.signature(node, makeScope(scope, scope.start))
        return null
    }
    return node === undefined ? null : this.visitAll(node, scope)
  }

  private qualified(node: CompactNode, scope: Scope): Binding {
    const from = child(node, "package")
    return from === undefined ? null : this.member(this.name(from, scope), child(node, "name"))
  }

  /** Declares parameters, and returns the type of the first result. */
  private signature(node: CompactNode, scope: Scope): Binding {
    for (const parameter of child(node, "type_parameters")?.children ?? []) {
      for (const name of childrenOf(parameter, "name")) bind(scope, this.textOf(name), null)
      this.visit(child(parameter, "type"), scope)
    }
    this.parameters(child(node, "receiver"), scope)
    this.parameters(child(node, "parameters"), scope)
    const result = child(node, "result")
    return result?.type === "parameter_list" ? this.parameters(result, scope) : this.type(result, scope)
  }

  /** Declares parameters, and returns the type of the first one. */
  private parameters(list: CompactNode | undefined, scope: Scope): Binding {
    let first: Binding | undefined
    for (const parameter of list?.children ?? []) {
      const declared = this.type(child(parameter, "type"), scope)
      const type = parameter.type === "variadic_parameter_declaration" ? extend(declared, "[") : declared
      if (first === undefined) first = type
      for (const name of childrenOf(parameter, "name")) bind(scope, this.textOf(name), type)
    }
    return first ?? null
  }

  private readonly functionAt: Handler = (node, scope) => {
    const body = child(node, "body")
    const name = child(node, "name")
    const inner = makeScope(scope, body?.start ?? node.end)
    const result = this.signature(node, inner)
    if (name !== undefined) this.facts.value(this.ordinalOf(name, this.file), result)
    if (body !== undefined) this.visitBlock(body, inner)
    return null
  }

  private readonly typeSpec: Handler = (node, scope) => {
    const name = child(node, "name")
    const type = child(node, "type")
    if (name === undefined || type === undefined) return null
    const owner = this.ordinalOf(name, scope)
    if (owner < 0) bind(scope, this.textOf(name), null)
    const inner = makeScope(scope, scope.start)
    for (const parameter of child(node, "type_parameters")?.children ?? []) {
      for (const each of childrenOf(parameter, "name")) bind(inner, this.textOf(each), null)
      this.visit(child(parameter, "type"), inner)
    }
    if (type.type === "struct_type") this.fields(type, owner, inner)
    else if (type.type === "interface_type") this.methods(type, owner, inner)
    else if (node.type === "type_alias") {
      const of = this.type(type, inner)
      this.facts.value(owner, of?.path.endsWith("@") ? { ...of, path: of.path.slice(0, -1) } : null)
    } else this.type(type, inner)
    return null
  }

  private fields(struct: CompactNode, owner: number, scope: Scope): void {
    for (const field of struct.children.flatMap((list) => list.children)) {
      const type = child(field, "type")
      const value = this.type(type, scope)
      const names = childrenOf(field, "name")
      for (const name of names) this.facts.value(this.ordinalOf(name, scope), value)
      if (names.length > 0 || type === undefined || value === null) continue
      this.facts.base(owner, withoutInstance(value))
      const last = /[\w]+$/.exec(this.textOf(type).replace(/\[.*$/s, ""))?.[0]
      if (last !== undefined) this.facts.field(owner, last, value)
    }
  }

  private methods(type: CompactNode, owner: number, scope: Scope): void {
    for (const element of type.children) {
      if (element.type === "method_elem") {
        const name = child(element, "name")
        const result = this.signature(element, makeScope(scope, scope.start))
        if (name !== undefined) this.facts.value(this.ordinalOf(name, scope), result)
      } else {
        const base = this.type(element.children[0], scope)
        this.facts.base(owner, base && withoutInstance(base))
        for (const other of element.children.slice(1)) this.type(other, scope)
      }
    }
  }

  /** Reads `var` and `const`. */
  private readonly variables: Handler = (node, scope) => {
    const declared = this.type(child(node, "type"), scope)
    const values = this.values(child(node, "value"), scope)
    const names = childrenOf(node, "name")
    names.forEach((name, at) => {
      const value = declared ?? (values.length === names.length || at === 0 ? values[at] : null) ?? null
      const ordinal = this.ordinalOf(name, scope)
      if (ordinal < 0) bind(scope, this.textOf(name), value)
      else this.facts.value(ordinal, value)
    })
    return null
  }

  private values(list: CompactNode | undefined, scope: Scope): ReadonlyArray<Binding> {
    return (list?.children ?? []).map((each) => this.visit(each, scope))
  }

  /** Reads `a, b := f()`, and returns the scope of the code after it. */
  private shortVariables(node: CompactNode, scope: Scope): Scope {
    const left = child(node, "left")
    const right = child(node, "right")
    const values = this.values(right, scope)
    const names = left?.children ?? []
    // `t := t.next()`: the right side still means the outer name.
    const text = right === undefined ? "" : this.textOf(right)
    const isOuter = names.some((name) => scope.names.has(this.textOf(name)) || text.includes(this.textOf(name)))
    const inner = isOuter ? makeScope(scope, scope.start) : scope
    names.forEach((name, at) => {
      const value = (values.length === names.length || at === 0 ? values[at] : null) ?? null
      const isKnown = scope.names.get(this.textOf(name))
      // A name that was declared before keeps its type.
      if (!isKnown && this.textOf(name) !== "_") bind(inner, this.textOf(name), value)
    })
    return inner
  }

  /** Reads statements one after another: a short declaration can begin a new scope. */
  private readonly statements: Handler = (node, scope) => {
    let inner = scope
    for (const statement of node.children) {
      if (statement.type === "short_var_declaration") inner = this.shortVariables(statement, inner)
      else this.visit(statement, inner)
    }
    return null
  }

  private readonly statementsInBlock: Handler = (node, scope) => this.statements(node, makeScope(scope, scope.start))

  private readonly loopOver: Handler = (node, scope) => {
    const left = child(node, "left")
    const element = extend(this.visit(child(node, "right"), scope), "]")
    const isDeclaration = left !== undefined && /:=\s*range\b/.test(this.text.slice(left.end, left.end + 40))
    if (!isDeclaration) return this.visit(left, scope)
    left.children.forEach((name, at) => {
      bind(scope, this.textOf(name), at === 1 ? element : null)
    })
    return null
  }

  private readonly forStatement: Handler = (node, scope) => {
    let inner = makeScope(scope, scope.start)
    for (const part of node.children) {
      if (part.type !== "for_clause") {
        this.visit(part, inner)
        continue
      }
      const initializer = child(part, "initializer")
      if (initializer?.type === "short_var_declaration") inner = this.shortVariables(initializer, inner)
      for (const other of part.children) if (other.type !== "short_var_declaration") this.visit(other, inner)
    }
    return null
  }

  private readonly typeSwitch: Handler = (node, scope) => {
    const alias = child(node, "alias")?.children[0]
    const outer = makeScope(scope, scope.start)
    const inner =
      child(node, "initializer")?.type === "short_var_declaration"
        ? this.shortVariables(child(node, "initializer") ?? node, outer)
        : outer
    const value = this.visit(child(node, "value"), inner)
    for (const branch of node.children) {
      if (branch.type !== "type_case" && branch.type !== "default_case") continue
      const types = childrenOf(branch, "type").map((type) => this.type(type, inner))
      const own = makeScope(inner, inner.start)
      if (alias !== undefined) bind(own, this.textOf(alias), types.length === 1 ? (types[0] ?? null) : value)
      for (const statement of branch.children) if (statement.field !== "type") this.visit(statement, own)
    }
    return null
  }

  private readonly call: Handler = (node, scope) => {
    const called = child(node, "function")
    const list = child(node, "arguments")
    this.visit(child(node, "type_arguments"), scope)
    const word = called?.type === "identifier" ? this.textOf(called) : ""
    if (word === "new" || word === "make") {
      const [first, ...others] = list?.children ?? []
      for (const other of others) this.visit(other, scope)
      return this.type(first, scope)
    }
    const value = this.visit(called, scope)
    const values = this.values(list, scope)
    return word === "append" ? (values[0] ?? null) : extend(value, "()")
  }

  private readonly literal: Handler = (node, scope) => {
    const type = child(node, "type")
    const value = this.type(type, scope)
    const isStruct = type !== undefined && !/^(?:slice|array|map|implicit_length_array)_type$/.test(type.type)
    this.elements(child(node, "body"), value, isStruct, scope)
    return value
  }

  private elements(body: CompactNode | undefined, of: Binding, isStruct: boolean, scope: Scope): void {
    const element = (node: CompactNode | undefined): void => {
      const inner = node?.type === "literal_element" ? node.children[0] : node
      if (inner?.type === "literal_value") this.elements(inner, isStruct ? null : extend(of, "]"), true, scope)
      else this.visit(inner, scope)
    }
    for (const each of body?.children ?? []) {
      if (each.type !== "keyed_element") {
        element(each)
        continue
      }
      const key = child(each, "key")
      const name = key?.type === "literal_element" ? key.children[0] : key
      if (isStruct && name?.type === "identifier") this.member(of, name)
      else element(key)
      element(child(each, "value"))
    }
  }

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    package_clause: () => null,
    import_spec: (node) => {
      const path = child(node, "path")
      const specifier = path === undefined ? "" : this.textOf(path).slice(1, -1)
      const alias = child(node, "name")
      const name = alias === undefined ? packageName(specifier) : this.textOf(alias)
      if (!/^[^"\\\p{Cc}]+$/u.test(specifier)) return null
      if (name === ".") this.dotted.push(specifier)
      else if (/^\w+$/.test(name)) bind(this.file, name, ofModule(specifier))
      return null
    },
    function_declaration: this.functionAt,
    method_declaration: this.functionAt,
    func_literal: this.functionAt,
    type_spec: this.typeSpec,
    type_alias: this.typeSpec,
    var_spec: this.variables,
    const_spec: this.variables,
    block: this.statementsInBlock,
    statement_list: this.statements,
    short_var_declaration: (node, scope) => {
      this.shortVariables(node, scope)
      return null
    },
    if_statement: (node, scope) => this.statements(node, makeScope(scope, scope.start)),
    expression_switch_statement: (node, scope) => this.statements(node, makeScope(scope, scope.start)),
    expression_case: this.statementsInBlock,
    default_case: this.statementsInBlock,
    communication_case: (node, scope) => {
      const inner = makeScope(scope, scope.start)
      for (const part of node.children) {
        const left = part.type === "receive_statement" ? child(part, "left") : undefined
        if (left === undefined) {
          this.visit(part, inner)
          continue
        }
        const value = this.visit(child(part, "right"), inner)
        left.children.forEach((name, at) => {
          bind(inner, this.textOf(name), at === 0 ? value : null)
        })
      }
      return null
    },
    for_statement: this.forStatement,
    range_clause: this.loopOver,
    type_switch_statement: this.typeSwitch,
    identifier: (node, scope) => (predeclared.has(this.textOf(node)) ? null : this.name(node, scope)),
    selector_expression: (node, scope) => this.member(this.visit(child(node, "operand"), scope), child(node, "field")),
    call_expression: this.call,
    composite_literal: this.literal,
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    unary_expression: (node, scope) => {
      const value = this.visit(child(node, "operand"), scope)
      const operator = this.text.charAt(node.start)
      return operator === "<" ? extend(value, "]") : operator === "&" || operator === "*" ? value : null
    },
    index_expression: (node, scope) => {
      const value = this.visit(child(node, "operand"), scope)
      this.visit(child(node, "index"), scope)
      return extend(value, "]")
    },
    slice_expression: (node, scope) => {
      const [operand, ...bounds] = node.children
      const value = this.visit(operand, scope)
      for (const bound of bounds) this.visit(bound, scope)
      return value
    },
    type_assertion_expression: (node, scope) => {
      this.visit(child(node, "operand"), scope)
      return this.type(child(node, "type"), scope)
    },
    type_conversion_expression: (node, scope) => {
      this.visit(child(node, "operand"), scope)
      return this.type(child(node, "type"), scope)
    },
    type_identifier: this.type,
    qualified_type: this.type,
    pointer_type: this.type,
    slice_type: this.type,
    array_type: this.type,
    map_type: this.type,
    channel_type: this.type,
    generic_type: this.type,
    function_type: this.type,
    labeled_statement: (node, scope) => {
      for (const part of node.children) if (part.field !== "label") this.visit(part, scope)
      return null
    },
  }
}

const withoutInstance = (value: Expression): Expression => ({ ...value, path: value.path.replace(/@$/, "") })

/** Returns the name of a package by its path, without a version and without characters that no identifier has. */
const packageName = (specifier: string): string => {
  const parts = specifier.split("/")
  const last = parts.at(-1) ?? ""
  const name = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last
  return name
    .replace(/\.v\d+$/, "")
    .replace(/^go-|[.-]go$/g, "")
    .replaceAll("-", "_")
}
