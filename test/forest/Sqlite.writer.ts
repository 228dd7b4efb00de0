/** Appends to a forest beside other processes, and prints the id of each node once it is stored. Ends on request. */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"

const [file = "", name = "", times = ""] = process.argv.slice(2)

const writing = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "shared", systemPrompt: "" })
  let parent = root
  for (let n = 0; n < Number(times); n++) {
    const [node] = yield* forest.append(parent, [{ message: Message.user(`${name} ${n}`), source: { type: "user" } }])
    fs.writeSync(1, `${node?.id}\n`)
    parent = n % 5 === 4 ? root : (node?.id ?? root)
    if (n % 7 === 3 && node !== undefined) yield* forest.edit(node.id, `${name} ${n}, edited`)
  }
})

await Effect.runPromise(Effect.provide(writing, Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer]))))
