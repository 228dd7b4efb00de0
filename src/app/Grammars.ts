/** How V8 treats the grammars, in this process. Imported for its effect, before the first grammar loads. */
import { setFlagsFromString } from "node:v8"

// V8 goes on optimising a grammar that is no longer needed, and holds the exit by up to 200 ms. The program, not the
// library, may decide this for its process.
setFlagsFromString("--wasm-tiering-budget=100000000")
