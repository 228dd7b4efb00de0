/** vibe in scripts: pipes that end early, pipes that are slow, no stdin. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, piped, shell, vibe } from "./vibe.ts"

/** With an index; `many` functions with comments that make answers long. */
const indexed = (many = 3) =>
  Effect.gen(function* () {
    const comment = "It says the same as all the others, at a length that nobody wants to read. ".repeat(6)
    const functions = Array.from(
      { length: many },
      (_, n) => `/** ${comment}${n}. */\nexport const f${n} = () => ${n}\n`,
    )
    const cwd = yield* folder({ "src/many.ts": functions.join("") })
    assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd })).code, 0)
    return cwd
  })

describe("vibe in a pipe", () => {
  it.scopedLive("ends quietly when its reader stops, in every command", () =>
    Effect.gen(function* () {
      const cwd = yield* indexed(500)
      for (const args of ["query the same", "show src/many.ts", "show src/many.ts --json", "status", "index"]) {
        const { code, stderr } = yield* piped(args, "head -c 1", { cwd, env: { VIBE_MODEL: "offline" } })
        assert.strictEqual(code, 0, `${args}: ${stderr}`)
        if (args !== "index") assert.strictEqual(stderr, "", args)
      }
    }),
  )

  it.scopedLive("writes more than a megabyte completely, also to a slow reader", () =>
    Effect.gen(function* () {
      const cwd = yield* indexed(1500)
      const whole = yield* vibe(["show", "src/many.ts", "--json"], { cwd })
      assert.strictEqual(whole.code, 0, whole.stderr)
      assert.isAbove(whole.stdout.length, 1024 * 1024)
      assert.lengthOf(JSON.parse(whole.stdout).symbols, 1500)
      // The reader itself starts a Node before it reads: until then the pipe is full, and the program waits.
      const slow = `"${process.execPath}" -e "process.stdin.pipe(process.stdout)"`
      const { code, stdout } = yield* piped("show src/many.ts --json", slow, { cwd })
      assert.strictEqual(code, 0)
      assert.strictEqual(stdout, whole.stdout)
    }),
  )

  it.scopedLive("needs no stdin, and reads none", () =>
    Effect.gen(function* () {
      const cwd = yield* indexed()
      for (const stdin of ["<&-", "< <(head -c 10000000 /dev/zero)"]) {
        for (const args of ["status", "query the same", "index --model offline"]) {
          const { code, stderr, stdout } = yield* shell(`vibe ${args} ${stdin}`, { cwd })
          assert.strictEqual(code, 0, `${args} ${stdin}: ${stderr}`)
          assert.notStrictEqual(stdout, "")
        }
      }
    }),
  )
})
