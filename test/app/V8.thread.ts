/** A thread that parses with a large grammar each time it is told to, and says how often V8 may optimise afterwards. */
import { syncBuiltinESMExports } from "node:module"
import v8 from "node:v8"
import { workerData } from "node:worker_threads"

/** The number of parses that it is told to do, of those that it has done, and after how many of them V8 may optimise. */
const state: Int32Array = workerData
const [TOLD, DONE, ALLOWED] = [0, 1, 2]

v8.setFlagsFromString = (flag) => {
  if (flag === "--wasm-tier-up") Atomics.add(state, ALLOWED, 1)
}
syncBuiltinESMExports()

const { runParse } = await import("../../src/app/V8.ts")
for (let parses = 0; ; parses++) {
  Atomics.wait(state, TOLD, parses)
  runParse("bash", () => undefined)
  Atomics.add(state, DONE, 1)
  Atomics.notify(state, DONE)
}
