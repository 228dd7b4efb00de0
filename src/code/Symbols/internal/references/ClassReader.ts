/**
 * The parts that the readers of Java and C# have in common: names of members without a receiver, which a class can
 * inherit, and types that are found by their name and the name of a package or a namespace.
 */
import type { CompactNode } from "./CompactTree.ts"
import { absolute, type Binding, bind, makeScope, type Scope } from "./Facts.ts"
import { TreeReader } from "./TreeReader.ts"

interface Frame {
  readonly ordinal: number
  readonly scope: Scope
  readonly mentioned: Set<string>
}

export abstract class ClassReader extends TreeReader {
  private readonly frames: Array<Frame> = []

  /** Returns the name of a member that a key of a scope stands for; `undefined` for other names. */
  protected abstract inherited(key: string): string | undefined

  /** Returns the members that lead from the file to a type. */
  protected pathOf(ordinal: number): string {
    const { container, name } = this.facts.symbols[ordinal] ?? { container: undefined, name: "" }
    return container === undefined ? `.${name}` : `.${container}.${name}`
  }

  /**
   * Reads the members of a class; `ordinal` is -1 for an anonymous one. A class with bases may inherit the names that
   * neither it nor a class around it declares.
   */
  protected members(
    { hasBases, ordinal }: { readonly ordinal: number; readonly hasBases: boolean },
    scope: Scope,
    declare: (inner: Scope) => void,
    body: () => void,
  ): void {
    if (ordinal >= 0) {
      bind(scope, "this", absolute(`#${ordinal}`, "@"))
      bind(scope, "super", absolute(`#${ordinal}`, "^"))
    } else {
      bind(scope, "this", null)
      bind(scope, "super", null)
    }
    declare(scope)
    const frame = { ordinal, scope, mentioned: new Set<string>() }
    this.frames.push(frame)
    body()
    this.frames.pop()
    const outer = this.frames.at(-1)
    for (const key of frame.mentioned) {
      if (this.isDeclared(key, scope)) continue
      const name = this.inherited(key)
      // The expression has the name of the class, not its ordinal: a name that stands for `#1.name` would pass for a
      // local variable.
      if (hasBases && ordinal >= 0 && name !== undefined)
        bind(scope, key, this.orElsewhere(key, ordinal, absolute('""', `${this.pathOf(ordinal)}.${name}`)))
      else outer?.mentioned.add(key)
    }
  }

  /** Returns the name that a class inherits, or else what the name means outside of the class. */
  protected orElsewhere(_key: string, _ordinal: number, inherited: Binding): Binding {
    return inherited
  }

  private isDeclared(key: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.names.has(key)) return true
    return false
  }

  protected override mention(name: string): void {
    super.mention(name)
    this.frames.at(-1)?.mentioned.add(name)
  }

  /** Declares the type parameters of a node. */
  protected typeParameters(list: CompactNode | undefined, scope: Scope, key: (name: string) => string): void {
    for (const parameter of list?.children ?? []) {
      const name = parameter.children.find(({ type }) => type === "identifier" || type === "type_identifier")
      if (name !== undefined) bind(scope, key(this.textOf(name)), null)
      for (const other of parameter.children) if (other !== name) this.visit(other, scope)
    }
  }

  protected inner(scope: Scope, start = scope.start): Scope {
    return makeScope(scope, start)
  }
}
