/** `vibe show --callers --callees --impact` of a small project. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const project = {
  "src/pack.ts": "export function pack(data: string) {\n  return data.trim()\n}\n",
  "src/send.ts": 'import { pack } from "./pack.ts"\nexport function send(data: string) {\n  return pack(data)\n}\n',
  "src/main.ts": 'import { send } from "./send.ts"\nexport function main() {\n  send("hello")\n}\n',
  "test/send.test.ts": 'import { send } from "../src/send.ts"\nexport function testSend() {\n  send("")\n}\n',
}

const indexed = Effect.gen(function* () {
  const cwd = yield* folder(project)
  const ended = yield* vibe(["index", ".", "--model", "offline"], { cwd })
  assert.strictEqual(ended.code, 0, ended.stderr)
  return { cwd }
})

describe("vibe show with relations", () => {
  it.scopedLive("lists what uses a symbol, what it uses, and what depends on it", () =>
    Effect.gen(function* () {
      const options = yield* indexed
      const callers = yield* vibe(["show", "--callers", "--callees", "send"], options)
      assert.deepStrictEqual([callers.code, callers.stderr], [0, ""])
      assert.deepStrictEqual(callers.stdout.trimEnd().split("\n"), [
        "src/send.ts:2-4  function send",
        "",
        "used in 2 symbols of 2 files, 1 of them in code (resolved)",
        "src/main.ts",
        "  3  main",
        "test/send.test.ts (test)",
        "  3  testSend",
        "",
        "it uses 1 symbol (resolved)",
        "src/pack.ts",
        "  1  function pack  used at 3",
      ])
      const impact = yield* vibe(["show", "--impact", "pack", "--json"], options)
      const [symbol] = JSON.parse(impact.stdout).symbols
      assert.deepStrictEqual(
        symbol.impact.map(({ certainty, distance, lines, path, symbol, uses }: Record<string, unknown>) => [
          distance,
          path,
          symbol,
          uses,
          lines,
          certainty,
        ]),
        [
          [1, "src/send.ts", "send", "pack", [3], "resolved"],
          [2, "src/main.ts", "main", "send", [3], "resolved"],
          [2, "test/send.test.ts", "testSend", "send", [3], "resolved"],
        ],
      )
      const near = yield* vibe(["show", "--impact", "--depth", "1", "pack"], options)
      assert.include(near.stdout, "1 symbol depends on it within 1 step (resolved)")
    }),
  )

  it.scopedLive("refuses options that do not go together, and what is no symbol", () =>
    Effect.gen(function* () {
      const options = yield* indexed
      const refused = (...args: ReadonlyArray<string>) =>
        Effect.map(vibe(["show", ...args], options), ({ code, stderr }) => [code, stderr.split(". See ")[0]])
      assert.deepStrictEqual(yield* refused("send", "--depth", "2"), [2, "vibe: option '--depth' needs '--impact'"])
      assert.deepStrictEqual(yield* refused("send", "--limit", "2"), [
        2,
        "vibe: option '--limit' needs '--callers', '--callees' or '--impact'",
      ])
      assert.deepStrictEqual(yield* refused("send", "--why", "--callers"), [
        2,
        "vibe: option '--why' goes without '--callers', '--callees' and '--impact'",
      ])
      assert.deepStrictEqual(yield* refused("src", "--callers"), [
        2,
        "vibe: 'src' is a folder: --callers, --callees and --impact are about a symbol, such as PATH:NAME",
      ])
    }),
  )
})
