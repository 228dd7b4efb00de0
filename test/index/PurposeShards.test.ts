import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PurposeShards from "../../src/index/PurposeShards.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import { cases } from "../thoroughness.ts"

type File = PurposeShards.PurposeFile

/** Some ten lines of 150 characters. */
const small = { single: 1_500, shard: 1_600 }

const line = (path: string, symbol: string, hash = "h1", node = "n1"): Purposes.StoredLine =>
  Purposes.encode({ path, symbol, kind: "function", hash, purpose: `What ${symbol} does.`, model: "test/one", node })

const single = (lines: ReadonlyArray<Purposes.StoredLine>): File => ({
  name: PurposeShards.SINGLE,
  text: Purposes.render({ lines, invalid: [] }),
})

/** The files after some of the writes of a plan. */
const write = (files: ReadonlyArray<File>, writes: ReadonlyArray<File>): ReadonlyArray<File> => {
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const file of writes) byName.set(file.name, file)
  return PurposeShards.inReadingOrder([...byName.keys()]).map((name) => byName.get(name) ?? assert.fail())
}

const linesOf = (files: ReadonlyArray<File>) => PurposeShards.toSingle(files).lines

const save = (files: ReadonlyArray<File>, lines: ReadonlyArray<Purposes.StoredLine>, limits = small) =>
  write(files, PurposeShards.plan(files, lines, limits))

/** `many` lines in files of a folder. */
const inFolder = (folder: string, many: number) =>
  Array.from({ length: many }, (_, n) => line(`${folder}${folder === "" ? "" : "/"}file${n}.ts`, `symbol${n}`))

const names = (files: ReadonlyArray<File>) => files.map(({ name }) => name)

describe("PurposeShards.plan", () => {
  it("keeps few purposes in one file", () => {
    const lines = inFolder("src", 5)
    assert.deepStrictEqual(PurposeShards.plan([single([])], lines, small), [single(lines)])
  })

  it("puts many into a file for each large folder, and empties the one file last", () => {
    const files = [single([...inFolder("packages/core", 9), ...inFolder("packages/web", 9), ...inFolder("docs", 2)])]
    const writes = PurposeShards.plan(files, linesOf(files), small)
    assert.deepStrictEqual(writes.at(-1), { name: "purposes.jsonl", text: "" })
    assert.deepStrictEqual(names(write(files, writes)), [
      "purposes.jsonl",
      "purposes/docs.jsonl",
      "purposes/packages@core.jsonl",
      "purposes/packages@web.jsonl",
    ])
  })

  it("rewrites one shard for a purpose that is new or has changed, and one that becomes too large", () => {
    const lines = [...inFolder("a", 9), ...inFolder("b", 9), ...inFolder("c", 3)]
    const files = save([single([])], lines)
    const more = [...lines, line("b/new.ts", "new")]
    assert.deepStrictEqual(names(PurposeShards.plan(files, more, small)), ["purposes/b.jsonl"])
    const grown = [...lines, ...inFolder("b/deep", 9)]
    assert.deepStrictEqual(names(PurposeShards.plan(files, grown, small)), ["purposes/b@deep.jsonl"])
  })

  it("keeps the shards where a folder becomes small again, and moves nothing", () => {
    const files = save([single([])], [...inFolder("a", 9), ...inFolder("b", 9)])
    assert.deepStrictEqual(PurposeShards.plan(files, inFolder("a", 9), small), [{ name: "purposes/b.jsonl", text: "" }])
  })

  it("divides a large folder without folders by the digests of its paths, each path in one file", () => {
    const lines = inFolder("src", 60)
    const files = save([single([])], lines)
    assert.isAbove(files.length, 8)
    for (const { name, text } of files.slice(1)) {
      assert.match(name, /^purposes\/src~[0-9a-f]\.jsonl$/)
      assert.isAtMost(text.length, small.shard)
    }
    assert.deepStrictEqual(PurposeShards.plan(files, lines, small), [])
  })

  it("divides by more digits what is too large for one, and changes one file for one line", () => {
    const lines = inFolder("src", 300)
    const files = save([single([])], lines)
    for (const { name, text } of files.slice(1)) {
      assert.match(name, /^purposes\/src~[0-9a-f]{1,3}\.jsonl$/)
      assert.isAtMost(text.length, small.shard)
    }
    assert.isTrue(names(files).some((name) => /~[0-9a-f]{2}\./.test(name)))
    assert.deepStrictEqual(PurposeShards.plan(files, lines, small), [])
    const changed = [...lines.slice(0, -1), line("src/file299.ts", "symbol299", "h2")]
    assert.lengthOf(PurposeShards.plan(files, changed, small), 1)
    // Fewer lines stay in the shards in which they are.
    const known = new Set(names(files))
    for (const { name } of PurposeShards.plan(files, lines.slice(0, 100), small)) assert.isTrue(known.has(name), name)
  })

  it("moves lines that a merge has left in the one file to their shards, the better one of two", () => {
    const lines = [...inFolder("a", 9), ...inFolder("b", 9)]
    const sharded = save([single([])], lines)
    const newer = line("a/file0.ts", "symbol0", "h1", "n2")
    const merged = write(sharded, [single([newer, line("c/x.ts", "x")])])
    const files = save(merged, linesOf(merged))
    assert.strictEqual(files[0]?.text, "")
    assert.deepStrictEqual(
      linesOf(files).map(({ text }) => text),
      [newer, ...lines.slice(1), line("c/x.ts", "x")].map(({ text }) => text),
    )
  })

  it("leaves lines that are no purposes where they are", () => {
    const lines = inFolder("a", 20)
    const { text } = single(lines)
    const files = [{ name: "purposes.jsonl", text: `${text}<<<<<<< ours\n` }]
    assert.strictEqual(save(files, lines)[0]?.text, "<<<<<<< ours\n")
  })

  it("gives folders names that are files on any system, also where case is ignored", () => {
    const folders = ["Src", "src", "con", "nul.d", "a b", "ä/€", "a@b", "a~b", "x=y", "..a", "%41"]
    const lines = folders.flatMap((folder) => inFolder(folder, 9))
    const files = save([single([])], lines)
    const shards = names(files).slice(1)
    assert.include(shards, "purposes/=src.jsonl")
    assert.include(shards, "purposes/%63on.jsonl")
    assert.strictEqual(new Set(shards.map((name) => name.toLowerCase())).size, shards.length)
    for (const name of shards) assert.match(name, /^purposes\/(?!con\.|nul\.)[a-z0-9_.=%@~-]+\.jsonl$/)
    assert.deepStrictEqual(PurposeShards.plan(files, lines, small), [])
    assert.include(shards, "purposes/%c3%a4.jsonl")
  })

  it("has a folder without a shard of its own where its name would be too long", () => {
    const files = save([single([])], inFolder("long-name/".repeat(30).slice(0, -1), 40))
    for (const name of names(files)) assert.isBelow(name.length, 150)
    assert.lengthOf(linesOf(files), 40)
  })
})

const words = FastCheck.constantFrom("a", "b", "Core", "ü", "con", "x.y")

const entry = FastCheck.record({
  folder: FastCheck.array(words, { maxLength: 4 }),
  file: FastCheck.nat(4),
  symbol: FastCheck.nat(2),
  hash: FastCheck.nat(2),
  node: FastCheck.nat(9),
})

const lines = FastCheck.array(entry, { maxLength: 120 }).map((entries) =>
  Purposes.merge(
    [],
    entries.map(({ file, folder, hash, node, symbol }) =>
      line([...folder, `f${file}.ts`].join("/"), `s${symbol}`, `h${hash}`, `n${node}`),
    ),
  ),
)

const textsOf = (lines: ReadonlyArray<Purposes.StoredLine>) => lines.map(({ text }) => text)

describe("PurposeShards, for any purposes", () => {
  it("has the same in shards as in one file, also after more of them, and then nothing to write", () => {
    FastCheck.assert(
      FastCheck.property(lines, lines, (first, second) => {
        let files: ReadonlyArray<File> = [single([])]
        for (const step of [first, Purposes.merge(first, second), second]) {
          files = save(files, step)
          const expected = Purposes.parse(Purposes.render({ lines: step, invalid: [] })).lines
          assert.deepStrictEqual(textsOf(linesOf(files)), textsOf(expected))
          assert.deepStrictEqual(PurposeShards.plan(files, step, small), [])
        }
      }),
      { numRuns: cases(150), seed: 1 },
    )
  })

  it("loses no line that stays, after any number of the writes", () => {
    FastCheck.assert(
      FastCheck.property(lines, lines, lines, (first, second, left) => {
        const sharded = save([single([])], first)
        // As a merge of a branch with one file leaves it.
        const files = write(sharded, [single(left)])
        const next = Purposes.merge(linesOf(files), second)
        const known = new Set(textsOf(linesOf(files)))
        const stay = textsOf(next).filter((text) => known.has(text))
        const writes = PurposeShards.plan(files, next, small)
        for (let done = 0; done <= writes.length; done++) {
          const there = new Set(write(files, writes.slice(0, done)).flatMap(({ text }) => text.split("\n")))
          assert.deepStrictEqual(
            stay.filter((text) => !there.has(text)),
            [],
          )
        }
      }),
      { numRuns: cases(150), seed: 1 },
    )
  })

  it("ends with the same files where it was interrupted", () => {
    FastCheck.assert(
      FastCheck.property(lines, FastCheck.nat(99), (all, after) => {
        const files = [single(all)]
        const writes = PurposeShards.plan(files, all, small)
        const left = write(files, writes.slice(0, after % (writes.length + 1)))
        const mended = save(left, linesOf(left))
        assert.deepStrictEqual(textsOf(linesOf(mended)), textsOf(linesOf(files)))
        if (mended.length > 1) assert.strictEqual(mended[0]?.text, "")
      }),
      { numRuns: cases(150), seed: 1 },
    )
  })
})

describe("the names of shards", () => {
  it.each<readonly [name: string, path: string, mayHave: boolean]>([
    ["purposes.jsonl", "src/a.ts", true],
    ["purposes/src.jsonl", "src/a.ts", true],
    ["purposes/src.jsonl", "src/deep/a.ts", true],
    ["purposes/src.jsonl", "source/a.ts", false],
    ["purposes/src.jsonl", "lib/src/a.ts", false],
    ["purposes/@.jsonl", "a.ts", true],
    ["purposes/src@deep.jsonl", "src/deep/a.ts", true],
    ["purposes/src@deep.jsonl", "src/a.ts", false],
    // Names that vibe would not write may have anything.
    ["purposes/Src.jsonl", "lib/a.ts", true],
    ["purposes/src~0~1.jsonl", "lib/a.ts", true],
    ["purposes/src~xyz.jsonl", "lib/a.ts", true],
    ["purposes/src~012345678.jsonl", "lib/a.ts", true],
    ["purposes/con.jsonl", "lib/a.ts", true],
    [`purposes/${"a".repeat(120)}.jsonl`, "lib/a.ts", false],
    [`purposes/${"a".repeat(121)}.jsonl`, "lib/a.ts", true],
  ])("says whether %s may have lines about %s: %s", (name, path, mayHave) => {
    assert.strictEqual(PurposeShards.mayHave(name, path), mayHave)
  })

  it("has lines of a path in one of the shards by its digest", () => {
    const having = Array.from("0123456789abcdef").filter((digit) =>
      PurposeShards.mayHave(`purposes/src~${digit}.jsonl`, "src/a.ts"),
    )
    assert.lengthOf(having, 1)
    assert.isFalse(PurposeShards.mayHave(`purposes/src~${having[0]}.jsonl`, "lib/a.ts"))
  })

  it("takes files that end in .jsonl for shards, but no hidden ones", () => {
    assert.deepStrictEqual(
      ["src.jsonl", ".src.jsonl", "src.json", "jsonl", ".jsonl.a"].map(PurposeShards.isShardName),
      [true, false, false, false, false],
    )
  })

  it("reads the single file first, then the root, then folders from the outside in, and those by digests last", () => {
    const sorted = [
      "purposes.jsonl",
      "purposes/@.jsonl",
      "purposes/a.jsonl",
      "purposes/b.jsonl",
      "purposes/a@c.jsonl",
      "purposes/a~0.jsonl",
      "purposes/a~1.jsonl",
      "purposes/a~00.jsonl",
    ]
    assert.deepStrictEqual(PurposeShards.inReadingOrder(sorted.toReversed()), sorted)
  })
})
