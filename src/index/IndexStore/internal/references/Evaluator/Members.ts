/** The members of any value: it puts together those of modules, types and objects, and those of Ruby and Swift. */
import * as LabelledMembers from "./LabelledMembers.ts"
import * as Mixins from "./Mixins.ts"
import * as ModuleMembers from "./ModuleMembers.ts"
import * as ObjectMembers from "./ObjectMembers.ts"
import * as TypeMembers from "./TypeMembers.ts"
import { isType, type Lookup, type Value, type Values } from "./Value.ts"

export interface Members
  extends Pick<ModuleMembers.ModuleMembers, "moduleNamed" | "memberModule">,
    Pick<ObjectMembers.ObjectMembers, "argument">,
    TypeMembers.TypeMembers {
  /**
   * Returns a member of a value. The name may have the number of arguments behind it, which only members of types need.
   */
  readonly memberOf: (value: Value | undefined, written: string) => Value | undefined
}

export const make = (lookup: Lookup, values: Values): Members => {
  const { surfaceOf } = lookup
  const { bounded, heldBy, membersIn } = values
  const { exportOf, exportedFrom, memberModule, moduleNamed } = ModuleMembers.make(lookup, values, (value, name) =>
    memberOf(value, name),
  )
  const { isOf, typeMember } = TypeMembers.make(lookup, values)
  const { argument, objectMember } = ObjectMembers.make(lookup, moduleNamed)
  const ofLanguage = { mixed: Mixins.make(lookup, values), labelled: LabelledMembers.make(lookup, values) }

  const memberOf = (value: Value | undefined, written: string): Value | undefined => {
    const name = TypeMembers.withoutCount(written)
    const sort = value !== undefined && "ordinal" in value ? membersIn(value.file) : undefined
    if (value !== undefined && sort !== undefined) return ofLanguage[sort].memberOf(value, written)
    switch (value?.tag) {
      case "module":
        return exportOf(value.files, written) ?? (written === name ? undefined : exportOf(value.files, name))
      case "instance":
        return typeMember(value.file, value.ordinal, written, [], { skipsOwn: false })
      case "bases":
        return typeMember(value.file, value.ordinal, written, [], { skipsOwn: true })
      case "object":
        return (
          objectMember(value.file, value.name, name) ??
          exportedFrom([{ file: value.file, prefix: `${value.name}.`, isInside: false }], name)
        )
      case "symbol": {
        const surface = surfaceOf(value.file)
        const symbol = surface?.symbols[value.ordinal]
        if (surface === undefined || symbol === undefined) return undefined
        if (isType.has(symbol.kind)) return typeMember(value.file, value.ordinal, written, [], { skipsOwn: false })
        const own = surface.named.get(`${symbol.qualified}.${name}`)?.[0]
        if (own !== undefined) return { tag: "symbol", file: value.file, ordinal: own }
        if (symbol.kind === "module" && !surface.facts.values.has(value.ordinal)) {
          const found = exportedFrom([{ file: value.file, prefix: `${symbol.qualified}.`, isInside: true }], name)
          if (found !== undefined) return found
        }
        // A package object of Scala inherits members.
        if (symbol.kind === "module" && surface.facts.bases.has(value.ordinal)) {
          const inherited = typeMember(value.file, value.ordinal, written, [], { skipsOwn: true })
          if (inherited !== undefined) return inherited
        }
        const held = heldBy(value)
        if (held !== undefined) return bounded(() => memberOf(held, written))
        return objectMember(value.file, symbol.qualified, name)
      }
    }
    return undefined
  }

  return { memberOf, moduleNamed, memberModule, argument, typeMember, isOf }
}
