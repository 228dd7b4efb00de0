/**
 * web-tree-sitter and its grammars, in a WebAssembly memory of their own. When a hostile text has filled or corrupted
 * the memory, the runtime is replaced.
 */
import { createRequire } from "node:module"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import type * as TreeSitter from "web-tree-sitter"
import * as find from "../../../languages/find.ts"
import type { ReferencesModule } from "../../../languages/table.ts"
import * as Grammar from "./Grammar.ts"

export interface Runtime {
  /** A grammar with its rules, loaded once. Fails with a note. */
  readonly grammar: (name: string) => Effect.Effect<Loaded, string>
  /** Runs before each parse. It limits the growth of memory to more than valid source of that length needs. */
  readonly limitMemory: (characters: number) => void
  /**
   * Returns whether the memory has become so large that a new runtime is cheaper than this one: WebAssembly memory
   * never shrinks.
   */
  readonly isBloated: () => boolean
}

export interface Loaded {
  readonly name: string
  /** Returns a new parser, which the caller deletes. One for each text costs little, and isolates failures. */
  readonly parser: () => TreeSitter.Parser
  readonly grammar: Grammar.Grammar
  readonly retry: Grammar.Retry | undefined
  readonly readReferences: ReferencesModule["readTree"]
}

const PAGE_BYTES = 65_536

/** Sizes in pages: 32 MB, enough for valid files of a million characters, and 128 MB. */
const MEMORY_PAGES = { initial: 512, maximum: 2_048 }

/**
 * Returns the bytes by which a text of that length may grow the memory. Hostile texts would take the square of their
 * nesting.
 */
const allowedBytes = (characters: number): number => 8_388_608 + 24 * characters

const BLOATED_BYTES = 64 * 1_048_576

/** Starts a runtime. Fails with a note. */
export const start: Effect.Effect<Runtime, string> = Effect.gen(function* () {
  const pages = new WebAssembly.Memory(MEMORY_PAGES)
  const grow = pages.grow.bind(pages)
  let limit = Number.POSITIVE_INFINITY
  // The library grows its memory here, and treats an exception as a refusal: the parser aborts.
  pages.grow = (more) => {
    if (pages.buffer.byteLength + more * PAGE_BYTES > limit) throw new RangeError("out of memory")
    return grow(more)
  }
  const { Language, Parser } = yield* attempt("tree-sitter cannot be loaded", async () => {
    const library = newInstance()
    await library.Parser.init({ wasmMemory: pages, printErr: () => {} })
    return library
  })
  const grammars = yield* Cache.make({
    capacity: Number.POSITIVE_INFINITY,
    timeToLive: Number.POSITIVE_INFINITY,
    lookup: Effect.fnUntraced(function* (name: string) {
      const entry = find.withGrammar(name)
      const loadOutline = entry?.loadOutline
      if (loadOutline === undefined) return yield* Effect.fail(`no rules for the grammar ${name}`)
      const [{ retry, rules }, references] = yield* attempt(`the rules for ${name} cannot be loaded`, () =>
        Promise.all([loadOutline(), entry?.loadReferences?.()]),
      )
      // The limit of the last text does not apply to loading a grammar.
      limit = Number.POSITIVE_INFINITY
      const language = yield* attempt(`the grammar ${name} cannot be loaded`, () => Language.load(wasmFile(name)))
      return {
        name,
        parser: () => new Parser().setLanguage(language),
        grammar: Grammar.make(rules, language),
        retry,
        readReferences: references?.readTree,
      }
    }),
  })
  return {
    grammar: (name) => grammars.get(name),
    limitMemory: (characters) => {
      limit = pages.buffer.byteLength + allowedBytes(characters)
    },
    isBloated: () => pages.buffer.byteLength > BLOATED_BYTES,
  }
})

/** Runs code of the library; a failure becomes a note. */
export const attempt = <A>(note: string, run: () => A | Promise<A>): Effect.Effect<A, string> =>
  Effect.tryPromise({
    try: async () => run(),
    // The library aborts only if it gets no more memory.
    catch: (cause) =>
      `${note}: ${cause instanceof Error ? cause.message.replace(/^Aborted.*/s, "out of memory") : String(cause)}`,
  })

/** The library has one instance for each evaluation of its module: a new instance needs a new evaluation. */
const newInstance = (): typeof TreeSitter => {
  // A new `require` each time: it keeps references to the modules that it has loaded.
  const require = createRequire(import.meta.url)
  const path = require.resolve("web-tree-sitter")
  delete require.cache[path]
  // `require` has no types; the package declares the same for both of its builds.
  return require(path) as typeof TreeSitter
}

const wasmFile = (grammar: string): string =>
  createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)

/** The part of WebAssembly that is used: only the types of browsers declare it. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number
    readonly maximum: number
  }) => {
    readonly buffer: ArrayBuffer
    /** Grows the memory by that number of pages. */
    grow: (more: number) => number
  }
}
