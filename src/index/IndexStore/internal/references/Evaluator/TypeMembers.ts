/**
 * The members of types: their own, those that other parts of a type declare in other files, and those of their bases.
 * `Mixins` and `LabelledMembers` have those of Ruby and Swift, which have rules of their own.
 */
import type { Surface } from "../Surfaces.ts"
import { isSame, type Lookup, MAX_READ, type Value, type Values } from "./Value.ts"

/** The most base types above a type. */
export const MAX_BASES = 50

export interface TypeMembers {
  /**
   * Returns a member of a type or of its bases; with `skipsOwn`, of its bases only, and with `skipsPeers` without the
   * bases that other parts of the type name. `seen` are the types that were searched before.
   */
  readonly typeMember: (
    file: number,
    ordinal: number,
    name: string,
    seen: Array<string>,
    options: { readonly skipsOwn: boolean; readonly skipsPeers?: boolean },
  ) => Value | undefined
  /** Returns whether a value is an instance of a type, or of one that inherits from it. */
  readonly isOf: (value: Value, type: Value) => boolean
}

export const make = (
  { declaring, evaluate, noteRead, numberOf, rules, surfaceOf }: Lookup,
  { contentOf }: Pick<Values, "contentOf">,
): TypeMembers => {
  const typeMember: TypeMembers["typeMember"] = (file, ordinal, name, seen, { skipsOwn, skipsPeers = false }) => {
    const key = `${file} ${ordinal}`
    const surface = surfaceOf(file)
    const symbol = surface?.symbols[ordinal]
    if (surface === undefined || symbol === undefined || seen.includes(key) || seen.length > MAX_BASES) return undefined
    seen.push(key)
    const counted = withoutCount(name)
    const bare = counted.replace(VALUE, "")
    const bases = surface.facts.bases.get(ordinal) ?? []
    // A type with bases tells how many parameters its methods have, so another number may be that of an inherited one.
    let other: number | undefined
    if (!skipsOwn) {
      const overload = bare === name ? undefined : surface.fields.get(`${ordinal} ${name}`)
      if (overload !== undefined) return evaluate(file, overload)
      const type = bare === counted ? surface.fields.get(`${ordinal} ${bare}${TYPE}`) : undefined
      if (type !== undefined) return evaluate(file, type)
      const own = ownMemberOf(surface, ordinal, `${symbol.qualified}.${bare}`, hasCompanions(surface))
      if (own !== undefined && counted !== name && bases.length > 0) other = own
      else if (own !== undefined) return { tag: "symbol", file, ordinal: own }
      const field = surface.fields.get(`${ordinal} ${bare}`)
      if (field !== undefined) return evaluate(file, field)
      const peers = rules(surface.path)?.peersOf?.(surface.path, symbol.qualified) ?? []
      const elsewhere = inPeers(peers, `${symbol.qualified}.${bare}`)
      if (elsewhere !== undefined) return elsewhere
    }
    let inherited: Value | undefined
    for (const expression of bases) {
      const base = contentOf(evaluate(file, expression))
      if (base?.tag !== "symbol") continue
      const found = typeMember(base.file, base.ordinal, name, seen, { skipsOwn: false })
      if (found === undefined) continue
      if (!hasCompanions(surface)) return found
      // A base in Scala may override what another one inherits, in whatever order they stand.
      if (inherited === undefined || overrides(found, inherited)) inherited = found
    }
    if (inherited !== undefined) return inherited
    if (other !== undefined) return { tag: "symbol", file, ordinal: other }
    return skipsPeers ? undefined : inPeerBases(surface, symbol.qualified, name, seen)
  }

  /** A member that another file declares. Of many files, only those are read that have a symbol of its name. */
  const inPeers = (peers: ReadonlyArray<string>, qualified: string): Value | undefined => {
    const declarations = peers.length > MAX_READ ? declaring(qualified) : undefined
    for (const peer of peers) {
      const file = numberOf(peer)
      if (file === undefined) continue
      noteRead(file)
      if (declarations?.has(file) === false) continue
      const ordinal = surfaceOf(file)?.named.get(qualified)?.[0]
      if (ordinal !== undefined) return { tag: "symbol", file, ordinal }
    }
    return undefined
  }

  /** Returns whether the type that declares a member is derived from that of another one. */
  const overrides = (member: Value, other: Value): boolean => {
    const [one, base] = [ownerOf(member), ownerOf(other)]
    return one !== undefined && base !== undefined && !isSame(one, base) && isOf(one, base)
  }

  /** Returns an instance of the type that declares a member. */
  const ownerOf = (member: Value): Value | undefined => {
    const surface = member.tag === "symbol" ? surfaceOf(member.file) : undefined
    if (surface === undefined || member.tag !== "symbol") return undefined
    const qualified = surface.symbols[member.ordinal]?.qualified ?? ""
    const types = surface.named.get(qualified.slice(0, Math.max(0, qualified.lastIndexOf("."))))
    const ordinal = types?.findLast((each) => each < member.ordinal)
    return ordinal === undefined ? undefined : { tag: "instance", file: member.file, ordinal }
  }

  const hasCompanions = ({ path }: Surface) => rules(path)?.hasCompanions === true

  /** A member of the bases that other parts of a type name. */
  const inPeerBases = ({ path }: Surface, qualified: string, name: string, seen: Array<string>): Value | undefined => {
    const language = rules(path)
    // Another type may have the name in other languages.
    for (const peer of language?.member === undefined ? [] : (language.peersOf?.(path, qualified) ?? [])) {
      const number = numberOf(peer)
      const part = number === undefined ? undefined : surfaceOf(number)?.named.get(qualified)?.[0]
      const found =
        number === undefined || part === undefined
          ? undefined
          : typeMember(number, part, name, seen, { skipsOwn: true, skipsPeers: true })
      if (found !== undefined) return found
    }
    return undefined
  }

  const isOf = (value: Value, type: Value, seen: ReadonlyArray<Value> = []): boolean => {
    if (isSame(value, type)) return true
    if (value.tag !== "instance" || type.tag !== "instance" || seen.length > MAX_BASES) return false
    if (seen.some((each) => isSame(each, value))) return false
    const surface = surfaceOf(value.file)
    return (surface?.facts.bases.get(value.ordinal) ?? []).some((expression) => {
      const base = contentOf(evaluate(value.file, expression))
      return base?.tag === "symbol" && isOf({ ...base, tag: "instance" }, type, [...seen, value])
    })
  }

  return { typeMember, isOf }
}

/**
 * The member of a type in its own file. If several types have its name, such as generic ones, its own come first; the
 * members of a companion are none of its own.
 */
const ownMemberOf = ({ named }: Surface, ordinal: number, member: string, isCompanion: boolean): number | undefined => {
  const all = named.get(member)
  if (all === undefined || (all.length < 2 && !isCompanion)) return all?.[0]
  const types = named.get(member.slice(0, member.lastIndexOf("."))) ?? []
  if (types.length < 2) return all[0]
  const next = Math.min(...types.filter((each) => each > ordinal))
  return all.find((each) => each > ordinal && each < next) ?? (isCompanion ? undefined : all[0])
}

/** Ends the name of an object, and not of the class of that name, where a value stands. */
const VALUE = /:$/

/** Ends the name of the field that tells the type of a name, if an object of that name comes first. */
const TYPE = "@"

/** Returns a name without the number of arguments behind it: `add` of `add/2`. */
export const withoutCount = (name: string): string => {
  const slash = name.indexOf("/")
  return slash === -1 ? name : name.slice(0, slash)
}
