/**
 * Lexers that V8 had better not optimise: each is one function of 47,000 to 160,000 bytes, which Node 24 takes 100 to
 * 800 MB and up to 0.8 s for, and which is then faster by a quarter at the most.
 */
import { setFlagsFromString } from "node:v8"

/** The names of their grammars. */
const large: ReadonlySet<string> = new Set(["bash", "c-sharp", "cpp", "css", "ruby"])

/** Runs a parse by that grammar. V8 decides on optimising while it runs, and is told for as long as that. */
export const parse = <A>(grammar: string, run: () => A): A => {
  if (!large.has(grammar)) return run()
  mayOptimise(false)
  try {
    return run()
  } finally {
    mayOptimise(true)
  }
}

// It holds for all threads, and V8 does not tell how it was: that it may is what it begins with.
const mayOptimise = (may: boolean): void => {
  for (const flag of ["wasm-tier-up", "wasm-dynamic-tiering"]) setFlagsFromString(may ? `--${flag}` : `--no-${flag}`)
}
