/** Outlines TypeScript and JavaScript by the scanner; other languages, and files it is unsure of, by tree-sitter. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import { ecmaScript } from "./internal/languages/ecmaScript.ts"
import * as Walk from "./internal/outline/Walk.ts"
import * as SizeLimits from "./internal/SizeLimits.ts"
import * as EcmaScanner from "./internal/scanner/EcmaScanner.ts"
import * as TreeSitter from "./TreeSitter.ts"

/** Outlines in the current thread. */
export const make = Effect.gen(function* () {
  const parser = yield* TreeSitter.make
  const scan = EcmaScanner.make()

  const scanFile = (path: string, text: string): Outline | undefined => {
    const hasElements = grammars.get(Language.of(path)?.grammar)
    if (hasElements === undefined || SizeLimits.refuseText(text) !== undefined) return undefined
    const tree = scan(text, hasElements)
    return tree && Walk.outline(tree, { path, text }, ecmaScript, () => false)
  }

  return Symbols.of({
    outline: (path, text) =>
      Effect.suspend(() => {
        const outline = scanFile(path, text)
        return outline === undefined ? parser.outline(path, text) : Effect.succeed(outline)
      }),
  })
})

/** Whether files may have JSX, by the grammars that the scanner replaces. */
const grammars: ReadonlyMap<string | undefined, boolean> = new Map([
  ["typescript", false],
  ["tsx", true],
  ["javascript", true],
])

export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)
