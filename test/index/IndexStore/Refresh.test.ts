import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref } from "effect"
import { FileError, Unreadable } from "../../../src/code/FileError.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Scanner from "../../../src/code/Symbols/Scanner.ts"
import * as Symbols from "../../../src/code/Symbols.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { isThorough } from "../../thoroughness.ts"
import { openIndex, symbols, withIndex, workspace } from "../IndexStore.fixture.ts"

type Outline = Symbols.Service["outline"]

/** The parser of the other tests, wrapped. */
const parser = (around: (outline: Outline) => Outline) =>
  Layer.effect(
    Symbols.Symbols,
    Effect.map(Symbols.Symbols, ({ outline }) => ({ outline: around(outline) })),
  ).pipe(Layer.provide(symbols))

/** The parser of the other tests, which cuts the files of `limits` after the first symbol. */
const limited = (limits: Ref.Ref<Readonly<Record<string, Symbols.Cut>>>) =>
  parser((outline) =>
    Effect.fnUntraced(function* (path, text) {
      const whole = yield* outline(path, text)
      const cut = (yield* Ref.get(limits))[path]
      return cut === undefined ? whole : { ...whole, symbols: whole.symbols.slice(0, 1), note: "cut short", cut }
    }),
  )

const importing = (name: string, from: string) => `import { ${name} } from "${from}"\n`

const plant = (name: string) => `export function ${name}() {\n}\n`

const used = (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const entries = yield* Effect.forEach(yield* index.files, ({ path }) => index.symbolsIn(path))
    return entries.flat().map(({ name, usedBy }) => [name, usedBy])
  })

describe("refresh", () => {
  it.scoped("numbers the files in their order, whichever is parsed first", () =>
    Effect.gen(function* () {
      const isLastDone = yield* Deferred.make<void>()
      const lastFirst = parser((outline) => (path, text) => {
        if (path === "a.ts") return Effect.zipRight(Deferred.await(isLastDone), outline(path, text))
        return path === "c.ts"
          ? Effect.zipLeft(outline(path, text), Deferred.succeed(isLastDone, undefined))
          : outline(path, text)
      })
      const files = {
        "a.ts": plant("plantOak"),
        "b.ts": plant("plantElm"),
        "c.ts": plant("plantAsh"),
        "d.ts":
          importing("plantOak", "./a.ts") +
          importing("plantElm", "./b.ts") +
          importing("plantAsh", "./c.ts") +
          "plantOak(plantAsh(plantElm()))",
      }
      // Equally used symbols are in the order in which they were written.
      const landmarks = yield* Effect.flatMap(openIndex("/p", files), (index) => index.landmarks(3)).pipe(
        Effect.provide(Layer.provide(Sqlite.layerMemory, lastFirst)),
      )
      assert.deepStrictEqual(
        landmarks.map(({ name }) => name),
        ["plantOak", "plantElm", "plantAsh"],
      )
    }),
  )

  it.scoped("numbers new files in their order, in whatever order their paths are given", () =>
    Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const use = `${importing("plantOak", "./a.ts")}${importing("plantElm", "./b.ts")}plantOak(plantElm())\n`
      yield* withIndex("/p", { "d.ts": use }, () => Effect.void)
      const index = yield* store.open(
        yield* workspace("/p", { "a.ts": plant("plantOak"), "b.ts": plant("plantElm"), "d.ts": use }),
      )
      assert.deepInclude(yield* index.refreshPaths(["b.ts", "a.ts"]), { parsed: 2 })
      assert.deepStrictEqual(
        (yield* index.landmarks(2)).map(({ name }) => name),
        ["plantOak", "plantElm"],
      )
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.effect("tells of a refresh of some paths what has changed there, sorted by path, with the symbols", () =>
    Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const open = (files: Readonly<Record<string, string>>) => Effect.flatMap(workspace("/p", files), store.open)
      const before = {
        "b.ts": plant("plantOak"),
        "c.ts": plant("plantElm"),
        "d.ts": plant("plantFir"),
        "e.ts": plant("plantYew") + plant("plantBox"),
      }
      yield* Effect.scoped(Effect.flatMap(open(before), (index) => index.refresh))
      const after = {
        "a.ts": plant("plantAsh"),
        "b.ts": plant("plantOak") + plant("plantBeech"),
        "d.ts": plant("plantFir"),
        "e.ts": `export function plantYew() {\n  water()\n}\n${plant("plantBox")}`,
      }
      const paths = ["e.ts", "d.ts", "c.ts", "b.ts", "a.ts"]
      const refreshed = yield* Effect.scoped(Effect.flatMap(open(after), (index) => index.refreshPaths(paths)))
      assert.deepInclude(refreshed, { parsed: 3, removed: 1 })
      assert.deepStrictEqual(refreshed.changes, [
        { path: "a.ts", change: "added", added: ["plantAsh"], changed: [], removed: [] },
        { path: "b.ts", change: "changed", added: ["plantBeech"], changed: [], removed: [] },
        { path: "c.ts", change: "removed", added: [], changed: [], removed: ["plantElm"] },
        { path: "e.ts", change: "changed", added: [], changed: ["plantYew"], removed: [] },
      ])
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.effect("outlines an unchanged file again that was cut short for time, and reports it until then", () =>
    Effect.gen(function* () {
      const limits = yield* Ref.make<Readonly<Record<string, Symbols.Cut>>>({ "slow.ts": "time", "hard.ts": "work" })
      yield* Effect.gen(function* () {
        const store = yield* IndexStore.IndexStore
        const files = yield* workspace("/p", {
          "hard.ts": plant("plantBeech") + plant("plantFir"),
          "slow.ts": plant("plantOak") + plant("plantElm"),
          "whole.ts": plant("plantAsh"),
        })
        const refresh = Effect.scoped(
          Effect.gen(function* () {
            const index = yield* store.open(files)
            const { parsed } = yield* index.refresh
            const { partialFiles, symbols } = yield* index.status
            const cut = (yield* index.files).flatMap(({ cut, note, path }) =>
              cut === undefined ? [] : [[path, cut, note]],
            )
            return { parsed, partialFiles, symbols, cut }
          }),
        )
        const hard = ["hard.ts", "work", "cut short"]
        const slow = ["slow.ts", "time", "cut short"]
        assert.deepStrictEqual(yield* refresh, { parsed: 3, partialFiles: 2, symbols: 3, cut: [hard, slow] })
        assert.deepStrictEqual(yield* refresh, { parsed: 1, partialFiles: 2, symbols: 3, cut: [hard, slow] })
        yield* Ref.set(limits, {})
        assert.deepStrictEqual(yield* refresh, { parsed: 1, partialFiles: 1, symbols: 4, cut: [hard] })
        assert.deepStrictEqual(yield* refresh, { parsed: 0, partialFiles: 1, symbols: 4, cut: [hard] })
      }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, limited(limits))))
    }),
  )

  it.effect("counts a file with declarations that a syntax error hides, and does not outline it again", () =>
    Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const files = yield* workspace("/p", {
        "a.go": "package a\nfunc b() int { if (a { return 2 }\nfunc c() int { return 3 }\nfunc d() {}\n",
      })
      const refresh = Effect.scoped(
        Effect.gen(function* () {
          const index = yield* store.open(files)
          const { parsed } = yield* index.refresh
          const { partialFiles } = yield* index.status
          return [parsed, partialFiles, (yield* index.files).map(({ cut }) => cut)]
        }),
      )
      assert.deepStrictEqual(yield* refresh, [1, 1, ["syntax"]])
      assert.deepStrictEqual(yield* refresh, [0, 1, ["syntax"]])
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, Scanner.layer))),
  )

  it.scoped("names the files and folders that cannot be read, until they can be", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/p/a.ts": plant("plantOak"),
        "/p/shut.ts": plant("plantElm"),
        "/p/closed/b.ts": plant("plantAsh"),
      })
      const isClosed = yield* Ref.make(true)
      const unlessClosed = <A, R>(path: string, effect: Effect.Effect<A, FileError, R>) =>
        Effect.flatMap(Ref.get(isClosed), (closed) =>
          closed && /shut|closed/.test(path)
            ? Effect.fail(new FileError({ path, reason: new Unreadable({ cause: "EACCES" }) }))
            : effect,
        )
      const index = yield* Workspace.open("/p").pipe(
        Effect.provideService(Files.Files, {
          ...files,
          list: (path) => unlessClosed(path, files.list(path)),
          readReal: (path, most) => unlessClosed(path, files.readReal(path, most)),
        }),
        Effect.flatMap((workspace) => Effect.flatMap(IndexStore.IndexStore, (store) => store.open(workspace))),
      )
      assert.strictEqual((yield* index.refresh).files, 2)
      assert.deepStrictEqual(yield* index.unreadable, ["closed/", "shut.ts"])
      yield* Ref.set(isClosed, false)
      assert.strictEqual((yield* index.refresh).symbols, 3)
      assert.deepStrictEqual(yield* index.unreadable, [])
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.scoped("names what has a name that is not UTF-8, unless it is ignored, until it is renamed", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/p/a.ts": plant("plantOak"),
        "/p/.gitignore": "*.log\n",
        "/p/src/b.ts": plant("plantAsh"),
      })
      const entry = (name: string, kind: Files.Kind): Files.Entry => ({ name, stat: { kind, size: 1, modified: 1 } })
      const nameless = yield* Ref.make([
        entry("caf\uFFFD.ts", "file"),
        entry("d\uFFFD", "folder"),
        entry("l\uFFFD", "link"),
        entry("x\uFFFD.log", "file"),
      ])
      const index = yield* Workspace.open("/p").pipe(
        Effect.provideService(Files.Files, {
          ...files,
          list: (path) =>
            Effect.zipWith(files.list(path), Ref.get(nameless), (folder, nameless) =>
              path.endsWith("src") ? { ...folder, nameless } : folder,
            ),
        }),
        Effect.flatMap((workspace) => Effect.flatMap(IndexStore.IndexStore, (store) => store.open(workspace))),
      )
      yield* index.refresh
      assert.deepStrictEqual(yield* index.unreadable, ["src/d\uFFFD/", "src/caf\uFFFD.ts"])
      yield* Ref.set(nameless, [])
      yield* index.refresh
      assert.deepStrictEqual(yield* index.unreadable, [])
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.scoped("refreshes all files where a folder on the way to a path cannot be read", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/p/a.ts": plant("plantOak"),
        "/p/closed/b.ts": plant("plantAsh"),
        "/p/open/c.ts": plant("plantFir"),
        "/p/open/deep/d.ts": plant("plantYew"),
      })
      const closed = yield* Ref.make("nothing")
      const index = yield* Workspace.open("/p").pipe(
        Effect.provideService(Files.Files, {
          ...files,
          list: (path) =>
            Effect.flatMap(Ref.get(closed), (name) =>
              path.endsWith(name)
                ? Effect.fail(new FileError({ path, reason: new Unreadable({ cause: "EACCES" }) }))
                : files.list(path),
            ),
        }),
        Effect.flatMap((workspace) => Effect.flatMap(IndexStore.IndexStore, (store) => store.open(workspace))),
      )
      assert.strictEqual((yield* index.refresh).files, 4)
      for (const [folder, path] of [
        ["closed", "closed/b.ts"],
        ["deep", "open"],
      ] as const) {
        yield* Ref.set(closed, folder)
        // A refresh of the paths alone would name no changes of others, and would take the files for removed.
        const refreshed = yield* index.refreshPaths([path])
        assert.isUndefined(refreshed.changes)
        assert.include((yield* index.unreadable).join(), `${folder}/`)
        yield* Ref.set(closed, "nothing")
        yield* index.refresh
      }
      for (const path of ["none/e.ts", "a.ts/e.ts", "open/none.ts"]) {
        assert.deepStrictEqual((yield* index.refreshPaths([path])).changes, [], path)
      }
      for (const path of ["", ".gitignore", "open/.vibeignore", ".gitattributes"]) {
        assert.isUndefined((yield* index.refreshPaths([path])).changes, path)
      }
      assert.strictEqual((yield* index.status).files, 4)
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.scopedLive.each(["written in place", "replaced by another file"])(
    "sees an edit that keeps size and time, %s, and reads no file that has not changed",
    (way) =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const [path, other] = [`${root}/a.ts`, `${root}/b.ts`]
        const day = new Date("2020-01-02T00:00:00Z")
        for (const file of [path, other]) {
          fs.writeFileSync(file, plant("plantOak"))
          fs.utimesSync(file, day, day)
        }
        const reads: Array<string> = []
        const files = yield* Files.Files
        const store = yield* IndexStore.IndexStore
        const index = yield* Workspace.open(root).pipe(
          Effect.provideService(Files.Files, {
            ...files,
            readReal: (path, most) =>
              Effect.zipRight(
                Effect.sync(() => path.endsWith(".ts") && reads.push(path.slice(root.length + 1))),
                files.readReal(path, most),
              ),
          }),
          Effect.flatMap(store.open),
        )
        yield* index.refresh
        reads.length = 0
        if (way === "written in place") fs.writeFileSync(path, plant("plantElm"))
        else {
          fs.writeFileSync(`${root}/new`, plant("plantElm"))
          fs.renameSync(`${root}/new`, path)
        }
        fs.utimesSync(path, day, day)
        assert.strictEqual((yield* index.refresh).parsed, 1)
        assert.deepStrictEqual(
          (yield* index.symbolsIn("a.ts")).map(({ name }) => name),
          ["plantElm"],
        )
        assert.deepStrictEqual(reads, ["a.ts"])
        // Its content is the same: it is read, and not outlined.
        fs.utimesSync(other, day, day)
        assert.strictEqual((yield* index.refresh).parsed, 0)
        reads.length = 0
        yield* index.refresh
        assert.deepStrictEqual(reads, [])
      }).pipe(Effect.provide(Layer.merge(NodeFiles.layer, Layer.provide(Sqlite.layer, symbols)))),
  )

  it.effect("does not outline a file again that was cut short when the index is only read", () =>
    Effect.gen(function* () {
      const limits = yield* Ref.make<Readonly<Record<string, Symbols.Cut>>>({ "slow.ts": "time" })
      yield* Effect.gen(function* () {
        const store = yield* IndexStore.IndexStore
        const files = yield* workspace("/p", { "slow.ts": plant("plantOak") + plant("plantElm") })
        yield* Effect.scoped(Effect.flatMap(store.open(files), (index) => index.refresh))
        yield* Ref.set(limits, {})
        const { index } = yield* store.openExisting(files)
        assert.strictEqual((yield* index.refresh).parsed, 0)
        assert.deepInclude(yield* index.status, { partialFiles: 1, symbols: 1 })
      }).pipe(Effect.scoped, Effect.provide(Layer.provide(Sqlite.layerMemory, limited(limits))))
    }),
  )

  it.scoped("completes a refresh that was interrupted", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      // More than a batch of 128, which is written while the last file is outlined.
      const count = 140
      const paths = Array.from({ length: count }, (_, n) => [`src/${n}.ts`, `plant${n}`] as const)
      /** All of these files use the last one. */
      const filesUsing = (name: string) => ({
        ...Object.fromEntries(
          paths.map(([path, own]) => [path, `${importing(name, "../z.ts")}${plant(own)}${name}()\n`]),
        ),
        "z.ts": plant(name),
      })
      const onDisk = (parser: Layer.Layer<Symbols.Symbols>) => Effect.provide(Layer.provide(Sqlite.layer, parser))
      const turns = Effect.repeatN(Effect.yieldNow({ priority: 1 }), 3_000)
      const cutShort = parser(
        (outline) => (path, text) => (path === "z.ts" ? Effect.zipRight(turns, Effect.interrupt) : outline(path, text)),
      )

      // The first index is interrupted, and then one of the same files that have changed.
      for (const name of ["plantAll", "plantMany"]) {
        const files = filesUsing(name)
        const cut = yield* Effect.scoped(openIndex(root, files)).pipe(onDisk(cutShort), Effect.exit)
        assert.isTrue(cut._tag === "Failure")
        const store = yield* Effect.provide(IndexStore.IndexStore, Layer.provide(Sqlite.layer, symbols))
        const [parsed, counted] = yield* Effect.scoped(
          Effect.gen(function* () {
            const index = yield* store.open(yield* workspace(root, files))
            const { parsed } = yield* index.refresh
            return [parsed, yield* used(index)] as const
          }),
        )
        assert.isBelow(parsed, count + 1)
        assert.sameDeepMembers(counted, [[name, count], ...paths.map(([, own]) => [own, 0])])
      }
    }),
  )

  it.effect("can be interrupted at any point, and the next refresh completes the index", () =>
    Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const all = isThorough ? 150 : 50
      const files = {
        ...Object.fromEntries(Array.from({ length: all }, (_, n) => [`src/${n}.ts`, plant(`plant${n}`)])),
        "all.ts": `${plant("plantAll")}${Array.from({ length: all }, (_, n) => `${importing(`plant${n}`, `./src/${n}.ts`)}plant${n}()\n`).join("")}`,
      }
      const answers = Effect.fnUntraced(function* (root: string) {
        const index = yield* store.open(yield* workspace(root, files))
        yield* index.refresh
        const { bytesOnDisk: _, ...status } = yield* index.status
        const hits = yield* Effect.forEach(["plantAll", "plant 7", "plant"], (question) =>
          index.search(question, { limit: 5 }),
        )
        return {
          status,
          used: yield* used(index),
          hits: hits.map((all) => all.map(({ entry, score }) => [entry.name, score])),
        }
      })
      const whole = yield* answers("/whole")
      const points = [0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 250, 300, 400, 600, 1_000]
      const ends = new Set<string>()
      for (const turns of isThorough ? points : [5, 100, 1_000]) {
        const root = `/after${turns}`
        const fiber = yield* Effect.fork(
          Effect.scoped(Effect.flatMap(store.open(yield* workspace(root, files)), (index) => index.refresh)),
        )
        yield* Effect.repeatN(Effect.yieldNow(), turns)
        ends.add((yield* Fiber.interrupt(fiber))._tag)
        assert.deepStrictEqual(yield* answers(root), whole, `after ${turns} turns`)
      }
      assert.deepStrictEqual(ends, new Set(["Failure", "Success"]))
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )

  it.effect("yields to other fibers, however many references there are", () =>
    Effect.gen(function* () {
      /** How often another fiber runs while this many references are resolved. */
      const turns = Effect.fnUntraced(function* (uses: number) {
        let turns = 0
        const other = Effect.sync(() => {
          turns += 1
        })
        const fiber = yield* Effect.fork(Effect.forever(Effect.zipRight(other, Effect.yieldNow())))
        const text = plant("plantOak") + Array.from({ length: uses }, (_, n) => `plantOak.grow${n}()\n`).join("")
        yield* withIndex(`/with${uses}`, { "a.ts": text }, () => Effect.void)
        yield* Fiber.interrupt(fiber)
        return turns
      })
      assert.isAtLeast((yield* turns(2_000)) - (yield* turns(10)), 3)
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
  )
})
