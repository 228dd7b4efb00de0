import { defineConfig } from "rolldown"

// The program: a tiny entry, a chunk for each command's work. The library is made by tsc (tsconfig.build.json) and
// keeps `effect` outside, so that a larger program never gets a second copy; this bundle carries its own.
export default defineConfig({
  input: {
    bin: "src/bin.ts",
    // A thread's own entry, beside the chunk that starts it.
    "chunks/Worker": "src/code/Symbols/internal/Worker.ts",
  },
  platform: "node",
  external: [
    // They find their WebAssembly next to themselves.
    "web-tree-sitter",
    "@vscode/tree-sitter-wasm",
    // Loaded late or never, and installed for the library anyway. Inside, the SDKs would be most of the program, to
    // spare a run that talks to Google for minutes its first 50 ms (27 against 78 ms to load, measured).
    "@google/genai",
    /^@anthropic-ai\/sdk(\/|$)/,
    /^openai(\/|$)/,
    /^ollama(\/|$)/,
    "@cfworker/json-schema",
    "re2js",
  ],
  output: {
    dir: "dist",
    // Else chunks of an earlier build would be packed.
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: true,
  },
})
