/** The sentences that a symbol has had, as the real program git has them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry, type Purpose } from "../../src/index/IndexEntry.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import * as Program from "../../src/review/Git/Program.ts"
import * as PurposeHistory from "../../src/review/PurposeHistory.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import * as GitRepository from "../utils/GitRepository.ts"

const line = (purpose: string, hash: string, other: Partial<Purposes.Line> = {}) =>
  Purposes.encode({
    path: "src/a.ts",
    symbol: "one",
    kind: "function",
    hash,
    purpose,
    model: "m/n",
    node: "n-1",
    ...other,
  }).text

const text = (...lines: ReadonlyArray<string>) => lines.map((one) => `${one}\n`).join("")

const PURPOSES = ".vibe/purposes.jsonl"

const entry = (purpose: string | undefined, hash: string) => {
  const shown: Purpose | undefined =
    purpose === undefined ? undefined : { text: purpose, origin: "model", model: "m/n", node: "n-1", stale: false }
  return new IndexEntry({
    path: "src/a.ts",
    name: "one",
    kind: "function",
    signature: "function one()",
    startLine: 1,
    endLine: 2,
    hash,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...(shown !== undefined && { purpose: shown }),
  })
}

const read = (
  root: string,
  of: IndexEntry,
  siblings: ReadonlyArray<IndexEntry> = [of],
  limits?: PurposeHistory.Limits,
) =>
  PurposeHistory.read(root, of, siblings, limits).pipe(
    Effect.provide(Program.layer(GitRepository.environment(path.dirname(root)))),
  )

/** Each version as its sentence and the commit that it came with. */
const tell = ({ versions }: PurposeHistory.PurposeHistory) =>
  versions.map(({ commit, text }) => [text, commit?.id] as const)

describe.skipIf(!GitRepository.isAvailable)("PurposeHistory.read", () => {
  it.scopedLive("lists each sentence with the commit, date and author that it came with, the newest first", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const first = commit({ [PURPOSES]: text(line("Counts.", "h1")) })
      commit({ [PURPOSES]: text(line("Counts.", "h1"), line("Other.", "h9", { symbol: "two" })) })
      const second = commit({ [PURPOSES]: text(line("Counts.", "h1"), line("Adds.", "h2", { weak: "too short" })) })
      commit({ "other.ts": "" })
      const third = commit({ [PURPOSES]: text(line("Adds all. What adds?", "h3")) })
      const history = yield* read(root, entry("Adds all. What adds?", "h3"))
      assert.deepStrictEqual(tell(history), [
        ["Adds all.", third],
        ["Adds.", second],
        ["Counts.", first],
      ])
      assert.deepStrictEqual(
        history.versions.map(({ isCurrent, weak }) => [isCurrent, weak]),
        [
          [true, undefined],
          [false, "too short"],
          [false, undefined],
        ],
      )
      const [{ commit: newest } = assert.fail()] = history.versions
      assert.deepStrictEqual([newest?.author, newest?.title], ["Ada", "work"])
      assert.isAbove(newest?.writtenAt ?? 0, 1_600_000_000_000)
      assert.isUndefined(PurposeHistory.describe(history))
    }),
  )

  it.scopedLive("begins with a sentence that no commit has", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const first = commit({ [PURPOSES]: text(line("Counts.", "h1")) })
      assert.deepStrictEqual(tell(yield* read(root, entry("Adds.", "h2"))), [
        ["Adds.", undefined],
        ["Counts.", first],
      ])
    }),
  )

  it.scopedLive("finds sentences in shards, in a folder of the repository, and on a merged branch", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      const inFolder = (name: string) => `app/${name}`
      const first = commit({ [inFolder(PURPOSES)]: text(line("Counts.", "h1")) })
      git("checkout", "--quiet", "-b", "topic")
      const onBranch = commit({
        [inFolder(PURPOSES)]: "",
        [inFolder(".vibe/purposes/src.jsonl")]: text(line("Counts.", "h1"), line("Adds.", "h2")),
        // A shard of another folder is not even read.
        [inFolder(".vibe/purposes/lib.jsonl")]: text(line("Elsewhere.", "h2")),
      })
      git("checkout", "--quiet", "main")
      commit({ "other.ts": "" })
      git("merge", "--quiet", "--no-edit", "topic")
      assert.deepStrictEqual(tell(yield* read(path.join(root, "app"), entry("Adds.", "h2"))), [
        ["Adds.", onBranch],
        ["Counts.", first],
      ])
    }),
  )

  it.scopedLive("follows the present source into a file that was moved, and leaves overloads to themselves", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const first = commit({
        [PURPOSES]: text(
          line("Moved.", "h1", { path: "old.ts" }),
          line("Elsewhere.", "h2", { path: "old.ts" }),
          line("Overload.", "h3"),
        ),
      })
      const own = entry("Moved.", "h1")
      const found = yield* read(root, own, [own, entry(undefined, "h3")])
      assert.deepStrictEqual(tell(found), [["Moved.", first]])
    }),
  )

  it.scopedLive("says that a clone is shallow, that no commit has a purpose, and that there are more commits", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const none = yield* read(root, entry(undefined, "h1"))
      assert.deepStrictEqual(none.versions, [])
      assert.include(PurposeHistory.describe(none), "no commit has a purpose")
      commit({ [PURPOSES]: text(line("Counts.", "h1")) })
      const last = commit({ [PURPOSES]: text(line("Adds.", "h2")) })
      const limits = { ...PurposeHistory.LIMITS, commits: 1 }
      const cut = yield* read(root, entry("Adds.", "h2"), [], limits)
      assert.deepStrictEqual([tell(cut), cut.isComplete], [[["Adds.", last]], false])
      assert.include(PurposeHistory.describe(cut), "only the newest commits")
      const byBytes = yield* read(root, entry("Adds.", "h2"), [], { ...PurposeHistory.LIMITS, bytes: 200 })
      assert.deepStrictEqual([tell(byBytes), byBytes.isComplete], [[["Adds.", last]], false])
      const one = yield* read(root, entry("Adds.", "h2"), [], { ...PurposeHistory.LIMITS, versions: 1 })
      assert.deepStrictEqual([tell(one), one.more], [[["Adds.", last]], 1])
      const home = yield* temporaryFolder
      const clone = path.join(fs.realpathSync(home), "clone")
      const { git } = yield* GitRepository.make()
      git("clone", "--quiet", "--depth=1", `file://${root}`, clone)
      const shallow = yield* read(clone, entry("Adds.", "h2"))
      assert.deepStrictEqual(tell(shallow), [["Adds.", last]])
      assert.include(PurposeHistory.describe(shallow), "shallow")
    }),
  )

  it.scopedLive("takes no sentence of another symbol of the file, though that is the name of the symbol", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const id = commit({ [PURPOSES]: text(line("one", "h9", { symbol: "two" }), line("Counts.", "h1")) })
      assert.deepStrictEqual(tell(yield* read(root, entry("Counts.", "h1"))), [["Counts.", id]])
    }),
  )

  it.scopedLive("reads all lines that name the symbol, also a last one without a line break", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const id = commit({
        [PURPOSES]: `${text(line("Counts.", "h1"), line("Other.", "h9", { symbol: "two" }), line("Adds.", "h2"))}${line("Sums.", "h3")}`,
      })
      assert.deepStrictEqual(tell(yield* read(root, entry("Sums.", "h3"))), [
        ["Sums.", id],
        ["Adds.", id],
        ["Counts.", id],
      ])
    }),
  )

  it.scopedLive("fails outside of a repository", () =>
    Effect.gen(function* () {
      const folder = fs.realpathSync(yield* temporaryFolder)
      const { reason } = yield* Effect.flip(read(folder, entry(undefined, "h1")))
      assert.strictEqual(reason._tag, "NotARepository")
    }),
  )
})
