/** `vibe watch` as a process of its own, over real files. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const greet = (name: string) => `export function ${name}(name: string) {\n  return name\n}\n`

const project = Effect.tap(folder({ "project/src/greet.ts": greet("greet") }), (cwd) =>
  vibe(["index", "project", "--model", "offline"], { cwd }),
)

/** Runs steps one after the other, each once stdout or stderr has the text that it waits for. */
const steps = (all: ReadonlyArray<readonly [after: RegExp, then: (child: ChildProcess) => void]>) => {
  let said = ""
  let next = 0
  return (child: ChildProcess) => {
    const hear = (text: string) => {
      said += text
      for (let step = all[next]; step?.[0].test(said); step = all[next]) {
        next += 1
        said = ""
        step[1](child)
      }
    }
    child.stdout?.on("data", hear)
    child.stderr?.on("data", hear)
  }
}

describe("vibe watch", () => {
  it.scopedLive("prints what changes, and ends with 130 after Ctrl-C", () =>
    Effect.gen(function* () {
      const cwd = yield* project
      const write = (file: string, text: string) => fs.writeFileSync(path.join(cwd, "project", file), text)
      const { code, stderr, stdout } = yield* vibe(["watch", "project"], {
        cwd,
        onStart: steps([
          [/Watching/, () => write("src/greet.ts", greet("welcome"))],
          [/greet\.ts/, () => write("src/new.ts", greet("part"))],
          [/new\.ts/, (child) => child.kill("SIGINT")],
        ]),
      })
      assert.strictEqual(code, 130)
      assert.deepStrictEqual(stdout.split("\n"), [
        "project/src/greet.ts: 1 symbol added, 1 removed",
        "project/src/new.ts: new, 1 symbol",
        "",
      ])
      assert.strictEqual(
        stderr,
        `Bringing the index of ${path.join(cwd, "project")} up to date...\n` +
          "Watching 1 file in 2 folders with 1 symbol. Ctrl-C ends it.\n",
      )
      const { stdout: found } = yield* vibe(["query", "welcome", "--root", "project"], { cwd })
      assert.include(found, "welcome")
    }),
  )

  it.scopedLive("ends with 2 where the folder is moved away, and leaves nothing in its place", () =>
    Effect.gen(function* () {
      const cwd = yield* project
      const { code, stderr, stdout } = yield* vibe(["watch", "--json", "project"], {
        cwd,
        onStart: steps([[/"files"/, () => fs.renameSync(path.join(cwd, "project"), path.join(cwd, "moved"))]]),
      })
      assert.strictEqual(code, 2)
      assert.include(stderr, "was moved or removed")
      assert.include(stdout.trimEnd().split("\n").at(-1) ?? "", '"reason":"Moved"')
      assert.isFalse(fs.existsSync(path.join(cwd, "project")))
    }),
  )

  it.scopedLive("fails with 2 where there is no index", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* vibe(["watch"], { cwd: yield* folder({ "a.ts": greet("greet") }) })
      assert.strictEqual(code, 2)
      assert.include(stderr, "there is no index here yet")
    }),
  )
})
