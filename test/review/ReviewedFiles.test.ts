/** Which files a review names, in which order, and from which files it takes purposes, with the real program git. */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Selection from "../../src/code/Selection.ts"
import { Symbols } from "../../src/code/Symbols.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import * as Program from "../../src/review/Git/Program.ts"
import * as Review from "../../src/review/Review.ts"
import * as Revisions from "../../src/review/Revisions.ts"
import * as SymbolDiff from "../../src/review/SymbolDiff.ts"
import * as GitRepository from "../utils/GitRepository.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

interface Options {
  /** As `vibe diff` takes it; by default the working tree is compared with the last commit. */
  readonly range?: string
  readonly selection?: Selection.Selection
  readonly symbols?: Layer.Layer<Symbols>
}

const review = (root: string, { range, selection, symbols = SharedSymbols.layer }: Options = {}) =>
  Effect.gen(function* () {
    const repository = yield* Revisions.open(root)
    const comparison = yield* range === undefined
      ? Revisions.ofWorkingTree(root, repository, undefined)
      : Revisions.ofRange(root, repository, range)
    return yield* Review.make(yield* Workspace.open(root, selection), comparison)
  }).pipe(
    Effect.provide(
      Layer.mergeAll(NodeFiles.layer, symbols, Program.layer(GitRepository.environment(path.dirname(root)))),
    ),
  )

const one = "export const one = () => {\n  return 1\n}\n"
const two = "export const two = () => {\n  return 2\n}\n"

const purposeOf = (file: string, symbol: string, purpose: string) =>
  `${Purposes.encode({ path: file, symbol, kind: "function", hash: "h", purpose, model: "m/n", node: "n" }).text}\n`

const pathsOf = (files: ReadonlyArray<{ readonly path: string }>) => files.map(({ path }) => path)

describe.skipIf(!GitRepository.isAvailable)("the files of a review", () => {
  it.scopedLive("come by their paths, with their changes, also if the first of them is outlined last", () =>
    Effect.gen(function* () {
      const { commit, root, write } = yield* GitRepository.make()
      commit({ "README.md": "# A" })
      write({ "a.ts": one, "b.ts": two, "c.ts": "export const three = 3\n" })
      const outlined = yield* Deferred.make<void>()
      const firstLast = Layer.effect(
        Symbols,
        Effect.map(Symbols, ({ outline }) => ({
          outline: (path: string, text: string) =>
            path === "a.ts"
              ? Effect.zipRight(Deferred.await(outlined), outline(path, text))
              : Effect.tap(outline(path, text), path === "c.ts" ? Deferred.succeed(outlined, undefined) : Effect.void),
        })),
      ).pipe(Layer.provide(SharedSymbols.layer))
      const { changes, files } = yield* review(root, { symbols: firstLast })
      assert.deepStrictEqual(pathsOf(files), ["a.ts", "b.ts", "c.ts"])
      assert.deepStrictEqual(pathsOf(changes.map(SymbolDiff.subjectOf)), ["a.ts", "b.ts", "c.ts"])
    }),
  )

  it.scopedLive("do not include what the user has excluded, nor what vibe keeps itself", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      commit({ "a.ts": one })
      commit({
        "b.ts": two,
        "notes.txt": "shown",
        "old/c.ts": two,
        "old/notes.txt": "hidden",
        ".vibe/purposes.jsonl": purposeOf("a.ts", "one", "Counts."),
      })
      const { files, others } = yield* review(root, {
        range: "HEAD~1..HEAD",
        selection: { ...Selection.none, exclude: ["old/"] },
      })
      assert.deepStrictEqual([pathsOf(files), pathsOf(others)], [["b.ts"], ["notes.txt"]])
    }),
  )

  it.scopedLive("include a submodule that has replaced a file as added", () =>
    Effect.gen(function* () {
      const inner = yield* GitRepository.make()
      const { commit, git, root } = yield* GitRepository.make()
      inner.commit({ "inner.ts": one })
      commit({ lib: "a file" })
      git("rm", "--quiet", "lib")
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "lib")
      const { submodules } = yield* review(root)
      assert.deepStrictEqual(
        submodules.map(({ path, status }) => [path, status]),
        [["lib", "added"]],
      )
    }),
  )

  it.scopedLive("have the purposes of both commits, in one file or in shards, each of which counts once", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      const single = purposeOf("a.ts", "one", "Counts.")
      commit({ ".vibe/purposes.jsonl": single })
      commit({
        ".vibe/purposes.jsonl": "",
        ".vibe/purposes/lib.jsonl": purposeOf("lib/b.ts", "two", "Adds."),
        ".vibe/purposes/src.jsonl": single,
        // It is no shard.
        ".vibe/purposes/notes.txt": purposeOf("c.ts", "three", "Subtracts."),
      })
      commit({ ".vibe/purposes/lib.jsonl": purposeOf("lib/b.ts", "two", "Adds numbers.") })
      const changesIn = (range: string) => Effect.map(review(root, { range }), ({ purposeChanges }) => purposeChanges)
      assert.deepStrictEqual(yield* changesIn("HEAD~2..HEAD~1"), { new: 1, rewritten: 0, removed: 0 })
      assert.deepStrictEqual(yield* changesIn("HEAD~1..HEAD"), { new: 0, rewritten: 1, removed: 0 })
    }),
  )
})

describe.skipIf(!GitRepository.isAvailable)("the error about a revision that is not there", () => {
  it.scopedLive("says that there is no commit yet, but not if another branch has one", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      const messageOf = Effect.map(Effect.flip(review(root, { range: "nowhere" })), ({ message }) => message)
      assert.include(yield* messageOf, "there is no commit yet")
      commit({ "a.ts": one })
      git("switch", "--quiet", "--orphan", "other")
      assert.notInclude(yield* messageOf, "there is no commit yet")
    }),
  )
})
