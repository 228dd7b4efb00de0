/**
 * Reads references of Java off its syntax tree. A module specifier is the name of a package. Names of methods are
 * declared with a bracket after them, since a field may have the same name.
 */

import { ClassReader } from "../../Symbols/internal/references/ClassReader.ts"
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { child, childrenOf, type Handler, ofType } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

const collections: ReadonlySet<string> = new Set(
  "ArrayDeque ArrayList Collection Deque HashSet Iterable Iterator LinkedHashSet LinkedList List Queue Set SortedSet Stream".split(
    " ",
  ),
)

const isTypeName = /^\p{Lu}/u

/** The types of `java.lang`. If another package has a type of such a name, it is imported by name. */
const predeclared: ReadonlySet<string> = new Set(
  "Boolean Byte Character Class Double Error Exception Float Integer Iterable Long Math Number Object Override Runnable RuntimeException Short String StringBuilder System Thread Throwable Void".split(
    " ",
  ),
)

/** The package without a name. */
const UNNAMED = "/"

const isOfPlatform = /^javax?\./

const anonymous = { ordinal: -1, hasBases: false }

class Reader extends ClassReader {
  private packageName = ""
  /** The packages that are imported as a whole. */
  private readonly packages: Array<string> = []

  /** Types that are imported with all their static members. */
  private readonly statics: Array<Expression> = []

  protected nameElsewhere(name: string): Binding {
    const ofStatics = this.statics.map((type) => extend(type, `.${name.replace("(", "")}`))
    if (name.endsWith("(")) return this.firstOf(name, ofStatics)
    // The beginning of a qualified name: `com.example.Type`.
    if (!isTypeName.test(name)) return this.qualifiers.has(name) ? ofModule(name) : this.firstOf(name, ofStatics)
    if (predeclared.has(name)) return null
    const packages = [this.packageName === "" ? UNNAMED : this.packageName, ...this.packages]
    return this.firstOf(name, [...packages.map((each) => extend(ofModule(each), `.${name}`)), ...ofStatics])
  }

  /** Names in lower case before a dot. */
  private readonly qualifiers = new Set<string>()

  private noteQualifier(node: CompactNode | undefined): void {
    if (node?.type !== "identifier" && node?.type !== "type_identifier") return
    const text = this.textOf(node)
    if (!isTypeName.test(text)) this.qualifiers.add(text)
  }

  protected override orElsewhere(key: string, ordinal: number, inherited: Binding): Binding {
    if (this.qualifiers.has(key)) return this.nameElsewhere(key)
    return this.statics.length === 0
      ? inherited
      : this.firstOf(`${ordinal}/${key}`, [inherited, this.nameElsewhere(key)])
  }

  protected inherited(key: string): string | undefined {
    if (key.endsWith("(")) return key.slice(0, -1)
    return isTypeName.test(key) ? undefined : key
  }

  private readonly import: Handler = (node) => {
    const name = node.children[0]
    if (name === undefined) return null
    const text = this.textOf(name).replace(/\s+/g, "")
    const isStatic = /^import\s+static\b/.test(this.text.slice(node.start, node.start + 20))
    const parts = text.split(".")
    const top = parts.findIndex((part) => isTypeName.test(part))
    if (ofType(node, "asterisk") !== undefined && !isStatic && top === -1) {
      this.packages.push(text)
      return null
    }
    const end = top === -1 ? parts.length - 1 : top
    const value: Expression = {
      ...ofModule(end === 0 ? UNNAMED : parts.slice(0, end).join(".")),
      path: parts
        .slice(end)
        .map((part) => `.${part}`)
        .join(""),
    }
    if (ofType(node, "asterisk") !== undefined) {
      if (!isOfPlatform.test(text)) this.statics.push(value)
      return null
    }
    const last = parts.at(-1) ?? ""
    bind(this.file, last, value)
    if (isStatic) bind(this.file, `${last}(`, value)
    return null
  }

  /** Returns the expression for an instance of a type. */
  private readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    if (node === undefined) return null
    switch (node.type) {
      case "type_identifier":
        return this.textOf(node) === "var" ? null : extend(this.name(node, scope), "@")
      case "scoped_type_identifier":
        return extend(this.typeName(node, scope), "@")
      case "generic_type": {
        const of = node.children[0]
        const name = of === undefined ? "" : this.textOf(of)
        const type = this.type(of, scope)
        const values = (ofType(node, "type_arguments")?.children ?? []).map((each) => this.type(each, scope))
        return collections.has(name.replace(/^.*\./, "")) ? extend(values[0] ?? null, "[") : type
      }
      case "array_type":
        return extend(this.type(child(node, "element"), scope), "[")
      case "annotated_type": {
        for (const each of node.children.slice(0, -1)) this.visit(each, scope)
        return this.type(node.children.at(-1), scope)
      }
      case "wildcard":
      case "type_bound":
      case "catch_type": {
        const [first, ...others] = node.children.map((each) => this.type(each, scope))
        return others.length === 0 ? (first ?? null) : null
      }
    }
    return node === undefined ? null : this.visitAll(node, scope)
  }

  private typeName(node: CompactNode, scope: Scope): Binding {
    if (node.type !== "scoped_type_identifier") {
      const type = this.type(node, scope)
      return type && withoutInstance(type)
    }
    const names = node.children.filter(({ type }) => type !== "marker_annotation" && type !== "annotation")
    const [outer, name] = [names[0], names.at(-1)]
    this.noteQualifier(outer)
    return outer === undefined ? null : this.member(this.typeName(outer, scope), name)
  }

  private readonly classAt: Handler = (node, scope) => {
    const name = child(node, "name")
    if (name === undefined) return null
    const ordinal = this.ordinalOf(name, scope)
    if (ordinal < 0) bind(scope, this.textOf(name), null)
    const inner = this.inner(scope)
    this.modifiers(node, scope)
    this.typeParameters(child(node, "type_parameters"), inner, (each) => each)
    for (const part of node.children) {
      const isList = part.type === "super_interfaces" || part.type === "extends_interfaces"
      const types = part.type === "superclass" ? part.children : isList ? (part.children[0]?.children ?? []) : []
      for (const type of types) {
        const base = this.type(type, inner)
        this.facts.base(ordinal, base && withoutInstance(base))
      }
    }
    for (const parameter of child(node, "parameters")?.children ?? []) {
      const field = child(parameter, "name")
      const type = this.type(child(parameter, "type"), inner)
      if (field !== undefined) {
        this.facts.field(ordinal, this.textOf(field), type)
        bind(inner, this.textOf(field), type)
      }
    }
    const hasBases = node.children.some(({ type }) => /^(?:superclass|super_interfaces|extends_interfaces)$/.test(type))
    this.body(child(node, "body"), { ordinal, hasBases }, inner)
    return null
  }

  private modifiers(node: CompactNode, scope: Scope): void {
    this.visit(ofType(node, "modifiers"), scope)
  }

  private body(
    node: CompactNode | undefined,
    of: { readonly ordinal: number; readonly hasBases: boolean },
    scope: Scope,
  ): void {
    if (node === undefined) return
    const all = node.children.flatMap((each) => (each.type === "enum_body_declarations" ? each.children : [each]))
    const declare = (inner: Scope): void => {
      this.overloads(of, all, inner)
      for (const member of all) {
        for (const declarator of [member, ...childrenOf(member, "declarator")]) {
          const name = child(declarator, "name")
          const symbol = name === undefined ? -1 : this.ordinalOf(name, inner)
          // A constructor is called by the name of its class.
          if (name === undefined || symbol < 0 || member.type === "constructor_declaration") continue
          const isMethod = member.type === "method_declaration"
          bind(inner, isMethod ? `${this.textOf(name)}(` : this.textOf(name), absolute(`#${symbol}`))
        }
      }
    }
    this.members(of, scope, declare, () => {
      for (const member of all) this.visit(member, scope)
    })
  }

  /**
   * Declares methods by the number of their parameters. If several have the same, none of them is known to be meant.
   */
  private overloads(
    of: { readonly ordinal: number; readonly hasBases: boolean },
    members: ReadonlyArray<CompactNode>,
    scope: Scope,
  ): void {
    const found = new Map<string, Array<number>>()
    const count = new Map<string, number>()
    for (const member of members) {
      const name = member.type === "method_declaration" ? child(member, "name") : undefined
      const ordinal = name === undefined ? -1 : this.ordinalOf(name, scope)
      if (name === undefined || ordinal < 0) continue
      const parameters = child(member, "parameters")?.children ?? []
      const text = this.textOf(name)
      count.set(text, (count.get(text) ?? 0) + 1)
      if (parameters.some(({ type }) => type === "spread_parameter")) this.variadic.add(text)
      const key = `${text}/${parameters.filter(({ type }) => type === "formal_parameter").length}`
      const same = found.get(key)
      if (same === undefined) found.set(key, [ordinal])
      else same.push(ordinal)
    }
    for (const [key, ordinals] of found) {
      const name = key.slice(0, key.indexOf("/"))
      if (this.variadic.has(name)) continue
      const [first, ...others] = ordinals
      bind(scope, `${key}(`, others.length > 0 || first === undefined ? null : absolute(`#${first}`))
      if (of.hasBases || (count.get(name) ?? 0) > 1)
        this.facts.field(of.ordinal, key, absolute(others.length > 0 ? "?" : `#${first}`))
    }
  }

  /** The names of methods that take any number of arguments. */
  private readonly variadic = new Set<string>()

  private readonly call: Handler = (node, scope) => {
    const object = child(node, "object")
    const name = child(node, "name")
    if (name === undefined) return null
    const text = this.textOf(name)
    const list = (child(node, "arguments")?.children ?? []).filter(({ type }) => !type.endsWith("comment"))
    const isCounted = !this.variadic.has(text) && (object !== undefined || !this.file.names.has(`${text}(`))
    let called: Binding
    if (object === undefined) called = this.nameAs(isCounted ? `${text}/${list.length}(` : `${text}(`, name, scope)
    else {
      const value = this.visit(object, scope)
      if (value !== null)
        this.facts.use(
          value.scope,
          value.root,
          `${value.path}.${text}${isCounted ? `/${list.length}` : ""}`,
          name.start,
        )
      called = extend(value, `.${text}`)
    }
    this.visit(child(node, "type_arguments"), scope)
    for (const each of list) this.visit(each, scope)
    return extend(called, "()")
  }

  private readonly method: Handler = (node, scope) => {
    const body = child(node, "body")
    const name = child(node, "name")
    const inner = this.inner(scope, body?.start ?? node.end)
    this.modifiers(node, scope)
    this.typeParameters(child(node, "type_parameters"), inner, (each) => each)
    const result = this.type(child(node, "type"), inner)
    if (name !== undefined) this.facts.value(this.ordinalOf(name, scope), result)
    this.visit(child(node, "parameters"), inner)
    this.visit(ofType(node, "throws"), inner)
    if (body !== undefined) this.visitAll(body, inner)
    return null
  }

  /** Fields and local variables. */
  private readonly variables: Handler = (node, scope) => {
    this.modifiers(node, scope)
    const type = this.type(child(node, "type"), scope)
    for (const declarator of childrenOf(node, "declarator")) {
      const value = this.visit(child(declarator, "value"), scope)
      const name = child(declarator, "name")
      if (name === undefined) continue
      const isArray = child(declarator, "dimensions") !== undefined
      const held = type === null ? value : isArray ? extend(type, "[") : type
      const ordinal = this.ordinalOf(name, scope)
      if (ordinal < 0) bind(scope, this.textOf(name), held)
      else this.facts.value(ordinal, held)
    }
    return null
  }

  private readonly declare: Handler = (node, scope) => {
    this.modifiers(node, scope)
    const declared = ofType(node, "catch_type") ?? child(node, "type") ?? node.children.find(isType)
    const type = this.type(declared, scope)
    const declarator = ofType(node, "variable_declarator")
    const name = child(node, "name") ?? (declarator && child(declarator, "name"))
    const value = this.visit(child(node, "value"), scope)
    if (name !== undefined) {
      const held = type ?? value
      bind(scope, this.textOf(name), node.type === "spread_parameter" ? extend(held, "[") : held)
    }
    return null
  }

  private readonly block: Handler = (node, scope) => this.visitAll(node, this.inner(scope))

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    package_declaration: (node) => {
      const name = node.children.find(({ type }) => type !== "marker_annotation" && type !== "annotation")
      if (name === undefined) return null
      this.packageName = this.textOf(name).replace(/\s+/g, "")
      this.facts.export(`@${this.packageName}`, absolute('""'))
      return null
    },
    import_declaration: this.import,
    class_declaration: this.classAt,
    interface_declaration: this.classAt,
    enum_declaration: this.classAt,
    record_declaration: this.classAt,
    annotation_type_declaration: this.classAt,
    method_declaration: this.method,
    constructor_declaration: this.method,
    compact_constructor_declaration: this.method,
    field_declaration: this.variables,
    constant_declaration: this.variables,
    local_variable_declaration: this.variables,
    formal_parameter: this.declare,
    spread_parameter: this.declare,
    catch_formal_parameter: this.declare,
    resource: this.declare,
    enum_constant: (node, scope) => {
      this.visit(child(node, "arguments"), scope)
      this.body(child(node, "body"), anonymous, this.inner(scope, node.start))
      return null
    },
    block: this.block,
    for_statement: this.block,
    try_statement: this.block,
    try_with_resources_statement: this.block,
    catch_clause: this.block,
    switch_block: this.block,
    switch_block_statement_group: this.block,
    switch_rule: this.block,
    enhanced_for_statement: (node, scope) => {
      const inner = this.inner(scope)
      const type = this.type(child(node, "type"), inner)
      const element = extend(this.visit(child(node, "value"), inner), "]")
      const name = child(node, "name")
      if (name !== undefined) bind(inner, this.textOf(name), type ?? element)
      return this.visit(child(node, "body"), inner)
    },
    lambda_expression: (node, scope) => {
      const inner = this.inner(scope)
      const parameters = child(node, "parameters")
      const names = parameters?.type === "inferred_parameters" ? parameters.children : [parameters]
      for (const name of names) {
        if (name?.type === "identifier") bind(inner, this.textOf(name), null)
        else this.visit(name, inner)
      }
      this.visit(child(node, "body"), inner)
      return null
    },
    instanceof_expression: (node, scope) => {
      this.visit(child(node, "left"), scope)
      const type = this.type(child(node, "right"), scope)
      const name = child(node, "name")
      if (name !== undefined) bind(scope, this.textOf(name), type)
      this.visit(child(node, "pattern"), scope)
      return null
    },
    type_pattern: (node, scope) => {
      const name = node.children.at(-1)
      const type = this.type(node.children.at(-2), scope)
      if (name !== undefined) bind(scope, this.textOf(name), type)
      return null
    },
    object_creation_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      this.visit(child(node, "arguments"), scope)
      const body = ofType(node, "class_body")
      if (body !== undefined) this.body(body, anonymous, this.inner(scope, body.start))
      return type
    },
    array_creation_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      for (const part of node.children) if (part.field !== "type") this.visit(part, scope)
      return extend(type, "[")
    },
    method_invocation: this.call,
    method_reference: (node, scope) => {
      const [object, name] = node.children
      const value = object !== undefined && isType(object) ? this.typeName(object, scope) : this.visit(object, scope)
      this.member(value, name?.type === "identifier" ? name : undefined)
      return null
    },
    field_access: (node, scope) => {
      const field = child(node, "field")
      // A constant of an object has a name in capitals alone.
      if (field !== undefined && /^\p{Lu}.*\p{Ll}/u.test(this.textOf(field))) {
        let first = child(node, "object")
        while (first?.type === "field_access") first = child(first, "object")
        this.noteQualifier(first)
      }
      return this.member(this.visit(child(node, "object"), scope), field)
    },
    array_access: (node, scope) => {
      const value = this.visit(child(node, "array"), scope)
      this.visit(child(node, "index"), scope)
      return extend(value, "]")
    },
    cast_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      this.visit(child(node, "value"), scope)
      return type
    },
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    this: (_, scope) => ({ scope, root: "this", path: "" }),
    super: (_, scope) => ({ scope, root: "super", path: "" }),
    identifier: (node, scope) => this.name(node, scope),
    marker_annotation: (node, scope) => this.visit(child(node, "name"), scope),
    type_identifier: this.type,
    scoped_type_identifier: this.type,
    generic_type: this.type,
    array_type: this.type,
    labeled_statement: (node, scope) => this.visit(node.children.at(-1), scope),
    break_statement: () => null,
    continue_statement: () => null,
    element_value_pair: (node, scope) => this.visit(child(node, "value"), scope),
  }
}

const isType = ({ type }: CompactNode): boolean => /(?:^|_)type(?:_identifier)?$/.test(type)

const withoutInstance = (value: Expression): Expression => ({ ...value, path: value.path.replace(/@$/, "") })
