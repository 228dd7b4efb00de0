/** What git and both states of a repository tell, with the real program git. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FileError, Refused } from "../../src/code/FileError.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as ChangedFiles from "../../src/review/ChangedFiles.ts"
import * as Program from "../../src/review/Git/Program.ts"
import * as Git from "../../src/review/Git.ts"
import * as IndexEntries from "../../src/review/IndexEntries.ts"
import * as Review from "../../src/review/Review.ts"
import * as Revisions from "../../src/review/Revisions.ts"
import * as SymbolDiff from "../../src/review/SymbolDiff.ts"
import * as GitRepository from "../utils/GitRepository.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layers = (home: string) =>
  Layer.mergeAll(NodeFiles.layer, SharedSymbols.layer, Program.layer(GitRepository.environment(home)))

/** `range`: as `vibe diff` takes it; without, as `vibe check` without `--base`. */
const compare = Effect.fnUntraced(function* (root: string, range?: string) {
  const repository = yield* Revisions.open(root)
  return yield* range === undefined
    ? Revisions.ofWorkingTree(root, repository, undefined)
    : Revisions.ofRange(root, repository, range)
})

const review = (root: string, range?: string) =>
  Effect.gen(function* () {
    return yield* Review.make(yield* Workspace.open(root), yield* compare(root, range))
  }).pipe(Effect.provide(layers(path.dirname(root))))

/** Returns what is compared, and reads none of it, which starts half as many processes of git. */
const comparison = (root: string, range: string) => Effect.provide(compare(root, range), layers(path.dirname(root)))

const told = ({ changes }: Review.Review) =>
  changes.map((change) => {
    const { path, qualifiedName } = SymbolDiff.subjectOf(change)
    return `${change.change} ${path} ${qualifiedName}`
  })

const tell = (root: string, range?: string) => Effect.map(review(root, range), told)

/** What a review looks at: to list it starts less than half as many processes of git as to compare the symbols. */
const listed = (root: string, from = "HEAD", to = Revisions.WORKING_TREE) =>
  ChangedFiles.list(root, { from, to }).pipe(
    Effect.map(({ files }) =>
      files.map(({ isSubmodule, path, status }) => `${status} ${isSubmodule === true ? "submodule " : ""}${path}`),
    ),
    Effect.provide(layers(path.dirname(root))),
  )

/** The reason of a failure. */
const refuse = (root: string, range?: string) =>
  Effect.map(Effect.flip(review(root, range)), (error) =>
    error._tag === "UsageError" ? error._tag : error.reason._tag,
  )

const one = "export const one = () => {\n  return 1\n}\n"
const two = "export const two = () => {\n  return 2\n}\n"
const changed = one.replace("return 1", "return 1 + 0")

describe.skipIf(!GitRepository.isAvailable)("Review.make", () => {
  it.scopedLive("compares the working tree with the last commit, untracked files included and ignored ones not", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "gone.ts": two, ".gitignore": "out/\n" })
      write({ "a.ts": changed, "gone.ts": undefined, "new.ts": "export type New = string\n", "out/b.ts": two })
      assert.deepStrictEqual(yield* tell(root), ["changed a.ts one", "removed gone.ts two", "added new.ts New"])
    }),
  )

  it.scopedLive("takes a file that was removed from Git alone as changed", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "b.ts": two })
      git("rm", "--quiet", "--cached", "a.ts", "b.ts")
      write({ "a.ts": changed })
      assert.deepStrictEqual(yield* listed(root), ["changed a.ts"])
    }),
  )

  it.scopedLive("says nothing of files with another time or other line endings alone", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "b.ts": two })
      write({ "b.ts": two.replaceAll("\n", "\r\n") })
      fs.utimesSync(path.join(root, "a.ts"), new Date(0), new Date(0))
      assert.deepStrictEqual(yield* listed(root), [])
    }),
  )

  it.scopedLive("compares with where a branch left another, not with what that has got since", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      const from = commit({ "a.ts": one })
      git("switch", "--quiet", "--create", "topic")
      const topic = commit({ "b.ts": two })
      git("switch", "--quiet", "main")
      const main = commit({ "a.ts": changed })
      git("switch", "--quiet", "topic")
      assert.deepStrictEqual(yield* tell(root, "main"), ["added b.ts two"])
      assert.deepInclude(yield* comparison(root, "main..topic"), { from, to: topic })
      assert.deepInclude(yield* comparison(root, "main...topic"), { from, to: topic })
      assert.deepInclude(yield* comparison(root, "topic..main"), { from, to: main })
      assert.deepInclude(yield* comparison(root, "HEAD~1.."), { from, to: topic })
    }),
  )

  it.scopedLive("takes the upstream of a branch where it has one", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      git("switch", "--quiet", "--create", "topic", "--track", "main")
      commit({ "b.ts": two })
      const found = yield* review(root)
      assert.deepStrictEqual(told(found), ["added b.ts two"])
      assert.match(found.comparison.title, /^the working tree with main \([0-9a-f]{7}\)$/)
    }),
  )

  it.scopedLive("counts everything as new before the first commit", () =>
    Effect.gen(function* () {
      const { git, root, write } = yield* GitRepository.make()
      write({ "a.ts": one, "b.ts": two })
      git("add", "a.ts")
      assert.deepStrictEqual(yield* tell(root), ["added a.ts one", "added b.ts two"])
    }),
  )

  it.scopedLive("works on a detached HEAD", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one })
      git("checkout", "--quiet", "--detach")
      write({ "a.ts": changed })
      assert.deepStrictEqual(yield* tell(root), ["changed a.ts one"])
    }),
  )

  it.scopedLive("looks at a folder of the repository alone, by paths in it", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      commit({ "packages/a/a.ts": one, "b.ts": two })
      write({ "packages/a/a.ts": changed, "b.ts": one })
      assert.deepStrictEqual(yield* tell(path.join(root, "packages/a")), ["changed a.ts one"])
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")(
    "takes paths with spaces, quotes, line breaks and letters of any script",
    () =>
      Effect.gen(function* () {
        const { commit, root, write } = yield* GitRepository.make()
        const names = ['a "b".ts', "c\nd.ts", "é ü.ts", "-x.ts", ":(top)e.ts", "тест.ts"]
        commit(Object.fromEntries(names.map((name) => [name, one])))
        write(Object.fromEntries(names.map((name) => [name, changed])))
        assert.sameMembers(
          Array.from(yield* tell(root)),
          names.map((name) => `changed ${name} one`),
        )
      }),
  )

  it.scopedLive(
    "names binary and large files, generated and vendored ones, and such without symbols, and reads no symbols of them",
    () =>
      Effect.gen(function* () {
        const { commit, root, write } = yield* GitRepository.make()
        commit({ "a.ts": one, "README.md": "# A" })
        write({
          "a.ts": changed,
          "README.md": "# B",
          "binary.ts": new Uint8Array([0, 1, 2, 255]),
          "large.ts": "x".repeat(50_000_000),
          "vendor/b.ts": two,
          "parser.ts": `// Code generated by a tool. DO NOT EDIT.\n${two}`,
        })
        const found = yield* review(root)
        assert.deepStrictEqual(told(found), ["changed a.ts one"])
        assert.deepStrictEqual(
          found.others.map(({ path, status }) => `${status} ${path}`),
          ["changed README.md", "added binary.ts", "added large.ts", "added parser.ts", "added vendor/b.ts"],
        )
      }),
  )

  it.scopedLive.skipIf(process.platform === "win32")(
    "leaves out links and repositories within it, and names submodules without their symbols",
    () =>
      Effect.gen(function* () {
        const { commit, git, root, write } = yield* GitRepository.make()
        const inner = yield* GitRepository.make()
        inner.commit({ "inner.ts": two })
        commit({ "a.ts": one })
        git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "module")
        git("commit", "--quiet", "--message=module")
        fs.writeFileSync(path.join(root, "module/inner.ts"), one)
        fs.symlinkSync("a.ts", path.join(root, "link.ts"))
        fs.cpSync(inner.root, path.join(root, "nested"), { recursive: true })
        write({ "a.ts": changed, "notes.txt": "A note" })
        const found = yield* review(root)
        assert.deepStrictEqual(told(found), ["changed a.ts one"])
        assert.deepStrictEqual(
          found.others.map(({ path }) => path),
          ["notes.txt"],
        )
        assert.deepStrictEqual(
          found.submodules.map(({ path, status }) => `${status} ${path}`),
          ["changed module"],
        )
      }),
  )

  it.scopedLive("names a submodule that was added, has another commit, has edits, or was removed", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      const settings = '[submodule "lib.ts"]\n\tpath = lib.ts\n\turl = ../lib\n'
      commit({ "a.ts": one, ".gitmodules": settings })
      // A repository in the folder is the same to Git, and `git submodule` would start dozens of processes.
      const within = yield* GitRepository.make(path.join(root, "lib.ts"))
      within.commit({ "inner.ts": one })
      git("-c", "advice.addEmbeddedRepo=false", "add", "lib.ts")
      assert.deepStrictEqual(yield* listed(root), ["added submodule lib.ts"])
      commit()
      assert.deepStrictEqual(
        [yield* listed(root), yield* listed(root, "HEAD~1", "HEAD")],
        [[], ["added submodule lib.ts"]],
      )

      within.write({ "new.ts": two })
      assert.deepStrictEqual(yield* listed(root), ["changed submodule lib.ts"])
      within.commit()
      assert.deepStrictEqual(yield* listed(root), ["changed submodule lib.ts"])
      // A setting of the project does not hide it.
      git("config", "submodule.lib.ts.ignore", "all")
      git("config", "diff.ignoreSubmodules", "all")
      assert.deepStrictEqual(yield* listed(root), ["changed submodule lib.ts"])
      git("-c", "submodule.lib.ts.ignore=none", "add", "lib.ts")
      commit()
      assert.deepStrictEqual(
        [yield* listed(root), yield* listed(root, "HEAD~1", "HEAD")],
        [[], ["changed submodule lib.ts"]],
      )

      fs.rmSync(path.join(root, "lib.ts"), { recursive: true })
      fs.mkdirSync(path.join(root, "lib.ts"))
      assert.deepStrictEqual(yield* listed(root), [])
      git("rm", "--quiet", "--cached", "lib.ts")
      assert.deepStrictEqual(yield* listed(root), ["removed submodule lib.ts"])
    }),
  )

  it.scopedLive("sees an edit that keeps size and time, within the second of the commit and long after it", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      const file = path.join(root, "a.ts")
      commit({ "a.ts": one, "README.md": "# A" })
      write({ "a.ts": one.replace("1", "2") })
      assert.deepStrictEqual(yield* listed(root), ["changed a.ts"])
      commit()
      const day = new Date("2020-01-02T00:00:00Z")
      fs.utimesSync(file, day, day)
      git("update-index", "-q", "--refresh")
      assert.deepStrictEqual(yield* listed(root), [])
      write({ "a.ts": one })
      fs.utimesSync(file, day, day)
      assert.deepStrictEqual(yield* listed(root), ["changed a.ts"])
    }),
  )

  it.scopedLive("says nothing of a file that Git wrote otherwise than it is stored, and that is as Git wrote it", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      const file = path.join(root, "notes.txt")
      commit({ "notes.txt": "$Id$\n", ".gitattributes": "*.txt ident\n" })
      fs.rmSync(file)
      git("checkout", "--quiet", "--", "notes.txt")
      assert.match(fs.readFileSync(file, "utf8"), /^\$Id: [0-9a-f]+ \$$/m)
      // A part of a second, of which the index has nanoseconds.
      fs.utimesSync(file, 1_577_923_200.75, 1_577_923_200.75)
      git("update-index", "-q", "--refresh")
      assert.deepStrictEqual(yield* listed(root), [])
      // Some builds of git store whole seconds, which look like this time. They compare nothing but seconds, too.
      fs.utimesSync(file, 1_577_923_300, 1_577_923_300)
      git("update-index", "-q", "--refresh")
      assert.deepStrictEqual(yield* listed(root), [])
      write({ "notes.txt": "$Id$ \n" })
      assert.deepStrictEqual(yield* listed(root), ["changed notes.txt"])
    }),
  )

  it.scopedLive("lists files in one order, of commits and of the working tree, whatever their script", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      // In UTF-8, by which git sorts, the first name comes after the second.
      const names = ["\u{1f600}.txt", "\uff5e.txt"]
      commit()
      commit(Object.fromEntries(names.map((name) => [name, "A note"])))
      const pathsOf = (range: string) => Effect.map(review(root, range), ({ others }) => others.map(({ path }) => path))
      assert.deepStrictEqual(yield* pathsOf("HEAD~1..HEAD"), names)
      git("reset", "--quiet", "--soft", "HEAD~1")
      assert.deepStrictEqual(yield* pathsOf("HEAD"), names)
    }),
  )

  it.scopedLive("follows a symbol to the first file, by its path, of several that have it now", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      const text =
        "export const total = (prices: Array<number>) => {\n  return prices.reduce((sum, price) => sum + price)\n}\n"
      commit({ "z.ts": text, "a.ts": one })
      commit({ "z.ts": one, "a.ts": one + text, "b.ts": text })
      assert.deepStrictEqual(yield* tell(root, "HEAD~1.."), ["moved a.ts total", "added b.ts total", "added z.ts one"])
      git("reset", "--quiet", "--soft", "HEAD~1")
      assert.deepStrictEqual(yield* tell(root), ["moved a.ts total", "added b.ts total", "added z.ts one"])
    }),
  )

  it.scopedLive("takes a file as changed that is too large to be read", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      commit({ "data.bin": "a" })
      fs.truncateSync(path.join(root, "data.bin"), 64_000_001)
      const { others } = yield* review(root)
      assert.deepStrictEqual(
        others.map(({ path, status }) => `${status} ${path}`),
        ["changed data.bin"],
      )
    }),
  )

  it.scopedLive("takes a file as changed that a link leads to something else meanwhile, and does not read that", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      commit({ "src/a.ts": one })
      write({ "src/a.ts": changed })
      const files = yield* Effect.provide(Files.Files, NodeFiles.layer)
      const swapped = Layer.succeed(Files.Files, {
        ...files,
        readReal: (place) => Effect.fail(new FileError({ path: place, reason: new Refused() })),
      })
      const reads = IndexEntries.comparer(root).pipe(
        Effect.flatMap(({ compare }) =>
          Effect.flatMap(IndexEntries.list(root), (entries) => Effect.forEach(entries, compare)),
        ),
        Effect.provide(Layer.merge(swapped, Program.layer(GitRepository.environment(path.dirname(root))))),
      )
      assert.deepStrictEqual(yield* reads, ["changed"])
      write({ "src/a.ts": one })
      assert.deepStrictEqual(yield* reads, ["changed"])
    }),
  )

  it.scopedLive("compares a change that was staged and then taken back, or made again, by what there is", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "b.ts": two, "c.ts": one, "README.md": "# A" })
      write({ "a.ts": changed, "b.ts": undefined, "README.md": "# B", "new.ts": one })
      git("add", "--all")
      git("rm", "--quiet", "--cached", "c.ts")
      write({ "a.ts": one, "b.ts": two, "README.md": "# A", "new.ts": undefined })
      assert.deepStrictEqual(yield* listed(root), [])
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")("takes a file behind a link in its path as removed", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      commit({ "src/a.ts": one, "other/a.ts": one })
      fs.rmSync(path.join(root, "src"), { recursive: true })
      fs.symlinkSync("other", path.join(root, "src"))
      assert.deepStrictEqual(yield* listed(root), ["removed src/a.ts"])
    }),
  )

  it.scopedLive("reads an index that is split, has the sparse form, and a repository with SHA-256", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      fs.rmSync(path.join(root, ".git"), { recursive: true })
      git("init", "--quiet", "--initial-branch=main", "--object-format=sha256")
      commit({ "a.ts": one, "b.ts": two, "left/out.ts": one, "README.md": "# A\r\n" })
      git("update-index", "--split-index")
      git("sparse-checkout", "set", "--cone", "--sparse-index")
      write({ "a.ts": changed })
      const found = yield* review(root)
      assert.deepStrictEqual([told(found), found.others], [["changed a.ts one"], []])
    }),
  )

  it.scopedLive("reads both states of many files by their bytes, in any script and in UTF-16", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      const greet = (name: string) => `export const greet = () => {\n  return "${name}"\n}\n`
      const wide = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
      commit({ "a.ts": greet("Grüße, мир 🌍"), "b.ts": wide(greet("Ω")), "c.ts": greet("c"), "d.ts": `\ufeff${two}` })
      write({ "b.ts": wide(greet("Ψ")), "c.ts": greet("ç"), "e.ts": greet("日本") })
      fs.utimesSync(path.join(root, "a.ts"), new Date(0), new Date(0))
      fs.utimesSync(path.join(root, "d.ts"), new Date(0), new Date(0))
      const { changes } = yield* review(root)
      assert.deepStrictEqual(
        changes.map((change) => [
          change.change === "changed" ? /"(.*)"/.exec(change.before.source)?.[1] : undefined,
          /"(.*)"/.exec(SymbolDiff.subjectOf(change).source)?.[1],
        ]),
        [
          ["Ω", "Ψ"],
          ["c", "ç"],
          [undefined, "日本"],
        ],
      )
    }),
  )

  it.scopedLive("leaves out files with conflicts, and says which, while a merge is in progress", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "b.ts": one })
      git("switch", "--quiet", "--create", "topic")
      commit({ "a.ts": one.replace("1", "2") })
      git("switch", "--quiet", "main")
      commit({ "a.ts": one.replace("1", "3") })
      assert.throws(() => git("merge", "topic"))
      write({ "b.ts": changed })
      const found = yield* review(root)
      assert.deepStrictEqual(
        [told(found), found.unmerged, found.comparison.isMerging],
        [["changed b.ts one"], ["a.ts"], true],
      )
    }),
  )

  it.scopedLive("reports a file as moved if its name changed in case alone", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "list.ts": one })
      git("mv", "list.ts", "List.ts")
      git("commit", "--quiet", "--message=case")
      assert.deepStrictEqual(yield* tell(root, "HEAD~1..HEAD"), ["moved List.ts one"])
    }),
  )
})

describe.skipIf(!GitRepository.isAvailable)("Revisions", () => {
  it.scopedLive("refuses what names no commit, what looks like an option, and histories that do not meet", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      assert.strictEqual(yield* refuse(root, "nowhere"), "NoSuchRevision")
      assert.strictEqual(yield* refuse(root, "HEAD:a.ts"), "NoSuchRevision")
      assert.strictEqual(yield* refuse(root, "--output=pwned"), "UsageError")
      assert.strictEqual(yield* refuse(root, "HEAD..--output=pwned"), "UsageError")
      assert.strictEqual(yield* refuse(root, "HEAD\n--all"), "UsageError")
      assert.isFalse(fs.existsSync(path.join(root, "pwned")))
      git("switch", "--quiet", "--orphan", "other")
      commit({ "b.ts": two })
      assert.strictEqual(yield* refuse(root, "main"), "NoMergeBase")
    }),
  )

  it.scopedLive("names the branch of a remote that was not fetched, and none of what is no remote", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      git("remote", "add", "origin", "https://example.com/a.git")
      const remoteOf = (revision: string) =>
        Effect.map(Effect.flip(review(root, revision)), (error) =>
          error._tag === "GitError" && error.reason._tag === "NoSuchRevision" ? error.reason.remote : error.message,
        )
      assert.strictEqual(yield* remoteOf("origin/topic/a"), "origin topic/a:refs/remotes/origin/topic/a")
      assert.isUndefined(yield* remoteOf("upstream/topic"))
      assert.isUndefined(yield* remoteOf("topic"))
    }),
  )

  it.scopedLive("says from where two commits are compared", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      git("branch", "topic")
      commit({ "a.ts": changed })
      const titleOf = (range: string) =>
        Effect.map(comparison(root, range), ({ title }) => title.replaceAll(/[0-9a-f]{7}/g, "ID"))
      assert.strictEqual(yield* titleOf("topic..main"), "main (ID) with topic (ID)")
      assert.strictEqual(yield* titleOf("main..topic"), "topic (ID) with main (ID), which has all its commits")
      git("switch", "--quiet", "topic")
      commit({ "b.ts": two })
      assert.strictEqual(yield* titleOf("main..topic"), "topic (ID) with ID, where it left main")
      // A commit that is named by its id is called by that alone, at either end of the range.
      const idOf = (name: string) => git("rev-parse", name).trim()
      assert.strictEqual(yield* titleOf(`${idOf("main")}..topic`), "topic (ID) with ID, where it left ID")
      assert.strictEqual(yield* titleOf(`main..${idOf("topic")}`), "ID with ID, where it left main")
      assert.strictEqual(yield* titleOf(`${idOf("main~1")}..main`), "main (ID) with ID")
    }),
  )

  it.scopedLive("refuses a folder outside of a repository, and the repository's own", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      commit()
      assert.strictEqual(yield* refuse(path.join(root, ".git")), "NotARepository")
      fs.rmSync(path.join(root, ".git"), { recursive: true })
      assert.strictEqual(yield* refuse(root), "NotARepository")
    }),
  )

  it.scopedLive("says where a clone is shallow", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      git("switch", "--quiet", "--create", "topic")
      commit({ "b.ts": two })
      git("switch", "--quiet", "main")
      commit({ "a.ts": changed })
      const clone = path.join(root, "clone")
      git("clone", "--quiet", "--depth=1", "--no-single-branch", `file://${root}`, clone)
      const failure = yield* Effect.flip(review(clone, "origin/topic"))
      assert.include(failure.message, "no common ancestor in this shallow clone")
    }),
  )

  it.effect("names the folder whose repository belongs to another user", () =>
    Effect.gen(function* () {
      const stderr = "fatal: detected dubious ownership in repository at '/theirs'\n"
      const git = Layer.succeed(Git.Git, {
        run: () => Effect.succeed({ code: 128, stdout: Buffer.alloc(0), stderr }),
      })
      const error = yield* Effect.flip(Effect.provide(Revisions.open("/theirs"), git))
      assert.strictEqual(error.reason._tag, "OtherOwner")
      assert.include(error.message, "/theirs belongs to another user")
    }),
  )

  it.effect("says where git is not installed", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.provide(Revisions.open("/"), Program.layer({ PATH: "/nowhere", HOME: "/nowhere" })),
      )
      assert.strictEqual(error.reason._tag, "NotInstalled")
    }),
  )
})

describe.skipIf(!GitRepository.isAvailable)("Git/Program", () => {
  it.scopedLive.skipIf(process.platform === "win32")("starts no program that the repository's own settings name", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make()
      commit({ "a.ts": one, "b.ts": two, ".gitattributes": "*.ts filter=evil diff=evil\n" })
      git("branch", "base")
      const trace = path.join(root, "..", `${path.basename(root)}.trace`)
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(trace, { force: true })))
      const evil = path.join(root, ".git", "evil")
      fs.writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexit 1\n`, { mode: 0o755 })
      fs.mkdirSync(path.join(root, ".git/hooks"))
      for (const hook of ["post-index-change", "post-checkout", "fsmonitor-watchman", "pre-commit"]) {
        fs.copyFileSync(evil, path.join(root, ".git/hooks", hook))
      }
      // All that may name a program for a command that only reads.
      const settings = [
        ["core", "fsmonitor", "pager", "sshCommand", "editor", "askPass"],
        ["diff", "external"],
        ['diff "evil"', "command", "textconv"],
        ['filter "evil"', "clean", "smudge", "process"],
        ["pager", "diff-index", "rev-parse"],
        ["credential", "helper"],
        ["gpg", "program"],
      ].map(([section, ...names]) => `[${section}]\n${names.map((name) => `${name} = ${evil}\n`).join("")}`)
      fs.appendFileSync(path.join(root, ".git/config"), `${settings.join("")}[alias]\nrev-parse = !${evil}\n`)
      write({ "a.ts": changed, "c.ts": "export type C = string\n" })
      fs.utimesSync(path.join(root, "b.ts"), new Date(0), new Date(0))
      assert.deepStrictEqual(yield* tell(root), ["changed a.ts one", "added c.ts C"])
      assert.deepStrictEqual(yield* tell(root, "base"), ["changed a.ts one", "added c.ts C"])
      assert.isFalse(fs.existsSync(trace), fs.existsSync(trace) ? fs.readFileSync(trace, "utf8") : "")
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")(
    "fetches nothing for a clone that lacks contents, and says so",
    () =>
      Effect.gen(function* () {
        const { commit, git, root } = yield* GitRepository.make()
        git("config", "uploadpack.allowFilter", "true")
        commit({ "a.ts": one, "b.ts": two })
        commit({ "a.ts": changed })
        const clone = path.join(root, "clone")
        git("clone", "--quiet", "--filter=blob:none", `file://${root}`, clone)
        assert.strictEqual(yield* refuse(clone, "HEAD~1..HEAD"), "PartialClone")
      }),
  )
})
