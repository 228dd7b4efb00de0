/** The index as a page reads it, and runs that pages begin, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer } from "effect"
import { AtWork, IndexError, type Reason, TooNew } from "../../src/index/IndexError.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Program from "../../src/review/Git/Program.ts"
import type * as GitService from "../../src/review/Git.ts"
import { Git } from "../../src/review/Git.ts"
import * as GitRepository from "../utils/GitRepository.ts"
import * as Serving from "../utils/Serving.ts"
import { shared } from "../utils/shared.ts"

const files = {
  "/project/README.md": "# Shop\n\nSells things.\n",
  "/project/src/cart.ts": `import { price } from "./price.ts"

/** The sum of all items, with <b>tax</b>. */
export function total(items: ReadonlyArray<string>): number {
  return items.reduce((sum, item) => sum + price(item), 0)
}
`,
  "/project/src/price.ts": `export function price(item: string): number {
  return lookup(item)
}

function lookup(item: string): number {
  return item.length
}
`,
  "/project/src/main.ts": `import { total } from "./cart.ts"

export function main(): void {
  console.log(total(["a", "b"]))
}
`,
}

/** The server of an index that sentences only read. */
const serve = shared(
  Effect.gen(function* () {
    const client = yield* Serving.serve({ model: Serving.scripted([]), files })
    yield* Effect.promise(() => client.post("/index/structure", undefined))
    return client
  }).pipe(Effect.interruptible),
)

const failsWith = (reason: Reason) => Effect.fail(new IndexError({ path: "/project/.vibe", reason }))

describe("the index over HTTP", () => {
  it.scopedLive("says that there is none, and makes its structure without a model", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]), files })
      yield* Effect.promise(async () => {
        const { indexed, isRefreshing } = await client.get("/index")
        assert.deepStrictEqual([indexed, isRefreshing], [false, false])
        assert.strictEqual((await client.send("GET", "/api/index/place?path=")).status, 404)
        const made = await client.post("/index/structure", undefined)
        assert.isTrue(made.indexed)
        assert.isFalse(made.isRefreshing)
        assert.strictEqual(made.symbols, 4)
        assert.strictEqual((await client.get("/index")).byComment, 1)
      })
    }),
  )

  it.scopedLive("lists folders and files, and the symbols of a file with their purposes", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const root = await client.get("/index/place?path=")
        assert.deepStrictEqual(
          root.folders.map((folder: { path: string; files: number }) => [folder.path, folder.files]),
          [["src", 3]],
        )
        const file = await client.get("/index/place?path=src/cart.ts")
        assert.deepStrictEqual([file.type, file.symbols[0].name, file.symbols[0].line], ["file", "total", 4])
        assert.strictEqual(file.symbols[0].purpose.text, "The sum of all items, with tax.")
      })
    }),
  )

  it.scopedLive("shows a symbol with its source, callers, callees and impact", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const page = await client.get("/index/symbol?path=src/cart.ts&line=4")
        assert.deepStrictEqual(page.source, [
          "export function total(items: ReadonlyArray<string>): number {",
          "  return items.reduce((sum, item) => sum + price(item), 0)",
          "}",
        ])
        assert.deepStrictEqual(
          [page.callers[0].path, page.callers[0].line, page.callers[0].name],
          ["src/main.ts", 3, "main"],
        )
        assert.deepStrictEqual([page.callees[0].path, page.callees[0].name], ["src/price.ts", "price"])
        assert.deepStrictEqual(page.impact, [{ distance: 1, symbols: 1, files: 1 }])
        assert.deepStrictEqual([page.moreLines, page.moreCallers, page.moreCallees], [0, 0, 0])
        assert.isTrue(page.isImpactComplete)
        // What nothing uses has no impact.
        const unused = await client.get("/index/symbol?path=src/main.ts&line=3")
        assert.deepStrictEqual([unused.callers, unused.moreCallers, unused.impact], [[], 0, []])
        assert.deepStrictEqual([unused.doc, unused.callees[0].name, unused.callees[0].lines], [undefined, "total", [4]])
        const missing = await client.send("GET", "/api/index/symbol?path=src/none.ts&line=1")
        assert.strictEqual(missing.status, 404)
      })
    }),
  )

  it.scopedLive.skipIf(!GitRepository.isAvailable)("lists the purposes that a symbol has had, by commit", () =>
    Effect.gen(function* () {
      const repository = yield* GitRepository.make()
      const purpose = {
        path: "src/price.ts",
        symbol: "lookup",
        kind: "function",
        hash: "an earlier source",
        purpose: "Finds the \u001b[31mprice.",
        model: "m/n",
        node: "n-1",
        weak: "it says\u202e little",
      }
      const id = repository.commit({ ".vibe/purposes.jsonl": `${JSON.stringify(purpose)}\n` })
      // The files of the project are in memory, and their repository is on the disk.
      const program = yield* Layer.build(Program.layer(GitRepository.environment(repository.root)))
      const git: GitService.Service = {
        run: (_, args, input) => Context.get(program, Git).run(repository.root, args, input),
      }
      const client = yield* Serving.serve({ model: Serving.scripted([]), files, git })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { more, notice, versions } = await client.get("/index/history?path=src/price.ts&line=5")
        const [{ commit, ...version }] = versions
        assert.deepStrictEqual(version, {
          text: "Finds the price.",
          model: "m/n",
          isCurrent: false,
          weak: "it says little",
        })
        assert.deepStrictEqual([commit.id, commit.author, more, notice, versions.length], [id, "Ada", 0, undefined, 1])
        const none = await client.get("/index/history?path=src/cart.ts&line=4")
        assert.deepStrictEqual(none, {
          versions: [],
          more: 0,
          notice: "No commit has a purpose that a model wrote for it.",
        })
      })
    }),
  )

  it.scopedLive("says why there is no history of purposes", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const found = await client.get("/index/history?path=src/cart.ts&line=4")
        assert.deepStrictEqual(found, { versions: [], more: 0, notice: "The program git is not installed." })
        const missing = await client.send("GET", "/api/index/history?path=src/none.ts&line=1")
        assert.strictEqual(missing.status, 404)
      })
    }),
  )

  it.scopedLive("draws the neighbourhood of a symbol: two layers to each side", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const { edges, nodes } = await client.get("/index/graph?path=src/cart.ts&line=4")
        const layers = Object.fromEntries(nodes.map((node: { name: string; layer: number }) => [node.name, node.layer]))
        assert.deepStrictEqual(layers, { total: 0, main: -1, price: 1, lookup: 2 })
        assert.strictEqual(edges.length, 3)
      })
    }),
  )

  it.scopedLive("draws at most 40 symbols, and says how many more there are of each layer", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 60 }, (_, n) => n)
      const many = {
        "/project/hub.ts": `import { ${names.map((n) => `leaf${n}`).join(", ")} } from "./leaves.ts"
export function hub(): void {
${names.map((n) => `  leaf${n}()`).join("\n")}
}
`,
        "/project/leaves.ts": names
          .map((n) => `export function leaf${n}(): void { deep${n}() }\nfunction deep${n}(): void {}\n`)
          .join(""),
        "/project/uses.ts": `import { hub } from "./hub.ts"
${names.map((n) => `function use${n}(): void { hub() }\nexport function outer${n}(): void { use${n}() }\n`).join("")}`,
      }
      const client = yield* Serving.serve({ model: Serving.scripted([]), files: many })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { edges, more, nodes } = await client.get("/index/graph?path=hub.ts&line=2")
        const ids: ReadonlyArray<string> = nodes.map((node: { id: string }) => node.id)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.isAtMost(ids.length, 40)
        for (const { from, to } of edges) assert.includeMembers([...ids], [from, to])
        const of = (layer: number) =>
          nodes.filter((node: { layer: number }) => node.layer === layer).length +
          (more.find((each: { layer: number }) => each.layer === layer)?.count ?? 0)
        assert.deepStrictEqual([of(-1), of(0), of(1)], [60, 1, 60])
        const drawn = (layer: number) => nodes.filter((node: { layer: number }) => node.layer === layer).length
        assert.deepStrictEqual([drawn(-2), drawn(-1), drawn(1), drawn(2)], [8, 8, 8, 8])
      })
    }),
  )

  it.scopedLive("draws ten callees of the second layer, and says how many more there are", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 12 }, (_, n) => n)
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        files: {
          "/project/hub.ts": `export function hub(): void { near() }
function near(): void {
${names.map((n) => `  far${n}()`).join("\n")}
}
${names.map((n) => `function far${n}(): void {}`).join("\n")}
`,
        },
      })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { edges, more, nodes } = await client.get("/index/graph?path=hub.ts&line=1")
        assert.strictEqual(nodes.filter((node: { layer: number }) => node.layer === 2).length, 10)
        assert.deepStrictEqual([edges.length, more], [11, [{ layer: 2, count: 2 }]])
      })
    }),
  )

  it.scopedLive("draws a full second layer of callers, though the first is not drawn in full", () =>
    Effect.gen(function* () {
      const direct = (n: number) => `import { hub } from "./hub.ts"\nexport function direct${n}(): void { hub() }\n`
      const far = (used: number, from: number, to: number) =>
        `import { direct${used} } from "./direct${10 + used}.ts"\n${Array.from(
          { length: to - from },
          (_, n) => `export function far${from + n}(): void { direct${used}() }\n`,
        ).join("")}`
      const many = {
        "/project/hub.ts": "export function hub(): void {}\n",
        ...Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`/project/direct${10 + n}.ts`, direct(n)])),
        // The first by their paths use a caller that comes last by its path.
        "/project/far1.ts": far(17, 0, 48),
        "/project/far2.ts": far(0, 48, 60),
      }
      const client = yield* Serving.serve({ model: Serving.scripted([]), files: many })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { edges, more, nodes } = await client.get("/index/graph?path=hub.ts&line=1")
        const drawn = (layer: number) => nodes.filter((node: { layer: number }) => node.layer === layer)
        assert.deepStrictEqual([drawn(-1).length, drawn(-2).length], [8, 10])
        assert.deepStrictEqual(more, [
          { layer: -1, count: 10 },
          { layer: -2, count: 50 },
        ])
        for (const { id } of drawn(-2)) assert.isTrue(edges.some(({ from }: { from: string }) => from === id))
      })
    }),
  )

  it.scopedLive("draws and lists a use outside of any symbol as its file, at the line of the use", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        files: {
          "/project/src/lib/box.ts": "export function box(): void {}\n",
          "/project/src/lib/run.ts": 'import { box } from "./box.ts"\n\nbox()\n',
        },
      })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { edges, nodes } = await client.get("/index/graph?path=src/lib/box.ts&line=1")
        const user = {
          id: "src/lib/run.ts:3",
          path: "src/lib/run.ts",
          line: 3,
          name: "run.ts",
          kind: "file",
          layer: -1,
        }
        assert.deepStrictEqual(nodes[1], user)
        assert.deepStrictEqual(edges, [{ from: "src/lib/run.ts:3", to: "src/lib/box.ts:1" }])
        const { callers } = await client.get("/index/symbol?path=src/lib/box.ts&line=1")
        assert.deepStrictEqual(callers, [{ path: "src/lib/run.ts", line: 3, lines: [3] }])
        // A folder has a folder and no file.
        const place = await client.get("/index/place?path=src")
        assert.deepStrictEqual(
          [place.files, place.folders.map(({ path }: { path: string }) => path)],
          [[], ["src/lib"]],
        )
      })
    }),
  )

  it.scopedLive("counts the users of a class with those of its members, everywhere on its page", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        files: {
          "/project/box.ts": "export class Box {\n  open(): void {}\n}\n",
          "/project/make.ts":
            'import { Box } from "./box.ts"\nexport function make(): Box { return new Box() }\nexport function look(box: Box): void { box.open() }\n',
          "/project/use.ts":
            'import { make } from "./make.ts"\nexport function use(): void { const box = make(); box.open() }\n',
        },
      })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const page = await client.get("/index/symbol?path=box.ts&line=1")
        const { more, nodes } = await client.get("/index/graph?path=box.ts&line=1")
        const drawn = nodes.filter((node: { layer: number }) => node.layer === -1).length
        assert.deepStrictEqual(
          nodes.map(({ layer, name }: { layer: number; name: string }) => `${layer} ${name}`).sort(),
          ["-1 look", "-1 make", "-1 use", "0 Box"],
        )
        const [first] = page.impact
        assert.deepStrictEqual(
          [page.callers.length + page.moreCallers, drawn + (more[0]?.count ?? 0)],
          [first.symbols, first.symbols],
        )
      })
    }),
  )

  it.scopedLive("answers a question with symbols and the lines that matter", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const [first] = await client.get("/index/search?text=sum%20of%20items")
        assert.strictEqual(first.symbol.name, "total")
        assert.include(first.pieces[0].lines.join("\n"), "items.reduce")
      })
    }),
  )

  it.scopedLive("answers a question with symbols below a path alone, or of the whole project", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const find = async (path: string) => {
          const hits = await client.get(`/index/search?text=price${path}`)
          return new Set(hits.map(({ symbol }: { symbol: { path: string } }) => symbol.path))
        }
        assert.deepStrictEqual(await find("&path=src/price.ts"), new Set(["src/price.ts"]))
        assert.isTrue((await find("")).has("src/cart.ts"))
        assert.deepStrictEqual(await find("&path="), await find(""))
      })
    }),
  )

  it.scopedLive("says why a purpose is as it is", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        const why = await client.get("/index/why?path=src/cart.ts&line=4")
        assert.deepStrictEqual(why, { summary: "No model wrote this: it is the symbol's comment." })
      })
    }),
  )

  it.scopedLive("estimates an exploration, with its cost if the model has a price", () =>
    Effect.gen(function* () {
      const [free, dear] = [Serving.scripted([], "free"), Serving.scripted([], "dear")]
      const others = [free, { ...dear, price: { input: 1, output: 2 } }]
      const client = yield* Serving.serve({ model: Serving.scripted([]), others, files })
      yield* Effect.promise(async () => {
        const unpriced = await client.post("/index/estimate", { model: "scripted/free" })
        const priced = await client.post("/index/estimate", { model: "scripted/dear" })
        assert.deepStrictEqual([unpriced.model, unpriced.all.symbols, unpriced.explorations], ["scripted/free", 4, 1])
        assert.notProperty(unpriced.all, "cost")
        assert.strictEqual(priced.model, "scripted/dear")
        const { cost, tokens } = priced.all
        assert.closeTo(cost, (tokens.input + 2 * tokens.output) / 1_000_000, 1e-9)
        assert.deepStrictEqual(priced.one, priced.all)
      })
    }),
  )

  it.scopedLive("runs an exploration, which all pages follow, with its cost and its purposes", () =>
    Effect.gen(function* () {
      const explaining = Serving.scripted(({ messages }) => {
        const asked = JSON.stringify(messages.at(-1))
        const numbers = [...new Set(asked.match(/§\d+/g) ?? [])].map((mark) => mark.slice(1))
        return numbers.length === 0 || asked.includes("recorded")
          ? "A shop that adds up the prices of a cart."
          : Scripted.calls([
              "create_index_entry",
              { entries: [{ purposes: numbers.map((n) => `${n}: Adds up what <i>item</i> ${n} costs in the shop.`) }] },
            ])
      })
      const client = yield* Serving.serve({ model: Serving.scripted([]), others: [explaining], files })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const heard = await client.listen()
        const begun = await client.send("POST", "/api/index/run", { model: String(explaining.id), all: false })
        assert.deepStrictEqual([begun.status, begun.body.state], [200, "running"], JSON.stringify(begun.body))
        let { run } = await client.get("/index")
        while (run.state === "running") {
          await new Promise((resolve) => setImmediate(resolve))
          run = (await client.get("/index")).run
        }
        assert.deepStrictEqual([run.state, run.written > 0], ["done", true], JSON.stringify(run))
        assert.strictEqual(run.activity, `${run.written} purposes written; 4 of 4 symbols have one.`)
        const explained = await client.get(`/index/symbol?path=${run.found[0].path}&line=${run.found[0].line}`)
        const { isStale, model, origin } = explained.symbol.purpose
        assert.deepStrictEqual([origin, model, isStale], ["model", "scripted/test", false])
        assert.match(run.found[0].text, /^Adds up what <i>item<\/i>/)
        assert.isAtLeast(run.endedAt, run.startedAt)
        assert.isTrue((await client.get("/index")).byModel > 0)
        const { line, path } = run.found[0]
        const why = await client.get(`/index/why?path=${path}&line=${line}`)
        assert.strictEqual((await client.get(`/forest/text?of=${why.answer}`)).row.kind, "assistant")
        await heard.until(({ type }) => type === "index")
        const stopped = await client.send("DELETE", "/api/index/run")
        assert.deepStrictEqual(stopped.body, { message: "No run is under way." })
        heard.close()
      })
    }),
  )

  it.scopedLive("stops a run, and says that what was found is kept", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const endless = LanguageModel.make(new ModelId({ provider: "scripted", name: "endless" }), () =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never),
      )
      const client = yield* Serving.serve({ model: Serving.scripted([]), others: [endless], files })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        await client.post("/index/run", { model: String(endless.id), all: false })
        await Effect.runPromise(Deferred.await(started))
        assert.strictEqual((await client.get("/index")).run.state, "running")
        assert.strictEqual((await client.send("DELETE", "/api/index/run")).status, 200)
        const { run } = await client.get("/index")
        assert.deepStrictEqual([run.state, run.activity], ["stopped", "Stopped. What was found is kept."])
        assert.isAtLeast(run.endedAt, run.startedAt)
      })
    }),
  )

  it.scopedLive("shows a run that failed before there was an index", () =>
    Effect.gen(function* () {
      const model = Serving.scripted([])
      const options = {
        model,
        others: [model],
        files,
        index: () => ({ open: () => failsWith(new TooNew({ version: 99 })) }),
      }
      const client = yield* Serving.serve(options)
      yield* Effect.promise(async () => {
        assert.notProperty(await client.get("/index"), "run")
        await client.post("/index/run", { model: String(model.id), all: false })
        let status = await client.get("/index")
        while (status.run.state === "running") {
          await new Promise((resolve) => setImmediate(resolve))
          status = await client.get("/index")
        }
        assert.deepStrictEqual([status.indexed, status.run.state], [false, "failed"])
        assert.include(status.run.activity, "the index was written by a newer version of vibe (format 99)")
      })
    }),
  )

  it.scopedLive("says why an index that is there cannot be used, and not that there is none", () =>
    Effect.gen(function* () {
      const openExisting = () => failsWith(new TooNew({ version: 99 }))
      const client = yield* Serving.serve({ model: Serving.scripted([]), files, index: () => ({ openExisting }) })
      const { body, status } = yield* Effect.promise(() => client.send("GET", "/api/index"))
      assert.strictEqual(status, 507)
      assert.include(body.message, "the index was written by a newer version of vibe (format 99)")
    }),
  )

  it.scopedLive("shows how far a run of another process has come, where it says so", () =>
    Effect.gen(function* () {
      const progress = { ...RunProgress.start(new ModelId({ provider: "scripted", name: "other" }), 1000), requests: 3 }
      let reason: Reason = new AtWork({ process: 7 })
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        files,
        index: () => ({
          claim: () => Effect.suspend(() => failsWith(reason)),
          progressOf: (_, process) => Effect.succeed(process === 7 ? progress : undefined),
        }),
      })
      yield* Effect.promise(async () => {
        const known = await client.post("/index/structure", undefined)
        assert.deepStrictEqual([known.isElsewhere, known.elsewhere.requests], [true, 3])
        for (const process of [8, undefined]) {
          reason = new AtWork({ process })
          const unknown = await client.get("/index")
          assert.deepStrictEqual([unknown.isElsewhere, unknown.elsewhere], [true, undefined])
        }
        // A lock that cannot be taken for another reason is no run.
        reason = new TooNew({ version: 99 })
        const none = await client.get("/index")
        assert.deepStrictEqual([none.isElsewhere, none.elsewhere], [false, undefined])
      })
    }),
  )

  it.scopedLive("refuses a model that there is not", () =>
    Effect.gen(function* () {
      const client = yield* serve
      yield* Effect.promise(async () => {
        for (const path of ["/api/index/estimate", "/api/index/run"]) {
          const { body, status } = await client.send("POST", path, { model: "nothing", all: false })
          assert.deepStrictEqual([status, typeof body.message], [400, "string"])
        }
      })
    }),
  )
})
