/** `vibe wiki` of a small project: its pages, and what they say about a question. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const project = {
  "src/mail.ts": "/** Sends a mail. */\nexport function send(to: string): void {\n  console.log(to)\n}\n",
  ".vibe/wiki/letters.md": `# Letters

A mail is sent at once. [send]

## Where to change what

- the language of a letter [send]

[send]: ../../src/mail.ts "send"
`,
}

const indexed = Effect.gen(function* () {
  const cwd = yield* folder(project)
  const { code, stderr } = yield* vibe(["index", ".", "--model", "offline"], { cwd })
  assert.strictEqual(code, 0, stderr)
  return (...args: ReadonlyArray<string>) => vibe(["wiki", ...args], { cwd })
})

describe("vibe wiki", () => {
  it.scopedLive("prints a page by its title, and for a question what the pages say of it, with the places", () =>
    Effect.gen(function* () {
      const wiki = yield* indexed
      const page = yield* wiki("Letters")
      assert.match(page.stdout, /^Letters\n\nA mail is sent at once\. {2}src\/mail\.ts:2 send\n/)
      const answer = yield* wiki("when", "is", "a", "mail", "sent?")
      assert.deepStrictEqual([answer.code, answer.stderr], [0, ""])
      assert.match(answer.stdout, /^Letters\n- A mail is sent at once\. {2}src\/mail\.ts:2 send\n/)
      assert.match(answer.stdout, /\nWhole pages: vibe wiki letters/)
    }),
  )

  it.scopedLive("prints an answer as one object, each statement with its state", () =>
    Effect.gen(function* () {
      const wiki = yield* indexed
      const { question, answers } = JSON.parse((yield* wiki("--json", "language of letters")).stdout)
      assert.strictEqual(question, "language of letters")
      assert.deepInclude(answers[0], { page: "letters", kind: "part", title: "Letters" })
      const [block] = answers[0].blocks
      assert.deepInclude(block, { section: "Where to change what", step: null })
      assert.deepInclude(block.statements[0], { text: "the language of a letter", author: "person", state: "holds" })
    }),
  )

  it.scopedLive("exports into a folder in folders that do not exist yet", () =>
    Effect.gen(function* () {
      const wiki = yield* indexed
      const { code, stderr } = yield* wiki("--export", "site/docs/the wiki")
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, /wrote \d+ pages to \S*site\/docs\/the wiki;/)
      const inFile = yield* wiki("--export", "src/mail.ts/wiki")
      assert.strictEqual(inFile.code, 2)
      assert.include(inFile.stderr, "not a folder")
    }),
  )

  it.scopedLive("names near pages, and exits with 1, if no page says anything", () =>
    Effect.gen(function* () {
      const wiki = yield* indexed
      const none = yield* wiki("lettres")
      assert.deepStrictEqual([none.code, none.stdout], [1, ""])
      assert.include(none.stderr, "the wiki has no page 'lettres' and says nothing of it; near it: letters")
      const both = yield* wiki("--check", "letters")
      assert.strictEqual(both.code, 2)
      assert.include(both.stderr, "--check and --export are about all pages, so they take none")
    }),
  )
})
