import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import type { Index } from "../../src/index/IndexStore.ts"
import * as Missing from "../../src/lookup/Missing.ts"
import * as MissingText from "../../src/lookup/MissingText.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const files = {
  "session.ts": "export class Session {\n  send(request: string) {\n    return request\n  }\n}\n",
  "retry.ts": "export const backoff = (attempt: number) => 1000 * 2 ** attempt // jitterless\n",
  "README.md": "# Demo\n\nIt speaks Gopher.\n",
}

/** The lines that are said of a question whose answer is `shown`. */
const said = (question: string, shown = "", also?: ReadonlyArray<string>) =>
  withIndex("/p", files, (index) => linesOf(index, question, shown, also)).pipe(Effect.provide(layer))

const linesOf = (index: Index, question: string, shown: string, also?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const project = { index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path }
    return MissingText.lines(yield* Missing.find(project, question, shown, also), project.displayPath)
  })

describe("Missing.find", () => {
  it.effect("names the symbol of a name that the answer does not have", () =>
    Effect.gen(function* () {
      const place = "'Session.send' is not above: session.ts:2-4  Session.send"
      assert.deepStrictEqual(yield* said("who calls Session.send", "retry.ts: backoff"), [place])
      assert.deepStrictEqual(yield* said("who calls Session.send", "session.ts: send()"), [])
      assert.deepStrictEqual(yield* said("loadDotenv", "fn load_dotenv()"), [])
      assert.deepStrictEqual(yield* said("busy retries", "busy, retry"), [])
    }),
  )

  it.effect("names the line of a text, also of one that is no code", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* said("gopher protocol", "protocol"), ["'gopher' is not above: text at README.md:3"])
      assert.deepStrictEqual(yield* said("jitterless"), ["'jitterless' is not above: text at retry.ts:1"])
    }),
  )

  it.effect("says that nothing has a word, and what is near to it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* said("where is dlsym called", "called"), ["no symbol and no text has 'dlsym'"])
      assert.deepStrictEqual(yield* said("sesion", "session.ts"), [
        "no symbol and no text has 'sesion' (near it: Session session.ts:1)",
      ])
      assert.deepStrictEqual(yield* said("SessionEror", "session"), [
        "no symbol and no text has 'SessionEror' (near it: Session session.ts:1)",
      ])
      assert.deepStrictEqual(yield* said("bakcoff"), [
        "no symbol and no text has 'bakcoff' (near it: backoff retry.ts:1)",
      ])
    }),
  )

  it.effect("names the files of a name, which need not have a symbol", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* said("README.md"), ["'README.md' is the name of README.md"])
      const many = Object.fromEntries(["a", "b", "c"].map((folder) => [`${folder}/0042.py`, "def run():\n    pass\n"]))
      const lines = yield* withIndex("/p", many, (index) => linesOf(index, "0042", "")).pipe(Effect.provide(layer))
      assert.deepStrictEqual(lines, ["'0042' is the name of a/0042.py, and of 2 other files"])
    }),
  )

  it.effect("joins the words that nothing has", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* said("x", "", ["dlsym", "libFoo"]), ["no symbol and no text has 'dlsym', 'libFoo'"])
    }),
  )

  it.effect("looks plain words up in short questions only", () =>
    Effect.gen(function* () {
      const long = "how do modest ramifications of dlsym influence obsolete pensive gardens"
      assert.deepStrictEqual(yield* said(long), [])
      assert.deepStrictEqual(yield* said(`${long} in libFoo`), ["no symbol and no text has 'libFoo'"])
    }),
  )

  it.effect("takes words of other scripts, and none of thousands of characters", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* said("认证"), ["no symbol and no text has '认证'"])
      assert.deepStrictEqual(yield* said(`a${"B".repeat(10_000)}`), [])
      assert.deepStrictEqual(yield* said("x", "", ["y_z".repeat(1_000)]), [])
    }),
  )
})

describe("MissingText.lines", () => {
  it("says if not all texts were searched", () => {
    const missing = { word: "dlsym", found: { _tag: "Nowhere", near: [], isCertain: false } } as const
    const [line = ""] = MissingText.lines([missing], (path) => path)
    assert.match(line, /no symbol has 'dlsym', nor has any text that was searched/)
  })

  it("hands no escape sequence to the terminal", () => {
    const missing = { word: "a\u001b[2J", found: { _tag: "Text", path: "b\u001b[2J.ts", line: 1 } } as const
    assert.notInclude(MissingText.lines([missing], (path) => path).join(), "\u001b")
  })
})
