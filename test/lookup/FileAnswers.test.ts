import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Style from "../../src/base/Style.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as FileAnswers from "../../src/lookup/FileAnswers.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

/** One file has very many symbols for the question, and twelve others have one each. */
const files: Record<string, string> = {
  "all.ts": Array.from({ length: 100 }, (_, n) => `export function retryRequest${n}() {\n  return ${n}\n}\n`).join(
    "\n",
  ),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`parts/part${n}.ts`, `export const retryPart${n} = () => ${n}\n`]),
  ),
}

const find = (question: string, limit?: number, existing = files) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      const project = { index, workspace: yield* workspace("/p", existing), displayPath: (path: string) => path }
      return yield* FileAnswers.find(project, question, { limit })
    }),
  ).pipe(Effect.provide(layer))

describe("FileAnswers.find", () => {
  it.effect("has ten files, however many symbols of one come first", () =>
    Effect.gen(function* () {
      const answers = yield* find("retry request")
      assert.lengthOf(answers, 10)
      assert.strictEqual(answers[0]?.path, "all.ts")
      assert.lengthOf(new Set(answers.map(({ path }) => path)), 10)
    }),
  )

  it.effect("has as many as are asked for, or all that match", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* find("retry request", 3), 3)
      assert.lengthOf(yield* find("retry request", 50), 13)
      assert.deepStrictEqual(yield* find("zebra"), [])
    }),
  )

  it.effect("leaves out a file that is gone, and has another one instead", () =>
    Effect.gen(function* () {
      const { "all.ts": _, ...left } = files
      const answers = yield* find("retry request", 5, left)
      assert.lengthOf(answers, 5)
      assert.notInclude(
        answers.map(({ path }) => path),
        "all.ts",
      )
    }),
  )
})

describe("FileAnswers.format", () => {
  it.effect("is a line for each file, and fits the terminal", () =>
    Effect.gen(function* () {
      const answers = yield* find("retry request", 2)
      const format = { displayPath: (path: string) => `../${path}` }
      const lines = FileAnswers.format(answers, format).split("\n")
      assert.lengthOf(lines, 2)
      assert.match(lines[0] ?? "", /^\.\.\/all\.ts {2}retryRequest\d+ \d+-\d+, .*, and \d+ more$/)
      for (const line of FileAnswers.format(answers, { ...format, columns: 40, style: Style.plain }).split("\n")) {
        assert.isAtMost(line.length, 40)
      }
    }),
  )
})
