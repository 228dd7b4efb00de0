/** The project that the contract of IndexStore indexes, and its testers. */
import type { Vitest } from "@effect/vitest"
import type { Effect, Scope } from "effect"
import type * as IndexStore from "../../src/index/IndexStore.ts"

export const append = "export function append(node) {\n  return store.add(node)\n}\n"
export const changedAppend = "export function append(node) {\n  return store.add(node, now)\n}\n"
export const path = "export function path(id) {\n  return walk(id)\n}\n"

export const plant = "export function plant() {\n}\n"

export const forest = `// Adds a node.\n${append}\n${path}`
export const chat = "import { append } from './Forest.ts'\nfunction send(text) {\n  append(text)\n  append(text)\n}\n"
export const loom = "import { append, path } from './Forest.ts'\nfunction weave() {\n  append(path(1))\n}\n"
export const files = { "README.md": "A forest.\n", "src/Chat.ts": chat, "src/Forest.ts": forest, "src/Loom.ts": loom }

/** Testers whose tests use an IndexStore. */
export type It = Vitest.MethodsNonLive<IndexStore.IndexStore>

/** Makes a new root for each test. */
export type NewRoot = Effect.Effect<string, never, Scope.Scope>
