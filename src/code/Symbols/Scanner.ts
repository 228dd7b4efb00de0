/** Outlines by a scanner, where there is one for the language and it is sure; by tree-sitter, which takes longer, elsewhere. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import * as EcmaScanner from "./internal/EcmaScanner.ts"
import { ecmaScript } from "./internal/EcmaScript.ts"
import * as Guard from "./internal/Guard.ts"
import * as Walk from "./internal/Walk.ts"
import * as TreeSitter from "./TreeSitter.ts"

/** In one thread; needs nothing. */
export const make = Effect.gen(function* () {
  const parser = yield* TreeSitter.make
  const scan = EcmaScanner.make()

  const scanned = (path: string, text: string): Outline | undefined => {
    const hasElements = grammars.get(Language.of(path)?.grammar)
    if (hasElements === undefined || Guard.refusal(text) !== undefined) return undefined
    const tree = scan(text, hasElements)
    return tree && Walk.outline(tree, { path, text }, ecmaScript, () => false)
  }

  return Symbols.of({
    outline: (path, text) =>
      Effect.suspend(() => {
        const outline = scanned(path, text)
        return outline === undefined ? parser.outline(path, text) : Effect.succeed(outline)
      }),
  })
})

/** By grammar, whether there may be elements of JSX. */
const grammars: ReadonlyMap<string | undefined, boolean> = new Map([
  ["typescript", false],
  ["tsx", true],
  ["javascript", true],
])

export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)
