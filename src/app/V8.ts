/** How V8 treats grammars and memory in this process. Imported for its effect, before the first grammar loads. */
import { setFlagsFromString } from "node:v8"

// Grammars stay as V8 first compiles them. To optimise the lexer of a shell script takes Node 24 up to 800 MB and 0.8 s,
// and holds the exit; what is parsed by it then is faster by a quarter, and a refresh of Python by a seventh. The
// program, not the library, may decide this for its process.
setFlagsFromString("--no-wasm-tier-up")
setFlagsFromString("--no-wasm-dynamic-tiering")

// What a refresh leaves behind is soon forgotten: more room for it saves 3 to 6 % of the time of a large one, and takes
// 110 to 150 MB more.
setFlagsFromString("--semi-space-growth-factor=1")
