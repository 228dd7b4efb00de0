/** Outlines by tree-sitter: web-tree-sitter with the grammars of @vscode/tree-sitter-wasm, loaded when first needed. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
import * as Guard from "./internal/Guard.ts"
import * as Runtime from "./internal/Runtime.ts"
import * as Walk from "./internal/Walk.ts"

/** Milliseconds for one parse. Sound files take a third of it at most: C++, the slowest, 1 s for a million characters. */
const patience = (text: string): number => 1_000 + text.length / 500

const make = Effect.gen(function* () {
  const [runtime, renew] = yield* Effect.cachedInvalidateWithTTL(Runtime.start, Duration.infinity)

  const outline = Effect.fn("Symbols.outline")(
    function* (path: string, text: string) {
      const language = Language.of(path)
      if (language?.grammar === undefined)
        return yield* Effect.fail(`${language?.id ?? "this language"} is not outlined`)
      const refusal = Guard.refusal(text)
      if (refusal !== undefined) return yield* Effect.fail(refusal)
      const { grammar, isBloated } = yield* runtime
      const chosen = yield* grammar(language.grammar)
      const clock = yield* Effect.clock
      const now = () => clock.unsafeCurrentTimeMillis()
      const outline = yield* Effect.tapError(
        Runtime.attempt("the parser broke down", () => parsed(chosen, { path, text }, now)),
        () => renew,
      )
      if (isBloated()) yield* renew
      return outline
    },
    Effect.catchAll((note) => Effect.succeed({ ...nothing, note })),
  )

  return Symbols.of({ outline })
})

/** Parses in this thread and in one go: about 150 ms for a million characters of most languages. */
export const layer: Layer.Layer<Symbols> = Layer.effect(Symbols, make)

const nothing: Outline = { symbols: [], identifiers: new Map(), imports: [], note: undefined }

const parsed = ({ parser: make, table }: Runtime.Grammar, source: Walk.Source, now: () => number): Outline => {
  const parser = make()
  const limit = patience(source.text)
  const deadline = now() + limit
  const isLate = () => now() > deadline
  try {
    const tree = parser.parse(source.text, null, { progressCallback: isLate })
    if (tree === null) return { ...nothing, note: `not parsed within ${(limit / 1_000).toFixed(1)} s` }
    try {
      const outline = Walk.outline(tree.rootNode, source, table, isLate)
      const isBroken = outline.symbols.length === 0 && outline.note === undefined && tree.rootNode.hasError
      return isBroken ? { ...outline, note: "syntax errors, and no symbol found" } : outline
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}
