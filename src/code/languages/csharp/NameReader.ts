/**
 * Reads what the names of a C# file mean: its namespaces, what it imports, and the names by which other files know its
 * types.
 */
import * as References from "../../References.ts"
import { ClassReader } from "../../Symbols/internal/references/ClassReader.ts"
import { type Binding, bind, extend, ofModule } from "../../Symbols/internal/references/Facts.ts"
import { child, type Handler } from "../../Symbols/internal/references/TreeReader.ts"

export abstract class NameReader extends ClassReader {
  /** The namespace around what is read, and the last one of the file, with slashes. */
  private around = ""
  private namespace = ""
  /** All namespaces that the file declares. */
  protected readonly own = new Set<string>()
  /** Namespaces that are imported, so that their types have short names; without those of the platform. */
  protected readonly namespaces: Array<string> = []
  /** Types that are imported, so that their static members have short names. */
  private readonly statics: Array<Binding> = []

  protected override isTop(): boolean {
    return false
  }

  protected nameElsewhere(key: string): Binding {
    if (key.endsWith(":")) return this.typeElsewhere(key.slice(0, -1))
    const isType = /^\p{Lu}/u.test(key)
    return this.firstOf(key, [
      ...this.statics.map((type) => extend(type, `.${key}`)),
      ...(isType ? [this.file.names.get(`${key}:`) ?? this.typeElsewhere(key)] : []),
    ])
  }

  private typeElsewhere(name: string): Binding {
    const own = this.own.size === 0 ? [ROOT] : Array.from(this.own, (namespace) => `${namespace}<`)
    // `*` stands for what other files import for the whole project.
    return this.firstOf(
      `${name}:`,
      [...own, ...this.namespaces, "*"].map((namespace) => extend(ofModule(namespace), `.${name}`)),
    )
  }

  /** Returns the specifier of a namespace, which may be relative to those around. */
  private seenFrom(namespace: string): string {
    return this.namespace === "" ? namespace : `${this.namespace}<${namespace}`
  }

  /** Returns the type of a qualified name with slashes, `A/B/C`: one of a namespace, or a nested one. */
  protected qualified(path: string, key: string): Binding {
    const at = path.lastIndexOf("/")
    if (at === -1) return extend(ofModule(ROOT), `.${path}`)
    const [outer, name] = [path.slice(0, at), path.slice(at + 1)]
    const above = outer.lastIndexOf("/")
    const nested = above === -1 ? [] : [extend(ofModule(outer.slice(0, above)), `.${outer.slice(above + 1)}.${name}`)]
    return this.firstOf(key, [extend(ofModule(this.seenFrom(outer)), `.${name}`), ...nested])
  }

  protected inherited(key: string): string | undefined {
    return key.endsWith(":") ? undefined : key
  }

  protected override orElsewhere(key: string, ordinal: number, inherited: Binding): Binding {
    return /^\p{Lu}/u.test(key) ? this.firstOf(`${ordinal}/${key}`, [inherited, this.nameElsewhere(key)]) : inherited
  }

  protected override pathOf(ordinal: number): string {
    const { container = "", name } = this.facts.symbols[ordinal] ?? { name: "" }
    const namespace = this.namespaceOf(container)
    let outermost = ordinal
    for (let at = ordinal; at >= 0; at = this.facts.containerOf(at)) {
      if (this.facts.symbols[at]?.kind !== "module") outermost = at
    }
    const nested = container
      .slice(namespace.length)
      .split(".")
      .filter((part) => part !== "")
    const prefix = namespace === "" ? "" : `${namespace.replaceAll(".", "/")}/`
    return `.${[`${prefix}${this.keyOf(outermost)}`, ...nested.slice(1), ...(nested.length === 0 ? [] : [name])].join(".")}`
  }

  /** Returns the name of a type with the number of its parameters, by which other files mean it. */
  protected keyOf(ordinal: number): string {
    const { name, signature } = this.facts.symbols[ordinal] ?? { name: "", signature: "" }
    return withArity(name, References.arityOf(signature, name))
  }

  private ownNamespaces: ReadonlySet<string> | undefined

  /** Returns the namespace that a container is, or is in. */
  protected namespaceOf(container: string): string {
    this.ownNamespaces ??= new Set(
      this.facts.symbols.flatMap(({ container: outer, kind, name }) =>
        kind === "module" ? [qualify(outer, name)] : [],
      ),
    )
    for (let at = container; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
      if (this.ownNamespaces.has(at)) return at
    }
    return ""
  }

  protected readonly using: Handler = (node) => {
    const alias = child(node, "name")
    const name = node.children.find((each) => each !== alias)
    if (name === undefined) return null
    const text = this.textOf(name)
      .replace(/\s+/g, "")
      .replace(/^global::/, "")
    const generic = text.replace(/<(.*)>$/s, (_, list: string) => `\`${list.split(",").length}`)
    const path = generic.replaceAll(".", "/")
    const before = this.text.slice(node.start, node.start + 30)
    const isOfPlatform = /^System(?:\/|$)/.test(path)
    if (alias !== undefined) {
      const type = this.qualified(path, `${path}:`)
      bind(this.file, `${this.textOf(alias)}:`, type)
      bind(this.file, this.textOf(alias), type)
    } else if (/^(?:global\s+)?using\s+static\b/.test(before)) {
      if (!isOfPlatform) this.statics.push(this.qualified(path, `${path}:`))
    } else if (!isOfPlatform) {
      this.namespaces.push(this.seenFrom(path))
      if (before.startsWith("global")) this.facts.export("global", ofModule(path))
    }
    return null
  }

  protected readonly namespaceAt: Handler = (node, scope) => {
    const name = child(node, "name")
    const outer = this.around
    if (name !== undefined) {
      const path = this.textOf(name).replace(/\s+/g, "").replaceAll(".", "/")
      this.around = outer === "" ? path : `${outer}/${path}`
      // It stays when its block has ended: the names that the file uses are looked up in it.
      this.namespace = this.around
      this.own.add(this.around)
    }
    const body = child(node, "body")
    if (body === undefined) return null
    this.visitAll(body, scope)
    this.around = outer
    return null
  }
}

/** The specifier of the namespace without a name. */
const ROOT = "/"

/** Returns a name with the number of its type parameters, if it has any. */
export const withArity = (name: string, arity: number): string => (arity === 0 ? name : `${name}\`${arity}`)

/** Returns the name of a symbol with that of its container. */
export const qualify = (container: string | undefined, name: string): string =>
  container === undefined ? name : `${container}.${name}`
