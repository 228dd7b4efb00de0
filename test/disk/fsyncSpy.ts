/** Counts how often a test waits for the disk. */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { vi } from "@effect/vitest"
import { Effect } from "effect"

/** A spy on `fsyncSync`, also where that is imported by name, until the scope closes. */
export const fsyncSpy = Effect.acquireRelease(
  Effect.sync(() => {
    const spy = vi.spyOn(fs, "fsyncSync")
    syncBuiltinESMExports()
    return spy
  }),
  (spy) =>
    Effect.sync(() => {
      spy.mockRestore()
      syncBuiltinESMExports()
    }),
)
