/**
 * Which of the symbols that flows cite call each other, by resolved references, so that pictures draw calls that exist.
 */
import * as Effect from "effect/Effect"
import type { IndexError } from "../../index/IndexError.ts"
import type { Citation, Page } from "../Page.ts"
import { statementsOf } from "../States.ts"
import * as Calls from "./Calls.ts"

/**
 * How one symbol leads to another:
 *
 * - `call`: it calls the other by name
 * - `use`: it makes or names a class
 * - `given`: it calls what a variable, a property or a table holds, and the other is given there
 * - `later`: it passes the other on, or calls it in a function within itself, which runs at another time
 */
export type Kind = "call" | "use" | "given" | "later"

/** Returns how the symbols of one citation lead to those of another; undefined if no call is resolved. */
export type StepCalls = (caller: Citation, callee: Citation) => Kind | undefined

/** Knows no calls. */
export const none: StepCalls = () => undefined

/**
 * Reads the calls of all symbols that some pages cite. Symbols of one name in a file count as one, since a statement
 * about a function may cite the declaration of an overload, which calls nothing.
 */
export const read: (reader: Calls.Reader, pages: ReadonlyArray<Page>) => Effect.Effect<StepCalls, IndexError> =
  Effect.fn("StepCalls.read")(function* (reader, pages) {
    const found = new Map<string, ReadonlyMap<string, Kind>>()
    for (const citation of pages
      .filter(({ kind }) => kind === "flow")
      .flatMap(statementsOf)
      .flatMap(({ citations }) => citations)) {
      const { path, symbol } = citation
      const key = keyOf(citation)
      if (symbol === undefined || found.has(key)) continue
      const kinds = new Map<string, Kind>()
      found.set(key, kinds)
      for (const entry of yield* reader.index.symbolsIn(path)) {
        if (entry.qualifiedName !== symbol) continue
        for (const called of (yield* Calls.read(reader, entry)).calls) {
          const { container, kind, path, qualifiedName } = called.entry
          const own = kindOf(called, kind === "class")
          const key = keyOf({ path, symbol: qualifiedName })
          if (isNearer(own, kinds.get(key))) kinds.set(key, own)
          // A statement may cite the class whose method is called.
          const owner = container === undefined ? undefined : keyOf({ path, symbol: container })
          if (owner !== undefined && isNearer(own, kinds.get(owner))) kinds.set(owner, own)
        }
      }
    }
    return (caller, callee) => found.get(keyOf(caller))?.get(keyOf(callee))
  })

const keyOf = ({ path, symbol = "" }: Pick<Citation, "path" | "symbol">): string => `${path}\0${symbol}`

const kindOf = ({ given, isInClosure, isPassed }: Calls.Called, isClass: boolean): Kind =>
  given !== undefined ? "given" : isPassed || isInClosure ? "later" : isClass ? "use" : "call"

const ranks: Readonly<Record<Kind, number>> = { call: 0, use: 1, given: 2, later: 3 }

const isNearer = (one: Kind, other: Kind | undefined): boolean => other === undefined || ranks[one] < ranks[other]
