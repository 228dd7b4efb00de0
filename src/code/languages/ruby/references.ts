/**
 * Reads references of Ruby off its syntax tree. A module specifier is the modules around a place, see `modules.ts`.
 * Names of methods end with a sign: `:` for methods of instances, `;` for methods of a class itself, `|` if a block may
 * run as either. A method is only known by the type of its receiver: a constant, `self`, and what `new` has made.
 */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  makeScope,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { child, type Handler, TreeReader } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { isMethodName, keptByBlocks, platformMethods } from "./platformMethods.ts"
import { same, Variables } from "./Variables.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

type Side = ":" | ";" | "|"

/** A class or module that is being read. All parts of it in the file share one. */
interface Holder {
  readonly ordinal: number
  /** The constant. */
  readonly type: Expression
  readonly qualified: string
  /** The variables of its instances and its own ones. */
  readonly variables: Scope
  readonly included: Array<Binding>
  readonly superclasses: Array<Binding>
  extended: number
}

/** The place that is being read. */
interface Place {
  /** The modules around, innermost first, as the beginning of a specifier. */
  readonly nesting: string
  /** The qualified name of the innermost one, with dots. */
  readonly around: string
  readonly holder: Holder | undefined
  /** Says what `self` is; undefined if a block or a method changes it to something unknown. */
  readonly side: Side | undefined
  /** The functions of the file, and those of the blocks around. */
  readonly functions: Scope
  readonly method: string | undefined
  /** True in `class << self`. */
  readonly isSingleton: boolean
  /** True directly in the body of the class, where methods are its own. */
  readonly isBody: boolean
  /** True if methods from here on are those of the module itself, too: `module_function`. */
  isDoubled: boolean
}

class Reader extends TreeReader {
  private readonly holders = new Map<string, Holder>()
  private readonly topFunctions: ReadonlySet<string>
  private readonly declaredNames: ReadonlySet<string>
  private readonly locals = new Variables()
  private readonly members = new Variables()
  /** The values that the method that is being read returns before its end. */
  private returned: Array<Binding> = []
  private place: Place = {
    nesting: "",
    around: "",
    holder: undefined,
    side: undefined,
    functions: makeScope(undefined, 0),
    method: undefined,
    isSingleton: false,
    isBody: true,
    isDoubled: false,
  }

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    super(text, symbols)
    this.topFunctions = new Set(
      symbols.filter(({ container, kind }) => kind === "function" && container === undefined).map(({ name }) => name),
    )
    this.declaredNames = new Set(symbols.map(({ name }) => name))
  }

  protected override isTop(): boolean {
    return false
  }

  protected nameElsewhere(): Binding {
    return null
  }

  override read(root: CompactNode): string {
    this.visitAll(root, makeScope(undefined, 0))
    for (const { included, ordinal, superclasses } of this.holders.values()) {
      for (const each of [...included.toReversed(), ...superclasses]) this.facts.base(ordinal, each)
    }
    return this.facts.encode()
  }

  /** Reads in another place. */
  private inPlace<A>(change: Partial<Place>, run: () => A): A {
    const outer = this.place
    this.place = { ...outer, isDoubled: false, ...change }
    const value = run()
    this.place = outer
    return value
  }

  private get self(): Binding {
    const { holder, side } = this.place
    if (holder === undefined || side === undefined || side === "|") return null
    return side === ":" ? extend(holder.type, "@") : holder.type
  }

  // Constants

  private constantNamed(name: string): Expression {
    const { nesting } = this.place
    return absolute(`"${nesting === "" ? "=" : nesting}"`, `.${name}`)
  }

  private constant(node: CompactNode, scope: Scope): Binding {
    if (node.type === "constant") {
      const value = this.constantNamed(this.textOf(node))
      this.facts.use(value.scope, value.root, value.path, node.start)
      return value
    }
    const name = child(node, "name")
    const outer = child(node, "scope")
    if (name === undefined || name.type !== "constant") return this.visitAll(node, scope)
    const of = outer === undefined ? absolute('"="') : this.visit(outer, scope)
    // The members of other values are methods: `foo::Bar`.
    if (outer !== undefined && !/^(?:constant|scope_resolution)$/.test(outer.type)) return null
    return this.member(of, name)
  }

  /** Returns the qualified name that a class is declared under, and reports the modules before its own name. */
  private declared(name: CompactNode, scope: Scope): string {
    const { around } = this.place
    const text = this.textOf(name).replace(/\s+/g, "")
    const outer = child(name, "scope")
    if (outer !== undefined) this.visit(outer, scope)
    if (text.startsWith("::")) return text.slice(2).replaceAll("::", ".")
    return `${around === "" ? "" : `${around}.`}${text.replaceAll("::", ".")}`
  }

  private holderAt(qualified: string, name: CompactNode): Holder | undefined {
    const known = this.holders.get(qualified)
    if (known !== undefined) return known
    if (qualified.length > MAX_PATH) return undefined
    const ordinal = this.facts.symbolNamed(qualified.slice(qualified.lastIndexOf(".") + 1), name.start, this.file)
    if (ordinal < 0) return undefined
    const dot = qualified.lastIndexOf(".")
    const holder: Holder = {
      ordinal,
      qualified,
      type: absolute(`"=${dot === -1 ? "" : qualified.slice(0, dot)}"`, `.${qualified.slice(dot + 1)}`),
      variables: makeScope(undefined, 0),
      included: [],
      superclasses: [],
      extended: 0,
    }
    this.holders.set(qualified, holder)
    return holder
  }

  private readonly holderNode: Handler = (node, scope) => {
    const name = child(node, "name")
    if (name === undefined) return this.visitAll(node, scope)
    const qualified = this.declared(name, scope)
    const holder = this.holderAt(qualified, name)
    const superclass = child(node, "superclass")
    for (const each of superclass?.children ?? []) {
      const value = this.visit(each, scope)
      if (holder !== undefined && /^(?:constant|scope_resolution)$/.test(each.type)) holder.superclasses.push(value)
    }
    const { around, nesting } = this.place
    // Longer ones would cost quadratic time.
    const isLong = qualified.length + nesting.length > MAX_PATH
    const inside = isLong ? nesting : nesting === "" ? qualified : `${qualified}<${nesting}`
    const place = {
      nesting: inside,
      around: isLong ? around : qualified,
      holder,
      side: ";",
      method: undefined,
      isSingleton: false,
    } as const
    this.inPlace({ ...place, isBody: true }, () => this.visit(child(node, "body"), makeScope(undefined, 0)))
    return null
  }

  private readonly singletonClass: Handler = (node, scope) => {
    const value = child(node, "value")
    const { holder, isBody, side } = this.place
    const isOwn = value?.type === "self" && isBody && side === ";"
    if (!isOwn) this.visit(value, scope)
    // A constant in it is one of the singleton class, which is looked up in the modules around all the same.
    const place = { holder: isOwn ? holder : undefined, side: undefined, method: undefined, isSingleton: isOwn }
    this.inPlace({ ...place, isBody: true }, () => this.visit(child(node, "body"), makeScope(undefined, 0)))
    return null
  }

  // Methods

  private declareMethod(name: string, side: Side, value: Expression): void {
    const { holder } = this.place
    if (holder === undefined || !isMethodName.test(name)) return
    this.facts.field(holder.ordinal, `${name}${side}`, value)
  }

  private readonly method: Handler = (node, scope) => {
    const name = child(node, "name")
    if (name === undefined) return this.visitAll(node, scope)
    const object = child(node, "object")
    const text = this.textOf(name)
    const ordinal = this.facts.symbolNamed(text, name.start, this.file)
    const { functions, holder, isBody, isDoubled, isSingleton, side } = this.place
    const isOwn = object !== undefined && this.isSelf(object)
    let inside: Side | undefined
    if (object !== undefined && !isOwn) this.visit(object, scope)
    if (ordinal >= 0 && holder !== undefined && isBody && (object === undefined || isOwn)) {
      inside = isOwn || isSingleton ? ";" : ":"
      this.declareMethod(text, inside, absolute(`#${ordinal}`))
      if (isDoubled && inside === ":") this.declareMethod(text, ";", absolute(`#${ordinal}`))
    } else if (object === undefined && (holder === undefined || side === undefined)) {
      bind(functions, `${text}(`, ordinal < 0 ? null : absolute(`#${ordinal}`))
    }
    const inner = makeScope(undefined, 0)
    const outerReturned = this.returned
    this.returned = []
    this.parameters(child(node, "parameters"), inner)
    const isUnknown = inside === undefined
    const place = { holder: isUnknown ? undefined : holder, side: inside, method: text, isSingleton: false }
    this.inPlace({ ...place, isBody: false }, () => {
      const value = this.lastValue(child(node, "body"), inner)
      if (this.returned.every((each) => same(each, value))) this.facts.value(ordinal, value)
    })
    this.returned = outerReturned
    return null
  }

  private isSelf(object: CompactNode): boolean {
    return (
      object.type === "self" ||
      (object.type === "constant" && this.place.around.split(".").at(-1) === this.textOf(object))
    )
  }

  /** Reads a body, and returns the value of its last statement. */
  private lastValue(body: CompactNode | undefined, scope: Scope): Binding {
    if (body?.type !== "body_statement" && body?.type !== "block_body" && body?.type !== "then")
      return this.visit(body, scope)
    let value: Binding = null
    for (const each of body.children) {
      const is = this.visit(each, scope)
      if (!/^(?:comment|heredoc_body)$/.test(each.type)) value = /^(?:rescue|ensure|else)$/.test(each.type) ? null : is
    }
    return value
  }

  private parameters(list: CompactNode | undefined, scope: Scope): void {
    for (const each of list?.children ?? []) {
      const name = each.type === "identifier" ? each : child(each, "name")
      if (each.type === "destructured_parameter") this.parameters(each, scope)
      else if (name !== undefined) this.locals.declare(scope, this.textOf(name))
      this.visit(child(each, "value"), scope)
    }
  }

  /** Reports a call without a receiver. */
  private ownCall(name: CompactNode, text: string): Binding {
    const { functions, holder, side } = this.place
    if (platformMethods.has(text) && !this.declaredNames.has(text)) return null
    const member =
      holder === undefined || side === undefined
        ? null
        : extend(side === ":" ? extend(holder.type, "@") : holder.type, `.${text}${side}`)
    const isFunction = this.topFunctions.has(text)
    const called: Binding =
      member === null
        ? { scope: functions, root: `${text}(`, path: "" }
        : isFunction
          ? this.firstOf(`${holder?.qualified}:${text}${side}`, [
              member,
              { scope: functions, root: `${text}(`, path: "" },
            ])
          : member
    if (called === null) return null
    this.facts.use(called.scope, called.root, called.path, name.start)
    return extend(called, "()")
  }

  private readonly call: Handler = (node, scope) => {
    const receiver = child(node, "receiver")
    const name = child(node, "method")
    const list = child(node, "arguments")
    const block = child(node, "block")
    if (name?.type === "super") return this.superCall(name, list, block, scope)
    if (name === undefined) return this.visitAll(node, scope)
    const text = this.textOf(name)
    if (receiver === undefined) {
      if (this.isDeclaration(text, list, scope)) return null
      const value = this.ownCall(name, text)
      this.visit(list, scope)
      this.block(block, scope, { method: text })
      return value
    }
    const object = this.visit(receiver, scope)
    const value = this.methodOf(object, receiver, name, text)
    this.visit(list, scope)
    const isConstant = receiver.type === "constant" || receiver.type === "scope_resolution"
    this.block(block, scope, { method: text, made: isConstant && text === "new" ? this.textOf(receiver) : undefined })
    return value
  }

  /** Reports a call of a method of a value, and returns its result. */
  private methodOf(object: Binding, receiver: CompactNode, name: CompactNode, text: string): Binding {
    if (!isMethodName.test(text)) return null
    if (receiver.type === "self" && text === "class")
      return this.place.holder !== undefined && this.place.side === ":" ? this.place.holder.type : null
    const isPartOfUnknown = receiver.type === "self" && object === null
    if (isPartOfUnknown) return this.place.side === "|" ? this.ownCall(name, text) : null
    if (object === null) return null
    const called = extend(object, `.${text}${this.sideOf(object, receiver)}`)
    if (called === null) return null
    this.facts.use(called.scope, called.root, called.path, name.start)
    return extend(called, "()")
  }

  /** Constants hold classes; `self` is as the place says; all other known values are instances. */
  private sideOf(object: Expression, { type }: CompactNode): Side {
    if (type === "constant" || type === "scope_resolution") return ";"
    if (type === "self" && this.place.side !== undefined) return this.place.side
    return isTypeValue.test(object.path) && object.root.startsWith('"') ? ";" : ":"
  }

  private superCall(
    name: CompactNode,
    list: CompactNode | undefined,
    block: CompactNode | undefined,
    scope: Scope,
  ): Binding {
    const { holder, method, side } = this.place
    if (
      holder !== undefined &&
      side !== undefined &&
      side !== "|" &&
      method !== undefined &&
      isMethodName.test(method)
    ) {
      const value = extend(holder.type, `^.${method}${side}`)
      if (value !== null) this.facts.use(value.scope, value.root, value.path, name.start)
    }
    this.visit(list, scope)
    this.block(block, scope, { method: "super" })
    return null
  }

  /** Reads a block: it has variables of its own, and may have another `self`. */
  private block(
    node: CompactNode | undefined,
    scope: Scope,
    { made, method }: { readonly method: string; readonly made?: string | undefined },
  ): void {
    if (node === undefined) return
    if (node.type !== "block" && node.type !== "do_block") {
      this.visit(node, scope)
      return
    }
    const { functions, holder, isBody, side } = this.place
    const isOther = changesSelf.test(method) || (made !== undefined && !keptByBlocks.has(made))
    const inner = makeScope(scope, 0)
    this.parameters(child(node, "parameters"), inner)
    const change: Partial<Place> = {
      functions: makeScope(functions, 0),
      isBody: false,
      ...(isOther
        ? { side: undefined, holder: undefined }
        : isBody && side === ";" && holder !== undefined
          ? { side: "|" as const }
          : {}),
    }
    this.inPlace(change, () => this.visit(child(node, "body"), inner))
  }

  // Declarations by calls in the body of a class

  private isDeclaration(text: string, list: CompactNode | undefined, scope: Scope): boolean {
    const { holder, isBody, isSingleton } = this.place
    if (holder === undefined || !isBody) return false
    const all = list?.children ?? []
    const side: Side = isSingleton ? ";" : ":"
    switch (text) {
      case "include":
      case "prepend":
        for (const each of all) {
          const value = this.visit(each, scope)
          if (!/^(?:constant|scope_resolution)$/.test(each.type)) continue
          if (isSingleton) this.extendBy(holder, value)
          else holder.included.push(value)
        }
        return true
      case "extend":
        for (const each of all) {
          const value = each.type === "self" ? holder.type : this.visit(each, scope)
          if (/^(?:constant|scope_resolution|self)$/.test(each.type)) this.extendBy(holder, value)
        }
        return true
      case "module_function":
        for (const each of all) {
          if (each.type === "method") {
            this.place.isDoubled = true
            this.visit(each, scope)
            this.place.isDoubled = false
          } else this.facts.field(holder.ordinal, `${this.symbolText(each)};`, this.symbolOf(each))
        }
        return true
      case "attr_reader":
      case "attr_accessor":
      case "attr_writer":
      case "attr":
        for (const each of all) this.attribute(text, each, side)
        return true
      case "alias_method": {
        const [name, old] = all
        if (name !== undefined && old !== undefined) this.aliasOf(this.symbolText(name), this.symbolText(old), side)
        return true
      }
      case "define_method":
      case "delegate":
      case "def_delegators":
      case "def_delegator":
      case "def_instance_delegators":
        // Methods that no symbol defines hide those of the ancestors.
        for (const each of all) {
          if (each.type === "simple_symbol") this.declareMethod(this.symbolText(each), side, absolute("?"))
        }
        return false
    }
    return false
  }

  private extendBy(holder: Holder, value: Binding): void {
    if (value !== null) this.facts.field(holder.ordinal, `extend${holder.extended++}`, value)
  }

  private symbolText(node: CompactNode): string {
    return this.textOf(node)
      .replace(/^:/, "")
      .replace(/^"(.*)"$/, "$1")
  }

  private symbolOf(name: CompactNode): Binding {
    const { holder } = this.place
    return holder === undefined ? null : extend(holder.type, `@.${this.symbolText(name)}:`)
  }

  private attribute(kind: string, node: CompactNode, side: Side): void {
    const { holder } = this.place
    if (node.type !== "simple_symbol" || holder === undefined) return
    const name = this.symbolText(node)
    const ordinal = this.facts.symbolNamed(name, node.start, this.file)
    const value = absolute(ordinal < 0 ? "?" : `#${ordinal}`)
    if (kind !== "attr_writer") this.declareMethod(name, side, value)
    if (kind === "attr_writer" || kind === "attr_accessor") this.declareMethod(`${name}=`, side, value)
    if (kind === "attr_reader" || kind === "attr")
      this.facts.value(ordinal, { scope: holder.variables, root: `@${name}${side}`, path: "" })
  }

  private aliasOf(name: string, old: string, side: Side): void {
    const { holder } = this.place
    if (holder === undefined) return
    const value = side === ":" ? extend(holder.type, `@.${old}:`) : extend(holder.type, `.${old};`)
    if (value !== null && isMethodName.test(old)) this.declareMethod(name, side, value)
  }

  // Variables

  private instanceVariable(node: CompactNode): Binding {
    const { holder, side } = this.place
    const own = side ?? (this.place.isBody && holder !== undefined ? ";" : undefined)
    if (holder === undefined || own === undefined || own === "|") return null
    return { scope: holder.variables, root: `${this.textOf(node)}${own}`, path: "" }
  }

  /** Reads the target of an assignment. */
  private assign(target: CompactNode, value: Binding | "nil", scope: Scope): void {
    switch (target.type) {
      case "identifier":
        this.locals.assign(scope, this.textOf(target), value)
        return
      case "instance_variable": {
        const variable = this.instanceVariable(target)
        const { holder } = this.place
        if (variable !== null && holder !== undefined) this.members.assign(holder.variables, variable.root, value)
        // A block that may run with any `self` may assign a variable of any.
        else if (holder !== undefined)
          for (const each of [":", ";"]) this.members.assign(holder.variables, `${this.textOf(target)}${each}`, null)
        return
      }
      case "left_assignment_list":
      case "destructured_left_assignment":
      case "rest_assignment":
        for (const each of target.children) this.assign(each, null, scope)
        return
      case "call": {
        const receiver = child(target, "receiver")
        const name = child(target, "method")
        const object = this.visit(receiver, scope)
        if (receiver !== undefined && name !== undefined) this.methodOf(object, receiver, name, `${this.textOf(name)}=`)
        return
      }
    }
    if (target.type === "constant") return
    this.visitAll(target, scope)
  }

  private readonly assignment: Handler = (node, scope) => {
    const left = child(node, "left")
    const right = child(node, "right")
    if (left === undefined || right === undefined) return this.visitAll(node, scope)
    if (left.type === "constant" || left.type === "scope_resolution") return this.constantAssigned(left, right, scope)
    const isOr = node.type === "operator_assignment" && /^\s*\|\|=/.test(this.text.slice(left.end, right.start))
    const isPlain = node.type === "assignment" || isOr
    // The name is a variable already in its own value: `foo = foo`.
    if (left.type === "identifier") this.locals.declare(scope, this.textOf(left), "nil")
    if (isOr && left.type === "call") this.visit(left, scope)
    const value = this.visit(right, scope)
    this.assign(left, isPlain ? (right.type === "nil" ? "nil" : value) : null, scope)
    if (!isPlain) return null
    return left.type === "instance_variable" ? this.instanceVariable(left) : value
  }

  private constantAssigned(left: CompactNode, right: CompactNode, scope: Scope): Binding {
    const maker = /^(?:Struct|Class|Module|Data)\.(?:new|define)\b/.exec(this.text.slice(right.start, right.start + 20))
    const block = child(right, "block")
    if (maker !== null && right.type === "call") {
      const list = child(right, "arguments")
      const qualified = this.declared(left, scope)
      const holder = block === undefined ? undefined : this.holderAt(qualified, left)
      for (const each of list?.children ?? []) {
        const value = this.visit(each, scope)
        if (/^(?:constant|scope_resolution)$/.test(each.type)) holder?.superclasses.push(value)
      }
      // Its block is no module around the constants in it.
      this.inPlace({ around: qualified, holder, side: ";", isBody: true, method: undefined }, () => {
        if (block !== undefined) this.visit(child(block, "body"), makeScope(scope, 0))
      })
      return null
    }
    const value = this.visit(right, scope)
    const ordinal = this.facts.symbolNamed(this.textOf(left), left.start, this.file)
    const isName = right.type === "constant" || right.type === "scope_resolution"
    if (left.type === "constant" && isName) this.facts.value(ordinal, value)
    return null
  }

  private readonly pattern: Handler = (node, scope) => {
    if (node.type === "identifier") this.locals.declare(scope, this.textOf(node))
    else if (node.type === "keyword_pattern" && child(node, "value") === undefined) {
      const key = child(node, "key")
      if (key !== undefined) this.locals.declare(scope, this.textOf(key))
    } else if (node.type === "constant" || node.type === "scope_resolution") this.constant(node, scope)
    else for (const each of node.children) this.pattern(each, scope)
    return null
  }

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    module: this.holderNode,
    class: this.holderNode,
    singleton_class: this.singletonClass,
    method: this.method,
    singleton_method: this.method,
    constant: (node, scope) => this.constant(node, scope),
    scope_resolution: (node, scope) => this.constant(node, scope),
    call: this.call,
    super: (node, scope) => this.superCall(node, undefined, undefined, scope),
    self: () => this.self,
    identifier: (node, scope) => {
      const name = this.textOf(node)
      if (name === "module_function" && this.place.isBody) this.place.isDoubled = true
      return this.locals.isDeclared(scope, name) ? { scope, root: name, path: "" } : this.ownCall(node, name)
    },
    instance_variable: (node) => this.instanceVariable(node),
    assignment: this.assignment,
    operator_assignment: this.assignment,
    alias: (node) => {
      const [name, old] = [child(node, "name"), child(node, "alias")]
      if (name !== undefined && old !== undefined && this.place.isBody)
        this.aliasOf(this.symbolText(name), this.symbolText(old), this.place.isSingleton ? ";" : ":")
      return null
    },
    undef: () => null,
    exception_variable: (node, scope) => {
      for (const each of node.children) this.assign(each, null, scope)
      return null
    },
    for: (node, scope) => {
      const variable = child(node, "pattern")
      if (variable !== undefined) this.assign(variable, null, scope)
      for (const each of node.children) if (each !== variable) this.visit(each, scope)
      return null
    },
    in_clause: (node, scope) => {
      const pattern = child(node, "pattern")
      if (pattern !== undefined) this.pattern(pattern, scope)
      for (const each of node.children) if (each !== pattern) this.visit(each, scope)
      return null
    },
    lambda: (node, scope) => {
      const inner = makeScope(scope, 0)
      this.parameters(child(node, "parameters"), inner)
      const { holder, isBody, side } = this.place
      const change = { isBody: false, ...(isBody && side === ";" && holder !== undefined && { side: "|" as const }) }
      const body = child(node, "body")
      this.inPlace(change, () => this.visit(body === undefined ? undefined : (child(body, "body") ?? body), inner))
      return null
    },
    return: (node, scope) => {
      const [only, ...others] = node.children[0]?.children ?? []
      const value = others.length === 0 ? this.visit(only, scope) : this.visitAll(node, scope)
      // `return` alone ends a method without a value.
      if (only !== undefined && only.type !== "nil") this.returned.push(value)
      return null
    },
    pair: (node, scope) => {
      const key = child(node, "key")
      const value = child(node, "value")
      // `{ foo: }` means `{ foo: foo }`.
      if (key?.type === "hash_key_symbol" && value === undefined) {
        const name = this.textOf(key)
        if (!this.locals.isDeclared(scope, name)) this.ownCall(key, name)
      } else if (key !== undefined && key.type !== "hash_key_symbol") this.visit(key, scope)
      this.visit(value, scope)
      return null
    },
    body_statement: (node, scope) => this.lastValue(node, scope),
    block_body: (node, scope) => this.lastValue(node, scope),
    parenthesized_statements: (node, scope) => {
      const [only, ...others] = node.children
      return others.length === 0 && only !== undefined ? this.visit(only, scope) : this.visitAll(node, scope)
    },
  }
}

/** The most characters of the names of the modules around a place. */
const MAX_PATH = 400

/** Matches the path of a constant alone. */
const isTypeValue = /^(?:\.[A-Z]\w*)+$/

/** Matches methods that run their block with another `self`. */
const changesSelf = /^(?:(?:instance|class|module)_(?:eval|exec)|define_singleton_method|describe|context|feature)$/
