import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Mentions from "../../src/conversation/Mentions.ts"

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])

const files = Files.makeMemory({
  "/here/src/a.ts": "const a = 1\n",
  "/here/odd (1)": "odd",
  "/here/picture.png": new Uint8Array([0, 1, 2]),
  "/here/shot.png": png,
  "/here/named.txt": png,
  "/here/.env": "KEY=secret",
  "/here/.gitignore": "private/\n",
  "/here/private/notes.md": "private",
  "/outside.txt": "outside",
})

const shown = (message: string) =>
  Effect.flatMap(Workspace.open("/here"), (workspace) => Mentions.expand(workspace, message)).pipe(
    Effect.provideService(Files.Files, files),
  )

const file = '<file path="src/a.ts">\nconst a = 1\n</file>\n\n'

describe("Mentions.expand", () => {
  it.effect.each([
    ["What does @src/a.ts do?", true],
    ["See (@src/a.ts).", true],
    ["@src/a.ts, @./src/a.ts and `@src/a.ts`!", true],
    ["mail me@src/a.ts", false],
    ["@nobody, what is @src?", false],
    ["an @ alone, @", false],
  ] as const)("shows what is named, once, before the words: %s", ([message, isShown]) =>
    Effect.gen(function* () {
      const { text } = yield* shown(message)
      assert.strictEqual(text.includes("const a = 1"), isShown)
      assert.isTrue(text.endsWith(message))
      if (message.startsWith("What")) assert.strictEqual(text, `${file}${message}`)
    }),
  )

  it.effect.each([
    ["@picture.png", "Binary"],
    ["@.env", "Refused"],
    ["@../outside.txt", "Refused"],
    ["@private/notes.md", "Ignored"],
  ] as const)("says why %s cannot be shown", ([message, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(shown(message))
      assert.strictEqual(error.reason._tag, reason)
    }),
  )
})

describe("Mentions.expand, of what is no file", () => {
  it.effect.each([
    ["What does @src/b.ts do? And @src/a.ts?", ["src/b.ts"]],
    ["See (@nofile.md), @./nothing and @src/.", ["nofile.md", "./nothing", "src/"]],
    ["@nobody, what is @v2.0 and @1.5?", []],
    ["mail me@example.com", []],
  ] as const)("has what looks like a path, and leaves the words as they are: %s", ([message, expected]) =>
    Effect.gen(function* () {
      const { missing, text } = yield* shown(message)
      assert.deepStrictEqual(missing, expected)
      assert.isTrue(text.endsWith(message))
    }),
  )
})

describe("Mentions.expand, of pictures", () => {
  it.effect("has those that are named, by their bytes and not by their names, and leaves the words as they are", () =>
    Effect.gen(function* () {
      const { pictures, text } = yield* shown("Compare @shot.png with @named.txt, and read @src/a.ts.")
      const data = Buffer.from(png).toString("base64")
      const picture = { type: "image", media_type: "image/png", data } as const
      assert.deepStrictEqual(pictures, [picture, picture])
      assert.strictEqual(text, `${file}Compare @shot.png with @named.txt, and read @src/a.ts.`)
    }),
  )
})

describe("Mentions.withoutFiles", () => {
  it.effect("restores the message, whatever the files contain", () =>
    Effect.gen(function* () {
      const message = 'What does @src/a.ts do?\n\n<file path="mine">\nis mine</file>'
      assert.strictEqual(Mentions.withoutFiles((yield* shown(message)).text), message)
      assert.strictEqual(Mentions.withoutFiles("plain words"), "plain words")
    }),
  )
})
