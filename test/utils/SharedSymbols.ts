/**
 * The outliner of vibe, made once for all tests of a thread: it loads the grammar of each language once, which takes
 * longer than most tests of an index.
 */
import { Effect, Layer } from "effect"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import { Symbols } from "../../src/code/Symbols.ts"

const scanner = Effect.runSync(Scanner.make)

/** The loaded grammars serve other tests too, so no interrupt of one test stops the loading. */
export const layer: Layer.Layer<Symbols> = Layer.succeed(Symbols, {
  outline: (path, text) => Effect.uninterruptible(scanner.outline(path, text)),
})
