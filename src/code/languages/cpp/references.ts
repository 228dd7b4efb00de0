/**
 * Reads references of C and C++ off their syntax tree, which is that of C++ for both. The specifiers of names are those
 * of `modules.ts`; the names of types have a colon behind them in a scope, and what is
 * called the number of its arguments.
 */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import { absolute, type Binding, extend, ofModule, type Scope } from "../../Symbols/internal/references/Facts.ts"
import { child, childrenOf, type Handler, ofType } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import * as Declarators from "./Declarators.ts"
import { type Method, NameReader } from "./NameReader.ts"
import { callsIn, casts, collections, keywords, makers, membersOfPointers, pointers } from "./Words.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

class Reader extends NameReader {
  /** Reads a type, and returns an instance of it. Pointers and references are not told apart. */
  private readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    switch (node?.type) {
      case "type_identifier":
        return extend(this.typeNamed(node, scope), "@")
      case "struct_specifier":
      case "union_specifier":
      case "enum_specifier": {
        const name = child(node, "name")
        if (child(node, "body") !== undefined || name?.type !== "type_identifier") {
          this.visit(node, scope)
          return null
        }
        return extend(this.nameAs(`${this.textOf(name)}{`, name, scope), "@")
      }
      case "class_specifier":
        this.visit(node, scope)
        return null
      case "qualified_identifier":
        return this.qualified(node, "t", scope)
      case "template_type": {
        const name = child(node, "name")
        this.visit(child(node, "arguments"), scope)
        return name?.type === "type_identifier" ? extend(this.typeNamed(name, scope), "@") : null
      }
      case "type_descriptor":
        for (const part of node.children) if (part.field !== "type") this.visit(part, scope)
        return this.type(child(node, "type"), scope)
    }
    return node === undefined ? null : this.visit(node, scope)
  }

  /** Reads `a::b::name`. The classes among the qualifiers are used as well. Returns a type as an instance of it. */
  private qualified(node: CompactNode, sort: string, scope: Scope): Binding {
    const parts: Array<string> = []
    const isGlobal = child(node, "scope") === undefined
    let last: CompactNode | undefined = node
    for (let depth = 0; last?.type === "qualified_identifier" && depth < MAX_QUALIFIERS; depth++) {
      const part = child(last, "scope")
      const name = part?.type === "template_type" ? child(part, "name") : part
      if (part?.type === "template_type") this.visit(child(part, "arguments"), scope)
      if (name !== undefined) {
        const text = this.textOf(name)
        // A parameter of a template is no type of the project.
        if (parts.length === 0 && this.isLocal(`${text}:`, scope)) return this.templateArguments(last, scope)
        if (parts.length > 0 || isGlobal) this.qualifiedAs("t", parts.join("."), name, isGlobal)
        else if (text !== "std") this.typeNamed(name, scope)
        parts.push(text)
      }
      last = child(last, "name")
    }
    if (last === undefined) return null
    const isTemplate = last.type === "template_type" || last.type === "template_function"
    const name = isTemplate ? child(last, "name") : last
    if (parts[0] === "std") return this.ofLibrary(name, child(last, "arguments"), scope)
    if (isTemplate) this.visit(child(last, "arguments"), scope)
    if (name === undefined || !/identifier$/.test(name.type)) return null
    const value = this.qualifiedAs(sort, parts.join("."), name, isGlobal)
    return sort === "t" ? extend(value, "@") : value
  }

  private templateArguments(node: CompactNode, scope: Scope): null {
    const name = child(node, "name")
    if (name !== undefined) this.visit(child(name, "arguments"), scope)
    return null
  }

  /** Returns what a template of the standard library holds; for a function, as if it was called already. */
  private ofLibrary(name: CompactNode | undefined, list: CompactNode | undefined, scope: Scope): Binding {
    const types = (list?.children ?? []).map((each) => this.type(each, scope))
    const text = name === undefined ? "" : this.textOf(name)
    if (pointers.has(text) || makers.has(text)) return types[0] ?? null
    return collections.has(text) ? extend(types[0], "[") : null
  }

  /** Declares the parameters of a function in its scope. */
  private parameters(list: CompactNode | undefined, scope: Scope): void {
    for (const each of list?.children ?? []) this.visit(each, scope)
  }

  private readonly parameter: Handler = (node, scope) => {
    const type = this.type(child(node, "type"), scope)
    this.visit(child(node, "default_value"), scope)
    const declarator = child(node, "declarator")
    if (declarator === undefined) return null
    const { name, parameters, rest } = Declarators.parse(declarator)
    this.parameters(parameters, this.inner(scope))
    for (const each of rest) this.visit(each, this.inner(scope))
    if (name !== undefined) this.local(scope, this.textOf(name), parameters === undefined ? type : null)
    return null
  }

  private readonly functionAt: Handler = (node, scope) => {
    const declarator = child(node, "declarator")
    const body = ofType(node, "compound_statement")
    const result = this.type(child(node, "type"), scope)
    if (declarator === undefined) return this.visitAll(node, scope)
    const declared = Declarators.parse(declarator)
    const ordinal = declared.name === undefined ? -1 : this.ordinalOf(declared.name, scope)
    this.facts.value(ordinal, result)
    const read = (around: Scope): void => {
      const inner = this.inner(around, body?.start ?? node.end)
      this.parameters(declared.parameters, inner)
      for (const each of declared.rest) this.visit(each, inner)
      this.visit(ofType(node, "field_initializer_list"), inner)
      if (body !== undefined) this.visitAll(body, inner)
    }
    // `void ns::Type::name() { … }` has the names of its class.
    const owner = declared.scopes.length === 0 ? undefined : this.ownerOf(ordinal, declared.scopes)
    if (owner === undefined) read(scope)
    else {
      const around = this.inner(scope)
      this.within(owner, around, this.typeAt(owner), () => read(around))
    }
    return null
  }

  /** Returns the qualified name of the class of a member that is defined outside of it. */
  private ownerOf(ordinal: number, scopes: ReadonlyArray<CompactNode>): string {
    const container = this.facts.symbols[ordinal]?.container
    if (container !== undefined) return container
    const written = scopes.map((each) => this.textOf(child(each, "name") ?? each)).join(".")
    return this.place === "" ? written : `${this.place}.${written}`
  }

  /** Reads variables, fields and prototypes. */
  private readonly declaration: Handler = (node, scope) => {
    const type = this.type(child(node, "type"), scope)
    const value = this.visit(child(node, "value"), scope)
    for (const part of childrenOf(node, "declarator")) this.declarator(part, type ?? value, scope)
    this.visit(child(node, "default_value"), scope)
    return null
  }

  private declarator(node: CompactNode, type: Binding, scope: Scope): void {
    const { isFunction, name, parameters, rest } = Declarators.parse(node)
    this.parameters(parameters, this.inner(scope))
    for (const each of rest) this.visit(each, this.inner(scope))
    const value = this.visit(child(node, "value"), scope)
    if (name === undefined) return
    const ordinal = this.ordinalOf(name, scope)
    // `Type name(argument);` is a variable more often than not if it stands in a function.
    if (isFunction && !isInFunction(scope)) {
      this.facts.value(ordinal, type)
      if (ordinal >= 0) this.facts.overloads.push(ordinal)
      return
    }
    const held = parameters === undefined || isFunction ? (type ?? value) : null
    if (ordinal >= 0) this.facts.value(ordinal, held)
    else this.local(scope, this.textOf(name), held)
  }

  private readonly typeDefinition: Handler = (node, scope) => {
    const defined = child(node, "type")
    const type = this.type(defined, scope)
    for (const declarator of childrenOf(node, "declarator")) {
      const { name, parameters, rest } = Declarators.parse(declarator)
      this.parameters(parameters, this.inner(scope))
      for (const each of rest) this.visit(each, scope)
      if (name === undefined) continue
      const ordinal = this.ordinalOf(name, scope)
      if (ordinal < 0) this.local(scope, this.textOf(name), null)
      else if (parameters === undefined && type?.path.endsWith("@"))
        this.facts.value(ordinal, { ...type, path: type.path.slice(0, -1) })
      this.tagOf(defined, ordinal)
    }
    return null
  }

  /** Gives `struct tag` the fields of `name` in `typedef struct tag { … } name;`, which are symbols of `name`. */
  private tagOf(defined: CompactNode | undefined, ordinal: number): void {
    const tag = defined && child(defined, "body") && child(defined, "name")
    const { name, qualified } = this.namesOf(ordinal)
    const text = tag === undefined ? "" : this.textOf(tag)
    if (tag === undefined || text === name) return
    const owner = this.facts.symbols.findIndex((each, at) => at > ordinal - 3 && at < ordinal + 3 && each.name === text)
    for (const field of this.membersIn(qualified))
      this.facts.field(owner, this.facts.symbols[field]?.name ?? "", absolute(`#${field}`))
  }

  private readonly specifier: Handler = (node, scope) => {
    // `struct node;` only says that there is such a type.
    const body = child(node, "body")
    if (body === undefined) return null
    const name = child(node, "name")
    const ordinal = name?.type === "type_identifier" ? this.ordinalOf(name, scope) : -1
    const bases = ofType(node, "base_class_clause")?.children ?? []
    for (const base of bases) {
      const type = isType(base) ? this.type(base, scope) : this.visit(base, scope)
      if (type?.path.endsWith("@")) this.facts.base(ordinal, { ...type, path: type.path.slice(0, -1) })
    }
    // A plain struct has no members that use the names of others.
    if (ordinal < 0 || (bases.length === 0 && !body.children.some(isOfClass))) return this.visitAll(body, scope)
    const inner = this.inner(scope)
    const { qualified } = this.namesOf(ordinal)
    this.within(qualified, inner, this.typeAt(qualified), () => this.visitAll(body, inner))
    this.methods(ordinal, body, bases.length > 0, scope)
    return null
  }

  /** Declares the methods of a class by their arguments, if it has several of a name or can inherit others. */
  private methods(owner: number, body: CompactNode, hasBases: boolean, scope: Scope): void {
    const all = body.children.flatMap((each): ReadonlyArray<Method> => {
      const member = each.type === "template_declaration" ? each.children.at(-1) : each
      const declarator = member && child(member, "declarator")
      if (declarator === undefined) return []
      const { isFunction, name, parameters } = Declarators.parse(declarator)
      const ordinal = name === undefined || !isFunction ? -1 : this.ordinalOf(name, scope)
      if (name === undefined || ordinal < 0) return []
      return [{ name: this.textOf(name), ordinal, ...Declarators.countsOf(parameters, this.text) }]
    })
    const byName = Map.groupBy(all, ({ name }) => name)
    this.overloads(owner, hasBases ? all : all.filter(({ name }) => (byName.get(name)?.length ?? 0) > 1))
  }

  private dotted(node: CompactNode): string {
    return this.textOf(node)
      .replace(/^::|\s/g, "")
      .replaceAll("::", ".")
  }

  private readonly call: Handler = (node, scope) => {
    const called = child(node, "function")
    const list = (child(node, "arguments")?.children ?? []).filter(({ type }) => type !== "comment")
    const value = this.called(called, list.length, scope)
    for (const each of list) this.visit(each, scope)
    // A cast and `std::make_unique<T>()` are instances already.
    return value?.path.endsWith("@") ? value : extend(value, "()")
  }

  private called(node: CompactNode | undefined, count: number, scope: Scope): Binding {
    if (node === undefined) return null
    if (node.type === "identifier") {
      const name = this.textOf(node)
      if (keywords.has(name)) return null
      return this.isLocal(name, scope) ? this.name(node, scope) : this.nameAs(`${name}/${count}(`, node, scope)
    }
    if (node.type === "qualified_identifier") return this.qualified(node, `${count}`, scope)
    if (node.type === "template_function") {
      const name = child(node, "name")
      const text = name === undefined ? "" : this.textOf(name)
      if (casts.has(text)) return this.ofCast(child(node, "arguments"), scope)
      this.visit(child(node, "arguments"), scope)
      return this.called(name, count, scope)
    }
    if (node.type === "field_expression") {
      const value = this.visit(child(node, "argument"), scope)
      const field = child(node, "field")
      const name = field?.type === "template_method" ? child(field, "name") : field
      if (field !== name && field !== undefined) this.visit(child(field, "arguments"), scope)
      if (name?.type !== "field_identifier" || value === null) return null
      const isDot = this.text.slice(node.start, name.start).trimEnd().endsWith(".")
      if (isDot && membersOfPointers.has(this.textOf(name))) return null
      const path = `${value.path}.${this.textOf(name)}/${count}`
      this.facts.use(value.scope, value.root, path, name.start)
      return { ...value, path }
    }
    return this.visit(node, scope)
  }

  private ofCast(list: CompactNode | undefined, scope: Scope): Binding {
    return this.type(list?.children[0], scope)
  }

  private readonly block: Handler = (node, scope) => this.visitAll(node, this.inner(scope))

  /** Reads all of a directive but its condition, whose names are those of macros without arguments. */
  private readonly conditional: Handler = (node, scope) => {
    for (const part of node.children) if (part.field !== "condition" && part.field !== "name") this.visit(part, scope)
    return null
  }

  private readonly macro: Handler = (node) => {
    const body = child(node, "value")
    if (body === undefined) return null
    const parameters = new Set(child(node, "parameters")?.children.map((each) => this.textOf(each)))
    for (const { name, start } of callsIn(this.textOf(body), parameters)) {
      const at = { ...body, start: body.start + start }
      this.nameAs(name, at, this.file)
    }
    return null
  }

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    preproc_include: (node) => {
      const path = child(node, "path")
      const [, open = "", name = ""] = /^(["<])([^"<>\p{Cc}]{1,150})[">]$/u.exec(path ? this.textOf(path) : "") ?? []
      if (name !== "") this.facts.export("#include", ofModule(`${open === "<" ? "<" : ""}${name}`))
      return null
    },
    preproc_function_def: this.macro,
    preproc_def: this.macro,
    preproc_if: this.conditional,
    preproc_ifdef: this.conditional,
    preproc_elif: this.conditional,
    preproc_elifdef: this.conditional,
    preproc_call: () => null,
    namespace_definition: (node, scope) => {
      const body = child(node, "body")
      const name = child(node, "name")
      if (body === undefined) return null
      const written = name === undefined ? "" : this.textOf(name).replace(/\s/g, "").replaceAll("::", ".")
      const place = [this.place, written].filter((part) => part !== "").join(".")
      const inner = this.inner(scope)
      this.within(place, inner, undefined, () => this.visitAll(body, inner))
      return null
    },
    namespace_alias_definition: (node) => {
      const name = child(node, "name")
      const path = node.children.at(-1)
      if (name !== undefined && path !== undefined) this.nameNamespace(this.textOf(name), this.dotted(path))
      return null
    },
    using_declaration: (node) => {
      const path = node.children[0]
      const text = path === undefined ? "" : this.dotted(path)
      if (!/^\w+(?:\.\w+)*$/.test(text)) return null
      const dot = text.lastIndexOf(".")
      if (/^using\s+namespace\b/.test(this.text.slice(node.start, node.start + 40))) this.useNamespace(text)
      else if (dot !== -1) this.useName(text.slice(0, dot), text.slice(dot + 1))
      return null
    },
    alias_declaration: (node, scope) => {
      const name = child(node, "name")
      const type = this.type(child(node, "type"), scope)
      const ordinal = name === undefined ? -1 : this.ordinalOf(name, scope)
      if (name !== undefined && ordinal < 0) this.local(scope, this.textOf(name), null)
      if (type?.path.endsWith("@")) this.facts.value(ordinal, { ...type, path: type.path.slice(0, -1) })
      return null
    },
    template_declaration: (node, scope) => {
      const inner = this.inner(scope)
      for (const each of child(node, "parameters")?.children ?? []) {
        const name = each.children.find(({ type }) => type === "type_identifier")
        if (/type_parameter_declaration$/.test(each.type)) {
          if (name !== undefined) this.local(inner, this.textOf(name), null)
          this.type(child(each, "default_type"), inner)
        } else this.visit(each, inner)
      }
      for (const part of node.children) if (part.field !== "parameters") this.visit(part, inner)
      return null
    },
    class_specifier: this.specifier,
    struct_specifier: this.specifier,
    union_specifier: this.specifier,
    enum_specifier: this.specifier,
    enumerator: (node, scope) => this.visit(child(node, "value"), scope),
    type_definition: this.typeDefinition,
    function_definition: this.functionAt,
    declaration: this.declaration,
    field_declaration: this.declaration,
    parameter_declaration: this.parameter,
    optional_parameter_declaration: this.parameter,
    variadic_parameter_declaration: this.parameter,
    compound_statement: this.block,
    for_statement: this.block,
    if_statement: this.block,
    while_statement: this.block,
    switch_statement: this.block,
    case_statement: this.block,
    for_range_loop: (node, scope) => {
      const inner = this.inner(scope)
      const element = extend(this.visit(child(node, "right"), scope), "]")
      const type = this.type(child(node, "type"), inner)
      const declarator = child(node, "declarator")
      const { name } = declarator === undefined ? { name: undefined } : Declarators.parse(declarator)
      if (name !== undefined) this.local(inner, this.textOf(name), type ?? element)
      return this.visit(child(node, "body"), inner)
    },
    catch_clause: this.block,
    lambda_expression: (node, scope) => {
      const inner = this.inner(scope)
      this.visit(child(node, "captures"), inner)
      const declarator = child(node, "declarator")
      this.parameters(declarator && child(declarator, "parameters"), inner)
      return this.visit(child(node, "body"), inner)
    },
    lambda_capture_initializer: (node, scope) => {
      const [left, right] = node.children
      const value = this.visit(right, scope)
      if (left?.type === "identifier") this.local(scope, this.textOf(left), value)
      return null
    },
    structured_binding_declarator: (node, scope) => {
      for (const name of node.children) this.local(scope, this.textOf(name), null)
      return null
    },
    field_initializer: (node, scope) => {
      const [name, ...given] = node.children
      // The name is that of a field, or of a base class.
      if (name?.type === "field_identifier") this.typeNamed(name, scope)
      for (const each of given) this.visit(each, scope)
      return null
    },
    new_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      this.visit(child(node, "arguments"), scope)
      this.visit(child(node, "placement"), scope)
      return type
    },
    compound_literal_expression: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      this.visit(child(node, "value"), scope)
      return type
    },
    friend_declaration: (node, scope) => {
      for (const part of node.children) if (isType(part)) this.type(part, scope)
      return null
    },
    this: (_, scope) => ({ scope, root: "this", path: "" }),
    qualified_identifier: (node, scope) => this.qualified(node, "v", scope),
    template_type: this.type,
    template_function: (node, scope) => {
      this.visit(child(node, "arguments"), scope)
      const name = child(node, "name")
      return name === undefined ? null : this.visit(name, scope)
    },
    type_identifier: this.type,
    type_descriptor: this.type,
    identifier: (node, scope) => (keywords.has(this.textOf(node)) ? null : this.name(node, scope)),
    field_identifier: () => null,
    field_designator: () => null,
    field_expression: (node, scope) => {
      const value = this.visit(child(node, "argument"), scope)
      const field = child(node, "field")
      return field?.type === "field_identifier" ? this.member(value, field) : null
    },
    call_expression: this.call,
    cast_expression: (node, scope) => {
      this.visit(child(node, "value"), scope)
      return this.type(child(node, "type"), scope)
    },
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    pointer_expression: (node, scope) => this.visit(child(node, "argument"), scope),
    subscript_expression: (node, scope) => {
      const value = this.visit(child(node, "argument"), scope)
      for (const part of node.children) if (part.field !== "argument") this.visit(part, scope)
      return value
    },
    assignment_expression: (node, scope) => {
      const value = this.visit(child(node, "left"), scope)
      this.visit(child(node, "right"), scope)
      return value
    },
    sizeof_expression: (node, scope) => {
      // `sizeof(a)` looks the same for a type and a variable.
      const value = child(node, "value")
      const inner = value?.type === "parenthesized_expression" ? value.children[0] : value
      if (inner?.type === "identifier" && !this.isLocal(this.textOf(inner), scope)) this.typeNamed(inner, scope)
      return this.visitAll(node, scope)
    },
    // Reached by itself only behind a syntax error, where it is not known what it declares.
    function_declarator: () => null,
    ERROR: (node, scope) => {
      for (const part of node.children) if (!part.type.endsWith("identifier")) this.visit(part, scope)
      return null
    },
    attribute_specifier: () => null,
    attribute_declaration: () => null,
    ms_declspec_modifier: () => null,
    gnu_asm_expression: () => null,
  }
}

/** The most qualifiers before a name. */
const MAX_QUALIFIERS = 20

/** The scopes of files, namespaces and classes begin with the file. */
const isInFunction = ({ start }: Scope): boolean => start > 0

const isType = ({ type }: CompactNode): boolean => /^(?:type_identifier|template_type|qualified_identifier)$/.test(type)

/** Returns whether a member can use the names of the others: a method, or a type. */
const isOfClass = ({ children, type }: CompactNode): boolean =>
  type !== "field_declaration"
    ? type !== "comment" && !type.startsWith("preproc_")
    : children.some(
        ({ field, type: inner }) =>
          (field === "declarator" && /^(?:function|pointer|reference)_declarator$/.test(inner)) ||
          inner.endsWith("_specifier"),
      )
