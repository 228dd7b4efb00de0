/**
 * web-tree-sitter and its grammars in a memory of their own, which is thrown away when a hostile text has filled or
 * broken it.
 */
import { createRequire } from "node:module"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import type * as TreeSitter from "web-tree-sitter"
import * as Grammar from "./Grammar.ts"
import * as Grammars from "./Grammars.ts"

export interface Runtime {
  /** A grammar with its rules, loaded once. Fails with a note. */
  readonly grammar: (name: string) => Effect.Effect<Loaded, string>
  /** Before each parse: lets memory grow by more than a sound text of that length needs, and no further. */
  readonly allow: (characters: number) => void
  /** Memory is never given back: after a text that needed this much, a new runtime is cheaper than this one. */
  readonly isBloated: () => boolean
}

export interface Loaded {
  readonly name: string
  /** The caller deletes it. One for each text costs nothing to speak of, and no failure of one reaches another. */
  readonly parser: () => TreeSitter.Parser
  readonly grammar: Grammar.Grammar
}

const page = 65_536

/** In pages: 32 MB, in which sound files of a million characters find room, and 128 MB. */
const memory = { initial: 512, maximum: 2_048 }

/** By how many bytes a text may make it grow. Some hostile ones would take the square of their nesting. */
const growth = (characters: number): number => 8_388_608 + 24 * characters

const bloated = 64 * 1_048_576

/** Fails with a note. */
export const start: Effect.Effect<Runtime, string> = Effect.gen(function* () {
  const pages = new WebAssembly.Memory(memory)
  const grow = pages.grow.bind(pages)
  let limit = Number.POSITIVE_INFINITY
  // The library asks here for more, and takes an exception for a no. Its parser cannot go on then.
  pages.grow = (more) => {
    if (pages.buffer.byteLength + more * page > limit) throw new RangeError("out of memory")
    return grow(more)
  }
  const { Language, Parser } = yield* attempt("tree-sitter cannot be loaded", async () => {
    const library = fresh()
    await library.Parser.init({ wasmMemory: pages, printErr: () => {} })
    return library
  })
  const grammars = yield* Cache.make({
    capacity: Number.POSITIVE_INFINITY,
    timeToLive: Number.POSITIVE_INFINITY,
    lookup: Effect.fnUntraced(function* (name: string) {
      const rules = Grammars.rules.get(name)
      if (rules === undefined) return yield* Effect.fail(`no rules for the grammar ${name}`)
      // What the text before it was allowed is nothing to a grammar.
      limit = Number.POSITIVE_INFINITY
      const language = yield* attempt(`the grammar ${name} cannot be loaded`, () => Language.load(wasm(name)))
      return { name, parser: () => new Parser().setLanguage(language), grammar: Grammar.make(rules, language) }
    }),
  })
  return {
    grammar: (name) => grammars.get(name),
    allow: (characters) => {
      limit = pages.buffer.byteLength + growth(characters)
    },
    isBloated: () => pages.buffer.byteLength > bloated,
  }
})

/** Runs foreign code; its failures become a note. */
export const attempt = <A>(note: string, run: () => A | Promise<A>): Effect.Effect<A, string> =>
  Effect.tryPromise({
    try: async () => run(),
    // The library aborts where it gets no more memory, and nowhere else.
    catch: (cause) =>
      `${note}: ${cause instanceof Error ? cause.message.replace(/^Aborted.*/s, "out of memory") : String(cause)}`,
  })

/** The library keeps one instance for good; a second evaluation of it is the way to a second instance. */
const fresh = (): typeof TreeSitter => {
  // A new one each time: it holds on to what it has loaded.
  const require = createRequire(import.meta.url)
  const path = require.resolve("web-tree-sitter")
  delete require.cache[path]
  // `require` has no types; the package declares the same for both of its builds.
  return require(path) as typeof TreeSitter
}

const wasm = (grammar: string): string =>
  createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)

/** What is used of it: neither the compiler's own libraries nor Node's types have it without those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number
    readonly maximum: number
  }) => {
    readonly buffer: ArrayBuffer
    /** By so many pages. */
    grow: (more: number) => number
  }
}
