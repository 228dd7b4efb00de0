/**
 * Variables of Ruby, local ones and those of instances. The type of a variable is known if all that the file assigns to
 * it, `nil` left out, is the same.
 */
import type { Binding, Scope } from "../../Symbols/internal/references/Facts.ts"

export class Variables {
  /** The variables that are declared and that nothing but `nil` is assigned to so far. */
  private readonly empty = new WeakMap<Scope, Set<string>>()

  isDeclared(scope: Scope, name: string): boolean {
    return this.scopeOf(scope, name) !== undefined
  }

  /** Declares a variable that has no known value, or none at all so far. A block sees the variables around it. */
  declare(scope: Scope, name: string, value: "nil" | null = null): void {
    if (value === null) scope.names.set(name, null)
    else if (this.scopeOf(scope, name) === undefined) this.assign(scope, name, "nil")
  }

  assign(scope: Scope, name: string, value: Binding | "nil"): void {
    const at = this.scopeOf(scope, name) ?? scope
    const isNew = !at.names.has(name)
    const empty = this.empty.get(at) ?? new Set()
    if (value === "nil") {
      if (!isNew) return
      at.names.set(name, null)
      this.empty.set(at, empty.add(name))
    } else if (isNew || empty.has(name)) {
      empty.delete(name)
      at.names.set(name, value)
    } else if (!same(at.names.get(name) ?? null, value)) at.names.set(name, null)
  }

  private scopeOf(scope: Scope, name: string): Scope | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return at
    return undefined
  }
}

/** Returns whether two values are the same. */
export const same = (one: Binding, other: Binding): boolean =>
  one === other ||
  (one !== null && other !== null && one.scope === other.scope && one.root === other.root && one.path === other.path)
