/** The contract of every ForestStore. */
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import { changes } from "./ForestStore.changes.contract.ts"
import { keepsJournal } from "./ForestStore.journal.contract.ts"
import { reads } from "./ForestStore.reading.contract.ts"
import type { Specify } from "./storedNodes.ts"

/** Runs every test on a store of its own. */
export const contract = <E>(name: string, layer: Layer.Layer<ForestStore.ForestStore, E>) =>
  describe(`ForestStore (${name})`, () => {
    const specify: Specify = (sentence, test) =>
      it.effect(sentence, () => Effect.flatMap(ForestStore.ForestStore, test).pipe(Effect.provide(Layer.fresh(layer))))

    reads(specify)
    changes(specify)
    keepsJournal(specify)
  })
