/** A program that embeds vibe: indexes a folder, and prints what has changed in its process since before that. */
import * as fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import * as path from "node:path"
import v8 from "node:v8"

const [folder = ""] = process.argv.slice(2)

const flags: Array<string> = []
const setFlags = v8.setFlagsFromString
v8.setFlagsFromString = (flag) => {
  flags.push(flag)
  setFlags(flag)
}
syncBuiltinESMExports()

const before = { emitWarning: process.emitWarning, console: { ...console }, listeners: listeners() }
const warnings: Array<string> = []
process.on("warning", ({ name, message }) => warnings.push(`${name}: ${message}`))

const { Effect, Layer } = await import("effect")
const { IndexObserver, Indexing, IndexingOrchestrator, SqliteForestStore } = await import("../../src/index.ts")
const { Offline } = await import("../../src/provider/index.ts")

const report = await Effect.runPromise(
  IndexingOrchestrator.runGuidedExploration(folder).pipe(
    Effect.provide(
      Indexing.layerWith(SqliteForestStore.layer(path.join(folder, "forest.db"))).pipe(
        Layer.provide([Offline.layer, IndexObserver.layerSilent]),
      ),
    ),
  ),
)
// Warnings are emitted on the next tick.
await new Promise((resolve) => setImmediate(resolve))

const consoleNow = new Map<string, unknown>(Object.entries(console))
fs.writeSync(
  1,
  JSON.stringify({
    symbols: report.symbols,
    flags,
    warnings,
    isEmitWarningKept: process.emitWarning === before.emitWarning,
    replacedConsole: Object.entries(before.console).flatMap(([name, method]) =>
      consoleNow.get(name) === method ? [] : [name],
    ),
    addedListeners: listeners().filter((name) => name !== "warning" && !before.listeners.includes(name)),
    exitCode: process.exitCode ?? null,
  }),
)

function listeners(): ReadonlyArray<string> {
  return process.eventNames().map(String)
}
