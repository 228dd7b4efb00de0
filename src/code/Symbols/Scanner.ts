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
    if (!isScanned.has(Language.of(path)?.grammar) || Guard.refusal(text) !== undefined) return undefined
    const tree = scan(text)
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

/** What has no elements of JSX in it, or seldom. */
const isScanned: ReadonlySet<string | undefined> = new Set(["typescript", "javascript"])

export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)
