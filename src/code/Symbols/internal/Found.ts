/** Symbols on their way into an outline: what is known of them only when the whole file has been seen. */
import type { CodeSymbol, Kind } from "../../Symbols.ts"
import type { Aside } from "./Comment.ts"
import type { Extent } from "./Extent.ts"
import type { Scope } from "./Rules.ts"
import * as Signature from "./Signature.ts"

/** Overloads may extend it, and what it stands in may hide it. */
export interface Found extends Extent {
  readonly name: string
  readonly kind: Kind
  readonly container: string | undefined
  /** `container.name`, put together once: it is asked for often, and long where somebody nests without end. */
  readonly qualifiedName: string
  end: number
  endLine: number
  /** Offset at which the signature ends. */
  readonly header: number
  readonly isValue: boolean
  doc: string | undefined
  exported: boolean
  readonly scope: Scope & { readonly symbol: Found | undefined }
  isOverload: boolean
  readonly isForward: boolean
}

/** `container.name`; one of them where the other is absent. */
export const qualified = <Name extends string | undefined>(container: string | undefined, name: Name): string | Name =>
  container === undefined ? name : name === undefined ? container : `${container}.${name}`

/** Kinds of what is bound to a value: of a name bound twice the first counts. */
export const isBinding = (kind: Kind | "scope"): boolean =>
  kind === "constant" || kind === "variable" || kind === "field"

/** The symbols of a whole file. `plain` makes text of a doc comment. */
export const finish = (
  found: ReadonlyArray<Found>,
  text: string,
  asides: ReadonlyArray<Aside>,
  plain: (doc: string) => string = (doc) => doc,
): ReadonlyArray<CodeSymbol> => {
  settle(found)
  return distinct(found).map(
    ({ container, doc, end, endLine, exported, header, isValue, kind, lead, name, start, startLine }) => ({
      name,
      kind,
      container,
      startLine,
      endLine,
      start,
      end,
      signature: Signature.make(text, asides, { lead, start, end: header, isValue }),
      doc: doc === undefined ? undefined : plain(doc),
      exported,
    }),
  )
}

/** A symbol is exported if it is itself and all that it stands in is. */
const settle = (found: ReadonlyArray<Found>): void => {
  const exported = new Map<string | undefined, boolean>()
  for (const symbol of found) {
    const { only, said, symbol: outer } = symbol.scope
    symbol.exported = (only?.has(symbol.name) ?? said.get(symbol.name) ?? symbol.exported) && (outer?.exported ?? true)
    const name = symbol.qualifiedName
    exported.set(name, symbol.exported || (exported.get(name) ?? false))
  }
  // Methods that stand apart from their type follow it as well, wherever it is defined.
  for (const symbol of found) {
    symbol.exported &&= exported.get(symbol.container) ?? true
  }
}

/** Without the later of two bindings of one name, and without announcements of what is defined here. */
const distinct = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const defined = new Set(found.filter(({ isForward }) => !isForward).map(({ qualifiedName }) => qualifiedName))
  const bound = new Set<string>()
  return found.filter(({ isForward, kind, qualifiedName }) => {
    if (isForward) return !defined.has(qualifiedName)
    if (!isBinding(kind)) return true
    const isFirst = !bound.has(qualifiedName)
    bound.add(qualifiedName)
    return isFirst
  })
}
