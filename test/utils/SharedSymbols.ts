/**
 * The outliner of vibe, made once for all tests of a thread: it loads the grammar of each language once, which takes
 * longer than most tests of an index.
 */
import { Effect, Layer } from "effect"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import { Symbols } from "../../src/code/Symbols.ts"

const scanner = Effect.runSync(Scanner.make)

/** What is loaded serves other tests too: no interrupt of one of them stops it. */
export const layer: Layer.Layer<Symbols> = Layer.succeed(Symbols, {
  outline: (path, text) => Effect.uninterruptible(scanner.outline(path, text)),
})
