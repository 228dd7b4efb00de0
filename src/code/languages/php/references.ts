/**
 * Reads references of PHP off its syntax tree. A module specifier is a namespace with slashes. Brackets after it stand
 * for its functions, and a question mark for its functions or else those without a namespace.
 */

import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  makeScope,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { child, type Handler, ofType, TreeReader } from "../../Symbols/internal/references/TreeReader.ts"
import type { CodeSymbol } from "../../Symbols.ts"

export const readTree = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>): string =>
  new Reader(text, symbols).read(root)

/** The names of types that are not classes. */
const predeclared: ReadonlySet<string> = new Set(
  "array bool callable false float int iterable mixed never null object resource string true void".split(" "),
)

/** The namespace without a name. */
const UNNAMED = "/"

/** Functions of the language that most files call. */
const builtIn: ReadonlySet<string> = new Set(
  `abs array_column array_combine array_diff array_filter array_flip array_intersect array_key_exists array_keys array_map
   array_merge array_pop array_push array_reduce array_reverse array_search array_shift array_slice array_splice array_sum
   array_unique array_unshift array_values array_walk assert basename call_user_func call_user_func_array ceil class_exists compact
   count date define defined dirname empty error_log explode extract fclose file_exists file_get_contents file_put_contents floor
   fopen fread func_get_args function_exists fwrite get_class gettype implode in_array ini_set interface_exists intval is_a
   is_array is_bool is_callable is_dir is_file is_int is_null is_numeric is_object is_resource is_string is_subclass_of isset
   iterator_to_array join json_decode json_encode key ksort ltrim max mb_strlen mb_strpos mb_strtolower mb_substr md5
   method_exists microtime min mkdir number_format ord parse_str parse_url preg_match preg_match_all preg_quote preg_replace
   preg_replace_callback preg_split print_r printf property_exists rand random_int range realpath reset round rtrim serialize
   setlocale sha1 sort spl_object_hash sprintf str_contains str_ends_with str_pad str_repeat str_replace str_split str_starts_with
   strcmp stripos strlen strpos strrpos strstr strtolower strtotime strtoupper strtr strval substr substr_count sys_get_temp_dir
   time trigger_error trim ucfirst ucwords uniqid unlink unserialize urlencode usleep usort var_dump var_export version_compare
   vsprintf`.split(/\s+/),
)

const types: ReadonlySet<string> = new Set(["class", "interface", "enum", "type"])

class Reader extends TreeReader {
  private namespace = ""

  protected nameElsewhere(name: string): Binding {
    if (name.startsWith("$") || predeclared.has(name.toLowerCase())) return null
    const own = this.namespace === "" ? UNNAMED : this.namespace
    if (!name.endsWith("(")) return extend(ofModule(own), `.${name}`)
    const word = name.slice(0, -1)
    return builtIn.has(word) ? null : extend(ofModule(own === UNNAMED ? `${own}()` : `${own}?`), `.${word}`)
  }

  protected override isTop(): boolean {
    return false
  }

  /** Returns the type of a qualified name with slashes, or a function of it if brackets follow the namespace. */
  private qualified(name: string, brackets: "" | "()" = ""): Expression {
    const at = name.lastIndexOf("/")
    return { ...ofModule(`${at === -1 ? UNNAMED : name.slice(0, at)}${brackets}`), path: `.${name.slice(at + 1)}` }
  }

  /** Returns the qualified name, with slashes, of what the first part of a name is imported as. */
  private importedName(first: string): string | undefined {
    const { path = "", root = "" } = this.file.names.get(first) ?? {}
    const namespace = /^"([^"]*)"$/.exec(root)?.[1]
    return namespace === undefined ? undefined : `${namespace === UNNAMED ? "" : `${namespace}/`}${path.slice(1)}`
  }

  /** Returns the qualified name, with slashes, of a name in the source that has a backslash. */
  private fullName(text: string): string {
    if (text.startsWith("\\")) return text.slice(1).replaceAll("\\", "/")
    const [first = "", ...rest] = text.split("\\")
    const outer = first === "namespace" ? this.namespace : this.importedName(first)
    return [...(outer === undefined ? [this.namespace, first] : [outer]), ...rest]
      .filter((part) => part !== "")
      .join("/")
  }

  /** Declares the types and functions of the file by their namespace, and reads the file. */
  override read(root: CompactNode): string {
    const namespaces = new Set(this.facts.symbols.flatMap(({ kind, name }) => (kind === "module" ? [name] : [])))
    this.facts.symbols.forEach(({ container = "", kind, name }, ordinal) => {
      if (container !== "" && !namespaces.has(container)) return
      if (kind === "function") bind(this.file, `${name}(`, absolute(`#${ordinal}`))
      if (!types.has(kind)) return
      bind(this.file, name, absolute(`#${ordinal}`))
      this.facts.export(
        `${container === "" ? "" : `${container.replaceAll("\\", "/")}/`}${name}`,
        absolute(`#${ordinal}`),
      )
    })
    return super.read(root)
  }

  private readonly useClause = (node: CompactNode, prefix: string, kind: string): void => {
    const alias = child(node, "alias")
    const name = node.children.find((each) => each !== alias)
    const own = /^(function|const)\b/i.exec(this.textOf(node))?.[1]?.toLowerCase() ?? kind
    if (name === undefined || own === "const") return
    const path = prefix + this.textOf(name).replace(/^\\/, "").replaceAll("\\", "/")
    const word = alias === undefined ? path.slice(path.lastIndexOf("/") + 1) : this.textOf(alias)
    if (own === "function") bind(this.file, `${word}(`, this.qualified(path, "()"))
    else bind(this.file, word, this.qualified(path))
  }

  private readonly use: Handler = (node) => {
    const [, kind = ""] = /^use\s+(function|const)\b/i.exec(this.text.slice(node.start, node.start + 20)) ?? []
    const group = child(node, "body")
    const prefix = group === undefined ? undefined : node.children.find(({ type }) => type === "namespace_name")
    const path = prefix === undefined ? "" : `${this.textOf(prefix).replace(/^\\/, "").replaceAll("\\", "/")}/`
    for (const clause of (group ?? node).children) {
      if (clause.type === "namespace_use_clause") this.useClause(clause, path, kind.toLowerCase())
    }
    return null
  }

  private functionNamed(node: CompactNode): Binding {
    const value = this.qualified(this.fullName(this.textOf(node)), "()")
    this.facts.use(value.scope, value.root, value.path, (node.children.at(-1) ?? node).start)
    return value
  }

  /** Returns the type that a name means. */
  private typeName(node: CompactNode | undefined, scope: Scope): Binding {
    switch (node?.type) {
      case undefined:
        return null
      case "name":
        return predeclared.has(this.textOf(node).toLowerCase()) ? null : this.name(node, scope)
      case "qualified_name": {
        const last = node.children.at(-1) ?? node
        const value = this.qualified(this.fullName(this.textOf(node)))
        this.facts.use(value.scope, value.root, value.path, last.start)
        return value
      }
      case "relative_scope":
        return { scope, root: this.textOf(node), path: "" }
    }
    this.visit(node, scope)
    return null
  }

  private readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    if (node === undefined) return null
    switch (node.type) {
      case "primitive_type":
        return null
      case "named_type": {
        const name = node.children[0]
        const word = name === undefined ? "" : this.textOf(name)
        if (name !== undefined && /^(?:self|static)$/.test(word)) return { scope, root: word, path: "@" }
        return extend(this.typeName(name, scope), "@")
      }
      case "optional_type":
        return this.type(node.children[0], scope)
      case "union_type":
      case "intersection_type":
      case "type_list": {
        const known = node.children.map((each) => this.type(each, scope)).filter((each) => each !== null)
        return known.length === 1 ? (known[0] ?? null) : null
      }
    }
    return this.visitAll(node, scope)
  }

  private readonly classAt: Handler = (node, scope) => {
    const name = child(node, "name")
    const ordinal = name === undefined ? -1 : this.ordinalOf(name, scope)
    const inner = makeScope(scope, scope.start)
    const own = ordinal < 0 ? null : absolute(`#${ordinal}`)
    bind(inner, "$this", extend(own, "@"))
    bind(inner, "self", own)
    bind(inner, "static", own)
    bind(inner, "parent", extend(own, "^"))
    const addBase = (base: CompactNode): void => this.facts.base(ordinal, this.typeName(base, inner))
    for (const part of node.children) {
      if (part.type === "base_clause" || part.type === "class_interface_clause")
        for (const each of part.children) addBase(each)
    }
    const body = child(node, "body") ?? ofType(node, "declaration_list")
    for (const member of body?.children ?? []) {
      if (member.type === "use_declaration") {
        for (const each of member.children) if (each.type === "name" || each.type === "qualified_name") addBase(each)
        continue
      }
      if (member.type === "property_declaration") {
        const type = this.type(child(member, "type"), inner) ?? this.documentedType(member, inner)
        for (const element of member.children) {
          const variable = child(element, "name")
          if (element.type !== "property_element" || variable === undefined) continue
          const word = variable.children[0]
          if (word !== undefined) this.property(ordinal, word, type, inner)
          for (const other of element.children) if (other !== variable) this.visit(other, inner)
        }
        continue
      }
      if (member.type === "method_declaration") this.constructorOf(member, ordinal, inner)
      this.visit(member, inner)
    }
    return null
  }

  /** Reads `@var Name` above a property. */
  private documentedType(node: CompactNode, scope: Scope): Binding {
    const before = this.text.slice(Math.max(0, node.start - 400), node.start)
    const [, name] =
      /\/\*\*(?:(?!\*\/)[\s\S])*@var\s+\??([A-Z]\w*)(?:\|null)?\s(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before) ?? []
    if (name === undefined) return null
    this.mention(name)
    return { scope, root: name, path: "@" }
  }

  private property(owner: number, name: CompactNode, type: Binding, scope: Scope): void {
    const ordinal = this.ordinalOf(name, scope)
    if (ordinal >= 0) this.facts.value(ordinal, type)
    this.facts.field(owner, this.textOf(name), type)
  }

  /** Reads properties that a constructor declares as parameters, or assigns from a parameter or a new object. */
  private constructorOf(method: CompactNode, owner: number, scope: Scope): void {
    const name = child(method, "name")
    if (name === undefined || this.textOf(name) !== "__construct") return
    const parameters = new Map<string, Binding>()
    for (const parameter of child(method, "parameters")?.children ?? []) {
      const variable = child(parameter, "name")
      const word = variable?.children[0]
      const typeNode = child(parameter, "type")
      const [single] = typeNode?.type === "optional_type" ? typeNode.children : [typeNode]
      const named = single?.type === "named_type" ? single.children[0] : undefined
      const held: Binding = named?.type === "name" ? { scope, root: this.textOf(named), path: "@" } : null
      if (variable === undefined || word === undefined) continue
      parameters.set(this.textOf(variable), held)
      if (parameter.type === "property_promotion_parameter") this.facts.field(owner, this.textOf(word), held)
    }
    for (const statement of child(method, "body")?.children ?? []) {
      const assignment = ofType(statement, "assignment_expression")
      const left = assignment && child(assignment, "left")
      const right = assignment && child(assignment, "right")
      const object = left?.type === "member_access_expression" ? child(left, "object") : undefined
      const field = left === undefined ? undefined : child(left, "name")
      if (right === undefined || object === undefined || field === undefined || this.textOf(object) !== "$this")
        continue
      const made = right.type === "object_creation_expression" ? right.children[0] : undefined
      const value: Binding =
        made?.type === "name"
          ? { scope, root: this.textOf(made), path: "@" }
          : (parameters.get(this.textOf(right)) ?? null)
      this.facts.field(owner, this.textOf(field), value)
    }
  }

  private readonly functionAt: Handler = (node, scope) => {
    const body = child(node, "body")
    const name = child(node, "name")
    // Variables of a function are its own, but `$this` and the names of the class are visible in it.
    const inner = makeScope(scope, body?.start ?? node.end)
    const parameters = child(node, "parameters")
    if (parameters !== undefined) this.visitAll(parameters, inner)
    const result = this.type(child(node, "return_type"), inner)
    if (name !== undefined) this.facts.value(this.ordinalOf(name, scope), result)
    if (body !== undefined) this.visit(body, inner)
    return null
  }

  private readonly parameter: Handler = (node, scope) => {
    const type = this.type(child(node, "type"), scope)
    this.visit(child(node, "default_value"), scope)
    const name = child(node, "name")
    if (name !== undefined)
      bind(scope, this.textOf(name), node.type === "variadic_parameter" ? extend(type, "[") : type)
    return null
  }

  private readonly memberOf: Handler = (node, scope) => {
    const name = child(node, "name")
    const value = this.visit(child(node, "object"), scope)
    const found = name?.type === "name" ? this.member(value, name) : null
    if (name?.type !== "name") this.visit(name, scope)
    const list = child(node, "arguments")
    if (list === undefined) return found
    this.visit(list, scope)
    return extend(found, "()")
  }

  private readonly scoped: Handler = (node, scope) => {
    const object = child(node, "scope") ?? node.children[0]
    const name = child(node, "name") ?? node.children[1]
    const isName = object !== undefined && /^(?:name|qualified_name|relative_scope)$/.test(object.type)
    const value = isName ? this.typeName(object, scope) : this.visit(object, scope)
    const word = name?.type === "variable_name" ? name.children[0] : name
    const found = word?.type === "name" ? this.member(value, word) : null
    const list = child(node, "arguments")
    if (list === undefined) return found
    this.visit(list, scope)
    return extend(found, "()")
  }

  protected readonly handlers: Readonly<Record<string, Handler>> = {
    namespace_definition: (node, scope) => {
      const name = child(node, "name")
      this.namespace = name === undefined ? "" : this.textOf(name).replaceAll("\\", "/")
      return this.visit(child(node, "body"), scope)
    },
    namespace_use_declaration: this.use,
    class_declaration: this.classAt,
    interface_declaration: this.classAt,
    trait_declaration: this.classAt,
    enum_declaration: this.classAt,
    function_definition: this.functionAt,
    method_declaration: this.functionAt,
    anonymous_function: this.functionAt,
    arrow_function: this.functionAt,
    simple_parameter: this.parameter,
    property_promotion_parameter: this.parameter,
    variadic_parameter: this.parameter,
    assignment_expression: (node, scope) => {
      const left = child(node, "left")
      const value = this.visit(child(node, "right"), scope)
      if (left?.type === "variable_name") bind(scope, this.textOf(left), value)
      else this.visit(left, scope)
      return value
    },
    foreach_statement: (node, scope) => {
      const [list, target, ...others] = node.children
      const element = extend(this.visit(list, scope), "]")
      const variable = target?.type === "pair" ? target.children.at(-1) : target
      if (variable?.type === "variable_name") bind(scope, this.textOf(variable), element)
      for (const other of others) this.visit(other, scope)
      return null
    },
    catch_clause: (node, scope) => {
      const type = this.type(child(node, "type"), scope)
      const name = child(node, "name")
      if (name !== undefined) bind(scope, this.textOf(name), type)
      return this.visit(child(node, "body"), scope)
    },
    object_creation_expression: (node, scope) => {
      const [type, ...others] = node.children
      const isName = type !== undefined && /^(?:name|qualified_name|relative_scope)$/.test(type.type)
      const word = type === undefined ? "" : this.textOf(type)
      const value: Binding = !isName
        ? this.visit(type, scope)
        : /^(?:self|static)$/.test(word)
          ? { scope, root: word, path: "" }
          : this.typeName(type, scope)
      for (const other of others) this.visit(other, scope)
      return isName ? extend(value, "@") : null
    },
    function_call_expression: (node, scope) => {
      const called = child(node, "function")
      const value =
        called?.type === "name"
          ? this.nameAs(`${this.textOf(called)}(`, called, scope)
          : called?.type === "qualified_name"
            ? this.functionNamed(called)
            : this.visit(called, scope)
      this.visit(child(node, "arguments"), scope)
      return extend(value, "()")
    },
    member_call_expression: this.memberOf,
    nullsafe_member_call_expression: this.memberOf,
    member_access_expression: this.memberOf,
    nullsafe_member_access_expression: this.memberOf,
    scoped_call_expression: this.scoped,
    scoped_property_access_expression: this.scoped,
    class_constant_access_expression: this.scoped,
    binary_expression: (node, scope) => {
      const right = child(node, "right")
      this.visit(child(node, "left"), scope)
      const isType = right?.type === "name" || right?.type === "qualified_name"
      if (isType) this.typeName(right, scope)
      else this.visit(right, scope)
      return null
    },
    subscript_expression: (node, scope) => {
      const [object, ...others] = node.children
      const value = this.visit(object, scope)
      for (const other of others) this.visit(other, scope)
      return extend(value, "]")
    },
    parenthesized_expression: (node, scope) => this.visit(node.children[0], scope),
    clone_expression: (node, scope) => this.visit(node.children[0], scope),
    variable_name: (node, scope) => ({ scope, root: this.textOf(node), path: "" }),
    named_type: this.type,
    attribute: (node, scope) => {
      this.typeName(node.children[0], scope)
      for (const other of node.children.slice(1)) this.visit(other, scope)
      return null
    },
    const_element: (node, scope) => {
      for (const other of node.children.slice(1)) this.visit(other, scope)
      return null
    },
    argument: (node, scope) => {
      for (const each of node.children) if (each.field !== "name") this.visit(each, scope)
      return null
    },
  }
}
