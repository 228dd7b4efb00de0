import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DisplayWidth from "../../../src/base/DisplayWidth.ts"
import type * as Pager from "../../../src/cli/terminal/Pager.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { isThorough } from "../../thoroughness.ts"
import { object, out, type Run, session } from "./session.ts"

describe("vibe loom, of a message that an edit has divided", () => {
  /** n-1 "Write a poem" with the reply n-2; its edit is n-3 "Write a " and n-4 "longer poem". */
  const edited = <E>(use: (run: Run) => Effect.Effect<void, E>) =>
    session((run) =>
      Effect.gen(function* () {
        yield* run("append", "--system", "Be kind", "Write", "a", "poem")
        yield* run("append", "@", "Roses", "--role", "assistant")
        yield* run("edit", "n-1", "Write a longer poem")
        yield* use(run)
      }),
    )

  it.effect("draws it whole in each branch, with the ids of its parts", () =>
    edited((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* out(run("tree", "n-0"))).split("\n"), [
          'n-0 root "Be kind"',
          '├─ n-3 + n-1 user "Write a poem"',
          '│  n-2 assistant "Roses"',
          '└─ n-3 + n-4 @ user "Write a longer poem"',
        ])
        assert.include(yield* out(run("log", "--graph")), '* n-3 + n-4 @ user "Write a longer poem"')
        const { nodes } = yield* object(run("tree", "n-0", "--json"))
        assert.lengthOf(nodes, 4)
      }),
    ),
  )

  it.effect("finds, lists and exports it whole", () =>
    edited((run) =>
      Effect.gen(function* () {
        const texts = (lines: string) => lines.split("\n").map((line) => line.split(/ {2}/).at(-1))
        assert.deepStrictEqual(texts(yield* out(run("search", "poem"))), ["Write a longer poem", "Write a poem"])
        assert.deepStrictEqual(texts(yield* out(run("search", "write"))), ["Write a poem"])
        assert.deepStrictEqual(yield* out(run("switch", "@")), 'n-3 + n-4 @ user "Write a longer poem"')
        yield* run("bookmark", "long", "n-4")
        assert.strictEqual(yield* out(run("bookmarks")), 'n-3 + n-4 @ user "Write a longer poem" [long]')
        const markdown = "# Write a longer poem\n\n## System\n\nBe kind\n\n## 1. User\n\nWrite a longer poem"
        assert.strictEqual(yield* out(run("export")), markdown)
        assert.lengthOf((yield* object(run("export", "--format", "json"))).nodes, 2)
      }),
    ),
  )
})

describe("vibe loom, of long conversations", () => {
  const long = (run: Run) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "long.jsonl")
      const root = { type: "root", id: "r", owner: "loom", systemPrompt: "Be kind", createdAt: 1 }
      const nodes = Array.from({ length: 250 }, (_, n) => ({
        type: "node",
        id: `m${n}`,
        parent: n === 0 ? "r" : `m${n - 1}`,
        root: "r",
        message: { role: "user", content: [{ type: "text", text: `message ${n}` }] },
        source: { type: "user" },
        createdAt: 1,
      }))
      fs.writeFileSync(file, [root, ...nodes].map((record) => JSON.stringify(record)).join("\n"))
      yield* run("import", file)
    }).pipe(Effect.scoped)

  it.effect("prints the newest messages, and says how many more there are", () =>
    session((run) =>
      Effect.gen(function* () {
        yield* long(run)
        const log = yield* run("log")
        assert.match(log.out, /^n-51 {2}user.*\n {4}message 50\n/)
        assert.strictEqual(log.err, "50 earlier messages not printed; --limit 251 prints all of them\n")
        const whole = yield* run("log", "--limit", "251")
        assert.match(whole.out, /^n-0 {2}root/)
        assert.strictEqual(whole.err, "")
        const tree = yield* run("tree")
        assert.deepStrictEqual(tree.out.split("\n").slice(0, 2), ['n-0 root "Be kind"', '… n-51 user "message 50"'])
        assert.strictEqual(tree.err, "50 older messages not drawn; --limit 250 draws all of them\n")
        assert.strictEqual((yield* run("tree", "--limit", "250")).err, "")
        assert.lengthOf((yield* object(run("tree", "--json"))).nodes, 250)
        assert.deepInclude(yield* object(run("tree", "--json", "--limit", "3")), { more: 247 })
      }),
    ),
  )

  it.effect("compares two ends without reading what is in common", () =>
    session((run) =>
      Effect.gen(function* () {
        yield* long(run)
        assert.strictEqual(
          yield* out(run("diff", "@~3", "@")),
          "247 messages in common; then 0 in the first, 3 in the second\n\n{+user: message 247message 248message 249+}",
        )
        assert.include(yield* out(run("diff", "n-100", "@")), "100 messages in common")
      }),
    ),
  )

  it.effect("shows what is longer than the screen in the pager, unless told otherwise", () => {
    const shown: Array<string> = []
    const pager: Pager.Service = { show: (text) => Effect.sync(() => shown.push(text) > 0) }
    return session(
      (run) =>
        Effect.gen(function* () {
          yield* long(run)
          assert.strictEqual((yield* run("tree", "--limit", "2")).out, "")
          assert.match(shown.join(""), /^n-0 root "Be kind"\n… n-249 user "message 248"\nn-250 @ user "message 249"\n$/)
          assert.include((yield* run("tree", "--no-pager")).out, "message 248")
          assert.lengthOf(shown, 1)
        }),
      undefined,
      undefined,
      { columns: 80, pager },
    )
  })
})

describe("vibe loom, on a terminal", () => {
  it.effect.each([40, 80, 200])("fills %i columns and no more, with wide characters and deep branches", (columns) =>
    session(
      (run) =>
        Effect.gen(function* () {
          yield* run("append", "--system", "Be kind", "漢字と".repeat(100))
          // Twelve levels take more than half of the narrowest one.
          for (let n = 0; n < (columns === 40 || isThorough ? 12 : 4); n++) {
            yield* run("append", "@", `${n} wörds `.repeat(100))
            yield* run("append", "@^", "😀".repeat(300))
          }
          yield* run("bookmark", "a name", "@")
          for (const command of [
            ["tree"],
            ["log", "--graph"],
            ["bookmarks"],
            ["roots"],
            ["history"],
            ["search", "wörds"],
          ]) {
            const lines = (yield* out(run(...command))).split("\n")
            const widths = lines.map(DisplayWidth.width)
            assert.isAtMost(Math.max(...widths), columns, command.join(" "))
            if (command[0] !== "roots" && command[0] !== "history")
              assert.isAtLeast(Math.max(...widths), columns - 2, command.join(" "))
          }
        }),
      undefined,
      undefined,
      { columns },
    ),
  )
})
