/**
 * A process that records purposes in an index, one at a time, and writes each to stdout when it is recorded.
 * Arguments: the root of the index, a name for its file, the number of purposes.
 */
import * as fs from "node:fs"
import { Effect } from "effect"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { symbols, workspace } from "./IndexStore.fixture.ts"

const [root = "", name = "", count = ""] = process.argv.slice(2)

const entry = (n: number) =>
  new IndexEntry({
    path: `${name}.ts`,
    name: `f${n}`,
    kind: "function",
    startLine: n,
    endLine: n,
    signature: `function f${n}()`,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: `${name}${n}`,
  })

const program = Effect.gen(function* () {
  const index = yield* (yield* IndexStore.IndexStore).open(yield* workspace(root, { "a.ts": "" }))
  for (let n = 0; n < Number(count); n++) {
    const text = `What f${n} of ${name} is for.`
    yield* index.record([{ entry: entry(n), text, model: "scripted/test", node: "n-1" }])
    // Synchronous: a stream could lose what it buffers when the process is killed.
    fs.writeSync(1, `${text}\n`)
  }
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Sqlite.layer), Effect.provide(symbols)))
