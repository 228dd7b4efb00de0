/** `vibe map` of a small project. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const project = {
  "package.json": '{"name": "mail", "description": "Sends mail"}',
  "src/queue.ts": 'import { Letter } from "./letter.ts"\nexport class Queue {\n  push(letter: Letter) {}\n}\n',
  "src/letter.ts": "export class Letter {}\n",
}

describe("vibe map", () => {
  it.scopedLive("prints what a project is, its folders and its main symbols, within the tokens", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const indexed = yield* vibe(["index", ".", "--model", "offline"], { cwd })
      assert.strictEqual(indexed.code, 0, indexed.stderr)
      const { code, stderr, stdout } = yield* vibe(["map"], { cwd })
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.deepStrictEqual(stdout.split("\n").slice(0, 6), [
        "package.json: mail, Sends mail",
        "",
        "src/* (2 files, 3 symbols)",
        "",
        "src/queue.ts",
        "  2 export class Queue",
      ])
      const small = JSON.parse((yield* vibe(["map", "--tokens", "50", "--json"], { cwd })).stdout)
      assert.isAtMost(small.tokens, 50)
      assert.strictEqual(small.maxTokens, 50)
      const ofFile = yield* vibe(["map", "src/letter.ts"], { cwd })
      assert.strictEqual(ofFile.stdout, "src/letter.ts\n  1 export class Letter\n")
    }),
  )

  it.scopedLive("refuses too few tokens, and names what is near a wrong path", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      yield* vibe(["index", ".", "--model", "offline"], { cwd })
      const few = yield* vibe(["map", "--tokens", "7"], { cwd })
      assert.strictEqual(few.code, 2)
      assert.include(few.stderr, "option '--tokens' takes a number from 50 to 100000")
      const wrong = yield* vibe(["map", "src/leter.ts"], { cwd })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.stderr, "no file or folder src/leter.ts in the index; near it: src/letter.ts")
    }),
  )
})
