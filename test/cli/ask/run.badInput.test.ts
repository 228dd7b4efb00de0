import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import { ForestError, Full } from "../../../src/forest/ForestError.ts"
import * as SqliteForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../../src/forest/ForestStore.ts"
import { shared } from "../../utils/shared.ts"
import { one, open, session } from "./session.ts"

describe("vibe ask on a disk that is full", () => {
  /** Has room for so many writes. */
  const roomFor = (writes: number) =>
    Layer.effect(
      ForestStore.ForestStore,
      Effect.map(ForestStore.ForestStore, (store) => {
        let left = writes
        return ForestStore.ForestStore.of({
          ...store,
          write: (body) =>
            Effect.suspend(() => {
              left--
              return left < 0 ? new ForestError({ reason: new Full({ cause: "ENOSPC" }) }) : store.write(body)
            }),
        })
      }),
    ).pipe(Layer.provide(SqliteForestStore.layerMemory))

  it.scoped.each<readonly [what: string, writes: number]>([
    ["tree", 0],
    ["question", 1],
    ["answer", 2],
  ])("answers with one warning when the disk is full for the %s", ([, writes]) =>
    session(
      ({ logged, vibe }) =>
        Effect.gen(function* () {
          const { code, err, out } = yield* vibe("Hi", "--json", ...one)
          assert.deepStrictEqual([code, err], [0, ""])
          assert.deepInclude(JSON.parse(out), { text: "Hello.", node: null })
          assert.deepStrictEqual(logged, [
            "vibe: warn: the conversation of this run is not kept (reason: the conversation cannot be saved: the disk is full)",
          ])
        }),
      { store: roomFor(writes) },
    ),
  )
})

describe("vibe ask with bad input", () => {
  /** One session for all input, which nothing comes into: each is refused before anything is kept. */
  const opened = shared(Effect.interruptible(open()))

  it.scoped.each<readonly [argv: ReadonlyArray<string>, word: string]>([
    [[], "needs QUESTION"],
    [["  "], "needs QUESTION"],
    [["--file", "a.txt"], "needs QUESTION"],
    [["--continue"], "nothing has been asked"],
    [["--continue", "why?"], "nothing has been asked"],
    [["--continue=nowhere", "why?"], "no node 'nowhere'"],
    [["--continue", "--system", "Be brief", "why?"], "has its system prompt already"],
    [["why?", "--file", "../secret.txt"], "../secret.txt: outside the workspace"],
    [["why?", "--file", "nowhere.txt"], "nowhere.txt: no such file"],
    [["why?", "--file", ".env"], ".env: outside the workspace or not allowed"],
    [["why?", "--image", "nowhere.png"], "nowhere.png: no such file"],
    [["why?", "--image", "package.json"], "package.json: is no picture"],
    [["why?", "--image", "/dev/zero"], "/dev/zero: neither a regular file nor a pipe"],
    [["why?", "-x", "--schema", "nowhere.json"], "'--extract' and '--schema' do not go together"],
    [["why?", "--schema", "nowhere.json"], "nowhere.json: no such file"],
    [["why?", "--schema", "README.md"], "README.md: is no JSON"],
    [["why?", "--schema", "/dev/zero"], "/dev/zero: neither a regular file nor a pipe"],
    [["why?", "--model", "/x"], "a model is written PROVIDER/NAME"],
    [["why?", "--temperature", "warm"], "'--temperature' takes a number"],
    [["why?", "--temperature", "0x1"], "'--temperature' takes a number"],
    [["why?", "--max-tokens", "0b11"], "'--max-tokens' takes a number"],
    [["why?", "--max-tokens", "٣"], "'--max-tokens' takes a number"],
    [["why?", "--max-tokens", "0"], "'--max-tokens' takes"],
    [["why?", "--max-retries", "-1"], "'--max-retries'"],
    [["why?", "--max-retries", "1.5"], "'--max-retries' takes"],
    [["why?", "--max-wait", "soon"], "'--max-wait' takes"],
    [["why?", "--preset", "none"], "vibe: --preset: there is no preset 'none'"],
    [["why?", "--no-steram"], "did you mean '--no-stream'?"],
  ])("says in a line what is wrong, and asks nobody: %j", ([argv, word]) =>
    Effect.gen(function* () {
      const { context, requests, vibe } = yield* opened
      const { code, err, out } = yield* vibe(...argv, ...(argv.includes("--model") ? [] : one))
      assert.deepStrictEqual([code, out], [2, ""], err)
      assert.lengthOf(err.trimEnd().split("\n"), 1, err)
      assert.include(err, word)
      assert.isEmpty(requests)
      assert.isEmpty(yield* Context.get(context, Forest.Forest).roots())
    }),
  )

  it.scoped("refuses a stdin that is no text", () =>
    session(
      ({ vibe }) =>
        Effect.gen(function* () {
          const { code, err } = yield* vibe("why?", ...one)
          assert.strictEqual(code, 2)
          assert.include(err, "stdin is no text")
        }),
      { stdin: "\0PNG" },
    ),
  )
})
