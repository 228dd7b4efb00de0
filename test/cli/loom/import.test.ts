import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { object, out, talk } from "./session.ts"

describe("vibe loom import", () => {
  const session = [
    { type: "session", version: 3, id: "s", cwd: "/repo" },
    { type: "message", id: "a", parentId: null, message: { role: "user", content: "Hello" } },
    {
      type: "message",
      id: "b",
      parentId: "a",
      message: { role: "assistant", content: [{ type: "text", text: "Hi" }] },
    },
  ]
  const more = { type: "message", id: "c", parentId: "a", message: { role: "user", content: "Are you there?" } }
  const jsonl = (lines: ReadonlyArray<object>) => lines.map((line) => JSON.stringify(line)).join("\n")

  it.scoped("adds only new messages", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "session.jsonl")
      yield* talk((run) =>
        Effect.gen(function* () {
          fs.writeFileSync(file, jsonl(session))
          assert.strictEqual(
            yield* out(run("import", file)),
            "pi: 2 messages added, 0 known already, 1 line without a message",
          )
          fs.writeFileSync(file, `${jsonl([...session, more])}\n{"torn`)
          const counts = yield* object(run("import", file, "--json"))
          assert.deepInclude(counts, { format: "pi", known: 2, skipped: 2 })
          assert.include(yield* out(run("tree")), '├─ n-5 assistant "Hi"\n└─ n-6 @ user "Are you there?"')
        }),
      )
    }),
  )

  it.scoped("keeps the times of messages; those without one get the current time", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "session.jsonl")
      const said = "2024-05-06T07:08:09.123Z"
      fs.writeFileSync(file, jsonl([...session, { ...more, timestamp: said }]))
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      yield* talk((run) =>
        Effect.gen(function* () {
          yield* run("import", file)
          const times = Effect.map(object(run("tree", "--json")), ({ nodes }) =>
            nodes.map(({ createdAt }: { readonly createdAt: number }) => new Date(createdAt).toISOString()),
          )
          const now = "2026-01-01T00:00:00.000Z"
          assert.deepStrictEqual(yield* times, [now, now, said])
          const found = (...options: ReadonlyArray<string>) =>
            Effect.map(object(run("search", "there", "--json", ...options)), ({ nodes }) => nodes.length)
          assert.deepStrictEqual(
            yield* Effect.all([found("--until", "2024-12-31"), found("--until", "2024-05-01")]),
            [1, 0],
          )
        }),
      )
    }),
  )

  it.scoped("imports two equal answers as two nodes, and recognises both in a second import", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "twins.jsonl")
      const root = { id: "r", owner: "loom", systemPrompt: "", createdAt: 1 }
      const node = (id: string, parent: string, role: string, text: string, source: object = { type: "user" }) => ({
        type: "node",
        id,
        root: "r",
        parent,
        message: { role, content: [{ type: "text", text }] },
        source,
        createdAt: 1,
      })
      const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 }
      const model = { type: "model", model: "test/x", finish: "stop", usage }
      fs.writeFileSync(
        file,
        jsonl([
          { type: "root", ...root },
          node("q", "r", "user", "Hi"),
          node("a", "q", "assistant", "Same.", model),
          node("b", "q", "assistant", "Same.", model),
          node("c", "a", "user", "One"),
          node("d", "b", "user", "Two"),
          node("blank", "d", "assistant", "  ", model),
        ]),
      )
      yield* talk((run) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 5, known: 0, skipped: 1 })
          const tree = yield* out(run("tree"))
          assert.match(tree, /"Same\."\n.* "One"\n.*"Same\."\n.* "Two"$/)
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 0, known: 5, skipped: 1 })
          assert.strictEqual(yield* out(run("tree")), tree)
        }),
      )
    }),
  )

  it.scoped("keeps the titles of other programs, which roots and search show", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "conversations.json")
      const asked = (title: string, text: string, more = {}) => ({
        id: title,
        title,
        mapping: {
          a: {
            message: { author: { role: "user" }, content: { content_type: "text", parts: [text] }, ...more },
            parent: null,
            children: [],
          },
        },
      })
      const all = [
        asked("Tax return 2025", "Hello"),
        asked("Réparer un vélo", "Hello"),
        { id: "none", title: "Nothing", mapping: {} },
      ]
      fs.writeFileSync(file, JSON.stringify(all))
      yield* talk((run) =>
        Effect.gen(function* () {
          const roots = Effect.map(object(run("roots", "--json")), ({ roots }) => roots)
          const before = (yield* roots).length
          assert.strictEqual((yield* object(run("import", file, "--json"))).roots.length, 2)
          const titles = Effect.map(roots, (all) =>
            all.slice(before).map(({ title }: { readonly title: string }) => title),
          )
          assert.deepStrictEqual(yield* titles, ["Tax return 2025", "Réparer un vélo"])
          assert.include(yield* out(run("roots")), "Tax return 2025")

          const found = (...words: ReadonlyArray<string>) =>
            Effect.map(object(run("search", "--json", ...words)), ({ conversations }) =>
              conversations.map(({ title }: { readonly title: string }) => title),
            )
          assert.deepStrictEqual(yield* found("tax", "return"), ["Tax return 2025"])
          assert.deepStrictEqual(yield* found("velo"), ["Réparer un vélo"])
          assert.deepStrictEqual(yield* found("rep*"), ["Réparer un vélo"])
          assert.deepStrictEqual(yield* found("tax", "vélo"), [])
          assert.deepStrictEqual(yield* found("--role", "user", "tax"), [])
          assert.deepStrictEqual(yield* found("--root", "n-0", "tax"), [])
          assert.deepStrictEqual(yield* found("--since", "2999-01-01", "tax"), [])
          assert.match(yield* out(run("search", "tax")), /^n-\d+( @)? {2}\S+ \S+ {2}Tax return 2025 {2}1 message$/)

          // Again, after the user has named one: nothing is added, and the name stays.
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 0, known: 2 })
          assert.deepStrictEqual(yield* titles, ["Tax return 2025", "Réparer un vélo"])
        }),
      )
    }),
  )

  it.effect("calls markdown md, too", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* out(run("export", "@", "--format", "md")), yield* out(run("export", "@")))
      }),
    ),
  )

  it.scoped("does not move an existing bookmark", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "talk.jsonl")
      yield* talk((run) =>
        Effect.gen(function* () {
          yield* run("bookmark", "here", "n-1")
          fs.writeFileSync(file, yield* out(run("export", "n-0", "--format", "jsonl")))
          yield* run("bookmark", "here", "n-2")
          const { code, err } = yield* run("import", file)
          assert.deepStrictEqual([code, err], [0, "vibe: the bookmark here stays where it is, on another node\n"])
          assert.strictEqual((yield* object(run("show", "here", "--json"))).node.id, "n-2")
        }),
      )
    }),
  )
})
