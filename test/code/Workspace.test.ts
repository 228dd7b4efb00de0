import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FileError, Unreadable } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const opened = (contents: Readonly<Record<string, Files.Content>>, root = "/root") =>
  Workspace.open(root).pipe(Effect.provideService(Files.Files, Files.makeMemory(contents)))

const reason = <A>(effect: Effect.Effect<A, FileError>) => Effect.map(Effect.flip(effect), (error) => error.reason._tag)

describe("Workspace.open", () => {
  it.effect("resolves links to the root", () =>
    Effect.gen(function* () {
      const { root } = yield* opened({ "/root/a": "", "/here": { link: "root" } }, "/here")
      assert.strictEqual(root, "/root")
    }),
  )

  it.effect("opens folders alone", () =>
    Effect.gen(function* () {
      const open = (root: string) => opened({ "/root/a": "", "/proc/self/environ": "KEY=1" }, root)
      assert.strictEqual(yield* reason(open("/root/a")), "NotAFolder")
      assert.strictEqual(yield* reason(open("/nowhere")), "NotFound")
      assert.strictEqual(yield* reason(open("/proc/self")), "Refused")
    }),
  )
})

describe("Workspace.open, where it may not read", () => {
  const files = Files.makeMemory({ "/root/.git/info/exclude": "", "/root/.gitignore": "", "/root/a": "" })
  const locked = (path: string) => Effect.fail(new FileError({ path, reason: new Unreadable({ cause: "locked" }) }))

  /** Nothing at these paths can be had. */
  const opening = (...paths: ReadonlyArray<string>) =>
    Workspace.open("/root").pipe(
      Effect.provideService(Files.Files, {
        ...files,
        list: (path) => (paths.includes(path) ? locked(path) : files.list(path)),
        readReal: (path, most) => (paths.includes(path) ? locked(path) : files.readReal(path, most)),
      }),
      Effect.flip,
      Effect.map(({ message }) => message),
    )

  it.effect("names the folder as it was asked for", () =>
    Effect.gen(function* () {
      const message = yield* opening("/root", "/root/.git/info/exclude", "/root/.gitignore")
      assert.strictEqual(message, "/root: cannot be read")
    }),
  )

  it.effect("names the ignore file that alone is locked", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* opening("/root/.git/info/exclude"), "/root/.git/info/exclude: cannot be read")
    }),
  )
})

describe("Workspace.read", () => {
  const contents = {
    "/root/a.ts": "let a",
    "/root/src/b.ts": "let b",
    "/root/src/deep/c.ts": "let c",
    "/root/..d.ts": "let d",
    "/root/link.ts": { link: "src/b.ts" },
    "/root/folder": { link: "src/deep" },
    "/spelled": { link: "root" },
  }

  it.effect("takes paths from the root, absolute paths inside it, and detours", () =>
    Effect.gen(function* () {
      const { read } = yield* opened(contents)
      const content = (asked: string) => Effect.map(read(asked), ({ path, text }) => [path, text])
      assert.deepStrictEqual(yield* content("src/b.ts"), ["src/b.ts", "let b"])
      assert.deepStrictEqual(yield* content("./src/../a.ts"), ["a.ts", "let a"])
      assert.deepStrictEqual(yield* content("/root/src/b.ts"), ["src/b.ts", "let b"])
      assert.deepStrictEqual(yield* content("..d.ts"), ["..d.ts", "let d"])
      assert.deepStrictEqual(yield* content("src//deep/../b.ts"), ["src/b.ts", "let b"])
    }),
  )

  it.effect("takes absolute paths under the root as it was opened", () =>
    Effect.gen(function* () {
      const { read } = yield* opened(contents, "/spelled")
      assert.strictEqual((yield* read("/spelled/src/b.ts")).path, "src/b.ts")
    }),
  )

  it.effect("follows links inside the root, and says where they led", () =>
    Effect.gen(function* () {
      const { read } = yield* opened(contents)
      assert.strictEqual((yield* read("link.ts")).path, "src/b.ts")
      assert.strictEqual((yield* read("folder/c.ts")).path, "src/deep/c.ts")
    }),
  )

  it.effect("says what is not there, and what is no file", () =>
    Effect.gen(function* () {
      const { list, read } = yield* opened(contents)
      assert.strictEqual((yield* Effect.flip(read("src/x.ts"))).message, "src/x.ts: no such file or folder")
      assert.strictEqual((yield* Effect.flip(read("src"))).message, "src: not a file")
      assert.strictEqual((yield* Effect.flip(read(""))).message, ": not a file")
      assert.strictEqual((yield* Effect.flip(list("a.ts"))).message, "a.ts: not a folder")
      assert.strictEqual((yield* Effect.flip(read("a.ts/x"))).message, "a.ts/x: not a folder")
    }),
  )

  it.effect("decodes UTF-8 and UTF-16, and drops their marks", () =>
    Effect.gen(function* () {
      const utf16 = new Uint8Array(Buffer.from("\ufeffgrün 🌱", "utf16le"))
      const { read } = yield* opened({
        "/root/plain": "grün 🌱",
        "/root/marked": new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
        "/root/little": utf16,
        "/root/big": new Uint8Array(Buffer.from(utf16).swap16()),
        "/root/broken": new Uint8Array([0x61, 0xff, 0x62, 0xe2, 0x82]),
      })
      const text = (path: string) => Effect.map(read(path), (content) => content.text)
      assert.strictEqual(yield* text("plain"), "grün 🌱")
      assert.strictEqual(yield* text("marked"), "a")
      assert.strictEqual(yield* text("little"), "grün 🌱")
      assert.strictEqual(yield* text("big"), "grün 🌱")
      assert.strictEqual(yield* text("broken"), "a\ufffdb\ufffd")
    }),
  )

  it.effect("refuses what is binary by a NUL in its first 8 KB", () =>
    Effect.gen(function* () {
      const { read } = yield* opened({
        "/root/image": new Uint8Array([0x89, 0x50, 0, 1]),
        "/root/late": `${" ".repeat(8_191)}\0`,
        "/root/later": `${" ".repeat(8_192)}\0`,
        "/root/utf32": new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]),
        // It is the characters that count, of which this one has fewer than bytes.
        "/root/wide": `${"ü".repeat(8_000)}\0`,
      })
      assert.strictEqual((yield* Effect.flip(read("image"))).message, "image: binary, 4 bytes")
      assert.strictEqual(yield* reason(read("late")), "Binary")
      assert.strictEqual(yield* reason(read("wide")), "Binary")
      assert.strictEqual(yield* reason(read("utf32")), "Binary")
      assert.strictEqual((yield* read("later")).text.length, 8_193)
    }),
  )

  it.effect("refuses what is larger than the limit, whatever size it claims", () =>
    Effect.gen(function* () {
      const limit = Workspace.MAX_FILE_BYTES
      const memory = Files.makeMemory({
        "/root/most": new Uint8Array(limit).fill(0x61),
        "/root/more": new Uint8Array(limit + 1).fill(0x61),
      })
      const lying = Files.Files.of({
        ...memory,
        readReal: (path, most) =>
          Effect.map(memory.readReal(path, most), (file) => ({ ...file, stat: { ...file.stat, size: 0 } })),
      })
      for (const files of [memory, lying]) {
        const { read } = yield* Effect.provideService(Workspace.open("/root"), Files.Files, files)
        const length = (path: string) => Effect.map(read(path), ({ text }) => text.length)
        assert.strictEqual(yield* length("most"), limit)
        assert.strictEqual((yield* Effect.flip(length("more"))).message, "more: larger than 2000000 bytes")
      }
    }),
  )
})

describe("Workspace.list", () => {
  it.effect("shows files and folders by their paths, and counts what it hides", () =>
    Effect.gen(function* () {
      const { list } = yield* opened({
        "/root/.git/config": "",
        "/root/.gitignore": "*.log",
        "/root/src/b.ts": "let b",
        "/root/src/a.log": "",
        "/root/src/inner/c": "",
        "/root/src/link": { link: "b.ts" },
        "/root/src/server.key": "",
        "/root/node_modules/x": "",
      })
      const stat: Files.Stat = { kind: "file", size: 5, modified: 0, owner: 1000 }
      assert.deepStrictEqual(yield* list("."), {
        entries: [
          { kind: "file", path: ".gitignore", stat },
          { kind: "folder", path: "src" },
        ],
        hidden: 2,
      })
      assert.deepStrictEqual(yield* list("src"), {
        entries: [
          { kind: "file", path: "src/b.ts", stat },
          { kind: "folder", path: "src/inner" },
        ],
        hidden: 3,
      })
    }),
  )

  it.effect("lists a folder from a listing, and refuses an entry that no listing has made", () =>
    Effect.gen(function* () {
      const { list } = yield* opened({ "/root/src/a.ts": "", "/root/src/inner/c": "", "/root/.git/config": "" })
      const [src] = (yield* list(".")).entries
      assert(src?.kind === "folder")
      assert.deepStrictEqual(yield* list(src), yield* list("src"))
      const made = yield* Effect.flip(list({ kind: "folder", path: ".git" }))
      assert.strictEqual(made.reason._tag, "Refused")
    }),
  )

  it.effect("reads a file from a listing, and refuses an entry that no listing has made", () =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({ "/root/src/a.ts": "a", "/root/src/big.ts": "\0", "/root/.env": "KEY=1" })
      const [a, big] = (yield* list("src")).entries
      assert(a?.kind === "file" && big?.kind === "file")
      assert.deepStrictEqual(yield* read(a), yield* read("src/a.ts"))
      assert.deepStrictEqual(yield* Effect.flip(read(big)), yield* Effect.flip(read("src/big.ts")))
      const made = yield* Effect.flip(read({ ...a, path: ".env" }))
      assert.strictEqual(made.reason._tag, "Refused")
    }),
  )
})
