/**
 * Reads references of Rust off its syntax tree. Module specifiers are `crate`, `super`, `self::name` for the file of a
 * module that another declares, and the names of crates.
 */
import type { CodeSymbol } from "../../../Symbols.ts"
import type { CompactNode } from "./CompactTree.ts"
import { absolute, type Binding, bind, type Expression, extend, makeScope, ofModule, type Scope } from "./Facts.ts"
import { child, childrenOf, type Handler, ofType, TreeReader } from "./TreeReader.ts"

export const read = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

/** Types that pass on the members of the type that they hold. */
const transparent: ReadonlySet<string> = new Set(
  "Arc Box Cell Cow Lazy Mutex MutexGuard Option OnceCell Pin Rc Ref RefCell RefMut Result RwLock".split(" "),
)

const collections: ReadonlySet<string> = new Set(
  "BTreeMap BTreeSet HashMap HashSet IntoIter Iter Iterator IntoIterator Vec VecDeque".split(" "),
)

/** Methods of the standard library that return what they are called on, or what it holds. */
const conversions: ReadonlySet<string> = new Set(
  `as_deref as_deref_mut as_mut as_ref borrow borrow_mut clone cloned copied expect into_iter iter iter_mut lock
   ok to_owned unwrap unwrap_or_default write read values values_mut`.split(/\s+/),
)

/** A name of the prelude hides nothing of the file's own: it is looked up only where the file does not declare it. */
const prelude: ReadonlySet<string> = new Set(
  "Box Default Drop Err From Into Iterator None Ok Option Result Some String ToString Vec std core alloc Self self".split(
    " ",
  ),
)

class Reader extends TreeReader {
  /** The modules of the file that are around, outermost first. */
  private readonly modules: Array<Expression> = []

  protected nameElsewhere(name: string): Binding {
    return prelude.has(name) || !/^[a-z]\w*$/.test(name) ? null : ofModule(name)
  }

  /** The file's module itself. */
  private readonly here = absolute('""')

  private containers: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined

  /** The first ordinals of the names in a module of the file; those of the file for an empty path. */
  private byContainer(path: string): ReadonlyMap<string, number> {
    if (this.containers === undefined) {
      const containers = new Map<string, Map<string, number>>()
      this.facts.symbols.forEach(({ container = "", name }, ordinal) => {
        const names = containers.get(container) ?? new Map<string, number>()
        if (!names.has(name)) names.set(name, ordinal)
        containers.set(container, names)
      })
      this.containers = containers
    }
    return this.containers.get(path) ?? new Map()
  }

  private superModule(): Binding {
    const { length } = this.modules
    return length === 0 ? ofModule("super") : length === 1 ? this.here : (this.modules[length - 2] ?? null)
  }

  /** A path of names: `crate::a::B`. */
  private readonly path: Handler = (node, scope) => {
    switch (node.type) {
      case "crate":
        return ofModule("crate")
      case "super":
        return this.superModule()
      case "self":
        return this.modules.at(-1) ?? this.here
      case "scoped_identifier":
      case "scoped_type_identifier": {
        const outer = child(node, "path")
        const name = child(node, "name")
        if (outer === undefined) return name === undefined ? null : this.name(name, scope)
        return this.member(this.path(outer, scope), name)
      }
      case "generic_type":
      case "generic_type_with_turbofish":
      case "generic_function": {
        const value = this.visit(child(node, "type") ?? child(node, "function"), scope)
        this.visit(child(node, "type_arguments"), scope)
        return value && withoutInstance(value)
      }
      case "bracketed_type": {
        const value = this.type(node.children[0], scope)
        return value && withoutInstance(value)
      }
      case "identifier":
      case "type_identifier":
        return this.textOf(node) === "Self" ? { scope, root: "Self", path: "" } : this.name(node, scope)
    }
    this.visitAll(node, scope)
    return null
  }

  private readonly use: Handler = (node, scope) => {
    const isPublic = ofType(node, "visibility_modifier") !== undefined
    this.useTree(child(node, "argument"), undefined, scope, isPublic)
    return null
  }

  private useTree(node: CompactNode | undefined, base: Binding | undefined, scope: Scope, isPublic: boolean): void {
    if (node === undefined) return
    const declare = (name: string, value: Binding): void => {
      bind(scope, name, value)
      // A function may have the name of a module: paths through the module are many, and those of the function end there.
      const own = this.byContainer("").get(name)
      const isModule = own !== undefined && this.facts.symbols[own]?.kind === "module"
      if (isPublic && this.modules.length === 0 && !isModule) this.facts.export(name, value)
    }
    switch (node.type) {
      case "use_list":
        for (const each of node.children) this.useTree(each, base, scope, isPublic)
        return
      case "scoped_use_list": {
        const path = child(node, "path")
        const inner = path === undefined ? base : this.usePath(path, base, scope)
        this.useTree(child(node, "list"), inner, scope, isPublic)
        return
      }
      case "use_as_clause": {
        const path = child(node, "path")
        const alias = child(node, "alias")
        if (path !== undefined && alias !== undefined) declare(this.textOf(alias), this.usePath(path, base, scope))
        return
      }
      case "use_wildcard": {
        const value = node.children[0] === undefined ? base : this.usePath(node.children[0], base, scope)
        if (value) {
          if (this.modules.length === 0) this.facts.export("*", value)
          this.wildcards.push({ scope, value })
        }
        return
      }
      case "self":
        if (base !== undefined) {
          const [, name] = /(\w+)$/.exec(base?.path ?? "") ?? /(\w+)"?$/.exec(base?.root ?? "") ?? []
          if (name !== undefined) declare(name, base)
        }
        return
      default: {
        const name = node.type === "scoped_identifier" ? child(node, "name") : node
        if (name !== undefined) declare(this.textOf(name), this.usePath(node, base, scope))
      }
    }
  }

  /** Imports are no uses. */
  private usePath(node: CompactNode, base: Binding | undefined, scope: Scope): Binding {
    if (node.type === "scoped_identifier") {
      const outer = child(node, "path")
      const name = child(node, "name")
      const value = outer === undefined ? base : this.usePath(outer, base, scope)
      return name === undefined ? null : extend(value, `.${this.textOf(name)}`)
    }
    if (node.type === "crate" || node.type === "super" || node.type === "self") return this.path(node, scope)
    const name = this.textOf(node)
    if (base !== undefined) return extend(base, `.${name}`)
    // A module or an item of the file, or a crate.
    const outer = this.modules.length > 0 ? this.file.names.get(name) : undefined
    const isOwn = this.byContainer("").has(name)
    return isOwn || outer ? extend(this.here, `.${name}`) : ofModule(name)
  }

  private readonly wildcards: Array<{ readonly scope: Scope; readonly value: Expression }> = []

  private readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    if (node === undefined) return null
    switch (node.type) {
      case "primitive_type":
        return null
      case "type_identifier":
      case "scoped_type_identifier":
        return extend(this.path(node, scope), "@")
      case "reference_type":
      case "pointer_type":
        return this.type(child(node, "type"), scope)
      case "dynamic_type":
      case "abstract_type":
        return this.type(child(node, "trait"), scope)
      case "array_type":
        this.visit(child(node, "length"), scope)
        return extend(this.type(child(node, "element"), scope), "[")
      case "generic_type": {
        const of = child(node, "type")
        const name = of === undefined ? "" : this.textOf(of).replace(/^.*::/s, "")
        const type = this.type(of, scope)
        const values = (child(node, "type_arguments")?.children ?? []).map((each) => this.type(each, scope))
        if (transparent.has(name)) return values.find((value) => value !== null) ?? null
        if (collections.has(name)) return extend(values.at(-1), "[")
        return type
      }
    }
    this.visitAll(node, scope)
    return null
  }

  private generics(node: CompactNode, scope: Scope): void {
    for (const parameter of child(node, "type_parameters")?.children ?? []) {
      const name = child(parameter, "name")
      const [bound] = (child(parameter, "bounds")?.children ?? []).map((each) => this.type(each, scope))
      // Members of a type parameter are those of its bound.
      if (name !== undefined) bind(scope, this.textOf(name), bound ? withoutInstance(bound) : null)
    }
    const where = ofType(node, "where_clause")
    if (where !== undefined) this.visitAll(where, scope)
  }

  private readonly functionAt: Handler = (node, scope) => {
    const body = child(node, "body")
    const name = child(node, "name")
    const inner = makeScope(scope, body?.start ?? node.end)
    this.generics(node, inner)
    for (const parameter of child(node, "parameters")?.children ?? []) {
      if (parameter.type === "parameter")
        this.pattern(child(parameter, "pattern"), this.type(child(parameter, "type"), inner), inner)
    }
    const result = this.type(child(node, "return_type"), inner)
    if (name !== undefined) {
      const ordinal = this.ordinalOf(name, scope)
      if (ordinal < 0) bind(scope, this.textOf(name), null)
      else this.facts.value(ordinal, result)
    }
    if (body !== undefined) this.visit(body, inner)
    return null
  }

  /** Declares the names of a pattern. */
  private pattern(node: CompactNode | undefined, value: Binding, scope: Scope): void {
    if (node === undefined) return
    switch (node.type) {
      case "identifier":
      case "shorthand_field_identifier":
        bind(scope, this.textOf(node), value)
        return
      case "mut_pattern":
      case "ref_pattern":
      case "reference_pattern":
        this.pattern(node.children.at(-1), value, scope)
        return
      case "match_pattern":
        this.pattern(node.children[0], value, scope)
        this.visit(child(node, "condition"), scope)
        return
      case "or_pattern":
        for (const each of node.children) this.pattern(each, value, scope)
        return
      case "captured_pattern":
        for (const each of node.children) this.pattern(each, value, scope)
        return
      case "tuple_struct_pattern": {
        const type = child(node, "type")
        const name = type === undefined ? "" : this.textOf(type)
        if (type !== undefined && !prelude.has(name)) this.path(type, scope)
        const holds = /^(?:Some|Ok)$/.test(name)
        for (const each of node.children) if (each.field !== "type") this.pattern(each, holds ? value : null, scope)
        return
      }
      case "struct_pattern": {
        const type = child(node, "type")
        const of = type === undefined ? null : extend(this.path(type, scope), "@")
        for (const field of node.children) {
          if (field.type !== "field_pattern") continue
          const name = child(field, "name")
          if (name === undefined) continue
          const held = extend(of, `.${this.textOf(name)}`)
          const inner = child(field, "pattern")
          if (inner === undefined) bind(scope, this.textOf(name), held)
          else this.pattern(inner, held, scope)
        }
        return
      }
      case "scoped_identifier":
        this.path(node, scope)
        return
    }
    for (const each of node.children) this.pattern(each, null, scope)
  }

  private readonly typeItem: Handler = (node, scope) => {
    const name = child(node, "name")
    if (name === undefined) return null
    const owner = this.ordinalOf(name, scope)
    if (owner < 0) bind(scope, this.textOf(name), null)
    const inner = makeScope(scope, scope.start)
    if (owner >= 0) bind(inner, "Self", absolute(`#${owner}`))
    this.generics(node, inner)
    const body = child(node, "body")
    if (node.type === "type_item") {
      const of = this.type(child(node, "type"), inner)
      this.facts.value(owner, of?.path.endsWith("@") ? withoutInstance(of) : null)
    } else if (node.type === "trait_item") {
      for (const bound of child(node, "bounds")?.children ?? []) {
        const base = this.type(bound, inner)
        this.facts.base(owner, base && withoutInstance(base))
      }
      bind(inner, "self", absolute(`#${owner}`, "@"))
      if (body !== undefined) this.visitAll(body, inner)
    } else {
      const isTuple = body?.type === "ordered_field_declaration_list"
      const types = isTuple ? childrenOf(body, "type") : []
      types.forEach((type, at) => {
        this.facts.field(owner, String(at), this.type(type, inner))
      })
      for (const part of isTuple ? [] : (body?.children ?? [])) {
        const field = part.type === "field_declaration" ? child(part, "name") : undefined
        if (field === undefined) {
          this.visit(part, inner)
          continue
        }
        const value = this.type(child(part, "type"), inner)
        this.facts.value(this.ordinalOf(field, inner), value)
        this.facts.field(owner, this.textOf(field), value)
      }
    }
    return null
  }

  private readonly implementation: Handler = (node, scope) => {
    const inner = makeScope(scope, scope.start)
    this.generics(node, inner)
    const type = this.type(child(node, "type"), inner)
    const trait = this.type(child(node, "trait"), inner)
    if (type !== null) {
      bind(inner, "self", type)
      bind(inner, "Self", withoutInstance(type))
    }
    if (type !== null && trait !== null && type.path === "@") {
      // Default methods of a trait are members of the type.
      const owner = this.byContainer("").get(type.root) ?? -1
      this.facts.base(owner, withoutInstance(trait))
    }
    const body = child(node, "body")
    if (body !== undefined) this.visitAll(body, inner)
    return null
  }

  private readonly module: Handler = (node, scope) => {
    const name = child(node, "name")
    const body = child(node, "body")
    if (name === undefined) return null
    const ordinal = this.ordinalOf(name, scope)
    if (body === undefined) {
      this.facts.value(ordinal, ofModule(`self::${this.textOf(name)}`))
      return null
    }
    const inner = makeScope(undefined, scope.start)
    const outer = this.facts.symbols[ordinal]
    const path = outer === undefined ? "" : `${outer.container === undefined ? "" : `${outer.container}.`}${outer.name}`
    for (const [each, symbol] of this.byContainer(path)) bind(inner, each, absolute(`#${symbol}`))
    this.modules.push(absolute(`#${ordinal}`))
    const first = this.wildcards.length
    this.visitAll(body, inner)
    const outside = this.superModule()
    this.modules.pop()
    // `use super::*`: the names of the file.
    const all = this.wildcards.slice(first).filter((each) => each.scope === inner)
    const isOfFile = outside === this.here && all.some(({ value }) => value === outside)
    for (const each of this.namesIn(body)) {
      if (inner.names.has(each)) continue
      const outer = isOfFile ? this.file.names.get(each) : undefined
      if (outer !== undefined) bind(inner, each, outer)
      else if (!prelude.has(each)) bind(inner, each, this.nameElsewhere(each))
    }
    return null
  }

  /** The names that occur in a node. */
  private namesIn(node: CompactNode): ReadonlySet<string> {
    return new Set(this.text.slice(node.start, node.end).match(/\b[A-Za-z_]\w*/g))
  }

  /** The tokens of a call of a macro, as far as they are names, members and calls. */
  private readonly tokens: Handler = (node, scope) => {
    let value: Binding = null
    let end = -1
    for (const token of node.children) {
      const between = end === -1 ? "" : this.text.slice(end, token.start).trim()
      if (token.type === "super") value = this.superModule()
      else if (token.type === "identifier" || token.type === "self" || token.type === "crate") {
        if (between === "." || between === "::") value = this.member(value, token)
        else if (token.type === "self") value = { scope, root: "self", path: "" }
        else value = token.type === "crate" ? ofModule("crate") : this.name(token, scope)
      } else if (token.type === "token_tree") {
        this.tokens(token, scope)
        const bracket = end === token.start ? this.text.charAt(token.start) : ""
        value = bracket === "(" ? extend(value, "()") : bracket === "[" ? extend(value, "]") : null
      } else value = null
      end = token.end
    }
    return null
  }

  private readonly letAt: Handler = (node, scope) => {
    const type = this.type(child(node, "type"), scope)
    const value = this.visit(child(node, "value"), scope)
    this.pattern(child(node, "pattern"), type ?? value, scope)
    this.visit(child(node, "alternative"), scope)
    return null
  }

  private readonly constant: Handler = (node, scope) => {
    const name = child(node, "name")
    const value = this.type(child(node, "type"), scope)
    this.visit(child(node, "value"), scope)
    const ordinal = name === undefined ? -1 : this.ordinalOf(name, scope)
    if (ordinal >= 0) this.facts.value(ordinal, value)
    else if (name !== undefined) bind(scope, this.textOf(name), value)
    return null
  }

  /** Statements one after another: each `let` begins a scope, since it may declare a name again. */
  private readonly block: Handler = (node, scope) => {
    let inner = makeScope(scope, scope.start)
    let last: Binding = null
    for (const statement of node.children) {
      last = null
      const outer = inner
      if (statement.type === "let_declaration") {
        inner = makeScope(outer, outer.start)
        const type = this.type(child(statement, "type"), outer)
        const value = this.visit(child(statement, "value"), outer)
        this.pattern(child(statement, "pattern"), type ?? value, inner)
        this.visit(child(statement, "alternative"), outer)
        if (inner.names.size === 0) inner = outer
      } else last = this.visit(statement, inner)
    }
    return last
  }

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    use_declaration: this.use,
    mod_item: this.module,
    extern_crate_declaration: () => null,
    attribute_item: () => null,
    inner_attribute_item: () => null,
    struct_item: this.typeItem,
    enum_item: this.typeItem,
    union_item: this.typeItem,
    type_item: this.typeItem,
    trait_item: this.typeItem,
    impl_item: this.implementation,
    function_item: this.functionAt,
    function_signature_item: this.functionAt,
    const_item: this.constant,
    static_item: this.constant,
    enum_variant: (node, scope) => this.visit(child(node, "body"), scope),
    let_declaration: this.letAt,
    let_condition: (node, scope) => {
      const value = this.visit(child(node, "value"), scope)
      this.pattern(child(node, "pattern"), value, scope)
      return null
    },
    block: this.block,
    if_expression: (node, scope) => this.visitBlock(node, scope),
    while_expression: (node, scope) => this.visitBlock(node, scope),
    for_expression: (node, scope) => {
      const inner = makeScope(scope, scope.start)
      this.pattern(child(node, "pattern"), extend(this.visit(child(node, "value"), scope), "]"), inner)
      return this.visit(child(node, "body"), inner)
    },
    match_expression: (node, scope) => {
      const value = this.visit(child(node, "value"), scope)
      for (const arm of child(node, "body")?.children ?? []) {
        const inner = makeScope(scope, scope.start)
        this.pattern(child(arm, "pattern"), value, inner)
        this.visit(child(arm, "value"), inner)
      }
      return null
    },
    closure_expression: (node, scope) => {
      const inner = makeScope(scope, scope.start)
      for (const each of child(node, "parameters")?.children ?? []) {
        if (each.type === "parameter")
          this.pattern(child(each, "pattern"), this.type(child(each, "type"), inner), inner)
        else this.pattern(each, null, inner)
      }
      this.visit(child(node, "body"), inner)
      return null
    },
    macro_invocation: (node, scope) => {
      this.visit(child(node, "macro"), scope)
      const tree = ofType(node, "token_tree")
      return tree === undefined ? null : this.tokens(tree, scope)
    },
    macro_definition: () => null,
    identifier: this.path,
    type_identifier: this.type,
    scoped_type_identifier: this.type,
    generic_type: this.type,
    reference_type: this.type,
    scoped_identifier: this.path,
    generic_function: this.path,
    self: (_, scope) => ({ scope, root: "self", path: "" }),
    field_expression: (node, scope) => this.member(this.visit(child(node, "value"), scope), child(node, "field")),
    call_expression: (node, scope) => {
      const called = child(node, "function")
      const value = this.visit(called, scope)
      const list = (child(node, "arguments")?.children ?? []).map((each) => this.visit(each, scope))
      const field = called?.type === "field_expression" ? child(called, "field") : undefined
      const word = field === undefined ? "" : this.textOf(field)
      if (value !== null && conversions.has(word)) return { ...value, path: value.path.slice(0, -word.length - 1) }
      if (called !== undefined && /^(?:Some|Ok|Box::new|Rc::new|Arc::new)$/.test(this.textOf(called)))
        return list[0] ?? null
      return extend(value, "()")
    },
    struct_expression: (node, scope) => {
      const name = child(node, "name")
      const type = name === undefined ? null : extend(this.path(name, scope), "@")
      for (const field of child(node, "body")?.children ?? []) {
        if (field.type === "field_initializer") {
          this.member(type, child(field, "field"))
          this.visit(child(field, "value"), scope)
        } else this.visit(field, scope)
      }
      return type
    },
    shorthand_field_initializer: (node, scope) => this.visit(node.children[0], scope),
    try_expression: (node, scope) => this.visit(node.children[0], scope),
    await_expression: (node, scope) => this.visit(node.children[0], scope),
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    reference_expression: (node, scope) => this.visit(child(node, "value"), scope),
    unary_expression: (node, scope) => {
      const value = this.visit(node.children[0], scope)
      return this.text.charAt(node.start) === "*" ? value : null
    },
    index_expression: (node, scope) => {
      const [object, index] = node.children
      const value = this.visit(object, scope)
      this.visit(index, scope)
      return extend(value, "]")
    },
    type_cast_expression: (node, scope) => {
      this.visit(child(node, "value"), scope)
      return this.type(child(node, "type"), scope)
    },
  }
}

const withoutInstance = (value: Expression): Expression => ({ ...value, path: value.path.replace(/@$/, "") })
