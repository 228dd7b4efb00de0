import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Output from "../../src/code/Output.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const contents = {
  "/repo/src/a.ts": "code",
  "/repo/jobs/old/jtbd.md": "before",
  "/repo/jobs/image.png": new Uint8Array([0, 1, 2]),
  "/repo/jobs/up": { link: "../src" },
  "/repo/jobs/out": { link: "/outside" },
  "/repo/jobs/round": { link: "old" },
  "/repo/jobs/to-file": { link: "../src/a.ts" },
  "/repo/jobs/nowhere": { link: "../src/new.ts" },
  "/repo/linked": { link: "src" },
  "/repo/away": { link: "/outside" },
  "/repo/.gitignore": "jobs/\n",
  "/outside/known.md": "secret",
  "/repo-secret/known.md": "secret",
}

/** An output folder in a world of its own, and how to look into that. */
const opened = (folder: string, base = "/repo") =>
  Effect.gen(function* () {
    const files = Files.makeMemory(contents)
    const output = yield* Effect.provideService(Output.open(base, folder), Files.Files, files)
    const text = (path: string) =>
      Effect.map(files.readReal(path, 1_000_000), ({ bytes }) => new TextDecoder().decode(bytes))
    return { ...output, text, files }
  })

const reason = <A, E extends { readonly reason: { readonly _tag: string } }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error.reason._tag)

describe("Output.write", () => {
  it.effect("makes a file and the folders it needs, and names it from the base", () =>
    Effect.gen(function* () {
      const { text, write } = yield* opened("./out/jobs/")
      assert.deepStrictEqual(yield* write("out/jobs/auth/specs/sign-in.md", "# Sign in\n"), {
        path: "out/jobs/auth/specs/sign-in.md",
        before: undefined,
      })
      assert.strictEqual(yield* text("/repo/out/jobs/auth/specs/sign-in.md"), "# Sign in\n")
    }),
  )

  it.effect("gives back what was there before", () =>
    Effect.gen(function* () {
      const { text, write } = yield* opened("jobs")
      assert.strictEqual((yield* write("/repo/jobs/old/../old/jtbd.md", "after")).before, "before")
      assert.strictEqual((yield* write("jobs/old/jtbd.md", "")).before, "after")
      assert.strictEqual(yield* text("/repo/jobs/old/jtbd.md"), "")
    }),
  )

  it.effect("makes nothing before it is asked to, not even its own folder", () =>
    Effect.gen(function* () {
      const { files, folder } = yield* opened("later")
      assert.strictEqual(folder, "later")
      assert.strictEqual(yield* reason(files.stat("/repo/later")), "NotFound")
    }),
  )

  it.effect("writes where ignore files leave out, and no other tool reads it back", () =>
    Effect.gen(function* () {
      const { files, write } = yield* opened("jobs")
      yield* write("jobs/a.md", "a")
      const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, files)
      assert.strictEqual(yield* reason(workspace.read("jobs/a.md")), "Ignored")
    }),
  )

  it.effect("takes the base itself as its folder, and a folder that a link inside leads to", () =>
    Effect.gen(function* () {
      const here = yield* opened(".")
      assert.deepStrictEqual([here.folder, (yield* here.write("notes.md", "x")).path], ["", "notes.md"])
      const linked = yield* opened("linked")
      assert.strictEqual((yield* linked.write("linked/b.md", "b")).path, "linked/b.md")
      assert.strictEqual(yield* linked.text("/repo/src/b.md"), "b")
    }),
  )

  it.effect("replaces lone surrogates, so that the text can be read back", () =>
    Effect.gen(function* () {
      const { text, write } = yield* opened("jobs")
      yield* write("jobs/a.md", "a\ud83cb")
      assert.strictEqual(yield* text("/repo/jobs/a.md"), "a\ufffdb")
    }),
  )
})

describe("Output.write keeps inside its folder", () => {
  it.effect.each([
    "a.md",
    "src/new.ts",
    "src/a.ts",
    "jobs",
    "jobs/",
    "jobs/..",
    "jobs/../src/new.ts",
    "../repo-secret/known.md",
    "/repo-secret/new.md",
    "/etc/passwd",
    "/proc/self/environ",
    "jobsother/a.md",
    "jobs/up/new.ts",
    "jobs/up/deep/new.ts",
    "jobs/up/a.ts",
    "jobs/out/known.md",
    "jobs/out/new.md",
    "jobs/out/deep/new.md",
    "jobs/to-file",
    "jobs/to-file/new.md",
    "jobs/nowhere",
    "jobs/nowhere/new.md",
    "jobs/.env",
    "jobs/.git/hooks/pre-commit",
    "jobs/node_modules/a/index.js",
    "jobs/id_rsa",
    "jobs/~/a.md",
    "jobs/a.md\0",
    "jobs/a\nb.md",
    "jobs/\u001b[2J.md",
    "jobs/a.md:stream",
    "jobs/a.md.",
    "jobs/deep /a.md",
    "jobs/aux.md",
    "jobs/NUL",
    "jobs/com1/a.md",
    "jobs/deep\\a.md",
    "jobs/~root/a.md",
    "",
  ])("and refuses %j, and changes nothing", (path) =>
    Effect.gen(function* () {
      const { files, write } = yield* opened("jobs")
      const untouched = Files.makeMemory(contents)
      assert.strictEqual(
        (yield* Effect.flip(write(path, "x"))).message,
        `${path}: outside the workspace or not allowed`,
      )
      for (const folder of ["/", "/repo", "/repo/src", "/repo/jobs", "/outside", "/repo-secret"]) {
        assert.deepStrictEqual(yield* files.list(folder), yield* untouched.list(folder))
      }
    }),
  )

  it.effect("and follows a link that stays in it", () =>
    Effect.gen(function* () {
      const { text, write } = yield* opened("jobs")
      yield* write("jobs/round/new.md", "new")
      assert.strictEqual(yield* text("/repo/jobs/old/new.md"), "new")
    }),
  )

  it.effect("and says what is no file, no folder, no text, or too large", () =>
    Effect.gen(function* () {
      const { write } = yield* opened("jobs")
      assert.strictEqual(yield* reason(write("jobs/old", "x")), "NotAFile")
      assert.strictEqual(yield* reason(write("jobs/old/jtbd.md/a", "x")), "NotAFolder")
      assert.strictEqual(yield* reason(write("jobs/image.png", "x")), "Binary")
      assert.strictEqual(yield* reason(write("jobs/a.md", "é".repeat(1_000_001))), "TooLarge")
      assert.strictEqual(yield* reason(write("jobs/long/".repeat(1_000), "x")), "Refused")
    }),
  )

  it.effect("refuses a folder outside its base, and a closed one", () =>
    Effect.gen(function* () {
      for (const folder of ["..", "/outside", ".git", "node_modules/jobs"]) {
        assert.isTrue(Either.isLeft(yield* Effect.either(opened(folder))))
      }
      const away = yield* opened("away")
      assert.strictEqual(yield* reason(away.write("away/a.md", "x")), "Refused")
      assert.strictEqual(yield* reason(opened("jobs", "/repo/src/a.ts")), "NotAFolder")
      assert.strictEqual(yield* reason(opened("jobs", "/nowhere")), "NotFound")
    }),
  )
})
