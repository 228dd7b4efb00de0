/**
 * Outlines each language in its way: the scanner reads TypeScript and JavaScript; tree-sitter parses other languages,
 * and files for which the scanner is unsure; patterns serve languages without a grammar; and components are outlined by
 * their scripts.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Component from "../languages/components/outline.ts"
import { rules } from "../languages/ecma/outline.ts"
import * as Ecma from "../languages/ecma/references.ts"
import * as EcmaScanner from "../languages/ecma/scanner/EcmaScanner.ts"
import * as Lexer from "../languages/ecma/scanner/Lexer.ts"
import type { Tokens } from "../languages/ecma/scanner/Token.ts"
import * as find from "../languages/find.ts"
import type { Entry } from "../languages/table.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import * as LoadedParts from "./internal/LoadedParts.ts"
import * as Walk from "./internal/outline/Walk.ts"
import * as SizeLimits from "./internal/SizeLimits.ts"
import { isStopped } from "./internal/treeSitter/Grammar.ts"
import * as Limits from "./internal/treeSitter/Limits.ts"
import * as TreeSitter from "./TreeSitter.ts"

/** Makes a service that outlines in the current thread. */
export const make = Effect.gen(function* () {
  const parser = yield* TreeSitter.make

  const lex = (path: string, text: string): Tokens | undefined => {
    const hasElements = grammars.get(find.ofFile(path, text)?.grammar)
    return hasElements === undefined || SizeLimits.refuseText(text) !== undefined
      ? undefined
      : Lexer.lex(text, hasElements)
  }

  const withReferences = (outline: Outline, tokens: Tokens | undefined): Outline =>
    tokens === undefined || isStopped(outline)
      ? outline
      : { ...outline, references: Ecma.read(tokens, outline.symbols) }

  /** Returns the outline of tree-sitter with the references of the language, if they can be read. */
  const parse = (path: string, text: string): Effect.Effect<Outline> =>
    Effect.gen(function* () {
      const outline = yield* parser.outline(path, text)
      const language = find.ofFile(path, text)
      const read = language && (yield* LoadedParts.textReader(language))
      if (read === undefined) return withReferences(outline, lex(path, text))
      const isWhole = !isStopped(outline) && (outline.note === undefined || outline.symbols.length > 0)
      return isWhole ? { ...outline, references: read(text, outline.symbols) } : outline
    })

  const scanFile = (path: string, text: string): Outline | undefined => {
    const tokens = lex(path, text)
    const tree = tokens && EcmaScanner.parse(tokens)
    return (
      tree &&
      withReferences(
        Walk.outline(tree, { path, text }, rules, () => false),
        tokens,
      )
    )
  }

  const outlineFile = (path: string, text: string): Effect.Effect<Outline> =>
    Effect.suspend(() => {
      const outline = scanFile(path, text)
      return outline === undefined ? parse(path, text) : Effect.succeed(outline)
    })

  /** The options of a component (`export default { methods: … }`) need the whole tree. */
  const outlineScript = ({ path, text }: Walk.Source): Effect.Effect<Outline> =>
    hasOptions.test(text) ? parse(path, text) : outlineFile(path, text)

  const outlineComponent = (source: Walk.Source): Effect.Effect<Outline> => {
    const scripts = Component.scriptsOf(source)
    return Effect.map(Effect.forEach(scripts.sources, outlineScript), (outlines) =>
      Component.outline(source, scripts, outlines),
    )
  }

  /** Outlines a text of a language without a grammar, which takes about 100 ms for a million characters. */
  const outlineByPatterns = Effect.fnUntraced(function* (language: Entry, source: Walk.Source) {
    const outlineWith = yield* LoadedParts.patternOutliner(language)
    const outline = outlineWith(source, Limits.makeMeter(Limits.ofLength(source.text.length)).isLate)
    const read = isStopped(outline) ? undefined : yield* LoadedParts.textReader(language)
    return read === undefined ? outline : { ...outline, references: read(source.text, outline.symbols) }
  })

  return Symbols.of({
    outline: (path, text) =>
      Effect.suspend(() => {
        const language = isObjectiveCHeader(path, text) ? find.withId("objective-c") : find.ofFile(path, text)
        if (language?.outline !== "patterns" && language?.outline !== "scripts") return outlineFile(path, text)
        const note = SizeLimits.refuseText(text)
        if (note !== undefined) return Effect.succeed({ ...TreeSitter.nothing, note })
        return language.outline === "patterns"
          ? outlineByPatterns(language, { path, text })
          : outlineComponent({ path, text })
      }),
  })
})

/** Headers of Objective-C have the same extension as those of C, but the grammar of C finds nothing in them. */
const isObjectiveCHeader = (path: string, text: string): boolean =>
  path.endsWith(".h") && /^@(?:interface|protocol|class|import)\b/m.test(text)

const hasOptions = /\bexport\s+default\s+(?:[\w.]+\(\s*)?\{/

/** True for files that may have JSX, by the grammars that the scanner replaces. */
const grammars: ReadonlyMap<string | undefined, boolean> = new Map([
  ["typescript", false],
  ["tsx", true],
  ["javascript", true],
])

export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)
