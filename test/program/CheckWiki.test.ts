/**
 * `vibe check --base REF --model` with a wiki in a repository of the real program git, and
 * a model that follows a script.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { folder, vibe } from "./vibe.ts"

const mail = (delay: number) =>
  `/** Sends a mail. */\nexport function send(to: string, text: string): void {\n  setTimeout(() => console.log(to, text), ${delay})\n}\n`

const page = `# Letters

A mail is sent later. [send]
A mail is sent twice. [send]
A mail goes to a person. [send]

[send]: ../../src/mail.ts "send"
`

/** A repository with a wiki of three statements by a person about a function, which has changed since the commit. */
const touched = Effect.gen(function* () {
  const repository = yield* GitRepository.make(yield* folder())
  const { root } = repository
  const options = { cwd: root, env: GitRepository.environment(root) }
  repository.write({ "src/mail.ts": mail(10), ".vibe/wiki/letters.md": page, ".gitignore": ".vibe/index.db*\n" })
  const indexed = yield* vibe(["index"], options)
  assert.strictEqual(indexed.code, 0, indexed.stderr)
  repository.commit({})
  repository.write({ "src/mail.ts": mail(0) })
  const scripts = yield* folder()
  const checkBy = (answer: object, ...args: ReadonlyArray<string>) => {
    const script = path.join(scripts, "script.json")
    fs.writeFileSync(script, JSON.stringify([answer]))
    return vibe(["check", "--base", "HEAD", "--model", `scripted/${script}`, ...args], options)
  }
  return { ...repository, options, checkBy }
})

const verdicts = (args: object) => ({ toolCalls: [{ name: "check_statements", arguments: args }] })
const mixed = verdicts({ holds: [3], partly: [{ i: 1, t: "A mail is sent at once." }], not: [], unseen: [2] })

describe.skipIf(!GitRepository.isAvailable)("vibe check --model", () => {
  it.scopedLive("says which touched statements are untrue, hold, or were not judged, and changes no page", () =>
    Effect.gen(function* () {
      const { checkBy, root } = yield* touched
      const checked = yield* checkBy(mixed)
      assert.strictEqual(checked.code, 0, checked.stderr)
      assert.match(
        checked.stdout,
        /untrue-statement\n.*A mail is sent later\.\n.*corrects it: A mail is sent at once\./,
      )
      assert.match(checked.stdout, /touched-statement\n.*A mail is sent twice\.\n.*could not judge it/)
      assert.match(checked.stdout, /touched-statement\n.*A mail goes to a person\.\n.*it holds/)
      assert.match(checked.stderr, /judged 2 statements, and 1 statement could not be judged/)
      assert.strictEqual(fs.readFileSync(path.join(root, ".vibe/wiki/letters.md"), "utf8"), page)
      assert.strictEqual((yield* checkBy(mixed, "--strict")).code, 1)
    }),
  )

  it.scopedLive("finds nothing to mend if the model finds all statements true", () =>
    Effect.gen(function* () {
      const { checkBy } = yield* touched
      const { code, stderr } = yield* checkBy(
        verdicts({ holds: [1, 2, 3], partly: [], not: [], unseen: [] }),
        "--strict",
      )
      assert.strictEqual(code, 0, stderr)
    }),
  )

  it.scopedLive("fails as the provider says if it refuses every request, and lists what was found all the same", () =>
    Effect.gen(function* () {
      const { checkBy } = yield* touched
      const refusal = { error: { reason: "Unauthorized", message: "the key is not valid" } }
      const refused = yield* checkBy(refusal)
      assert.strictEqual(refused.code, 3, refused.stderr)
      assert.match(refused.stderr, /\nvibe: .*the key is not valid/)
      assert.match(refused.stdout, /A mail is sent twice\.\n.*could not judge it/)
      const json = yield* checkBy(refusal, "--json", "--strict")
      assert.strictEqual(json.code, 3, json.stderr)
      const { error, findings } = JSON.parse(json.stdout)
      assert.include(error.message, "the key is not valid")
      assert.deepStrictEqual(
        findings.map(({ verdict }: { readonly verdict: string }) => verdict),
        ["unjudged", "unjudged", "unjudged"],
      )
    }),
  )

  it.scopedLive("refuses limits of requests without a model", () =>
    Effect.gen(function* () {
      const { options } = yield* touched
      const { code, stderr, stdout } = yield* vibe(["check", "--max-cost", "0.01"], options)
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, "option '--max-cost' needs '--model'")
    }),
  )
})
