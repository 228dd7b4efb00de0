/**
 * Paths, imports and types of Rust: `crate::a::B`, `use super::{c, d as e}`, `Option<Arc<F>>`. Their meaning depends on
 * the modules around, of which a file can declare several.
 */
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
import { child, type Handler, ofType, TreeReader } from "../../Symbols/internal/references/TreeReader.ts"

/** Types that pass on the members of the type that they hold. */
const transparent: ReadonlySet<string> = new Set(
  "Arc Box Cell Cow Lazy Mutex MutexGuard Option OnceCell Pin Rc Ref RefCell RefMut Result RwLock".split(" "),
)

const collections: ReadonlySet<string> = new Set(
  "BTreeMap BTreeSet HashMap HashSet IntoIter Iter Iterator IntoIterator Vec VecDeque".split(" "),
)

/**
 * The names of the prelude. Such a name hides nothing of the file's own: it is looked up only if the file does not
 * declare it.
 */
export const prelude: ReadonlySet<string> = new Set(
  "Box Default Drop Err From Into Iterator None Ok Option Result Some String ToString Vec std core alloc Self self".split(
    " ",
  ),
)

export abstract class PathReader extends TreeReader {
  /** The modules of the file that are around, outermost first. */
  protected readonly modules: Array<Expression> = []

  protected nameElsewhere(name: string): Binding {
    const own = this.byContainer("").get(name)
    // `mod a;`, unless an import or a function has its name.
    if (own !== undefined && this.facts.symbols[own]?.kind === "module") return absolute(`#${own}`)
    return this.wildcards.some(({ scope }) => scope === this.file) ? this.imported("", name) : this.crateNamed(name)
  }

  /** Returns a name that a module of the file imports together with all others, or else a crate of that name. */
  protected imported(module: string, name: string): Binding {
    if (isStandard(name)) return null
    const inModule = absolute('""', `${module === "" ? "" : `.${module}`}.${name}`)
    return this.roots.has(name) ? this.firstOf(`${module}/${name}`, [inModule, this.crateNamed(name)]) : inModule
  }

  /** The names that begin a path. Only they can be crates. */
  private readonly roots = new Set<string>()

  protected crateNamed(name: string): Binding {
    return prelude.has(name) || !/^[a-z]\w*$/.test(name) ? null : ofModule(name)
  }

  /** The file's module itself. */
  protected readonly here = absolute('""')

  private containers: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined

  /** Returns the first ordinals of the names in a module of the file; those of the file for an empty path. */
  protected byContainer(path: string): ReadonlyMap<string, number> {
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

  protected superModule(): Binding {
    const { length } = this.modules
    return length === 0 ? ofModule("super") : length === 1 ? this.here : (this.modules[length - 2] ?? null)
  }

  /** Reads a path of names: `crate::a::B`. */
  protected readonly path: Handler = (node, scope) => {
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
        if (outer.type === "identifier") this.roots.add(this.textOf(outer))
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

  protected readonly use: Handler = (node, scope) => {
    const isPublic = ofType(node, "visibility_modifier") !== undefined
    this.useTree(child(node, "argument"), undefined, scope, isPublic)
    return null
  }

  private useTree(node: CompactNode | undefined, base: Binding | undefined, scope: Scope, isPublic: boolean): void {
    if (node === undefined) return
    const declare = (name: string, value: Binding): void => {
      bind(scope, name, value)
      // A function may have the name of a module: paths through the module are many, and those of the function end
      // there.
      const module = this.moduleOf(scope)
      const own = module === undefined ? undefined : this.byContainer(module).get(name)
      const isModule = own !== undefined && this.facts.symbols[own]?.kind === "module"
      if (module !== undefined && !isModule) this.facts.export(exportedName(module, name, isPublic), value)
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
          const module = this.moduleOf(scope)
          if (module !== undefined) this.facts.export(exportedName(module, "*", isPublic), value)
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

  /** The scopes of the modules around, outermost first, with the names that lead to them. */
  protected readonly scopes: Array<{ readonly scope: Scope; readonly path: string }> = []

  /** Returns the path of the module to which a scope belongs; empty for the file, and undefined for a function. */
  private moduleOf(scope: Scope): string | undefined {
    return scope === this.file ? "" : this.scopes.find((each) => each.scope === scope)?.path
  }

  protected readonly wildcards: Array<{ readonly scope: Scope; readonly value: Expression }> = []

  protected readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
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

  protected generics(node: CompactNode, scope: Scope): void {
    for (const parameter of child(node, "type_parameters")?.children ?? []) {
      const name = child(parameter, "name")
      const [bound] = (child(parameter, "bounds")?.children ?? []).map((each) => this.type(each, scope))
      // Members of a type parameter are those of its bound.
      if (name !== undefined) bind(scope, this.textOf(name), bound ? withoutInstance(bound) : null)
    }
    const where = ofType(node, "where_clause")
    if (where !== undefined) this.visitAll(where, scope)
  }
}

/** A minus stands before the names that only the module and the modules in it see. */
const exportedName = (module: string, name: string, isPublic: boolean): string =>
  `${isPublic ? "" : "-"}${module === "" ? "" : `${module}.`}${name}`

/** Macros of the standard library. */
const macros: ReadonlySet<string> = new Set(
  `assert assert_eq assert_ne cfg column concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format
   format_args include_bytes include_str line matches module_path option_env panic print println stringify thread_local todo
   unimplemented unreachable vec write writeln`.split(/\s+/),
)

/** Returns whether a name is one of the standard library. Projects often declare a `Result` of their own. */
const isStandard = (name: string): boolean => (prelude.has(name) && name !== "Result") || macros.has(name)

/** Returns the type of an instance; other expressions stay as they are. */
export const withoutInstance = (value: Expression): Expression => ({ ...value, path: value.path.replace(/@$/, "") })
