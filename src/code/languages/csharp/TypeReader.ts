/** Reads the types that a C# file writes: what they name, and which values they stand for. */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import { type Binding, type Expression, extend, type Scope } from "../../Symbols/internal/references/Facts.ts"
import { child, ofType } from "../../Symbols/internal/references/TreeReader.ts"
import { NameReader, withArity } from "./NameReader.ts"

/** Types that pass on the members of the type that they hold. */
const transparent: ReadonlySet<string> = new Set(["Task", "ValueTask", "Lazy", "Nullable"])

const collections: ReadonlySet<string> = new Set(
  `Collection HashSet ICollection IEnumerable IList IReadOnlyCollection IReadOnlyList IAsyncEnumerable ImmutableArray
   ImmutableList List Queue Stack`.split(/\s+/),
)

export abstract class TypeReader extends NameReader {
  /** Returns the type that a node means if the language expects a type there. */
  protected typeName(node: CompactNode | undefined, scope: Scope): Binding {
    switch (node?.type) {
      case undefined:
      case "predefined_type":
      case "implicit_type":
        return null
      case "identifier":
        return this.nameAs(`${this.textOf(node)}:`, node, scope)
      case "generic_name": {
        const name = node.children[0]
        const value = name === undefined ? null : this.nameAs(`${this.genericKey(node)}:`, name, scope)
        for (const each of ofType(node, "type_argument_list")?.children ?? []) this.typeName(each, scope)
        return value
      }
      case "qualified_name":
      case "alias_qualified_name": {
        const name = child(node, "name")
        const word = name?.type === "generic_name" ? name.children[0] : name
        if (word === undefined || name === undefined) return null
        if (name.type === "generic_name") {
          for (const each of ofType(name, "type_argument_list")?.children ?? []) this.typeName(each, scope)
        }
        const qualifier = child(node, "qualifier") ?? node.children[0]
        const outer = (qualifier === undefined || qualifier === name ? "" : this.textOf(qualifier))
          .replace(/\s+|<.*$/gs, "")
          .replace(/^global::?/, "")
          .replaceAll(".", "/")
        const path = `${outer === "" ? "" : `${outer}/`}${name.type === "generic_name" ? this.genericKey(name) : this.textOf(word)}`
        // A type of a namespace, or a nested one.
        const nested = /^\w+$/.test(outer) ? extend(this.typeName(qualifier, scope), `.${this.textOf(word)}`) : null
        const value =
          nested === null
            ? this.qualified(path, `${path}:`)
            : this.firstOf(`${path}/:`, [this.qualified(path, `${path}:`), nested])
        if (value !== null) this.facts.use(value.scope, value.root, value.path, word.start)
        return value
      }
    }
    const type = this.type(node, scope)
    return type && withoutInstance(type)
  }

  /** Returns the name of a generic type with the number of its arguments; those of `typeof(A<,>)` are empty. */
  protected genericKey(node: CompactNode): string {
    const [name, list] = node.children
    if (name === undefined) return ""
    const commas =
      list === undefined
        ? 0
        : (this.textOf(list)
            .match(/^<[\s,]*>$/s)?.[0]
            .match(/,/g)?.length ?? -1)
    return withArity(this.textOf(name), commas === -1 ? (list?.children.length ?? 0) : commas + 1)
  }

  protected readonly type = (node: CompactNode | undefined, scope: Scope): Binding => {
    if (node === undefined) return null
    switch (node.type) {
      case "predefined_type":
      case "implicit_type":
        return null
      case "identifier":
      case "qualified_name":
        return extend(this.typeName(node, scope), "@")
      case "generic_name": {
        const name = node.children[0]
        const word = name === undefined ? "" : this.textOf(name)
        const value = name === undefined ? null : this.nameAs(`${this.genericKey(node)}:`, name, scope)
        const values = (ofType(node, "type_argument_list")?.children ?? []).map((each) => this.type(each, scope))
        if (transparent.has(word)) return values[0] ?? null
        if (collections.has(word)) return extend(values[0], "[")
        return extend(value, "@")
      }
      case "nullable_type":
      case "ref_type":
      case "scoped_type":
        return this.type(child(node, "type") ?? node.children[0], scope)
      case "array_type": {
        for (const each of node.children) if (each.field !== "type") this.visit(each, scope)
        return extend(this.type(child(node, "type"), scope), "[")
      }
    }
    return this.visitAll(node, scope)
  }

  /** Returns the types of the parameters of a delegate, or of those in an array: `A` for `Func<A, B>`. */
  protected delegated(type: CompactNode | undefined): ReadonlyArray<CompactNode> {
    if (type?.type === "nullable_type" || type?.type === "array_type")
      return this.delegated(child(type, "type") ?? type.children[0])
    if (type?.type !== "generic_name" || type.children[0] === undefined) return []
    const all = ofType(type, "type_argument_list")?.children ?? []
    switch (this.textOf(type.children[0])) {
      case "Expression":
        return this.delegated(all[0])
      case "Action":
      case "Predicate":
        return all
      case "Func":
        return all.slice(0, -1)
    }
    return []
  }

  protected nameOf(node: CompactNode | undefined, scope: Scope): CompactNode | undefined {
    if (node?.type !== "generic_name") return node
    for (const each of ofType(node, "type_argument_list")?.children ?? []) this.typeName(each, scope)
    return node.children[0]
  }
}

const withoutInstance = (value: Expression): Expression => ({ ...value, path: value.path.replace(/@$/, "") })
