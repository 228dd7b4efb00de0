/** Symbols found by the walk, and their properties that only the whole file decides: exports, overloads, duplicates. */
import type { CodeSymbol, Kind } from "../../../Symbols.ts"
import type { Aside } from "./Comment.ts"
import type { Extent } from "./Extent.ts"
import type { Scope } from "./Rules.ts"
import * as Signature from "./Signature.ts"

/** Mutable: overloads extend it, and its container may turn out not to be exported. */
export interface FoundSymbol extends Extent {
  readonly name: string
  readonly kind: Kind
  readonly container: string | undefined
  /** `container.name`, made only once: it is read often, and is long if source nests deeply. */
  readonly qualifiedName: string
  end: number
  endLine: number
  /** Offset at which the signature ends. */
  readonly header: number
  readonly isValue: boolean
  doc: string | undefined
  exported: boolean
  readonly scope: Scope & { readonly symbol: FoundSymbol | undefined }
  isOverload: boolean
  readonly isForward: boolean
}

/** Returns `container.name`, or the one of the two that is defined. */
export const qualify = <Name extends string | undefined>(container: string | undefined, name: Name): string | Name =>
  container === undefined ? name : name === undefined ? container : `${container}.${name}`

/** Returns whether symbols of a kind are names bound to values. If a name is bound twice, the first binding counts. */
export const isBinding = (kind: Kind | "scope"): boolean =>
  kind === "constant" || kind === "variable" || kind === "field"

/** Returns the symbols of a whole file. `plain` turns a doc comment into plain text. */
export const toSymbols = (
  found: ReadonlyArray<FoundSymbol>,
  text: string,
  asides: ReadonlyArray<Aside>,
  plain: (doc: string) => string = (doc) => doc,
): ReadonlyArray<CodeSymbol> => {
  resolveExports(found)
  return withoutDuplicates(found).map(
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

/** A symbol is exported if it and all of its containers are. */
const resolveExports = (found: ReadonlyArray<FoundSymbol>): void => {
  const exported = new Map<string | undefined, boolean>()
  for (const symbol of found) {
    const { exportList: only, declaredExports: said, symbol: outer } = symbol.scope
    symbol.exported = (only?.has(symbol.name) ?? said.get(symbol.name) ?? symbol.exported) && (outer?.exported ?? true)
    const name = symbol.qualifiedName
    exported.set(name, symbol.exported || (exported.get(name) ?? false))
  }
  // Methods that are defined apart from their type are exported only if it is, wherever it is defined.
  for (const symbol of found) {
    symbol.exported &&= exported.get(symbol.container) ?? true
  }
}

/** Removes later bindings of the same name, and forward declarations of symbols that the file defines. */
const withoutDuplicates = (found: ReadonlyArray<FoundSymbol>): ReadonlyArray<FoundSymbol> => {
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
