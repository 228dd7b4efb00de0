/** What every file system must do. Each adapter's tests run this. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { FileError } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"

export interface World {
  readonly files: Files.Service
  /** The absolute real path under which the contents stand. */
  readonly root: string
}

const contents: Readonly<Record<string, Files.Content>> = {
  "notes.txt": "one\ntwo\n",
  empty: "",
  bytes: new Uint8Array([0, 1, 254, 255]),
  "src/deep/a.ts": "deep",
  "src/Z.ts": "",
  "src/b.ts": "",
  "src/🌱": "",
  "src/～": "",
  "to-file": { link: "notes.txt" },
  "to-folder": { link: "src" },
  "src/deep/back": { link: "../../notes.txt" },
  chain: { link: "to-folder/deep" },
  dangling: { link: "nowhere" },
  circle: { link: "circle" },
}

const failure = <A, R>(effect: Effect.Effect<A, FileError, R>) =>
  Effect.map(Effect.flip(effect), ({ path, reason }) => [path, reason._tag])

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** A real path has the separators of its system; a path that is asked for may have others in Windows. */
const real = (root: string, path: string) =>
  root.includes("\\") ? `${root}\\${path.replaceAll("/", "\\")}` : `${root}/${path}`

export const contract = (
  name: string,
  world: (contents: Readonly<Record<string, Files.Content>>) => Effect.Effect<World, never, Scope.Scope>,
) =>
  describe(`Files (${name})`, () => {
    const given = (use: (world: World) => Effect.Effect<void, unknown, Scope.Scope>) => () =>
      Effect.flatMap(world(contents), use)

    it.scoped(
      "reads all of the file at a real path, and nothing of one that is larger than was asked for",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const bytes = (path: string, most: number) =>
            Effect.map(files.readReal(real(root, path), most), ({ bytes }) => bytes)
          assert.strictEqual(text(yield* bytes("notes.txt", 1_000)), "one\ntwo\n")
          assert.strictEqual(text(yield* bytes("notes.txt", 8)), "one\ntwo\n")
          assert.deepStrictEqual(Array.from(yield* bytes("bytes", 10)), [0, 1, 254, 255])
          assert.lengthOf(yield* bytes("empty", 0), 0)
          const error = yield* Effect.flip(bytes("notes.txt", 7))
          assert.strictEqual(error.message, `${real(root, "notes.txt")}: larger than 7 bytes`)
        }),
      ),
    )

    it.scoped(
      "reads what a path leads to, links followed, and no more than it is asked for",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const first = (path: string, most: number) => Effect.map(files.read(`${root}/${path}`, { most }), text)
          assert.strictEqual(yield* first("notes.txt", 3), "one")
          assert.strictEqual(yield* first("to-file", 1_000), "one\ntwo\n")
          assert.strictEqual(yield* first("chain/back", 1_000), "one\ntwo\n")
          assert.strictEqual(yield* first("empty", 10), "")
        }),
      ),
    )

    it.scoped(
      "reads nothing but files",
      given(({ files, root }) =>
        Effect.forEach(
          [
            ["src", "NotAFile"],
            ["to-folder", "NotAFile"],
            ["circle", "NotAFile"],
            ["dangling", "NotFound"],
            ["missing", "NotFound"],
            ["notes.txt/inside", "NotAFolder"],
          ] as const,
          ([name, reason]) =>
            Effect.map(failure(files.read(`${root}/${name}`, { most: 10, pipes: true })), (failed) =>
              assert.deepStrictEqual(failed, [`${root}/${name}`, reason]),
            ),
          { discard: true },
        ),
      ),
    )

    it.scoped(
      "reads all of a file up to a limit, and nothing of a larger one",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const all = (path: string, most: number) =>
            Effect.provideService(Files.readAll(`${root}/${path}`, { most }), Files.Files, files)
          assert.strictEqual(text(yield* all("to-file", 8)), "one\ntwo\n")
          const error = yield* Effect.flip(all("to-file", 7))
          assert.strictEqual(error.message, `${root}/to-file: larger than 7 bytes`)
          assert.strictEqual((yield* Effect.flip(all("src", 7))).reason._tag, "NotAFile")
        }),
      ),
    )

    it.scoped(
      "says what was read, and reads nothing where a link leads",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const { stat } = yield* files.readReal(real(root, "src/deep/a.ts"), 10)
          assert.deepStrictEqual([stat.kind, stat.size], ["file", 4])
          const path = `${root}/to-folder/deep/a.ts`
          assert.deepStrictEqual(yield* failure(files.readReal(path, 10)), [path, "Refused"])
        }),
      ),
    )

    it.scoped(
      "has nothing to read in a folder",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const folder = real(root, "src")
          assert.deepStrictEqual(yield* failure(files.readReal(folder, 10)), [folder, "NotAFile"])
        }),
      ),
    )

    it.scoped(
      "reads no link",
      given(({ files, root }) =>
        Effect.forEach(
          ["to-file", "to-folder", "dangling", "circle"],
          (link) =>
            Effect.map(failure(files.readReal(`${root}/${link}`, 10)), (failed) =>
              assert.deepStrictEqual(failed, [`${root}/${link}`, "NotAFile"]),
            ),
          { discard: true },
        ),
      ),
    )

    it.scoped(
      "tells kind and size of the path itself",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const kind = (path: string) => Effect.map(files.stat(`${root}/${path}`), (stat) => stat.kind)
          assert.strictEqual(yield* kind("notes.txt"), "file")
          assert.strictEqual(yield* kind("src"), "folder")
          assert.strictEqual(yield* kind("to-file"), "link")
          assert.strictEqual(yield* kind("to-folder"), "link")
          assert.strictEqual(yield* kind("dangling"), "link")
          assert.strictEqual(yield* kind("to-folder/deep"), "folder")
          assert.strictEqual((yield* files.stat(`${root}/notes.txt`)).size, 8)
        }),
      ),
    )

    it.scoped(
      "tells to whom files and links belong",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const { entries } = yield* files.list(root)
          const owners = [
            ...entries.map(({ stat }) => stat.owner),
            (yield* files.stat(`${root}/to-file`)).owner,
            (yield* files.readReal(real(root, "notes.txt"), 10)).stat.owner,
          ]
          assert.deepStrictEqual(
            owners,
            owners.map(() => files.user),
          )
        }),
      ),
    )

    it.scoped(
      "lists a folder in the order of code units, links as links",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const listed = yield* files.list(`${root}/to-folder/deep`)
          assert.strictEqual(listed.realPath, real(root, "src/deep"))
          assert.deepStrictEqual(
            listed.entries.map(({ name, stat }) => [name, stat.kind]),
            [
              ["a.ts", "file"],
              ["back", "link"],
            ],
          )
          const { entries } = yield* files.list(`${root}/src`)
          assert.deepStrictEqual(
            entries.map(({ name }) => name),
            ["Z.ts", "b.ts", "deep", "🌱", "～"],
          )
          const { entries: all } = yield* files.list(root)
          assert.deepStrictEqual(
            all.filter(({ stat }) => stat.kind !== "link").map(({ name, stat }) => [name, stat.kind]),
            [
              ["bytes", "file"],
              ["empty", "file"],
              ["notes.txt", "file"],
              ["src", "folder"],
            ],
          )
        }),
      ),
    )

    it.scoped(
      "lists nothing but folders",
      given(({ files, root }) =>
        Effect.forEach(
          ["notes.txt", "to-folder", "circle", "notes.txt/inside"],
          (path) =>
            Effect.map(failure(files.list(`${root}/${path}`)), (failed) =>
              assert.deepStrictEqual(failed, [`${root}/${path}`, "NotAFolder"]),
            ),
          { discard: true },
        ),
      ),
    )

    it.scoped(
      "follows every link to the real path",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const found = (path: string) => files.realPath(`${root}/${path}`)
          assert.strictEqual(yield* found("notes.txt"), real(root, "notes.txt"))
          assert.strictEqual(yield* found("to-file"), real(root, "notes.txt"))
          assert.strictEqual(yield* found("chain/back"), real(root, "notes.txt"))
          assert.strictEqual(yield* found("./src/../to-folder/deep/.."), real(root, "src"))
          assert.deepStrictEqual(yield* failure(found("dangling")), [`${root}/dangling`, "NotFound"])
          assert.deepStrictEqual(yield* failure(found("circle")), [`${root}/circle`, "NotAFile"])
        }),
      ),
    )

    it.scoped(
      "finds nothing where nothing is",
      given(({ files, root }) =>
        Effect.gen(function* () {
          for (const path of [
            `${root}/missing`,
            `${root}/missing/too`,
            `${root}/nul\0`,
            `${root}/${"long".repeat(99)}`,
          ]) {
            const expected = [path, "NotFound"]
            assert.deepStrictEqual(yield* failure(files.readReal(path, 10)), expected)
            assert.deepStrictEqual(yield* failure(files.stat(path)), expected)
            assert.deepStrictEqual(yield* failure(files.list(path)), expected)
            assert.deepStrictEqual(yield* failure(files.realPath(path)), expected)
          }
        }),
      ),
    )

    it.scoped(
      "writes a file whole, new or in the place of another",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const readBack = (path: string) => Effect.map(files.read(path, { most: 1_000 }), text)
          for (const path of [`${root}/src/new.md`, `${root}/notes.txt`]) {
            yield* files.write(path, "grün 🌱\n")
            assert.strictEqual(yield* readBack(path), "grün 🌱\n")
          }
          yield* files.write(`${root}/notes.txt`, "")
          assert.strictEqual(yield* readBack(`${root}/notes.txt`), "")
          const { entries } = yield* files.list(`${root}/src`)
          assert.deepStrictEqual(
            entries.map(({ name }) => name),
            ["Z.ts", "b.ts", "deep", "new.md", "🌱", "～"],
          )
        }),
      ),
    )

    it.scoped(
      "writes in the place of a link, and not where it leads",
      given(({ files, root }) =>
        Effect.gen(function* () {
          yield* files.write(`${root}/to-file`, "other")
          assert.strictEqual((yield* files.stat(`${root}/to-file`)).kind, "file")
          assert.strictEqual(text(yield* files.read(`${root}/notes.txt`, { most: 10 })), "one\ntwo\n")
        }),
      ),
    )

    it.scoped(
      "writes over what whoever writes takes to be there, and over nothing else",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const bytes = (text: string) => ({ bytes: new TextEncoder().encode(text) })
          const none = { bytes: undefined }
          const [notes, fresh] = [`${root}/notes.txt`, `${root}/fresh.txt`]
          assert.deepStrictEqual(yield* failure(files.write(notes, "x", bytes("one\n"))), [notes, "Changed"])
          assert.deepStrictEqual(yield* failure(files.write(notes, "x", none)), [notes, "Changed"])
          assert.deepStrictEqual(yield* failure(files.write(fresh, "x", bytes(""))), [fresh, "Changed"])
          assert.deepStrictEqual(yield* failure(files.stat(fresh)), [fresh, "NotFound"])
          yield* files.write(notes, "three\n", bytes("one\ntwo\n"))
          yield* files.write(fresh, "four\n", none)
          for (const [path, expected] of [
            [notes, "three\n"],
            [fresh, "four\n"],
          ] as const) {
            assert.strictEqual(text(yield* files.read(path, { most: 100 })), expected)
          }
        }),
      ),
    )

    it.scoped(
      "removes a file that has the named content, and no other, no link and no folder",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const content = new TextEncoder().encode("one\ntwo\n")
          for (const [path, reason] of [
            [`${root}/empty`, "Changed"],
            [`${root}/to-file`, "Changed"],
            [`${root}/dangling`, "Changed"],
            [`${root}/src`, "NotAFile"],
            [`${root}/missing`, "NotFound"],
            [`${root}/to-folder/b.ts`, "NotAFolder"],
          ] as const) {
            assert.deepStrictEqual(yield* failure(files.remove(path, content)), [path, reason])
          }
          assert.strictEqual((yield* files.stat(`${root}/to-file`)).kind, "link")
          yield* files.remove(`${root}/notes.txt`, content)
          assert.deepStrictEqual(yield* failure(files.stat(`${root}/notes.txt`)), [`${root}/notes.txt`, "NotFound"])
        }),
      ),
    )

    it.scoped(
      "removes a folder that is empty, and no other",
      given(({ files, root }) =>
        Effect.gen(function* () {
          yield* files.makeFolder(`${root}/jobs`)
          yield* files.removeFolder(`${root}/jobs`)
          assert.deepStrictEqual(yield* failure(files.stat(`${root}/jobs`)), [`${root}/jobs`, "NotFound"])
          for (const [path, reason] of [
            [`${root}/src`, "Unwritable"],
            [`${root}/notes.txt`, "NotAFolder"],
            [`${root}/to-folder`, "NotAFolder"],
            [`${root}/jobs`, "NotFound"],
          ] as const) {
            assert.deepStrictEqual(yield* failure(files.removeFolder(path)), [path, reason])
          }
        }),
      ),
    )

    it.scoped(
      "makes a folder, and is content with one that is there",
      given(({ files, root }) =>
        Effect.gen(function* () {
          yield* files.makeFolder(`${root}/jobs`)
          yield* files.write(`${root}/jobs/a`, "a")
          yield* files.makeFolder(`${root}/jobs`)
          const { entries } = yield* files.list(`${root}/jobs`)
          assert.deepStrictEqual(
            entries.map(({ name }) => name),
            ["a"],
          )
        }),
      ),
    )

    it.scoped(
      "writes and makes nothing through a link, in a file, or where nothing is",
      given(({ files, root }) =>
        Effect.gen(function* () {
          for (const use of [(path: string) => files.write(path, "x"), files.makeFolder]) {
            for (const [path, reason] of [
              [`${root}/to-folder/x`, "NotAFolder"],
              [`${root}/chain/x`, "NotAFolder"],
              [`${root}/to-folder/deep/x`, "NotAFolder"],
              [`${root}/src/../src/x`, "NotAFolder"],
              [`${root}/notes.txt/x`, "NotAFolder"],
              [`${root}/missing/x`, "NotFound"],
            ] as const) {
              assert.deepStrictEqual(yield* failure(use(path)), [path, reason])
            }
          }
          assert.deepStrictEqual(yield* failure(files.write(`${root}/src`, "x")), [`${root}/src`, "Unwritable"])
          const path = `${root}/notes.txt`
          assert.deepStrictEqual(yield* failure(files.makeFolder(path)), [path, "Unwritable"])
          assert.notInclude(JSON.stringify(yield* files.list(`${root}/src`)), '"x"')
        }),
      ),
    )

    it.scoped(
      "finds no folder in a file",
      given(({ files, root }) =>
        Effect.gen(function* () {
          const path = `${root}/notes.txt/inside`
          assert.deepStrictEqual(yield* failure(files.readReal(path, 10)), [path, "NotAFolder"])
          assert.deepStrictEqual(yield* failure(files.stat(path)), [path, "NotAFolder"])
          assert.deepStrictEqual(yield* failure(files.realPath(path)), [path, "NotAFolder"])
        }),
      ),
    )
  })
