/** `vibe affected` in a repository of the real program git. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { folder, vibe } from "./vibe.ts"

const project = {
  "src/pack.ts": "export function pack(data: string) {\n  return data.trim()\n}\n",
  "src/send.ts": 'import { pack } from "./pack.ts"\nexport function send(data: string) {\n  return pack(data)\n}\n',
  "test/send.test.ts": 'import { send } from "../src/send.ts"\nfunction testSend() {\n  send("")\n}\n',
  "go/a/a.go": "package a\n\nfunc Run() {}\n",
  "go/a/a_test.go": "package a\n\nfunc TestRun() {\n\tRun()\n}\n",
  "settings.json": "{}\n",
  // The conversations of these runs are in the folder.
  ".gitignore": ".local/\n",
}

const indexed = Effect.gen(function* () {
  const repository = yield* GitRepository.make(yield* folder())
  repository.commit(project)
  const options = { cwd: repository.root, env: GitRepository.environment(repository.root) }
  const ended = yield* vibe(["index", ".", "--model", "offline"], options)
  assert.strictEqual(ended.code, 0, ended.stderr)
  return { ...repository, options }
})

describe.skipIf(!GitRepository.isAvailable)("vibe affected", () => {
  it.scopedLive("prints what a test runner takes, by a commit or by files", () =>
    Effect.gen(function* () {
      const { options, write } = yield* indexed
      const none = yield* vibe(["affected"], options)
      assert.deepStrictEqual([none.code, none.stdout], [0, ""])
      assert.match(
        none.stderr,
        /^vibe: no test is known to depend on what has changed; compared the working tree with HEAD /,
      )
      write({ "src/pack.ts": project["src/pack.ts"].replace("trim", "trimEnd") })
      const changed = yield* vibe(["affected", "HEAD"], options)
      assert.deepStrictEqual([changed.code, changed.stdout, changed.stderr], [0, "test/send.test.ts\n", ""])
      const files = yield* vibe(["affected", "src/send.ts", "go/a/a.go"], options)
      assert.deepStrictEqual([files.code, files.stdout, files.stderr], [0, "./go/a\ntest/send.test.ts\n", ""])
    }),
  )

  it.scopedLive("says what it cannot know, and fails by --strict", () =>
    Effect.gen(function* () {
      const { options } = yield* indexed
      const loose = yield* vibe(["affected", "settings.json"], options)
      assert.deepStrictEqual([loose.code, loose.stdout], [0, ""])
      assert.include(loose.stderr, "not known: which tests read 1 changed file without symbols (settings.json)")
      const strict = yield* vibe(["affected", "settings.json", "--strict"], options)
      assert.strictEqual(strict.code, 1)
      const json = yield* vibe(["affected", "settings.json", "--json"], options)
      const { certain, targets, unknown } = JSON.parse(json.stdout)
      assert.deepStrictEqual([certain, targets, unknown.filesWithoutSymbols], [false, [], ["settings.json"]])
      const wrong = yield* vibe(["affected", "nothing-of-that-name"], options)
      assert.strictEqual(wrong.code, 2)
    }),
  )
})
