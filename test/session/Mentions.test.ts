import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Mentions from "../../src/session/Mentions.ts"

const files = Files.makeMemory({
  "/here/src/a.ts": "const a = 1\n",
  "/here/odd (1)": "odd",
  "/here/picture.png": new Uint8Array([0, 1, 2]),
  "/here/.env": "KEY=secret",
  "/here/.gitignore": "private/\n",
  "/here/private/notes.md": "private",
  "/outside.txt": "outside",
})

const shown = (message: string) =>
  Effect.flatMap(Workspace.open("/here"), (workspace) => Mentions.withFiles(workspace, message)).pipe(
    Effect.provideService(Files.Files, files),
  )

const file = '<file path="src/a.ts">\nconst a = 1\n</file>\n\n'

describe("Mentions.withFiles", () => {
  it.effect.each([
    ["What does @src/a.ts do?", true],
    ["See (@src/a.ts).", true],
    ["@src/a.ts, @./src/a.ts and `@src/a.ts`!", true],
    ["mail me@src/a.ts", false],
    ["@nobody, what is @src?", false],
    ["an @ alone, @", false],
  ] as const)("shows what is named, once, before the words: %s", ([message, isShown]) =>
    Effect.gen(function* () {
      const text = yield* shown(message)
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

describe("Mentions.withoutFiles", () => {
  it.effect("restores the message, whatever the files contain", () =>
    Effect.gen(function* () {
      const message = 'What does @src/a.ts do?\n\n<file path="mine">\nis mine</file>'
      assert.strictEqual(Mentions.withoutFiles(yield* shown(message)), message)
      assert.strictEqual(Mentions.withoutFiles("plain words"), "plain words")
    }),
  )
})
