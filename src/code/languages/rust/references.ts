/**
 * Reads references of Rust off its syntax tree. Module specifiers are `crate`, `super`, `self::name` for the file of a
 * module that another declares, and the names of crates.
 */

import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  absolute,
  type Binding,
  bind,
  extend,
  makeScope,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { child, childrenOf, type Handler, ofType } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { PathReader, prelude, withoutInstance } from "./PathReader.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

/** Methods of the standard library that return the value on which they are called, or the value in it. */
const conversions: ReadonlySet<string> = new Set(
  `as_deref as_deref_mut as_mut as_ref borrow borrow_mut clone cloned copied expect into_iter iter iter_mut lock
   ok to_owned unwrap unwrap_or_default write read values values_mut`.split(/\s+/),
)

class Reader extends PathReader {
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
      this.facts.value(ordinal, ofModule(this.specifierOf(node, this.textOf(name))))
      return null
    }
    const inner = makeScope(undefined, scope.start)
    const outer = this.facts.symbols[ordinal]
    const path = outer === undefined ? "" : `${outer.container === undefined ? "" : `${outer.container}.`}${outer.name}`
    for (const [each, symbol] of this.byContainer(path)) bind(inner, each, absolute(`#${symbol}`))
    this.modules.push(absolute(`#${ordinal}`))
    if (outer !== undefined) this.scopes.push({ scope: inner, path })
    const first = this.wildcards.length
    this.visitAll(body, inner)
    const outside = this.superModule()
    this.modules.pop()
    if (outer !== undefined) this.scopes.pop()
    // `use super::*` stands for the names of the file.
    const all = this.wildcards.slice(first).filter((each) => each.scope === inner)
    const isOfFile = outside === this.here && all.some(({ value }) => value === outside)
    const ofModules = (each: string): Binding =>
      all.length > 0 && outer !== undefined ? this.imported(path, each) : this.crateNamed(each)
    for (const each of this.namesIn(body)) {
      if (inner.names.has(each)) continue
      const ofFile = isOfFile ? this.file.names.get(each) : undefined
      if (ofFile !== undefined) bind(inner, each, ofFile)
      else if (!prelude.has(each) || each === "Result") bind(inner, each, ofModules(each))
    }
    return null
  }

  /**
   * Returns the specifier of the file of a module: `mod a;`, which may have a path above it, or be in `mod b { … }`.
   */
  private specifierOf(node: CompactNode, name: string): string {
    const before = this.text.slice(Math.max(0, node.start - 200), node.start)
    const [, path] = /#\[path\s*=\s*"([^"\\\n]+)"\](?:\s*#\[[^\]]*\])*\s*$/.exec(before) ?? []
    if (path !== undefined && this.scopes.length === 0) return `path:${path}`
    return `self::${[...(this.scopes.at(-1)?.path.split(".") ?? []), name].join("/")}`
  }

  /** Returns the names that occur in a node. */
  private namesIn(node: CompactNode): ReadonlySet<string> {
    return new Set(this.text.slice(node.start, node.end).match(/\b[A-Za-z_]\w*/g))
  }

  /** Reads the tokens of a call of a macro, as far as they are names, members and calls. */
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

  /** Reads statements one after another: each `let` begins a scope, since it may declare a name again. */
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
