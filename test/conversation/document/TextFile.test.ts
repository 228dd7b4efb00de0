import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Option } from "effect"
import * as Files from "../../../src/code/Files.ts"
import * as TextFile from "../../../src/conversation/document/TextFile.ts"
import { anyText } from "../../utils/anyText.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The file of that name among these, and its bytes as they are by then. */
const opened = (contents: Readonly<Record<string, Files.Content>>, name = "/here/plan.md") =>
  Effect.gen(function* () {
    const files = Files.makeMemory(contents)
    const file = yield* Effect.provideService(TextFile.open(name), Files.Files, files)
    const raw = Effect.map(files.readReal(file.path, 10_000_000), ({ bytes }) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
    )
    return { file, files, raw }
  })

describe("a text file", () => {
  it.effect.each<readonly [what: string, raw: string, text: string, written: string]>([
    ["line feeds", "a\nb\n", "a\nb\n", "a\nb\nc"],
    ["a last line that does not end", "a\nb", "a\nb", "a\nbc"],
    ["carriage returns", "a\r\nb\r\n", "a\nb\n", "a\r\nb\r\nc"],
    ["a mark in front", "\ufeffa\r\nb", "a\nb", "\ufeffa\r\nbc"],
    ["lines that end in different ways", "a\r\nb\nc\r", "a\r\nb\nc\r", "a\r\nb\nc\rc"],
    ["nothing", "", "", "c"],
  ])("of %s is read, and written back in its form", ([, raw, text, written]) =>
    Effect.gen(function* () {
      const { file, raw: rawNow } = yield* opened({ "/here/plan.md": raw })
      const snapshot = yield* file.read
      assert.strictEqual(Option.getOrThrow(snapshot).text, text)
      const after = yield* file.write(`${text}c`, snapshot)
      assert.strictEqual(yield* rawNow, written)
      assert.deepStrictEqual(Option.getOrThrow(yield* file.read), after)
    }),
  )

  it.effect.prop("keeps every unchanged byte", [anyText()], ([text]) =>
    Effect.gen(function* () {
      FastCheck.pre(!text.includes("\0") && text.isWellFormed())
      const { file, raw } = yield* opened({ "/here/plan.md": text })
      const snapshot = yield* file.read
      yield* file.write(Option.getOrThrow(snapshot).text, snapshot)
      assert.strictEqual(yield* raw, text)
    }),
  )

  it.effect("that does not exist reads as none, and is created unless another program has created it meanwhile", () =>
    Effect.gen(function* () {
      const { file, files, raw } = yield* opened({ "/here/other": "" })
      assert.deepStrictEqual(yield* file.read, Option.none())
      yield* files.write("/here/plan.md", "theirs")
      assert.strictEqual((yield* Effect.flip(file.write("mine", Option.none()))).reason._tag, "Changed")
      assert.strictEqual(yield* raw, "theirs")
    }),
  )

  it.effect("is written over what was read, and over nothing else", () =>
    Effect.gen(function* () {
      const { file, files, raw } = yield* opened({ "/here/plan.md": "one\n" })
      const snapshot = yield* file.read
      yield* files.write("/here/plan.md", "two\n")
      assert.strictEqual((yield* Effect.flip(file.write("mine\n", snapshot))).reason._tag, "Changed")
      assert.strictEqual(yield* raw, "two\n")
      yield* file.write("mine\n", yield* file.read)
      assert.strictEqual(yield* raw, "mine\n")
    }),
  )

  it.effect("behind a link is the file that it leads to", () =>
    Effect.gen(function* () {
      const { file, files } = yield* opened({ "/here/plan.md": { link: "../there/real.md" }, "/there/real.md": "a" })
      assert.strictEqual(file.path, "/there/real.md")
      yield* file.write("b", yield* file.read)
      assert.strictEqual((yield* files.stat("/here/plan.md")).kind, "link")
      assert.strictEqual(Option.getOrThrow(yield* file.read).text, "b")
    }),
  )

  it.effect.each<readonly [what: string, content: Files.Content, name: string, reason: string]>([
    ["a folder", { link: "." }, "/here", "NotAFile"],
    ["binary", new Uint8Array([65, 0, 66]), "/here/plan.md", "Binary"],
    ["of another encoding", new Uint8Array([0xe4, 0xf6]), "/here/plan.md", "Binary"],
    ["too large", "a".repeat(2_000_001), "/here/plan.md", "TooLarge"],
    ["a link to nowhere", { link: "nowhere" }, "/here/plan.md", "NotAFile"],
    ["in a folder that is not there", "", "/nowhere/plan.md", "NotFound"],
    ["in a file", "", "/here/plan.md/x", "NotAFolder"],
  ])("that is %s is refused by its name", ([, content, name, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(opened({ "/here/plan.md": content }, name))
      assert.deepStrictEqual([error.path, error.reason._tag], [name, reason])
    }),
  )

  it.effect("of 2 MB is taken, and never made larger than can be read again", () =>
    Effect.gen(function* () {
      const { file } = yield* opened({ "/here/plan.md": bytesOf("a".repeat(2_000_000)) })
      const snapshot = yield* file.read
      assert.strictEqual(Option.getOrThrow(snapshot).text.length, 2_000_000)
      const { reason } = yield* Effect.flip(file.write("a".repeat(2_000_001), snapshot))
      assert.deepInclude(reason, { _tag: "TooLarge", limit: 2_000_000 })
    }),
  )
})
