/** What `vibe index` talked about with its model, read afterwards by others. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const project = {
  "greet.ts": "export const greet = (name: string): string => `hello ${name}`\n",
  "script.json": JSON.stringify([
    {
      toolCalls: [
        {
          name: "create_index_entry",
          arguments: { entries: [{ path: "greet.ts", symbol: "greet", purpose: "Welcomes a visitor by name." }] },
        },
      ],
    },
    "That is all.",
  ]),
}

const indexed = Effect.gen(function* () {
  const cwd = yield* folder(project)
  const state = yield* folder({})
  const env = { XDG_STATE_HOME: state }
  const ended = yield* vibe(["index", ".", "--model", "scripted/script.json"], { cwd, env })
  assert.strictEqual(ended.code, 0, ended.stderr)
  return { cwd, env, state }
})

describe("an exploration", () => {
  it.scopedLive("can be read, branched and searched like any conversation, and shows where a purpose is from", () =>
    Effect.gen(function* () {
      const { cwd, env } = yield* indexed
      const roots = yield* vibe(["loom", "roots"], { cwd, env })
      assert.include(roots.stdout, `${fs.realpathSync(cwd)}  index`)
      const log = yield* vibe(["loom", "log"], { cwd, env })
      assert.include(log.stdout, "That is all.")
      assert.include(log.stdout, "[calls create_index_entry]")
      const found = yield* vibe(["loom", "search", "welcomes", "visitor"], { cwd, env })
      assert.include(found.stdout, "assistant")
      const why = yield* vibe(["show", "--why", "greet"], { cwd, env })
      assert.include(why.stdout, "Welcomes a visitor by name.")
      assert.include(why.stdout, "greet.ts greet: Welcomes a visitor by name.")
      const [, node = ""] = /answer: +vibe loom show (\w+)/.exec(why.stdout) ?? []
      const whole = yield* vibe(["loom", "show", node], { cwd, env })
      assert.include(whole.stdout, "[calls create_index_entry]")
      assert.deepStrictEqual(yield* vibe(["loom", "verify"], { cwd, env }).pipe(Effect.map(({ code }) => code)), 0)
    }),
  )

  it.scopedLive("says when the conversation is in the forest of another user", () =>
    Effect.gen(function* () {
      const { cwd } = yield* indexed
      const why = yield* vibe(["show", "--why", "greet"], { cwd })
      assert.strictEqual(why.code, 0, why.stderr)
      assert.match(why.stdout, /scripted\/\S+ wrote this in a conversation that is not kept here \(node \w+\)/)
    }),
  )

  it.scopedLive("continues without being stored when it cannot be", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const notFolder = path.join(cwd, "greet.ts")
      const { code, stderr, stdout } = yield* vibe(["index", "--model", "scripted/script.json"], {
        cwd,
        env: { XDG_STATE_HOME: notFolder },
      })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Starting indexing...\nIndexing complete.\n")
      assert.include(stderr, "the conversation of this run is not kept")
      assert.include(stderr, "1 purpose written")
    }),
  )
})
