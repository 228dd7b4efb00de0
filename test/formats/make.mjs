/**
 * Makes the fixtures of one format with the code of a commit that wrote it, see README.md here:
 * `node test/formats/make.mjs forest|index|drafts|vectors CHECKOUT FORMAT`. CHECKOUT is a folder with the `src` of that
 * commit and a `node_modules`.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import * as zlib from "node:zlib"

const [what, checkout, format] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(path.resolve(checkout, file)).href)
const { Effect, Layer } = await load("node_modules/effect/dist/esm/index.js")
const here = import.meta.dirname
const work = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-format-"))

/** Without the write-ahead log, so that it is one file; the content stays. */
const keep = (file, as) => {
  const database = new DatabaseSync(file)
  const { user_version } = database.prepare("pragma user_version").get()
  if (String(user_version) !== format) throw new Error(`this commit writes format ${user_version}`)
  database.exec("pragma wal_checkpoint(truncate)")
  database.close()
  fs.mkdirSync(path.dirname(as), { recursive: true })
  fs.writeFileSync(as, zlib.gzipSync(fs.readFileSync(file), { level: 9 }))
}

const makers = {
  forest: async () => {
    const Forest = await load("src/forest/Forest.ts")
    const Sqlite = await load("src/forest/ForestStore/Sqlite.ts")
    const Ids = await load("src/message/Ids.ts")
    const Message = await load("src/message/Message.ts")
    const file = path.join(work, "forest.db")
    const program = Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const user = (text) => ({ message: Message.user(text), source: { type: "user" } })
      const model = (text) => ({
        message: { role: "assistant", content: [{ type: "text", text }] },
        source: {
          type: "model",
          model: "test/one",
          finish: "stop",
          usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 0, thinkingTokens: 0 },
        },
      })
      const { id } = yield* forest.root({ owner: "chat", systemPrompt: "Be kind." })
      const nodes = yield* forest.append(id, [user("hello marmalade"), model("good day"), user("one more jar")])
      yield* forest.append(nodes[1].id, [user("another branch")])
      yield* forest.edit(nodes[2].id, "two more jars")
      yield* forest.bookmark("the jam", nodes[1].id)
      const [aside] = yield* forest.append(nodes[0].id, [model("an aside")])
      yield* forest.remove(aside.id)
      yield* forest.append(nodes[0].id, [model("taken back")])
      yield* forest.undo()
    })
    await Effect.runPromise(
      program.pipe(Effect.provide(Forest.layer.pipe(Layer.provide(Sqlite.layer(file)), Layer.provide(Ids.layer)))),
    )
    keep(file, path.join(here, "forest", `${format}.db.gz`))
  },

  /** The purposes beside it stay as they are; the program of the commit makes the database of them. */
  index: () => {
    fs.cpSync(path.join(here, "project"), work, { recursive: true })
    for (const name of fs.readdirSync(path.join(work, "src"))) {
      fs.renameSync(path.join(work, "src", name), path.join(work, "src", name.replace(".txt", "")))
    }
    const vibe = path.join(work, ".vibe")
    fs.mkdirSync(vibe)
    fs.copyFileSync(path.join(here, "index", `${format}.purposes.jsonl`), path.join(vibe, "purposes.jsonl"))
    const bin = path.resolve(checkout, "src", "bin.ts")
    const env = { ...process.env, HOME: work, XDG_STATE_HOME: work, XDG_CACHE_HOME: work, XDG_CONFIG_HOME: work }
    execFileSync(process.execPath, [bin, "query", "tax"], { cwd: work, env, stdio: "inherit" })
    keep(path.join(vibe, "index.db"), path.join(here, "index", `${format}.db.gz`))
  },

  drafts: async () => {
    const DraftStore = await load("src/server/DraftStore.ts")
    const Sqlite = await load("src/server/DraftStore/Sqlite.ts")
    const file = path.join(work, "forest.db.drafts")
    const program = Effect.gen(function* () {
      const drafts = yield* DraftStore.DraftStore
      yield* drafts.save("r1", { text: "my text", known: "the text", version: 1 }, 0)
      yield* drafts.leave("r1", "n7")
      yield* drafts.visit("s1", "/project", "r1")
      yield* drafts.wait("r1", { id: "w1", text: "and then?", parent: "n7", models: ["test/one"] })
      yield* drafts.begin("k1", 5)
      yield* drafts.finish("k1", "n8")
    })
    await Effect.runPromise(Effect.provide(program, Sqlite.layer(file)))
    keep(file, path.join(here, "drafts", `${format}.db.gz`))
  },

  vectors: async () => {
    const Sqlite = await load("src/disk/Sqlite.ts")
    const VectorStore = await load("src/embedding/VectorStore.ts")
    const { quantize } = await load("src/embedding/Quantized.ts")
    fs.mkdirSync(path.join(work, ".vibe"))
    const vector = (name, numbers) => ({
      key: `key of ${name}`,
      vector: quantize(Float32Array.from(numbers)),
      symbols: [{ qualifiedName: name, hash: `hash of ${name}` }],
    })
    const program = Effect.gen(function* () {
      const database = yield* VectorStore.open(work)
      const sql = Sqlite.statements(database)
      const added = [vector("taxOf", [1, 0, 0]), vector("totalOf", [0, 2, 0])]
      yield* Sqlite.transactionInSteps(work, database, () =>
        VectorStore.add(sql, { embedder: "test/model/3/1", dimensions: 3 }, added),
      )
    })
    await Effect.runPromise(Effect.scoped(program))
    keep(path.join(work, ".vibe", "index.db.vectors"), path.join(here, "vectors", `${format}.db.gz`))
  },
}

try {
  await makers[what]()
} finally {
  fs.rmSync(work, { recursive: true, force: true })
}
