/**
 * Keeps V8 from optimising the largest grammars. Their lexers are single functions of 47,000 to 160,000 bytes: V8 in
 * Node 24 takes 100 to 800 MB and up to 0.8 s to optimise one, and it is a quarter faster at the most. Over 11 MB of
 * C++, C#, Ruby, Bash and CSS the process takes 270 MB with this, 720 MB without, for the same processor time.
 */
import { setFlagsFromString } from "node:v8"
import type { RunParse } from "../code/Symbols/TreeSitter.ts"

/** The names of the grammars that are too large to optimise. */
const large: ReadonlySet<string> = new Set(["bash", "c-sharp", "cpp", "css", "ruby"])

/** V8 decides on optimising a function while it runs, so the flags are off for the time of a parse. */
export const runParse: RunParse = (grammar, parse) => {
  if (!large.has(grammar)) return parse()
  allowOptimising(false)
  try {
    return parse()
  } finally {
    allowOptimising(true)
  }
}

// The flags hold for all threads. V8 does not say what they were; both are on by default.
const allowOptimising = (isAllowed: boolean): void => {
  for (const flag of ["wasm-tier-up", "wasm-dynamic-tiering"]) {
    setFlagsFromString(isAllowed ? `--${flag}` : `--no-${flag}`)
  }
}
