/**
 * The extension methods of C#: a method that any class may declare for values of another type, called as if it were a
 * member of them. It is meant only if the value has no such member, and if the file around the call can see it.
 */
import type { Extensions } from "../../../../../code/ModuleRules.ts"
import type { Members } from "./Members.ts"
import type { Lookup, SymbolValue, Value, Values } from "./Value.ts"

/** The expression of a value of which nothing is known. */
export const UNKNOWN = '"~"'

export interface ExtensionMethods {
  /**
   * Returns the only extension method of a name that a value can have, as a file calls it. `owner` is the expression of
   * the value, and `written` the number of arguments, with `!` behind it if the platform has a member of that name.
   */
  readonly extensionOf: (
    file: number,
    receiver: Value | undefined,
    owner: string,
    name: string,
    written: string,
  ) => SymbolValue | undefined
}

export const make = (
  { evaluate, numberOf, rules, surfaceOf }: Lookup,
  { contentOf }: Pick<Values, "contentOf">,
  { isOf }: Pick<Members, "isOf">,
  isCalledWith: (file: number, ordinal: number, count: number) => boolean,
): ExtensionMethods => {
  const extensionOf: ExtensionMethods["extensionOf"] = (file, receiver, owner, name, written) => {
    const content = contentOf(receiver)
    // A field of a library's type stands for itself.
    const known = content?.tag === "symbol" || content?.tag === "module" ? undefined : content
    const isPlatform = written.endsWith("!")
    // A path of names alone that means nothing here is a type of a library.
    const isUnknown = known === undefined && !isPlatform && (content !== undefined || /[@()[\]#]|^"~"/.test(owner))
    if (known === undefined && !isUnknown) return undefined
    const visible = extensionsNamed(file, name)
    // A library may have declared the type whose member this is, or the project, if nothing is known of the value.
    if (visible === undefined || (isUnknown && visible.isMember)) return undefined
    const count = Number.parseInt(written, 10)
    const fitting = visible.methods.flatMap(({ ordinal, path }): ReadonlyArray<SymbolValue> => {
      const number = numberOf(path)
      if (number === undefined || !isCalledWith(number, ordinal, count + 1)) return []
      const extended = surfaceOf(number)?.fields.get(`${ordinal} this`)
      const type = extended === undefined ? undefined : evaluate(number, extended)
      // A value of a library's type, `owner` ends with `@` then, is no instance of a type of the project.
      const isFitting =
        known === undefined
          ? type === undefined || !owner.endsWith("@")
          : type === undefined
            ? !isPlatform
            : isOf(known, type)
      return isFitting ? [{ tag: "symbol", file: number, ordinal }] : []
    })
    return fitting.length === 1 ? fitting[0] : undefined
  }

  const extensionsNamed = (file: number, name: string): Extensions | undefined => {
    const surface = surfaceOf(file)
    const namespaces = surface?.exports.get("using") ?? []
    return (
      surface &&
      rules(surface.path)?.extensions?.(
        surface.path,
        name,
        namespaces.map((specifier) => specifier.slice(1, -1)),
      )
    )
  }

  return { extensionOf }
}
