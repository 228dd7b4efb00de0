/** The contract of IndexStore: purposes recorded, kept, stale and counted. */

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Coverage from "../../src/index/Coverage.ts"
import { isOpen } from "../../src/index/IndexEntry.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { NOTHING } from "../../src/index/Purposes.ts"
import { openIndex, purposeOf, record, withIndex, workspace } from "./IndexStore.fixture.ts"
import { append, changedAppend, files, forest, type It, type NewRoot, path } from "./IndexStore.project.ts"

export const keepsPurposes = (it: It, root: NewRoot): void => {
  it.scoped("shows a purpose when it is recorded, and when the index is opened again", () =>
    Effect.gen(function* () {
      const here = yield* root
      yield* withIndex(
        here,
        files,
        Effect.fnUntraced(function* (index) {
          yield* record(index, "append", "Adds a node to the forest.")
          assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
        }),
      )
      const { index } = yield* (yield* IndexStore.IndexStore).openExisting(yield* workspace(here, files))
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
    }),
  )

  it.scoped(
    "counts a symbol that needs no purpose as explained, and shows and finds none, until its source changes",
    () =>
      Effect.gen(function* () {
        const here = yield* root
        const stateOf = Effect.fnUntraced(function* (index: IndexStore.Index) {
          const [entry] = yield* index.find("append")
          const { covered, majorSymbols, open, purposes, stale } = yield* index.status
          const [file] = yield* index.files
          return {
            purpose: entry?.purpose,
            isSelfExplanatory: entry?.isSelfExplanatory,
            isOpen: entry !== undefined && isOpen(entry),
            openInFile: file?.open,
            counts: [covered, majorSymbols, open, purposes.model, stale],
            found: (yield* index.search("nothing to say", { limit: 5 })).length,
          }
        })
        const answered = {
          purpose: undefined,
          isSelfExplanatory: true,
          isOpen: false,
          openInFile: 0,
          counts: [1, 1, 0, 0, 0],
          found: 0,
        }
        const open = { ...answered, isSelfExplanatory: undefined, isOpen: true, openInFile: 1, counts: [0, 1, 1, 0, 0] }
        yield* withIndex(
          here,
          { "a.ts": append },
          Effect.fnUntraced(function* (index) {
            assert.deepStrictEqual(yield* stateOf(index), open)
            yield* record(index, "append", NOTHING)
            assert.deepStrictEqual(yield* stateOf(index), answered)
          }),
        )
        yield* withIndex(here, { "a.ts": append }, (index) =>
          Effect.map(stateOf(index), (state) => assert.deepStrictEqual(state, answered)),
        )
        yield* withIndex(
          here,
          { "a.ts": changedAppend },
          Effect.fnUntraced(function* (index) {
            assert.deepStrictEqual(yield* stateOf(index), open)
            yield* record(index, "append", "Adds a node to the forest.")
            assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
            assert.isUndefined((yield* stateOf(index)).isSelfExplanatory)
          }),
        )
        // The first source is back, and with it the answer about it.
        yield* withIndex(here, { "a.ts": append }, (index) =>
          Effect.map(stateOf(index), (state) => assert.deepStrictEqual(state, answered)),
        )
      }),
  )

  it.scoped("brings an index up to date when it is opened for reading", () =>
    Effect.gen(function* () {
      const here = yield* root
      yield* withIndex(here, files, () => Effect.void)
      const store = yield* IndexStore.IndexStore
      const { index, outdated } = yield* store.openExisting(yield* workspace(here, { "lib/Wood.ts": forest }))
      assert.isUndefined(outdated)
      assert.deepStrictEqual(
        (yield* index.files).map(({ path }) => path),
        ["lib/Wood.ts"],
      )
    }),
  )

  it.scoped("fails with NotIndexed where there is no index", () =>
    Effect.gen(function* () {
      const here = yield* root
      const store = yield* IndexStore.IndexStore
      const error = yield* Effect.flip(store.openExisting(yield* workspace(here, files)))
      assert.strictEqual(error.reason._tag, "NotIndexed")
    }),
  )

  it.scoped("shows a purpose after its file was moved", () =>
    Effect.gen(function* () {
      const here = yield* root
      yield* withIndex(here, files, (index) => record(index, "append", "Adds a node to the forest."))
      const index = yield* openIndex(here, { "lib/Wood.ts": `\n\n${forest}` })
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
    }),
  )

  it.scoped("keeps why a purpose is weak and what bears it out, until a better one is recorded", () =>
    Effect.gen(function* () {
      const here = yield* root
      const recordWeak = (index: IndexStore.Index, node: string) =>
        Effect.flatMap(index.find("append"), (entries) =>
          index.record(
            entries.map((entry) => ({
              entry,
              text: "Adds.",
              model: "a/b",
              node,
              weak: "says nothing",
              lines: [0, 1],
            })),
          ),
        )
      yield* withIndex(here, { "a.ts": append }, (index) => recordWeak(index, "n"))
      const index = yield* openIndex(here, { "a.ts": append })
      const [entry] = yield* index.find("append")
      assert.deepInclude(entry?.purpose, { text: "Adds.", weak: "says nothing", lines: [0, 1] })
      assert.notProperty(entry?.purpose, "confirmed")
      assert.deepStrictEqual(
        (yield* index.weak).map(({ name }) => name),
        ["append"],
      )
      assert.deepInclude(yield* index.status, { weak: 1, stale: 0, open: 0, covered: 1 })
      // The same model has no better one.
      yield* recordWeak(index, "another call")
      assert.deepInclude((yield* index.find("append"))[0]?.purpose, { weak: "says nothing", confirmed: true })
      yield* record(index, "append", "Adds a node to the forest.")
      assert.deepInclude(yield* index.status, { weak: 0, open: 0 })
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node to the forest.")
      assert.deepStrictEqual(yield* index.weak, [])
    }),
  )

  it.scoped("shows a purpose as stale while its symbol is changed, and no longer when the change is undone", () =>
    Effect.gen(function* () {
      const here = yield* root
      yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
      const now = (text: string) =>
        withIndex(here, { "a.ts": text }, (index) => Effect.all([purposeOf(index, "append"), index.status]))
      const [changed, status] = yield* now(changedAppend)
      assert.strictEqual(changed, "Adds a node. (stale)")
      assert.deepInclude(status, { stale: 1, majorSymbols: 1, covered: 0 })
      assert.strictEqual((yield* now(append))[0], "Adds a node.")
    }),
  )

  it.scoped(
    "shows a purpose as current after a change of layout, also in an index that is made anew, and keeps it",
    () =>
      Effect.gen(function* () {
        const here = yield* root
        yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
        const wide = append.replaceAll("  ", "      ")
        assert.notStrictEqual(wide, append)
        const now = (path: string, text: string) =>
          withIndex(here, { [path]: text }, (index) =>
            Effect.all([purposeOf(index, "append"), Effect.map(index.status, ({ stale }) => stale)]),
          )
        assert.deepStrictEqual(yield* now("a.ts", wide), ["Adds a node.", 0])
        const text = yield* withIndex(here, { "a.ts": append }, (index) =>
          Effect.flatMap(index.symbolsOf("a.ts", wide), (entries) => Effect.succeed(entries[0]?.purpose?.stale)),
        )
        assert.isFalse(text)
        // Purposes of other versions come and go; this one is of the present source.
        for (let version = 0; version < 4; version++) {
          const changed = changedAppend.replaceAll("  ", `  // ${version}\n  `)
          yield* withIndex(here, { "a.ts": changed }, (index) => record(index, "append", `Version ${version}.`))
        }
        yield* withIndex(here, { "a.ts": wide }, (index) => record(index, "append", "Adds a node at last."))
        assert.deepStrictEqual(yield* now("b.ts", append), ["Adds a node at last.", 0])
      }),
  )

  it.scoped("keeps the purposes of both versions of a symbol, as on two branches", () =>
    Effect.gen(function* () {
      const here = yield* root
      yield* withIndex(here, { "a.ts": append }, (index) => record(index, "append", "Adds a node."))
      yield* withIndex(here, { "a.ts": changedAppend }, (index) => record(index, "append", "Adds a node and its time."))
      const now = (text: string) => withIndex(here, { "a.ts": text }, (index) => purposeOf(index, "append"))
      assert.strictEqual(yield* now(append), "Adds a node.")
      assert.strictEqual(yield* now(changedAppend), "Adds a node and its time.")
    }),
  )

  it.scoped("shows the comment of a symbol as its purpose as soon as its file is parsed", () =>
    Effect.gen(function* () {
      const here = yield* root
      const purposes = (text: string) =>
        withIndex(here, { "a.ts": text }, (index) =>
          Effect.map(index.symbolsIn("a.ts"), (entries) => entries.map(({ purpose }) => purpose)),
        )
      const comment = { text: "Adds a node.", origin: "comment", stale: false } as const
      assert.deepStrictEqual(yield* purposes(`// Adds a node.\n${append}\n${path}`), [comment, undefined])
      assert.deepStrictEqual(yield* purposes(`// Adds a node.\n${changedAppend}`), [comment])
      assert.deepStrictEqual(yield* purposes(`// Adds nodes.\n${append}`), [{ ...comment, text: "Adds nodes." }])
      assert.deepStrictEqual(yield* purposes(`// Append function.\n${append}`), [undefined])
    }),
  )

  it.scoped("prefers a purpose of a model to a comment, and that to one of an earlier version", () =>
    Effect.gen(function* () {
      const here = yield* root
      const shown = (text: string) => withIndex(here, { "a.ts": text }, (index) => purposeOf(index, "append"))
      yield* withIndex(here, { "a.ts": `// Adds.\n${append}` }, (index) =>
        record(index, "append", "Adds a node to the forest."),
      )
      assert.strictEqual(yield* shown(`// Adds.\n${append}`), "Adds a node to the forest.")
      assert.strictEqual(yield* shown(`// Adds.\n${changedAppend}`), "Adds.")
      assert.strictEqual(yield* shown(changedAppend), "Adds a node to the forest. (stale)")
      assert.strictEqual(yield* shown(append), "Adds a node to the forest.")
    }),
  )

  it.scoped("counts files, symbols and purposes by origin", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        ...files,
        "src/Root.ts": `// Where paths end.\n${changedAppend}`,
      })
      yield* record(index, "path", "Walks up to the root.")
      const { bytesOnDisk: _, ...status } = yield* index.status
      assert.deepStrictEqual(status, {
        files: 5,
        partialFiles: 0,
        symbols: 5,
        purposes: { model: 1, comment: 2 },
        copies: 0,
        stale: 0,
        weak: 0,
        open: 2,
        majorSymbols: 5,
        covered: 3,
        classes: Coverage.make({
          code: { files: 4, symbols: 5, majorSymbols: 5, covered: 3 },
          documentation: { files: 1, symbols: 0, majorSymbols: 0, covered: 0 },
        }),
      })
    }),
  )

  it.scoped("counts the purposes of symbols with the same source as the one that was explained", () =>
    Effect.gen(function* () {
      const source = "export function knock(door: string) {\n  return `${door} opens`\n}\n"
      const index = yield* openIndex(yield* root, { "src/a.ts": source, "src/b.ts": source, "src/c.ts": append })
      yield* record(index, "append", "Adds a node.")
      const [knock] = yield* index.find("knock", "src/a.ts")
      assert.isDefined(knock)
      if (knock !== undefined) {
        const purpose = { entry: knock, text: "Lets guests in.", model: "a/b", node: "n", weak: undefined, lines: [] }
        yield* index.record([purpose])
      }
      const { copies, purposes } = yield* index.status
      assert.deepStrictEqual({ copies, model: purposes.model }, { copies: 1, model: 3 })
    }),
  )
}
