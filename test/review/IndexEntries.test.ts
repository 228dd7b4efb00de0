/** How files are compared with what git's index says of them, with stats and ids that no real file has on demand. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Git from "../../src/review/Git.ts"
import * as IndexEntries from "../../src/review/IndexEntries.ts"

const idOf = (text: string, algorithm: "sha1" | "sha256" = "sha1") =>
  createHash(algorithm)
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex")

/** The index itself was written in second 2,000. */
const INDEX: Partial<Files.Stat> = { modified: 2_000_500 }

/** The stat that `/p/a.ts` has, and that the entry has of it. */
const STAT = { kind: "file", size: 5, modified: 1_000_250, changed: 1_001_750, inode: 7 } as const
const CACHED: NonNullable<IndexEntries.IndexEntry["stat"]> = {
  modified: [1000, 250_000_000],
  changed: [1001, 750_000_000],
  inode: 7,
  size: 5,
}

/** The entry is about another content than the file has, so that `same` means that the content was not read. */
const ENTRY: IndexEntries.IndexEntry = {
  path: "a.ts",
  mode: "100644",
  id: idOf("other"),
  stage: 0,
  isAssumed: false,
  stat: CACHED,
}

interface Setting {
  readonly contents?: Readonly<Record<string, Files.Content>>
  readonly stats?: Readonly<Record<string, Partial<Files.Stat>>>
  /** The output of git that names its index. */
  readonly place?: string
}

/** Runs against files in memory, which have the stats that are named. */
const comparing = <A>(
  { contents = { "/p/a.ts": "bytes" }, place = ".git/index", stats = {} }: Setting,
  use: (comparer: IndexEntries.Comparer) => Effect.Effect<A>,
) => {
  const all: Setting["contents"] = { "/p/.git/index": "", ...contents }
  const known: Setting["stats"] = { "/p/.git/index": INDEX, ...stats }
  const files = Layer.effect(
    Files.Files,
    Effect.map(Files.Files, (memory) => ({
      ...memory,
      stat: (path: string) => Effect.map(memory.stat(path), (stat) => ({ ...stat, ...known[path] })),
    })),
  ).pipe(Layer.provide(Files.layerMemory(all)))
  const git = Layer.succeed(Git.Git, {
    run: () => Effect.succeed({ code: place === "" ? 1 : 0, stdout: Buffer.from(`${place}\n`), stderr: "" }),
  })
  return Effect.flatMap(IndexEntries.comparer("/p"), use).pipe(Effect.provide(Layer.merge(files, git)))
}

const compare = (entry: Partial<IndexEntries.IndexEntry>, setting: Setting = {}) =>
  comparing(setting, (comparer) => comparer.compare({ ...ENTRY, ...entry }))

const withStat = (stat: Partial<Files.Stat>, cached: Partial<typeof CACHED> = {}, index: Partial<Files.Stat> = INDEX) =>
  compare({ stat: { ...CACHED, ...cached } }, { stats: { "/p/a.ts": { ...STAT, ...stat }, "/p/.git/index": index } })

describe("IndexEntries.comparer", () => {
  it.effect("does not read a file whose stat is that of the index, and reads one with any other", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* withStat({}), "same")
      for (const other of [
        { size: 6 },
        { inode: 8 },
        { modified: 1_000_251 },
        { modified: 1_001_250 },
        { changed: 1_001_751 },
        { changed: 1_000_750 },
      ]) {
        assert.strictEqual(yield* withStat(other), "changed", JSON.stringify(other))
      }
      assert.strictEqual(yield* compare({ stat: undefined }, { stats: { "/p/a.ts": STAT } }), "changed")
    }),
  )

  it.effect("compares times by the millionth of a second, and by whole seconds if the index has no parts of them", () =>
    Effect.gen(function* () {
      // A number has fewer digits than the time of the file system.
      assert.strictEqual(yield* withStat({ modified: 1_000_250.0004 }), "same")
      assert.strictEqual(yield* withStat({ modified: 1_000_249.9996 }), "same")
      assert.strictEqual(yield* withStat({ modified: 1_000_250.002 }), "changed")
      assert.strictEqual(yield* withStat({ modified: 1_000_249.998 }), "changed")
      for (const [part, state] of [
        [999_999, "changed"],
        [1_000_000, "same"],
        [1_000_999, "same"],
        [1_001_000, "changed"],
      ] as const) {
        assert.strictEqual(yield* withStat({ modified: part }, { modified: [1000, 0] }), state, String(part))
      }
    }),
  )

  it.effect("compares sizes and inodes by the 32 bits that the index has", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* withStat({ size: 2 ** 32 + 5, inode: 3 * 2 ** 32 + 7 }), "same")
      assert.strictEqual(yield* withStat({ size: 2 ** 32 + 6 }), "changed")
      assert.strictEqual(yield* withStat({ inode: 2 ** 32 + 8 }), "changed")
    }),
  )

  it.effect("does without inode and time of change where the system has none", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* withStat({ inode: undefined, changed: undefined }, { inode: 0, changed: [0, 0] }),
        "same",
      )
      assert.strictEqual(yield* withStat({ changed: undefined }, { changed: [0, 0] }), "same")
      // Git for Windows stores neither, whatever the system reports.
      assert.strictEqual(yield* withStat({ inode: undefined }, { changed: [0, 0] }), "same")
    }),
  )

  it.effect("reads a file that was written in the second of the index, or later, or whose index has no time", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* withStat({}, {}, { modified: 1_000_999 }), "changed")
      assert.strictEqual(yield* withStat({}, {}, { modified: 999_000 }), "changed")
      assert.strictEqual(yield* withStat({}, {}, { modified: 1_001_000 }), "same")
      const stats = { "/p/a.ts": STAT }
      assert.strictEqual(yield* compare({}, { stats, place: "" }), "changed")
      assert.strictEqual(yield* compare({}, { stats, place: ".git/none" }), "changed")
      const elsewhere = { ...stats, "/main/.git/worktrees/p/index": INDEX }
      const contents = { "/p/a.ts": "bytes", "/main/.git/worktrees/p/index": "" }
      assert.strictEqual(
        yield* compare({}, { stats: elsewhere, contents, place: "/main/.git/worktrees/p/index" }),
        "same",
      )
    }),
  )

  it.effect("compares contents by either kind of id, with the line endings of the file or those of git", () =>
    Effect.gen(function* () {
      const contentIs = (text: Files.Content, id: string) =>
        Effect.gen(function* () {
          const setting = { contents: { "/p/a.ts": text } }
          const state = yield* comparing(setting, (comparer) => comparer.compareContent("a.ts", id))
          assert.strictEqual(yield* compare({ id, stat: undefined }, setting), state)
          return state
        })
      assert.strictEqual(yield* contentIs("é\nb\n", idOf("é\nb\n")), "same")
      assert.strictEqual(yield* contentIs("é\nb\n", idOf("é\nb\n", "sha256")), "same")
      assert.strictEqual(yield* contentIs("é\r\nb\r\n", idOf("é\nb\n")), "same")
      assert.strictEqual(yield* contentIs("é\r\nb\r\n", idOf("é\r\nb\r\n")), "same")
      assert.strictEqual(yield* contentIs("é\r\nb\r\n", idOf("é\nb\n", "sha256")), "same")
      assert.strictEqual(yield* contentIs("é\nb\n", idOf("é\r\nb\r\n")), "changed")
      assert.strictEqual(yield* contentIs("é\rb\r", idOf("é\nb\n")), "changed")
      assert.strictEqual(yield* contentIs("a\n", idOf("b\n")), "changed")
    }),
  )

  it.effect("finds no file behind a link, in what is no folder, or by a path that leads out of the folder", () =>
    Effect.gen(function* () {
      const contents = {
        "/p/a.ts": "bytes",
        "/p/src/deep/b.ts": "bytes",
        "/p/link.ts": { link: "/p/a.ts" },
        "/p/linked": { link: "/p/src" },
        "/p/.git/config": "",
        "/p/src/.git/config": "",
        "/q/c.ts": "bytes",
      }
      const stateOf = (path: string) =>
        Effect.gen(function* () {
          const states = yield* comparing({ contents }, ({ compare, compareContent, hasFile }) =>
            Effect.all([compare({ ...ENTRY, path }), compareContent(path, idOf("bytes")), hasFile(path)]),
          )
          return states.join(" ")
        })
      assert.strictEqual(yield* stateOf("a.ts"), "changed same true")
      assert.strictEqual(yield* stateOf("src/deep/b.ts"), "changed same true")
      for (const path of [
        "none.ts",
        "none/a.ts",
        "link.ts",
        "linked/deep/b.ts",
        "a.ts/b.ts",
        "src",
        "../q/c.ts",
        "../p/a.ts",
        "./a.ts",
        "src//deep/b.ts",
        ".git/config",
        "src/.git/config",
      ]) {
        assert.strictEqual(yield* stateOf(path), "gone gone false", path)
      }
      const outOfSight = { ...ENTRY, path: "none.ts", isAssumed: true }
      assert.strictEqual(yield* comparing({ contents }, ({ compare }) => compare(outOfSight)), "same")
    }),
  )

  it.effect("looks at a folder once for all files in it", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const files = Layer.effect(
        Files.Files,
        Effect.map(Files.Files, (memory) => ({
          ...memory,
          stat: (path: string) =>
            Effect.zipRight(
              Effect.sync(() => seen.push(path)),
              memory.stat(path),
            ),
        })),
      ).pipe(
        Layer.provide(Files.layerMemory({ "/p/src/deep/a.ts": "a", "/p/src/deep/b.ts": "b", "/p/.git/index": "" })),
      )
      const git = Layer.succeed(Git.Git, {
        run: () => Effect.succeed({ code: 0, stdout: Buffer.from(".git/index\n"), stderr: "" }),
      })
      const found = yield* Effect.flatMap(IndexEntries.comparer("/p"), ({ hasFile }) =>
        Effect.forEach(["src/deep/a.ts", "src/deep/b.ts", "none/c.ts", "none/d.ts"], hasFile),
      ).pipe(Effect.provide(Layer.merge(files, git)))
      assert.deepStrictEqual(found, [true, true, false, false])
      assert.deepStrictEqual(
        seen.map((path) => path.slice(3)),
        [".git/index", "src", "src/deep", "src/deep/a.ts", "src/deep/b.ts", "none"],
      )
    }),
  )
})

describe("IndexEntries.parse", () => {
  const debug = (inode: number, size: number) =>
    `  ctime: 1001:750000000\n  mtime: 1000:250000000\n  dev: 66\tino: ${inode}\n  uid: 1\tgid: 2\n  size: ${size}\tflags: 0\n`

  it("reads tags, stages and stats, and names of any letters", () => {
    const entry = (tag: string, path: string, stage = 0) => `${tag} 100644 ${ENTRY.id} ${stage}\t${path}\0`
    const output =
      entry("H", "a.ts") +
      debug(7, 5) +
      entry("S", "left out.ts") +
      debug(8, 6) +
      entry("h", "b\n.ts") +
      debug(9, 0) +
      entry("M", "é.ts", 2) +
      "  another format\n"
    const base = { mode: "100644", id: ENTRY.id, stage: 0 }
    const times = { modified: CACHED.modified, changed: CACHED.changed }
    assert.deepStrictEqual(IndexEntries.parse(Buffer.from(output)), [
      { ...base, path: "a.ts", isAssumed: false, stat: CACHED },
      { ...base, path: "left out.ts", isAssumed: true, stat: { ...times, inode: 8, size: 6 } },
      { ...base, path: "b\n.ts", isAssumed: true, stat: { ...times, inode: 9, size: 0 } },
      { ...base, path: "é.ts", stage: 2, isAssumed: false, stat: undefined },
    ])
  })

  it("reads nothing of an empty listing, and leaves out what is no entry", () => {
    assert.deepStrictEqual(IndexEntries.parse(Buffer.from("")), [])
    assert.deepStrictEqual(IndexEntries.parse(Buffer.from("no entry\0  ctime\n")), [])
  })
})
