/** The contract of IndexStore, which the tests of every adapter run. */
import { it } from "@effect/vitest"
import type { Layer } from "effect"
import type * as IndexStore from "../../src/index/IndexStore.ts"
import { listsFiles } from "./IndexStore.files.contract.ts"
import type { NewRoot } from "./IndexStore.project.ts"
import { keepsPurposes } from "./IndexStore.purposes.contract.ts"
import { resolvesReferences } from "./IndexStore.references.contract.ts"
import { admitsOneRun } from "./IndexStore.runs.contract.ts"
import { findsSymbols } from "./IndexStore.search.contract.ts"

export const contract = <E>(name: string, layer: Layer.Layer<IndexStore.IndexStore, E>, root: NewRoot) =>
  it.layer(layer)(`IndexStore (${name})`, (it) => {
    listsFiles(it, root)
    resolvesReferences(it, root)
    keepsPurposes(it, root)
    findsSymbols(it, root)
    admitsOneRun(it, root)
  })

/**
 * What of the contract depends on where the index is kept. How files are classed, which references are resolved, and in
 * which order the search answers, does not: the statements that find them are the same.
 */
export const contractOfKeeping = <E>(name: string, layer: Layer.Layer<IndexStore.IndexStore, E>, root: NewRoot): void =>
  it.layer(layer)(`IndexStore (${name})`, (it) => {
    keepsPurposes(it, root)
    admitsOneRun(it, root)
  })
