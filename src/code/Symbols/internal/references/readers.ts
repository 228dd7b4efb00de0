/** The readers of references, by grammar, for the languages that tree-sitter outlines. */
import type { CodeSymbol } from "../../../Symbols.ts"
import type { CompactNode } from "./CompactTree.ts"
import * as CSharp from "./CSharp.ts"
import * as Go from "./Go.ts"
import * as Java from "./Java.ts"
import * as Lua from "./Lua.ts"
import * as Php from "./Php.ts"
import * as Python from "./Python.ts"
import * as Rust from "./Rust.ts"

/** Turns a text and its symbols into what `References.encode` writes. */
export type Reader = (text: string, symbols: ReadonlyArray<CodeSymbol>) => string

export const readers: ReadonlyMap<string | undefined, Reader> = new Map([["python", Python.read]])

/** The readers by language, for languages that patterns outline. */
export const patternReaders: ReadonlyMap<string, Reader> = new Map([["lua", Lua.read]])

/** Does the same with a syntax tree. */
export type TreeReader = (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>) => string

export const treeReaders: ReadonlyMap<string, TreeReader> = new Map([
  ["c-sharp", CSharp.read],
  ["go", Go.read],
  ["java", Java.read],
  ["php", Php.read],
  ["rust", Rust.read],
])
