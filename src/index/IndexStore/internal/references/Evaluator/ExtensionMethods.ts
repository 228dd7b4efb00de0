/**
 * The extension methods of C#, Kotlin and Scala: a method for values of another type that is called as if it were a
 * member of them. It is meant only if the value has no such member, and if the file around the call can see it.
 */
import type { Extensions } from "../../../../../code/ModuleRules.ts"
import type { Members } from "./Members.ts"
import type { Lookup, SymbolValue, Value, Values } from "./Value.ts"

/** Returns the number of parameters of an extension that is called with a number of arguments. */
const parameters = ({ hasReceiver }: Extensions, written: string): number =>
  Number.parseInt(written, 10) + (hasReceiver === true ? 0 : 1)

/** Matches `"android.content".Context@`. */
const isWrittenType = /^"[\w.]{2,}"\.[\w.]+@$/

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
    const type = known === undefined ? writtenType(content, owner) : undefined
    if (known === undefined && !isUnknown && type === undefined) return undefined
    const visible = extensionsNamed(file, name)
    if (visible === undefined) return undefined
    const ofSame =
      type === undefined || visible.isSameByName !== true ? undefined : extensionOfSame(visible, type, written)
    // A library may have declared the type whose member this is, or the project, if nothing is known of the value.
    if (ofSame !== undefined || !(known !== undefined || isUnknown) || (isUnknown && visible.isMember)) return ofSame
    const count = parameters(visible, written)
    const fitting = visible.methods.flatMap(({ ordinal, path }): ReadonlyArray<SymbolValue> => {
      const number = numberOf(path)
      if (number === undefined || !isCalledWith(number, ordinal, count)) return []
      const extended = surfaceOf(number)?.fields.get(`${ordinal} this`)
      const type = extended === undefined ? undefined : evaluate(number, extended)
      // A value of a library's type, `owner` ends with `@` then, is no instance of a type of the project.
      const isFitting =
        known === undefined
          ? type === undefined || !owner.endsWith("@")
          : type === undefined
            ? !isPlatform && visible.isTyped !== true
            : isOf(known, type)
      return isFitting ? [{ tag: "symbol", file: number, ordinal }] : []
    })
    return fitting.length === 1 ? fitting[0] : undefined
  }

  /** Returns how the type of a value of a library is written, if it is written with its package. */
  const writtenType = (content: Value | undefined, owner: string): string | undefined => {
    const written = content?.tag === "symbol" ? surfaceOf(content.file)?.facts.values.get(content.ordinal) : owner
    // A constructor makes an instance.
    const type = written?.replace(/:~\d+\(\)$/, "@")
    return type !== undefined && isWrittenType.test(type) ? type : undefined
  }

  /** Returns the only extension that is written for a type of a library. */
  const extensionOfSame = (visible: Extensions, type: string, written: string): SymbolValue | undefined => {
    const count = parameters(visible, written)
    const fitting = visible.methods.flatMap(({ ordinal, path }): ReadonlyArray<SymbolValue> => {
      const number = numberOf(path)
      const isSame = number !== undefined && surfaceOf(number)?.fields.get(`${ordinal} this`) === type
      return isSame && isCalledWith(number, ordinal, count) ? [{ tag: "symbol", file: number, ordinal }] : []
    })
    return fitting.length === 1 ? fitting[0] : undefined
  }

  const extensionsNamed = (file: number, name: string): Extensions | undefined => {
    const surface = surfaceOf(file)
    const namespaces = ["using", "import"].flatMap((sort) => surface?.exports.get(sort) ?? [])
    return (
      surface &&
      rules(surface.path)?.extensions?.(
        surface.path,
        name,
        namespaces.map((specifier) => specifier.replaceAll('"', "")),
      )
    )
  }

  return { extensionOf }
}
