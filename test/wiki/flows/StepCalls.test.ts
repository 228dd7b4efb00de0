/** Calls between the symbols that flows cite, in small projects with real outlines and references. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Calls from "../../../src/wiki/flows/Calls.ts"
import * as StepCalls from "../../../src/wiki/flows/StepCalls.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import { layer, type Project } from "../../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../../index/IndexStore.fixture.ts"

const files: Project = {
  "src/run.ts": `import { Store } from "./store"
import { log, save, watch } from "./steps"

export function run(handler: () => void) {
  const store: Store = new Store()
  save("x")
  store.append("x")
  start(log)
  const later = () => watch()
  return handler() ?? later
}
function start(handler: () => void) {
  handler()
}
run(watch)
`,
  "src/steps.ts": `export function save(text: string) {
  return text
}
export function log() {}
export function watch() {}
`,
  "src/store.ts": `export class Store {
  append(text: string) {
    return text
  }
}
`,
}

const page = (...symbols: ReadonlyArray<readonly [path: string, symbol: string]>): Page => ({
  name: "flow-run",
  kind: "flow",
  title: "Run",
  sections: [
    {
      form: "steps",
      blocks: symbols.map(([path, symbol]) => [
        { text: "It runs.", kind: "claim", author: "model", citations: [{ path, symbol }] },
      ]),
    },
  ],
})

const run = { path: "src/run.ts", symbol: "run" }
const start = { path: "src/run.ts", symbol: "start" }
const of = (symbol: string, path = "src/steps.ts") => ({ path, symbol })

describe("StepCalls.read", () => {
  it.effect("tells how the cited symbols lead to others, and knows nothing between symbols without a call", () =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        const reader = Calls.readerOf(index, Object.keys(files), (path) => Effect.succeed(files[path]))
        const calls = yield* StepCalls.read(reader, [page(["src/run.ts", "run"], ["src/run.ts", "start"])])
        assert.deepStrictEqual(
          [
            calls(run, of("save")),
            calls(run, of("Store.append", "src/store.ts")),
            calls(run, of("Store", "src/store.ts")),
            calls(run, of("log")),
            calls(run, of("watch")),
            calls(start, of("log")),
            calls(run, start),
            calls(start, run),
            calls(of("save"), of("log")),
            calls(of("save"), run),
          ],
          ["call", "call", "call", "later", "later", "given", "call", undefined, undefined, undefined],
        )
      }),
    ).pipe(Effect.provide(layer)),
  )
})
