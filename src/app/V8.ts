/** How V8 treats the grammars and its memory, in this process. Imported for its effect, before the first grammar loads. */
import { setFlagsFromString } from "node:v8"

// V8 goes on optimising a grammar that is no longer needed, and holds the exit by up to 200 ms. The program, not the
// library, may decide this for its process.
setFlagsFromString("--wasm-tiering-budget=100000000")

// What a refresh leaves behind is soon forgotten: with more room for it, a large one took 140 MB more and went no faster.
setFlagsFromString("--semi-space-growth-factor=1")
