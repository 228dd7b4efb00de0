/**
 * Reads references of C# off its syntax tree: declarations and expressions here, names in `NameReader`, types in
 * `TypeReader`. A module specifier is a namespace, with slashes: `A/B<` stands for it and
 * those around it, and `A/B<C` for `C` as a name in it. Names of types are
 * declared with a colon after them, since properties often have the name of their type; a generic type has the
 * number of its parameters before it.
 */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import { absolute, type Binding, bind, extend, ofModule, type Scope } from "../../Symbols/internal/references/Facts.ts"
import { child, type Handler, ofType } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { qualify } from "./NameReader.ts"
import { platformMembers } from "./platformMembers.ts"
import { TypeReader } from "./TypeReader.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

const typeKinds: ReadonlySet<string> = new Set(["class", "interface", "enum", "type"])

class Reader extends TypeReader {
  override read(root: CompactNode): string {
    this.facts.symbols.forEach(({ container = "", kind, name }, ordinal) => {
      // A function of top-level statements.
      if (kind === "function" && container === "") bind(this.file, name, absolute(`#${ordinal}`))
      if (!typeKinds.has(kind) || this.namespaceOf(container) !== container) return
      bind(this.file, `${this.keyOf(ordinal)}:`, absolute(`#${ordinal}`))
      bind(this.file, name, absolute(`#${ordinal}`))
      this.facts.export(this.pathOf(ordinal).slice(1), absolute(`#${ordinal}`))
    })
    return super.read(root)
  }

  private hasImports = false
  /** Tells other files, once, which namespaces this one sees: its calls may mean extension methods of them. */
  private exportNamespaces(): void {
    if (this.hasImports) return
    this.hasImports = true
    const own = new Set(
      this.facts.symbols.flatMap(({ container, kind, name }) => (kind === "module" ? [qualify(container, name)] : [])),
    )
    for (const namespace of own) this.facts.export("using", ofModule(`${namespace.replaceAll(".", "/")}<`))
    for (const namespace of this.namespaces) this.facts.export("using", ofModule(namespace))
  }

  /** Reads what is called with a number of arguments: it may be an extension method. */
  private called(node: CompactNode | undefined, scope: Scope, count: number): Binding {
    const calledMember = (object: Binding, name: CompactNode | undefined): Binding => {
      const word = name === undefined ? "" : this.textOf(name)
      if (name === undefined) return null
      this.exportNamespaces()
      const value = extend(object ?? UNKNOWN, `.${word}~${count}${platformMembers.has(word) ? "!" : ""}`)
      if (value !== null) this.facts.use(value.scope, value.root, value.path, name.start)
      return value
    }
    if (node?.type === "conditional_access_expression") {
      const [object, binding, ...others] = node.children
      if (binding?.type === "member_binding_expression" && others.length === 0)
        return calledMember(this.visit(object, scope), this.nameOf(child(binding, "name"), scope))
    }
    if (node?.type === "identifier" || node?.type === "generic_name") {
      const name = this.nameOf(node, scope)
      if (name === undefined) return null
      const root = this.textOf(name)
      this.mention(root)
      this.facts.use(scope, root, `~${count}`, name.start)
      return { scope, root, path: `~${count}` }
    }
    const object = node === undefined ? undefined : child(node, "expression")
    if (node?.type !== "member_access_expression" || object?.type === "predefined_type") return this.visit(node, scope)
    const name = this.nameOf(child(node, "name"), scope)
    if (object !== undefined) return calledMember(this.visit(object, scope), name)
    const root = this.ownRoot(node)
    return root === undefined ? null : calledMember({ scope, root, path: "" }, name)
  }

  /** The lambdas that are arguments, with the beginning of an expression for their parameters. */
  private readonly lambdas = new Map<CompactNode, Binding>()

  /** Reads the arguments of a call. What is called tells the types of the parameters of lambdas among them. */
  private arguments(list: CompactNode | undefined, called: Binding, scope: Scope): void {
    for (const [at, argument] of (list?.children ?? []).entries()) {
      const value = argument.children.at(-1)
      if (value?.type === "lambda_expression") this.lambdas.set(value, extend(called, `$${at}-`))
    }
    this.visit(list, scope)
  }

  /** Returns `this` or `base` if an access to a member begins so, which the tree does not tell. */
  private ownRoot({ start }: CompactNode): string | undefined {
    return /^(?:this|base)\b/.exec(this.text.slice(start, start + 5))?.[0]
  }

  /** Says how many arguments a method can have, and which type an extension method extends. */
  private parameters(node: CompactNode, ordinal: number, scope: Scope): void {
    const list = child(node, "parameters")
    const all = list?.children.filter(({ type }) => type === "parameter") ?? []
    const [first] = all
    if (list === undefined || ordinal < 0) return
    const least = all.filter((each) => !this.textOf(each).includes("=") && !isRest.test(this.textOf(each))).length
    const most = isRest.test(this.textOf(list)) ? MOST_ARGUMENTS : all.length
    this.facts.field(ordinal, "()", absolute(`${least}-${most}`))
    const delegates = all.map((each, at) => [`${at}`, child(each, "type")] as const)
    // The tree has the parts of the last parameter in the list if that parameter takes all further arguments.
    for (const [at, type] of [...delegates, ["*", child(list, "type")] as const]) {
      for (const [of, given] of this.delegated(type).entries())
        this.facts.field(ordinal, `$${at}-${of}`, this.type(given, scope))
    }
    if (first !== undefined && /^(?:\[[^\]]*\]\s*)*(?:(?:in|ref|scoped)\s+)*this\s/.test(this.textOf(first)))
      this.facts.field(ordinal, "this", this.type(child(first, "type"), scope))
  }

  private readonly classAt: Handler = (node, scope) => {
    const name = child(node, "name")
    if (name === undefined) return null
    const ordinal = this.ordinalOf(name, scope)
    const inner = this.inner(scope)
    if (ordinal < 0) bind(scope, `${this.textOf(name)}:`, null)
    else bind(scope, `${this.keyOf(ordinal)}:`, absolute(`#${ordinal}`))
    this.typeParameters(ofType(node, "type_parameter_list"), inner, (each) => `${each}:`)
    for (const base of ofType(node, "base_list")?.children ?? []) {
      if (base.type === "argument_list") this.visit(base, inner)
      else
        this.facts.base(
          ordinal,
          this.typeName(base.type === "primary_constructor_base_type" ? base.children[0] : base, inner),
        )
    }
    for (const part of node.children) {
      if (part.type === "attribute_list" || part.type === "type_parameter_constraints_clause") this.visit(part, inner)
    }
    for (const parameter of (child(node, "parameters") ?? ofType(node, "parameter_list"))?.children ?? []) {
      const field = child(parameter, "name")
      const type = this.type(child(parameter, "type"), inner)
      if (field === undefined) continue
      this.facts.field(ordinal, this.textOf(field), type)
      bind(inner, this.textOf(field), type)
    }
    const members = child(node, "body")?.children ?? []
    // Another part of the class may declare a name that this one uses.
    const isPartial = node.children.some((part) => part.type === "modifier" && this.textOf(part) === "partial")
    this.members(
      { ordinal, hasBases: isPartial || ofType(node, "base_list") !== undefined },
      inner,
      (own) => {
        bind(own, "base", ordinal < 0 ? null : absolute(`#${ordinal}`, "^"))
        for (const member of members) this.declareMember(member, own)
      },
      () => {
        for (const member of members) this.visit(member, inner)
      },
    )
    return null
  }

  private declareMember(member: CompactNode, scope: Scope): void {
    const variables = ofType(member, "variable_declaration")
    for (const each of variables === undefined ? [member] : variables.children) {
      const name = child(each, "name")
      const ordinal = name === undefined || member.type === "constructor_declaration" ? -1 : this.ordinalOf(name, scope)
      if (name === undefined || ordinal < 0) continue
      const kind = this.facts.symbols[ordinal]?.kind ?? ""
      if (typeKinds.has(kind)) bind(scope, `${this.keyOf(ordinal)}:`, absolute(`#${ordinal}`))
      bind(scope, this.textOf(name), absolute(`#${ordinal}`))
    }
  }

  private readonly method: Handler = (node, scope) => {
    const body = child(node, "body")
    const name = child(node, "name")
    const inner = this.inner(scope, body?.start ?? node.end)
    const isLocal = node.type === "local_function_statement"
    const local = isLocal && name !== undefined ? this.ordinalOf(name, scope) : -1
    if (isLocal && name !== undefined) bind(scope, this.textOf(name), local < 0 ? null : absolute(`#${local}`))
    this.typeParameters(ofType(node, "type_parameter_list"), inner, (each) => `${each}:`)
    const result = this.type(child(node, "returns") ?? child(node, "type"), inner)
    if (name !== undefined && (!isLocal || local >= 0)) this.facts.value(this.ordinalOf(name, scope), result)
    if ((node.type === "method_declaration" || node.type === "constructor_declaration") && name !== undefined)
      this.parameters(node, this.ordinalOf(name, scope), inner)
    for (const part of node.children) {
      if (part === body || part.field === "returns" || part.field === "type" || part.field === "name") continue
      if (part.type !== "type_parameter_list") this.visit(part, inner)
    }
    if (body !== undefined) this.visit(body, inner)
    return null
  }

  private readonly property: Handler = (node, scope) => {
    const name = child(node, "name")
    const type = this.type(child(node, "type"), scope)
    if (name !== undefined) this.facts.value(this.ordinalOf(name, scope), type)
    for (const part of node.children) {
      if (part.field !== "type" && part.field !== "name") this.visit(part, this.inner(scope, part.start))
    }
    return null
  }

  /** Fields and local variables. */
  private readonly variables: Handler = (node, scope) => {
    const declared = this.type(child(node, "type"), scope)
    for (const declarator of node.children) {
      if (declarator.type !== "variable_declarator") continue
      const name = child(declarator, "name")
      const others = declarator.children.filter((each) => each !== name)
      const [value = null] = others.map((each) => this.visit(each, scope))
      if (name === undefined) continue
      const ordinal = this.ordinalOf(name, scope)
      if (ordinal < 0) bind(scope, this.textOf(name), declared ?? value)
      else this.facts.value(ordinal, declared ?? value)
    }
    return null
  }

  private readonly declare: Handler = (node, scope) => {
    const type = this.type(child(node, "type"), scope)
    const name = child(node, "name")
    if (name !== undefined) bind(scope, this.textOf(name), type)
    for (const part of node.children) if (part.field !== "type" && part.field !== "name") this.visit(part, scope)
    return null
  }

  private readonly block: Handler = (node, scope) => this.visitAll(node, this.inner(scope))

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    using_directive: this.using,
    namespace_declaration: this.namespaceAt,
    file_scoped_namespace_declaration: this.namespaceAt,
    class_declaration: this.classAt,
    struct_declaration: this.classAt,
    interface_declaration: this.classAt,
    record_declaration: this.classAt,
    record_struct_declaration: this.classAt,
    enum_declaration: (node, scope) => {
      for (const part of node.children) if (part.type === "attribute_list") this.visit(part, scope)
      return null
    },
    method_declaration: this.method,
    constructor_declaration: this.method,
    destructor_declaration: this.method,
    operator_declaration: this.method,
    conversion_operator_declaration: this.method,
    local_function_statement: this.method,
    delegate_declaration: this.method,
    indexer_declaration: this.method,
    property_declaration: this.property,
    event_declaration: this.property,
    variable_declaration: this.variables,
    parameter: this.declare,
    declaration_pattern: this.declare,
    declaration_expression: this.declare,
    catch_declaration: this.declare,
    recursive_pattern: this.declare,
    block: this.block,
    for_statement: this.block,
    using_statement: this.block,
    try_statement: this.block,
    catch_clause: this.block,
    switch_section: this.block,
    foreach_statement: (node, scope) => {
      const inner = this.inner(scope)
      const type = this.type(child(node, "type"), inner)
      const element = extend(this.visit(child(node, "right"), inner), "]")
      const left = child(node, "left")
      if (left?.type === "identifier") bind(inner, this.textOf(left), type ?? element)
      return this.visit(child(node, "body"), inner)
    },
    lambda_expression: (node, scope) => {
      const inner = this.inner(scope)
      const parameters = child(node, "parameters")
      const given = this.lambdas.get(node) ?? null
      if (parameters?.type === "implicit_parameter") bind(inner, this.textOf(parameters), extend(given, "0"))
      else {
        for (const [at, each] of (parameters?.children ?? []).entries()) {
          const name = child(each, "name")
          if (name !== undefined && child(each, "type") === undefined)
            bind(inner, this.textOf(name), extend(given, `${at}`))
        }
        this.visit(parameters, inner)
      }
      this.visit(child(node, "body"), inner)
      return null
    },
    object_creation_expression: (node, scope) => {
      const written = child(node, "type")
      const type = this.type(written, scope)
      const list = child(node, "arguments")
      const [, word] = /(?:^|\.)(\w+)(?:<.*)?$/s.exec(written === undefined ? "" : this.textOf(written)) ?? []
      this.arguments(list, word === undefined ? null : extend(type, `.${word}~${list?.children.length ?? 0}`), scope)
      const initializer = child(node, "initializer")
      for (const each of initializer?.children ?? []) {
        const left = each.type === "assignment_expression" ? child(each, "left") : undefined
        if (left?.type === "identifier") {
          this.member(type, left)
          this.visit(child(each, "right"), scope)
        } else this.visit(each, scope)
      }
      return type
    },
    array_creation_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      for (const part of node.children) if (part.field !== "type") this.visit(part, scope)
      return type
    },
    invocation_expression: (node, scope) => {
      const called = child(node, "function")
      const isName = called?.type === "identifier" && this.textOf(called) === "nameof"
      const list = child(node, "arguments")
      const value = isName ? null : this.called(called, scope, list?.children.length ?? 0)
      this.arguments(list, value, scope)
      return extend(value, "()")
    },
    member_access_expression: (node, scope) => {
      const object = child(node, "expression")
      const name = this.nameOf(child(node, "name"), scope)
      if (object !== undefined) return this.member(this.visit(object, scope), name)
      const root = this.ownRoot(node)
      return root === undefined ? null : this.member({ scope, root, path: "" }, name)
    },
    conditional_access_expression: (node, scope) => {
      const [object, binding, ...others] = node.children
      const value = this.visit(object, scope)
      for (const other of others) this.visit(other, scope)
      if (binding?.type === "member_binding_expression")
        return this.member(value, this.nameOf(child(binding, "name"), scope))
      this.visit(binding, scope)
      return null
    },
    element_access_expression: (node, scope) => {
      const value = this.visit(child(node, "expression"), scope)
      this.visit(child(node, "subscript"), scope)
      return extend(value, "]")
    },
    cast_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      this.visit(child(node, "value"), scope)
      return type
    },
    as_expression: (node, scope) => {
      this.visit(child(node, "left"), scope)
      return this.type(child(node, "right"), scope)
    },
    is_expression: (node, scope) => {
      this.visit(child(node, "left"), scope)
      this.type(child(node, "right"), scope)
      return null
    },
    await_expression: (node, scope) => this.visit(node.children[0], scope),
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    postfix_unary_expression: (node, scope) => this.visit(node.children[0], scope),
    typeof_expression: (node, scope) => {
      this.type(child(node, "type"), scope)
      return null
    },
    identifier: (node, scope) => this.name(node, scope),
    generic_name: (node, scope) => {
      const name = this.nameOf(node, scope)
      const word = name === undefined ? "" : this.textOf(name)
      if (name === undefined) return null
      // A generic type before a static member, or a call of a generic method.
      const isType = this.text
        .slice(node.end, node.end + 40)
        .trimStart()
        .startsWith(".")
      return isType && /^\p{Lu}/u.test(word)
        ? this.nameAs(`${this.genericKey(node)}:`, name, scope)
        : this.name(name, scope)
    },
    this: (_, scope) => ({ scope, root: "this", path: "" }),
    this_expression: (_, scope) => ({ scope, root: "this", path: "" }),
    base: (_, scope) => ({ scope, root: "base", path: "" }),
    base_expression: (_, scope) => ({ scope, root: "base", path: "" }),
    attribute: (node, scope) => {
      const name = child(node, "name")
      if (name?.type === "identifier") {
        // `[Fact]` means `Fact` or `FactAttribute`.
        const word = this.textOf(name)
        this.nameAs(
          this.file.names.has(`${word}:`) || word.endsWith("Attribute") ? `${word}:` : `${word}Attribute:`,
          name,
          scope,
        )
      }
      return this.visit(ofType(node, "attribute_argument_list"), scope)
    },
    argument: (node, scope) => {
      for (const each of node.children) if (each.field !== "name") this.visit(each, scope)
      return null
    },
    type_parameter_constraint: (node, scope) => {
      this.type(child(node, "type"), scope)
      return null
    },
    type_parameter_constraints_clause: (node, scope) => {
      for (const each of node.children) if (each.type === "type_parameter_constraint") this.visit(each, scope)
      return null
    },
    labeled_statement: (node, scope) => this.visit(node.children.at(-1), scope),
    goto_statement: () => null,
  }
}

/** A value of which nothing is known. */
const UNKNOWN = absolute('"~"')

/** Matches a list of parameters of which the last one takes all further arguments. */
const isRest = /[(,\s]params\s|^params\s/

/** The most arguments of a method with `params`. */
const MOST_ARGUMENTS = 1_000
