/** Outlines TypeScript and JavaScript by the scanner; other languages, and files it is unsure of, by tree-sitter. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import { ecmaScript } from "./internal/languages/ecmaScript.ts"
import * as Walk from "./internal/outline/Walk.ts"
import * as Ecma from "./internal/references/Ecma.ts"
import { readers } from "./internal/references/readers.ts"
import * as SizeLimits from "./internal/SizeLimits.ts"
import * as EcmaScanner from "./internal/scanner/EcmaScanner.ts"
import type { Tokens } from "./internal/scanner/Token.ts"
import * as TreeSitter from "./TreeSitter.ts"

/** Outlines in the current thread. */
export const make = Effect.gen(function* () {
  const parser = yield* TreeSitter.make
  const scanner = EcmaScanner.make()

  const lex = (path: string, text: string): Tokens | undefined => {
    const hasElements = grammars.get(Language.of(path)?.grammar)
    return hasElements === undefined || SizeLimits.refuseText(text) !== undefined
      ? undefined
      : scanner.lex(text, hasElements)
  }

  const withReferences = (outline: Outline, tokens: Tokens | undefined): Outline =>
    tokens === undefined || outline.cut !== undefined
      ? outline
      : { ...outline, references: Ecma.read(tokens, outline.symbols) }

  /** The outline of tree-sitter with the references of the language, where they can be read. */
  const parse = (path: string, text: string): Effect.Effect<Outline> =>
    Effect.map(parser.outline(path, text), (outline) => {
      const read = readers.get(Language.of(path)?.grammar)
      if (read === undefined) return withReferences(outline, lex(path, text))
      const isWhole = outline.cut === undefined && (outline.note === undefined || outline.symbols.length > 0)
      return isWhole ? { ...outline, references: read(text, outline.symbols) } : outline
    })

  const scanFile = (path: string, text: string): Outline | undefined => {
    const tokens = lex(path, text)
    const tree = tokens && scanner.parse(tokens)
    return (
      tree &&
      withReferences(
        Walk.outline(tree, { path, text }, ecmaScript, () => false),
        tokens,
      )
    )
  }

  return Symbols.of({
    outline: (path, text) =>
      Effect.suspend(() => {
        const outline = scanFile(path, text)
        return outline === undefined ? parse(path, text) : Effect.succeed(outline)
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
