import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as Sandbox from "../../../src/code/internal/Sandbox.ts"
import { cases } from "../../thoroughness.ts"
import * as WindowsFiles from "../WindowsFiles.ts"

const drives = {
  "C:\\": {
    Projects: {
      "My App": {
        src: { "a.ts": "inside", Deep: { "b.ts": "inside" }, "long name.ts": "inside" },
        ".git": { config: "secret" },
        ".env": "secret",
        ".vibe": { "index.db": "closed" },
        node_modules: { x: { "index.js": "closed" } },
        out: { link: "C:\\Users" },
        other: { link: "D:\\" },
        up: { link: "C:\\Projects\\My App\\src" },
        key: { link: "C:\\Projects\\My App\\.env" },
      },
      "My App 2": { "known.ts": "outside" },
    },
    Users: { me: { ".ssh": { id_rsa: "secret" }, "known.ts": "outside" } },
  },
  "D:\\": { "known.ts": "outside" },
  "\\\\SERVER\\SHARE\\": { "known.ts": "outside" },
}

const ROOT = "C:\\Projects\\My App"

/** As a user may spell it. */
const opened = (folder: string) => {
  const { asked, service } = WindowsFiles.make(drives)
  return Effect.map(Sandbox.open(service, folder, "win32"), (sandbox) => ({ ...sandbox, asked }))
}

describe("the sandbox, in Windows", () => {
  it.effect("has the root as the system spells it, however it was opened", () =>
    Effect.gen(function* () {
      for (const folder of [
        ROOT,
        "c:\\projects\\MY APP",
        "C:/Projects/My App/",
        "C:\\Projects\\MYAPP~1",
        `${ROOT}. `,
      ]) {
        assert.strictEqual((yield* opened(folder)).root, ROOT)
      }
    }),
  )

  it.effect.each<readonly [asked: string, path: string]>([
    ["src\\a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["SRC\\A.TS", "src/a.ts"],
    ["src\\deep/B.ts", "src/Deep/b.ts"],
    ["src\\LONGNA~1", "src/long name.ts"],
    ["C:\\Projects\\My App\\src\\a.ts", "src/a.ts"],
    ["c:/projects/my app/SRC/a.ts", "src/a.ts"],
    ["up\\a.ts", "src/a.ts"],
    [".\\src\\..\\src\\a.ts", "src/a.ts"],
    [".", ""],
  ])("names %s as the index does: %s", ([asked, path]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* (yield* opened(ROOT)).locate(asked)).path, path)
    }),
  )

  const refused = [
    "..",
    "..\\My App 2\\known.ts",
    "C:\\Users\\me\\known.ts",
    "D:\\known.ts",
    "D:known.ts",
    "\\Users\\me\\known.ts",
    "\\\\server\\share\\known.ts",
    "//server/share/known.ts",
    "\\\\?\\C:\\Projects\\My App\\src\\a.ts",
    "\\\\.\\C:\\Projects\\My App\\.env",
    "out\\me\\known.ts",
    "other\\known.ts",
    "key",
    ".env",
    ".ENV",
    "ENV~1",
    ".env.",
    ".env ",
    ".env::$DATA",
    ".git\\config",
    ".GIT\\config",
    "GIT~1\\config",
    ".git.\\config",
    ".git::$INDEX_ALLOCATION\\config",
    "NODEMO~1\\x\\index.js",
    ".vibe\\index.db",
    "src\\a.ts:stream",
    "src\\a.ts.",
    "nul",
    "src\\CON",
    "src\\aux.ts",
    "src\\com1.log",
    "NUL:",
  ]

  it.effect.each(refused)("refuses %s, and says the same for all", (asked) =>
    Effect.gen(function* () {
      const { locate } = yield* opened(ROOT)
      assert.strictEqual((yield* Effect.flip(locate(asked)))._tag, "Refused")
    }),
  )

  it.effect.each([
    "D:\\known.ts",
    "\\\\server\\share\\known.ts",
    "\\\\server\\share\\missing",
    "src\\nul",
    "..\\missing",
  ])("does not even look for %s: a share of another machine would be sent the user's password", (given) =>
    Effect.gen(function* () {
      const { asked, locate } = yield* opened(ROOT)
      const before = asked.length
      yield* Effect.flip(locate(given))
      assert.strictEqual(asked.length, before)
    }),
  )

  it.effect("tells a missing file from a refused one only inside", () =>
    Effect.gen(function* () {
      const { locate } = yield* opened(ROOT)
      assert.strictEqual((yield* Effect.flip(locate("src\\missing.ts")))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(locate("out\\missing.ts")))._tag, "Refused")
    }),
  )

  const names = FastCheck.oneof(
    FastCheck.constantFrom("src", "SRC", "Deep", "a.ts", "A.TS", "out", "other", "up", "key", "..", ".", ""),
    FastCheck.constantFrom(
      ".git",
      ".GIT",
      "GIT~1",
      "config",
      ".env",
      "ENV~1",
      "node_modules",
      "NODEMO~1",
      "SRC~1",
      "x",
    ),
    FastCheck.constantFrom(
      "C:",
      "c:",
      "D:",
      "\\\\server\\share",
      "\\\\?\\C:",
      "Projects",
      "My App",
      "My App 2",
      "Users",
      "me",
    ),
    FastCheck.constantFrom(
      "con",
      "nul.ts",
      "a.ts.",
      "a.ts ",
      "a.ts:s",
      ".git::$INDEX_ALLOCATION",
      "known.ts",
      "id_rsa",
      "\0",
    ),
  )
  const paths = FastCheck.array(FastCheck.tuple(names, FastCheck.constantFrom("\\", "/", "")), { maxLength: 8 }).map(
    (parts) => parts.map((part) => part.join("")).join(""),
  )

  it.effect.prop(
    "never leads outside, to a secret or to a device",
    [paths, FastCheck.constantFrom("", `${ROOT}\\`, "c:/projects/my app/")],
    ([asked, before]) =>
      Effect.gen(function* () {
        const { locate } = yield* opened(ROOT)
        const located = yield* Effect.either(locate(before + asked))
        if (Either.isLeft(located)) return
        const { path: named, realPath } = located.right
        assert.isTrue(realPath === ROOT || realPath.startsWith(`${ROOT}\\`), realPath)
        assert.strictEqual(path.win32.join(ROOT, named), named === "" ? `${ROOT}\\`.slice(0, -1) : realPath)
        assert.notMatch(named, /\\|:|(?:^|\/)(?:\.git|\.env|\.vibe|node_modules|con|nul)(?:\/|\.|$)/i)
      }),
    { fastCheck: { numRuns: cases(2_000) } },
  )
})

describe("Sandbox.below, in Windows", () => {
  it.each([
    ["C:\\a", "C:\\a\\b\\c", "b/c"],
    ["C:\\a", "c:\\A\\b", "b"],
    ["C:\\a", "C:\\a", ""],
    ["C:\\", "C:\\b", "b"],
    ["C:\\a", "C:\\ab", undefined],
    ["C:\\a", "D:\\a\\b", undefined],
    ["C:\\a", "\\\\server\\share\\a", undefined],
    ["\\\\server\\share\\a", "\\\\SERVER\\share\\a\\b", "b"],
    ["\\\\server\\share", "\\\\server\\other\\b", undefined],
  ])("of %s: %s is %s", (base, absolute, expected) => {
    assert.strictEqual(Sandbox.below(base, absolute, "win32"), expected)
  })
})
